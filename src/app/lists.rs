//! The lists, the palette and the lines that are typed over a screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::overlay::{PAGE, moved, step_of};
use super::switches::toggle;
use super::{
    Action, App, AskFor, Confirm, Context, Effect, Field, List, Overlay, PaletteLine, Screen,
    SessionChoice, StoreTask, SwitchLine, palette, session_choices, switches,
};
use crate::prompt::WhatIf;

impl App {
    /// Opens the list of sessions at the one that is replayed.
    pub(super) fn choose_session(&mut self) {
        let now = self.composer.composed().session;
        let choices = self.session_choices();
        let at = choices.iter().position(|choice| choice.key == now);
        self.overlay = Some(Overlay::List(List::Sessions, at.unwrap_or(0)));
    }

    fn session_choices(&self) -> Vec<SessionChoice> {
        let view = self.content.view.as_ref();
        view.map_or_else(Vec::new, |view| session_choices(view, &self.composer))
    }

    /// Lists what can be switched off.
    #[must_use]
    pub fn switches(&self) -> Vec<SwitchLine> {
        let view = self.content.view.as_ref();
        let real = self.content.real_usage();
        view.map_or_else(Vec::new, |view| switches(view, real, &self.what_if))
    }

    /// Lists what the palette offers for what is typed.
    #[must_use]
    pub fn palette(&self, query: &str) -> Vec<PaletteLine> {
        let contexts: &[Context] = match self.screen {
            Screen::Overview => &[Context::Overview, Context::Reading, Context::Anywhere],
            Screen::Section => &[Context::Section, Context::Reading, Context::Anywhere],
            Screen::Message => &[Context::Message, Context::Reading, Context::Anywhere],
            Screen::Library => &[Context::Library, Context::Reading, Context::Anywhere],
        };
        palette(&self.keymap, contexts, query)
    }

    pub(super) fn act_on_list(&mut self, action: Action, list: List, chosen: usize) -> Vec<Effect> {
        let count = match list {
            List::Sessions => self.session_choices().len(),
            List::WhatIf => self.switches().len(),
            List::Scenarios => self.scenarios.len() + 1,
            List::Findings => self.findings.len(),
            List::History => self.audited_lines(),
        };
        let Some(by) = step_of(action) else {
            if action == Action::Back {
                self.overlay = None;
                return vec![];
            }
            return self.take(action, list, chosen);
        };
        self.overlay = Some(Overlay::List(list, moved(chosen, by, count)));
        vec![]
    }

    fn take(&mut self, action: Action, list: List, chosen: usize) -> Vec<Effect> {
        match (list, action) {
            (List::Scenarios, action) => self.take_scenario(action, chosen),
            (List::Findings, action) => self.take_finding(action, chosen),
            (List::History, action) => self.take_history(action, chosen),
            (List::Sessions, Action::Enter) => {
                self.overlay = None;
                let choices = self.session_choices();
                let key = choices.get(chosen).and_then(|choice| choice.key.clone());
                self.remember_turn();
                self.composer.set(Field::Session, &key.unwrap_or_default());
                vec![self.assemble(false)]
            }
            (List::WhatIf, Action::Enter | Action::Toggle | Action::ToggleAlways) => {
                let Some(line) = self.switches().into_iter().nth(chosen) else {
                    return vec![];
                };
                toggle(&mut self.what_if, &line, action == Action::ToggleAlways);
                vec![self.assemble(false)]
            }
            _ => vec![],
        }
    }

    pub(super) fn reset_what_if(&mut self) -> Vec<Effect> {
        if !self.what_if.is_any() {
            return vec![];
        }
        self.what_if = WhatIf::default();
        vec![self.assemble(false)]
    }

    pub(super) fn type_into_overlay(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(overlay) = self.overlay.take() else {
            return vec![];
        };
        match overlay {
            Overlay::Confirm(confirm) => match key.code {
                KeyCode::Char('y' | 'Y') => self.confirmed(confirm),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => vec![],
                _ => {
                    self.overlay = Some(Overlay::Confirm(confirm));
                    vec![]
                }
            },
            Overlay::Palette(query, chosen) => self.type_into_palette(query, chosen, key),
            Overlay::Ask(purpose, line) => self.type_into_line(purpose, line, key),
            other @ (Overlay::Page(..) | Overlay::List(..)) => {
                self.overlay = Some(other);
                vec![]
            }
        }
    }

    fn type_into_palette(&mut self, query: String, chosen: usize, key: KeyEvent) -> Vec<Effect> {
        let lines = self.palette(&query);
        let by = match key.code {
            KeyCode::Esc => return vec![],
            KeyCode::Enter => {
                let line = lines.get(chosen).map(|line| line.action);
                return line.map_or_else(Vec::new, |action| self.act(action));
            }
            KeyCode::Down => 1,
            KeyCode::Up => -1,
            KeyCode::PageDown => PAGE,
            KeyCode::PageUp => -PAGE,
            KeyCode::Home => isize::MIN,
            KeyCode::End => isize::MAX,
            _ => {
                let typed = typed(query.clone(), key);
                let at = if typed == query { chosen } else { 0 };
                self.overlay = Some(Overlay::Palette(typed, at));
                return vec![];
            }
        };
        self.overlay = Some(Overlay::Palette(query, moved(chosen, by, lines.len())));
        vec![]
    }

    fn type_into_line(&mut self, purpose: AskFor, line: String, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Esc => {
                if purpose == AskFor::Search {
                    self.text_pane().search = super::Search::default();
                }
                vec![]
            }
            KeyCode::Enter => self.answered(purpose, &line),
            _ => {
                let line = typed(line, key);
                self.search_as_typed(&purpose, &line);
                self.overlay = Some(Overlay::Ask(purpose, line));
                vec![]
            }
        }
    }

    /// Shows the first match while the query is typed.
    fn search_as_typed(&mut self, purpose: &AskFor, line: &str) {
        if *purpose == AskFor::Search {
            let pane = self.text_pane();
            let text = pane.shown.text.clone();
            pane.search.set(line, &text);
            pane.go_to_match(1);
        }
    }

    fn answered(&mut self, purpose: AskFor, line: &str) -> Vec<Effect> {
        match purpose {
            AskFor::Search if self.text_pane().search.matches.is_empty() => {
                self.go_to_match(1);
                vec![]
            }
            AskFor::Search => vec![],
            AskFor::Save => self.save(line, false),
            AskFor::Value(name) => self.set_value(name, line),
            AskFor::Rename(from) => {
                let to = line.to_owned();
                vec![Effect::Store(StoreTask::Rename { from, to })]
            }
        }
    }

    fn confirmed(&mut self, confirm: Confirm) -> Vec<Effect> {
        match confirm {
            Confirm::Overwrite(name) => self.save(&name, true),
            Confirm::Delete(name) => vec![Effect::Store(StoreTask::Delete(name))],
        }
    }

    pub(super) fn paste_into_overlay(&mut self, text: &str) -> Vec<Effect> {
        let first = text.lines().next().unwrap_or_default();
        match self.overlay.take() {
            Some(Overlay::Palette(query, _)) => {
                self.overlay = Some(Overlay::Palette(query + first, 0));
            }
            Some(Overlay::Ask(purpose @ AskFor::Value(_), line)) => {
                // A value may have several lines; terminals send CR for each line end.
                let line = line + &text.replace("\r\n", "\n").replace('\r', "\n");
                self.overlay = Some(Overlay::Ask(purpose, line));
            }
            Some(Overlay::Ask(purpose, line)) => {
                let line = line + first;
                self.search_as_typed(&purpose, &line);
                self.overlay = Some(Overlay::Ask(purpose, line));
            }
            other => self.overlay = other,
        }
        vec![]
    }
}

/// Gives a line after a key: letters are added, Backspace, Ctrl-W and Ctrl-U take away.
fn typed(mut line: String, key: KeyEvent) -> String {
    let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Backspace => {
            line.pop();
        }
        KeyCode::Char('u') if is_ctrl => line.clear(),
        KeyCode::Char('w') if is_ctrl => {
            let kept = line.trim_end().rfind(' ').map_or(0, |at| at + 1);
            line.truncate(kept);
        }
        KeyCode::Char(letter) if !is_ctrl && !key.modifiers.contains(KeyModifiers::ALT) => {
            line.push(letter);
        }
        _ => {}
    }
    line
}
