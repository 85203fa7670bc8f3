//! The assembling worker: it resolves the inputs, reads the workspace and assembles, and answers the
//! newest question for all that wait.

mod library;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use chrono::{DateTime, Utc};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::mpsc::error::SendError;

use library::Known;

use super::counting::Count;
use super::log;
use super::watcher::Watcher;
use crate::app::{Assembled, Event, Insight, Keymap, Outcome, Question, View};
use crate::budget::Usage;
use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::inputs::{Inputs, Request, root};
use crate::insight::advice::advice;
use crate::library::{Catalog, Compiled};
use crate::machine::Machine;
use crate::prompt::{Assembly, WhatIf};
use crate::revision::Revision;
use crate::tokens::Counter;
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::read::Shelf;
use crate::workspace::survey::Survey;
use crate::workspace::{RootState, Workspace, path_text};

/// What the assembling worker is asked.
#[derive(Debug)]
pub(super) enum Ask {
    /// A view.
    View(Question),
    /// What git's last commit holds.
    GitBase,
    /// What a prompt cache would lose, and what would save most.
    Insight,
}

/// The assembling worker's memory.
pub(super) struct Assembler {
    request: Request,
    machine: Machine,
    watcher: Option<Watcher>,
    library: Known,
    shelf: Shelf,
    last: Option<Last>,
}

/// What the last answer was made of.
struct Last {
    inputs: Inputs,
    workspace: Arc<Workspace>,
    survey: Arc<Survey>,
    catalog: Arc<Catalog>,
    compiled: Option<Compiled>,
    settings_problem: Option<String>,
    what_if: WhatIf,
}

impl Last {
    /// Tells whether the disk held the same.
    fn is_same_disk(&self, other: &Self) -> bool {
        self.workspace == other.workspace
            && self.survey == other.survey
            && self.catalog.library.sources == other.catalog.library.sources
    }

    /// Tells whether all of it is the same.
    fn is_same(&self, other: &Self) -> bool {
        self.is_same_disk(other)
            && self.inputs == other.inputs
            && self.settings_problem == other.settings_problem
            && self.what_if == other.what_if
            && self.compiled == other.compiled
            && Arc::ptr_eq(&self.catalog, &other.catalog)
    }
}

impl Assembler {
    /// Makes the worker.
    pub(super) fn new(request: Request, machine: Machine, watcher: Option<Watcher>) -> Self {
        Self {
            request,
            machine,
            watcher,
            library: Known::default(),
            shelf: Shelf::default(),
            last: None,
        }
    }

    /// Answers until nobody asks any more; views go to be counted as well.
    pub(super) fn answer_all(
        mut self,
        asked: &Receiver<Ask>,
        events: &UnboundedSender<Event>,
        counts: &Sender<Count>,
    ) {
        while let Ok(first) = asked.recv() {
            // The newest question is answered for all; a reread that any of them wants is done.
            let mut newest: Option<Question> = None;
            let (mut wants_base, mut wants_insight) = (false, false);
            for ask in std::iter::once(first).chain(asked.try_iter()) {
                match ask {
                    Ask::GitBase => wants_base = true,
                    Ask::Insight => wants_insight = true,
                    Ask::View(newer) => {
                        let reread = newer.reread || newest.is_some_and(|it| it.reread);
                        newest = Some(Question { reread, ..newer });
                    }
                }
            }
            let is_gone = newest
                .is_some_and(|question| self.answer_one(question, events, counts).is_err())
                || (wants_base && events.send(Event::GitBase(self.git_base())).is_err())
                || (wants_insight
                    && events
                        .send(Event::Insight(Box::new(self.insight())))
                        .is_err());
            if is_gone {
                return;
            }
        }
    }

    /// Answers a question; fails where nobody listens any more.
    fn answer_one(
        &mut self,
        question: Question,
        events: &UnboundedSender<Event>,
        counts: &Sender<Count>,
    ) -> std::result::Result<(), SendError<Event>> {
        let number = question.number;
        let (since, rereads) = (Instant::now(), question.reread);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.answer(question)))
            .unwrap_or_else(|_| Outcome::Lost("promptscope itself failed here".to_owned()));
        let to_count = match &outcome {
            Outcome::View(view) => Some(Count::View(number, view.clone())),
            _ => None,
        };
        let found = match &outcome {
            Outcome::View(_) => "view",
            Outcome::Unchanged => "unchanged",
            Outcome::Lost(_) => "lost",
        };
        let what = if rereads { "read" } else { "assemble" };
        log::took(what, since, format_args!("question {number}, {found}"));
        let assembled = Assembled {
            question: number,
            outcome,
        };
        events.send(Event::Assembled(Box::new(assembled)))?;
        if let Some(to_count) = to_count {
            // The counting worker lives as long as this one.
            let _ = counts.send(to_count);
        }
        Ok(())
    }

    /// Builds the turn again with one thing changed at a time, and weighs what it is made of.
    fn insight(&self) -> Insight {
        let Some(last) = &self.last else {
            return Insight::default();
        };
        let (inputs, workspace, now) = (&last.inputs, &last.workspace, Utc::now());
        let mut counter = Counter::new(inputs.encoding);
        let assembly = inputs.assemble(workspace, &self.machine, now);
        let usage = Usage::count(&assembly, &mut counter);
        let skills = inputs.skills(workspace, &self.machine, now);
        let around = (&*last.survey, &skills[..]);
        let subject = inputs.subject(workspace, around, &assembly, &usage, None, None);
        Insight {
            advice: advice(&subject, &mut counter),
            losses: inputs.preflight(workspace, &self.machine, now, &mut counter),
        }
    }

    /// Assembles the turn that is shown over the workspace of git's last commit.
    fn git_base(&self) -> std::result::Result<Arc<Assembly>, String> {
        let last = self.last.as_ref().ok_or("nothing is read yet")?;
        let mut inputs = last.inputs.clone();
        let revision = Revision::read(&inputs.places.root, "HEAD");
        inputs.set_revision(&revision.map_err(|error| error.to_string())?);
        let workspace = Workspace::read(&inputs.places);
        Ok(Arc::new(inputs.assemble(
            &workspace,
            &self.machine,
            Utc::now(),
        )))
    }

    fn answer(&mut self, question: Question) -> Outcome {
        let is_other = self.request.scenario != question.scenario;
        self.request.scenario.clone_from(&question.scenario);
        let (mut inputs, settings_problem) = match self.inputs(question.reread || is_other) {
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
        inputs.edited = question.values;
        let now = Utc::now();
        let is_reread = question.reread || is_other;
        if is_reread {
            self.shelf.begin(now.into());
        }
        inputs.read_from_disk(&self.shelf);
        let catalog = self.library.catalog(&inputs, &self.machine, now, is_reread);
        let compiled = question.is_compiled.then(|| {
            let compiled = catalog.compiled(inputs.turn.sender_id.as_deref());
            inputs = inputs.with_files(compiled.files());
            compiled
        });
        let last = self.last.take();
        let known = last
            .as_ref()
            .filter(|last| !question.reread && last.inputs.places == inputs.places);
        let (workspace, survey) = if let Some(last) = known {
            (last.workspace.clone(), last.survey.clone())
        } else {
            self.watch(&inputs);
            let mut workspace = Workspace::read(&inputs.places);
            if let Some(last) = &last {
                workspace.history.take_over(&last.workspace.history);
            }
            let survey = inputs.survey(&catalog.library.sources);
            (Arc::new(workspace), Arc::new(survey))
        };
        if let RootState::Unreadable(error) = &workspace.state {
            let reason = format!("{} {}", workspace.root.display(), error.message);
            self.last = last;
            return Outcome::Lost(reason);
        }
        let next = Last {
            inputs,
            workspace,
            survey,
            catalog,
            compiled,
            settings_problem,
            what_if: question.what_if,
        };
        if last.as_ref().is_some_and(|last| last.is_same(&next)) {
            self.last = last;
            return Outcome::Unchanged;
        }
        let is_save = question.reread && last.is_some_and(|last| !last.is_same_disk(&next));
        let view = self.view(&next, is_save, now);
        self.last = Some(next);
        Outcome::View(Arc::new(view))
    }

    /// Watches what the prompt is made of.
    fn watch(&self, inputs: &Inputs) {
        let Some(watcher) = &self.watcher else {
            return;
        };
        let mut folders = Workspace::folders(&inputs.places);
        let own = self.machine.settings_folder().into_iter();
        let own = own.flat_map(|own| [own.join("themes"), own.join("scenarios"), own]);
        folders.extend(own.filter(|folder| folder.is_dir()));
        let scenario = self.request.scenario.as_deref();
        folders.extend(scenario.and_then(Path::parent).map(Path::to_path_buf));
        let (prompts, named) = self.library.watched();
        folders.extend(prompts);
        let root = inputs.places.root.clone();
        watcher.watch_also(folders, BTreeSet::from([root, named]));
    }

    /// Assembles what was read.
    fn view(&self, of: &Last, is_save: bool, now: DateTime<Utc>) -> View {
        let (inputs, workspace, machine) = (&of.inputs, &of.workspace, &self.machine);
        let real = Arc::new(inputs.assemble(workspace, machine, now));
        let assembly = if of.what_if.is_any() {
            let (mut inputs, mut workspace) = (inputs.clone(), (**workspace).clone());
            of.what_if.apply(&mut workspace, &mut inputs.turn);
            Arc::new(inputs.assemble(&workspace, machine, now))
        } else {
            real.clone()
        };
        let (keymap, settings_problem) = Self::keymap(inputs, of.settings_problem.clone());
        View {
            workspace: workspace.clone(),
            survey: of.survey.clone(),
            variants: inputs.variants(workspace, &of.catalog, machine, now),
            catalog: of.catalog.clone(),
            compiled: of.compiled.clone(),
            lint: inputs.config.lint.clone(),
            is_directory_order: inputs.is_directory_order(),
            turn: inputs.turn.clone(),
            scenario: inputs.as_scenario(),
            agent: inputs.agent.clone(),
            is_exact: inputs.is_exact(),
            reservations: inputs.reservations(&assembly),
            skills: inputs.skills(workspace, machine, now),
            real,
            keymap,
            host: inputs.host_report(workspace, machine, now),
            encoding: inputs.encoding,
            budget: inputs.config.budget.clone(),
            theme: inputs.config.theme.clone(),
            mouse: inputs.config.mouse,
            settings_problem,
            assembly,
            is_save,
        }
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
