//! The workers: one reads and assembles, one counts, one keeps the scenarios. The loop never waits for
//! any of them.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use super::assembler::{Ask, Assembler};
use super::counting::{Count, count_all};
use super::store::Store;
use super::watcher::Watcher;
use crate::app::{Event, Question, StoreTask};
use crate::inputs::Request;
use crate::machine::Machine;

/// The workers' end that the loop holds; dropping it ends them.
#[derive(Debug)]
pub struct Workers {
    questions: Sender<Ask>,
    counts: Sender<Count>,
    tasks: Sender<StoreTask>,
}

impl Workers {
    /// Starts the workers; their answers go to `events`, the folders to be watched to `watcher`.
    #[must_use]
    pub fn start(
        request: Request,
        machine: Machine,
        events: UnboundedSender<Event>,
        watcher: Option<Watcher>,
    ) -> Self {
        let (questions, asked) = channel();
        let (counts, to_count) = channel();
        let (tasks, to_do) = channel();
        let counted = events.clone();
        spawn("count", move || count_all(&to_count, &counted));
        let store = Store::of(&request, &machine);
        let stored = events.clone();
        spawn("store", move || store.answer_all(&to_do, &stored));
        let assembler = Assembler::new(request, machine, watcher);
        let views = counts.clone();
        spawn("assemble", move || {
            assembler.answer_all(&asked, &events, &views);
        });
        Self {
            questions,
            counts,
            tasks,
        }
    }

    /// Asks a question.
    pub fn ask(&self, question: Question) {
        // A worker that is gone has said so in an answer of its own.
        let _ = self.questions.send(Ask::View(question));
    }

    /// Asks for the fate of every line of the history.
    pub fn audit(&self) {
        let _ = self.counts.send(Count::Audit);
    }

    /// Asks what a prompt cache would lose, and what would save most.
    pub fn insight(&self) {
        let _ = self.questions.send(Ask::Insight);
    }

    /// Asks for what git's last commit holds.
    pub fn git_base(&self) {
        let _ = self.questions.send(Ask::GitBase);
    }

    /// Hands a task to the store of scenarios.
    pub fn store(&self, task: StoreTask) {
        let _ = self.tasks.send(task);
    }

    /// Asks for the tokens of marked lines.
    pub fn count_marked(&self, number: u64, text: Arc<str>) {
        let _ = self.counts.send(Count::Marked(number, text));
    }
}

/// Starts a worker. Values may be nested as deep as Python allows, which takes a large stack.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    const STACK: usize = 16 * 1024 * 1024;
    let thread = thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK);
    // Without threads nothing is ever answered, and the screen goes on saying that it reads.
    let _ = thread.spawn(work);
}
