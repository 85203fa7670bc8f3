//! The workers: one reads and assembles, one counts. The loop never waits for either.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use chrono::Utc;
use tokio::sync::mpsc::UnboundedSender;

use super::counting::{Count, count_all};
use super::watcher::Watcher;
use crate::app::{Assembled, Event, Keymap, Outcome, Question, View};
use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::inputs::{Inputs, Request, root};
use crate::machine::Machine;
use crate::prompt::WhatIf;
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::{RootState, Workspace, path_text};

/// The workers' end that the loop holds; dropping it ends them.
#[derive(Debug)]
pub struct Workers {
    questions: Sender<Question>,
    counts: Sender<Count>,
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
        let views = counts.clone();
        spawn("assemble", move || {
            assembler.answer_all(&asked, &events, &views);
        });
        Self { questions, counts }
    }

    /// Asks a question.
    pub fn ask(&self, question: Question) {
        // A worker that is gone has said so in an answer of its own.
        let _ = self.questions.send(question);
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
    what_if: WhatIf,
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
                Outcome::View(view) => Some(Count::View(number, view.clone())),
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
            let mut turn = composed.over(inputs.turn.clone(), &inputs.session_limits);
            for path in &mut turn.media {
                *path = self.absolute(path);
            }
            inputs.set_turn(turn);
        }
        let what_if = question.what_if;
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
                last.inputs == inputs
                    && last.settings_problem == settings_problem
                    && last.what_if == what_if
            });
        if !is_same {
            let now = Utc::now();
            let real = Arc::new(inputs.assemble(&workspace, &self.machine, now));
            let assembly = if what_if.is_any() {
                let (mut inputs, mut workspace) = (inputs.clone(), (*workspace).clone());
                what_if.apply(&mut workspace, &mut inputs.turn);
                Arc::new(inputs.assemble(&workspace, &self.machine, now))
            } else {
                real.clone()
            };
            let (keymap, settings_problem) = Self::keymap(&inputs, settings_problem);
            let view = View {
                workspace: workspace.clone(),
                turn: inputs.turn.clone(),
                agent: inputs.agent.clone(),
                is_exact: inputs.is_exact(),
                reservations: inputs.reservations(&assembly),
                skills: inputs.skills(&workspace, &self.machine, now),
                real,
                keymap,
                host: inputs.host_report(&workspace, &self.machine, now),
                encoding: inputs.encoding,
                budget: inputs.config.budget.clone(),
                theme: inputs.config.theme.clone(),
                mouse: inputs.config.mouse,
                settings_problem: settings_problem.clone(),
                assembly,
                is_save: last.is_some() && !is_same_disk && question.reread,
            };
            self.last = Some(Last {
                inputs,
                workspace,
                settings_problem,
                what_if,
            });
            return Outcome::View(Arc::new(view));
        }
        self.last = last;
        Outcome::Unchanged
    }

    /// Makes a typed path absolute: from the home folder after `~/`, else from the current one.
    fn absolute(&self, path: &str) -> String {
        let below_home = path.strip_prefix("~/").zip(self.machine.home());
        path_text(&match below_home {
            Some((below, home)) => home.join(below),
            None => self.machine.absolute(Path::new(path)),
        })
    }

    /// Makes the keymap of the settings; one that cannot be leaves the keys as they come, and the
    /// problem is told.
    fn keymap(inputs: &Inputs, problem: Option<String>) -> (Arc<Keymap>, Option<String>) {
        match Keymap::with(&inputs.config.keys) {
            Ok(keymap) => (Arc::new(keymap), problem),
            Err(conflict) => (Arc::default(), Some(problem.unwrap_or(conflict))),
        }
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
