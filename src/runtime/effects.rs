//! The workers: one reads and assembles, one counts. The loop never waits for either.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use chrono::Utc;
use tokio::sync::mpsc::UnboundedSender;

use super::watcher::Watcher;
use crate::app::{Assembled, Event, Outcome, Question, View};
use crate::budget::Usage;
use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::inputs::{Inputs, Request, root};
use crate::machine::Machine;
use crate::prompt::Assembly;
use crate::tokens::{Counter, Encoding};
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::{RootState, Workspace};

/// What the counting worker is given: a view by its question, and how to count it.
type Count = (u64, Arc<Assembly>, Encoding);

/// The workers' end that the loop holds; dropping it ends them.
#[derive(Debug)]
pub struct Workers {
    questions: Sender<Question>,
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
        let counted = events.clone();
        spawn("count", move || count_all(&to_count, &counted));
        let assembler = Assembler {
            request,
            machine,
            watcher,
            last: None,
        };
        spawn("assemble", move || {
            assembler.answer_all(&asked, &events, &counts);
        });
        Self { questions }
    }

    /// Asks a question.
    pub fn ask(&self, question: Question) {
        // A worker that is gone has said so in an answer of its own.
        let _ = self.questions.send(question);
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

/// Counts the newest view of those that wait.
fn count_all(to_count: &Receiver<Count>, events: &UnboundedSender<Event>) {
    let mut counter: Option<Counter> = None;
    while let Ok(mut newest) = to_count.recv() {
        while let Ok(newer) = to_count.try_recv() {
            newest = newer;
        }
        let (question, assembly, encoding) = newest;
        let mut ready = match counter.take() {
            Some(counter) if counter.encoding() == encoding => counter,
            _ => Counter::new(encoding),
        };
        let usage = Usage::count(&assembly, &mut ready);
        counter = Some(ready);
        if events
            .send(Event::Counted(question, Box::new(usage)))
            .is_err()
        {
            return;
        }
    }
}

/// The assembling worker's memory.
struct Assembler {
    request: Request,
    machine: Machine,
    watcher: Option<Watcher>,
    last: Option<Last>,
}

/// What the last answer was made of.
struct Last {
    inputs: Inputs,
    workspace: Arc<Workspace>,
    settings_problem: Option<String>,
}

impl Assembler {
    fn answer_all(
        mut self,
        asked: &Receiver<Question>,
        events: &UnboundedSender<Event>,
        counts: &Sender<Count>,
    ) {
        while let Ok(mut question) = asked.recv() {
            // The newest question is answered for all; a reread that any of them wants is done.
            while let Ok(newer) = asked.try_recv() {
                let reread = question.reread || newer.reread;
                question = Question { reread, ..newer };
            }
            let number = question.number;
            let outcome = catch_unwind(AssertUnwindSafe(|| self.answer(question)))
                .unwrap_or_else(|_| Outcome::Lost("promptscope itself failed here".to_owned()));
            let to_count = match &outcome {
                Outcome::View(view) => Some((number, view.assembly.clone(), view.encoding)),
                _ => None,
            };
            let assembled = Assembled {
                question: number,
                outcome,
            };
            if events.send(Event::Assembled(Box::new(assembled))).is_err() {
                return;
            }
            if let Some(to_count) = to_count {
                // The counting worker lives as long as this one.
                let _ = counts.send(to_count);
            }
        }
    }

    fn answer(&mut self, question: Question) -> Outcome {
        let (mut inputs, settings_problem) = match self.inputs(question.reread) {
            Ok(found) => found,
            Err(error) => return Outcome::Lost(error.to_string()),
        };
        if let Some(composed) = question.composed {
            let turn = composed.over(inputs.turn.clone(), &inputs.session_limits);
            inputs.set_turn(turn);
        }
        let last = self.last.take();
        let is_needed = question.reread
            || last
                .as_ref()
                .is_none_or(|last| last.inputs.places != inputs.places);
        let workspace = match &last {
            Some(last) if !is_needed => last.workspace.clone(),
            _ => Arc::new(Workspace::read(&inputs.places)),
        };
        if let Some(watcher) = self.watcher.as_ref().filter(|_| is_needed) {
            let mut folders = Workspace::folders(&inputs.places);
            folders.extend(
                self.machine
                    .settings_folder()
                    .filter(|folder| folder.is_dir()),
            );
            let root = inputs.places.root.clone();
            watcher.watch_also(folders, BTreeSet::from([root]));
        }
        if let RootState::Unreadable(error) = &workspace.state {
            let reason = format!("{} {}", workspace.root.display(), error.message);
            self.last = last;
            return Outcome::Lost(reason);
        }
        let is_same_disk = last
            .as_ref()
            .is_some_and(|last| last.workspace == workspace);
        let is_same = is_same_disk
            && last.as_ref().is_some_and(|last| {
                last.inputs == inputs && last.settings_problem == settings_problem
            });
        if !is_same {
            let now = Utc::now();
            let assembly = Arc::new(inputs.assemble(&workspace, &self.machine, now));
            let view = View {
                workspace: workspace.clone(),
                turn: inputs.turn.clone(),
                agent: inputs.agent.clone(),
                is_exact: inputs.is_exact(),
                reservations: inputs.reservations(&assembly),
                host: inputs.host_report(&workspace, &self.machine, now),
                encoding: inputs.encoding,
                budget: inputs.config.budget.clone(),
                theme: inputs.config.theme.clone(),
                settings_problem: settings_problem.clone(),
                assembly,
                is_save: last.is_some() && !is_same_disk && question.reread,
            };
            self.last = Some(Last {
                inputs,
                workspace,
                settings_problem,
            });
            return Outcome::View(Arc::new(view));
        }
        self.last = last;
        Outcome::Unchanged
    }

    /// Resolves the inputs anew, or takes the last ones; settings that are broken leave the last
    /// ones in force, and the problem is told.
    fn inputs(&self, reread: bool) -> Result<(Inputs, Option<String>)> {
        if let (Some(last), false) = (&self.last, reread) {
            return Ok((last.inputs.clone(), last.settings_problem.clone()));
        }
        let error = match Inputs::resolve(&self.request, &self.machine) {
            Ok(inputs) => return Ok((inputs, None)),
            Err(error) if error.kind() == Kind::Workspace => return Err(error),
            Err(error) => error,
        };
        match &self.last {
            Some(last) => Ok((last.inputs.clone(), Some(error.to_string()))),
            None => self.inputs_of_defaults(&error),
        }
    }

    fn inputs_of_defaults(&self, error: &Error) -> Result<(Inputs, Option<String>)> {
        let agent_config = self.machine.home().and_then(AgentConfig::read);
        let root = root(&self.request, &self.machine, agent_config.as_ref())?;
        let config = Config::resolve(&[])?;
        let inputs =
            Inputs::with_config(&self.request, &self.machine, &root, config, agent_config)?;
        Ok((inputs, Some(error.to_string())))
    }
}
