//! What is done outside besides assembling: the editor, the clipboard, the scenarios and git.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    Action, App, AskFor, Base, Confirm, Effect, Event, List, Overlay, Screen, StoreAnswer,
    StoreFailure, StoreTask, StoredScenario,
};
use crate::lint::secrets;
use crate::prompt::Section;
use crate::prompt::provenance::Origin;
use crate::python::{Value, json};

impl App {
    /// Opens the editor at what is under the cursor, or at the first file of the section in focus.
    pub(super) fn edit(&mut self) -> Vec<Effect> {
        let Some(view) = self.content.view.clone() else {
            return vec![];
        };
        let place = match self.screen {
            Screen::Library => return self.edit_source(),
            Screen::Section => self.section.place().cloned(),
            Screen::Overview | Screen::Message => first_place(view.assembly.section(self.focus)),
        };
        let Some((path, line)) = place.and_then(|origin| {
            let path = origin.path()?.to_path_buf();
            // What is compiled is edited where it comes from.
            let source = origin.line().and_then(|line| view.source_of(&path, line));
            Some(match source {
                Some((path, line)) => (path, Some(line)),
                None => (path, origin.line()),
            })
        }) else {
            self.say("No file holds this: the agent makes it.");
            return vec![];
        };
        if !path.is_absolute() {
            self.say("This is a template of promptscope's own; an installed nanobot brings files.");
            return vec![];
        }
        vec![Effect::Edit { path, line }]
    }

    /// Copies the marked lines or the section, as they are sent; or the merged message.
    pub(super) fn copy(&mut self) -> Vec<Effect> {
        let Some(view) = self.content.view.clone() else {
            return vec![];
        };
        if self.screen == Screen::Message {
            let text = match view.assembly.user_message().get("content") {
                Some(Value::Str(text)) => text.as_str().into(),
                // Blocks are copied as what they are.
                Some(blocks) => json::dumps_pretty(blocks).into(),
                None => self.no_text.clone(),
            };
            return self.copied("the merged message", text);
        }
        if self.screen == Screen::Library {
            let text = self.library_text().shown.text.clone();
            return self.copied("the text", text);
        }
        if let (Screen::Section, Some(text)) = (self.screen, self.section.marked_text()) {
            let text: Arc<str> = text.into();
            return self.copied("the marked lines", text);
        }
        let section = view.assembly.section(self.focus);
        let text = section.text.clone().unwrap_or_else(|| self.no_text.clone());
        self.copied(self.focus.title(), text)
    }

    /// Copies the whole system prompt.
    pub(super) fn copy_prompt(&mut self) -> Vec<Effect> {
        let Some(view) = self.content.view.clone() else {
            return vec![];
        };
        self.copied("the system prompt", view.assembly.system_prompt.clone())
    }

    /// Shows keys and passwords for as long as the program runs, or masks them again.
    pub(super) fn show_secrets(&mut self) {
        self.shows_secrets = !self.shows_secrets;
        self.say(if self.shows_secrets {
            "Keys and passwords are shown until you press it again or leave."
        } else {
            "Keys and passwords are masked."
        });
    }

    fn copied(&mut self, what: &str, text: Arc<str>) -> Vec<Effect> {
        if text.is_empty() {
            self.say(&format!("There is nothing to copy: {what} is empty."));
            return vec![];
        }
        let what = format!("{what}{}", warnings(&text));
        vec![Effect::Copy { text, what }]
    }

    /// Opens the list of scenarios.
    pub(super) fn choose_scenario(&mut self) -> Vec<Effect> {
        let at = self
            .scenarios
            .iter()
            .position(|entry| Some(&entry.path) == self.scenario.as_ref());
        self.overlay = Some(Overlay::List(List::Scenarios, at.map_or(0, |at| at + 1)));
        vec![Effect::Store(StoreTask::List)]
    }

    /// Gives the scenario of a line; the first line stands for none.
    fn scenario_at(&self, line: usize) -> Option<&StoredScenario> {
        self.scenarios.get(line.checked_sub(1)?)
    }

    pub(super) fn take_scenario(&mut self, action: Action, line: usize) -> Vec<Effect> {
        let entry = self.scenario_at(line).cloned();
        match (action, entry) {
            (
                Action::Enter,
                Some(StoredScenario {
                    problem: Some(problem),
                    ..
                }),
            ) => {
                self.say(&problem);
            }
            (Action::Enter, entry) => {
                self.overlay = None;
                self.scenario = entry.map(|entry| entry.path);
                self.remember_turn();
                return vec![self.assemble_anew()];
            }
            (Action::Save, _) => {
                let name = self.scenario.as_deref().and_then(Path::file_stem);
                let name =
                    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                self.overlay = Some(Overlay::Ask(AskFor::Save, name));
            }
            (Action::Rename | Action::Delete, None) => self.say("Choose a scenario first."),
            (Action::Rename | Action::Delete, Some(entry)) if !entry.is_own => {
                self.say("That one belongs to the workspace, where promptscope writes nothing.");
            }
            (Action::Rename, Some(entry)) => {
                let line = entry.name.clone();
                self.overlay = Some(Overlay::Ask(AskFor::Rename(entry.name), line));
            }
            (Action::Delete, Some(entry)) => {
                self.overlay = Some(Overlay::Confirm(Confirm::Delete(entry.name)));
            }
            _ => {}
        }
        vec![]
    }

    /// Saves the present turn under a name.
    pub(super) fn save(&mut self, name: &str, is_replacing: bool) -> Vec<Effect> {
        let Some(view) = self.content.view.clone() else {
            return vec![];
        };
        let scenario = Box::new(view.scenario.clone());
        let name = name.to_owned();
        vec![Effect::Store(StoreTask::Save {
            name,
            is_replacing,
            scenario,
        })]
    }

    pub(super) fn stored(&mut self, answer: StoreAnswer) -> Vec<Effect> {
        let StoreAnswer { outcome, list } = answer;
        self.scenarios = list;
        let at = |path: &PathBuf| {
            let place = self.scenarios.iter().position(|entry| entry.path == *path);
            place.map_or(0, |place| place + 1)
        };
        self.dirty = true;
        match outcome {
            Ok(None) => {}
            Ok(Some((path, said))) => {
                self.overlay = Some(Overlay::List(List::Scenarios, at(&path)));
                self.say(&said);
            }
            Err(StoreFailure::Taken(name)) => {
                self.overlay = Some(Overlay::Confirm(Confirm::Overwrite(name)));
            }
            Err(StoreFailure::Other(reason)) => self.say(&reason),
        }
        vec![]
    }

    /// Takes the answers of the editor, the clipboard and git in, and what a worker failed at.
    pub(super) fn told(&mut self, event: Event) -> Vec<Effect> {
        self.dirty = true;
        match event {
            Event::Edited(problem) => {
                if let Some(problem) = problem {
                    self.say(&problem);
                }
                // The watcher tells of the save too, only later.
                return vec![self.assemble(true)];
            }
            Event::Copied(said) | Event::Failed(said) => self.say(&said),
            Event::GitBase(Ok(base)) => self.content.git_base = Some(base),
            Event::GitBase(Err(reason)) => {
                self.content.git_base = None;
                // Whoever has gone on to another base is not told of this one.
                if self.base == Base::Git {
                    self.base = Base::None;
                    self.say(&reason);
                }
            }
            _ => {}
        }
        vec![]
    }
}

/// Gives the first place in a file that a section's text comes from.
fn first_place(section: &Section) -> Option<Origin> {
    let origins = section.spans.iter().map(|span| &span.origin);
    let mut in_files = origins.filter(|origin| origin.path().is_some());
    let first = in_files.clone().find(|origin| !origin.is_template());
    first.or_else(|| in_files.next()).cloned()
}

/// Says what whoever pastes a text should know of it.
fn warnings(text: &str) -> String {
    let has_secret = !secrets::within(text, 0..text.len()).is_empty();
    let holds = [
        (has_secret, "a key or a password"),
        (
            text.contains(is_control),
            "control characters that a shell may obey",
        ),
    ];
    let holds = holds.into_iter().filter(|(is_so, _)| *is_so);
    let holds: Vec<&str> = holds.map(|(_, what)| what).collect();
    if holds.is_empty() {
        return String::new();
    }
    format!(", which holds {},", holds.join(" and "))
}

/// Tells whether a character steers a terminal; those that every text has do no harm.
pub(super) fn is_control(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}
