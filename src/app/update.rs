//! How events change the state.

use std::sync::Arc;

use crossterm::event::{KeyEvent, KeyEventKind};

use super::keymap::{KEYMAP, action};
use super::overlay::moved;
use super::{
    Action, App, Assembled, Context, Effect, Event, Field, Notice, Outcome, Overlay, Screen,
    SessionChoice, Stale, layout, session_choices,
};
use crate::prompt::SectionId;

impl App {
    /// Takes an event in and says what must be done outside.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let effects = match event {
            Event::Key(key) => self.key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => {
                self.size = (width, height);
                self.dirty = true;
                vec![]
            }
            Event::DiskChanged => vec![self.assemble(true)],
            Event::Watching(watching) => {
                self.dirty |= self.watching != watching;
                self.watching = watching;
                vec![]
            }
            Event::Assembled(assembled) => self.assembled(*assembled),
            Event::Counted(question, usage) => {
                // A count of a view that is no longer shown answers nothing.
                if question == self.content.question {
                    self.content.count(*usage);
                    self.dirty = true;
                }
                vec![]
            }
            Event::Suspend => vec![Effect::Suspend],
            Event::Resumed => vec![Effect::Resume],
            Event::Terminated => vec![Effect::Quit],
        };
        if self.dirty {
            self.fit();
        }
        effects
    }

    fn assembled(&mut self, assembled: Assembled) -> Vec<Effect> {
        if assembled.question < self.content.question {
            return vec![];
        }
        match assembled.outcome {
            Outcome::Unchanged => {
                self.dirty |= self.content.stale.is_some();
                self.content.stale = None;
            }
            Outcome::Lost(reason) => {
                let stale = Some(Stale(reason));
                self.dirty |= self.content.stale != stale;
                self.content.stale = stale;
            }
            Outcome::View(view) => {
                if self.content.view.is_none() {
                    self.composer.fill(&view.turn);
                    let reservation = view.reservations.first().cloned();
                    self.notice = self.notice.take().or(reservation.map(Notice));
                }
                let theme = view.theme.clone();
                let before = self.content.view.as_ref().map(|view| view.theme.clone());
                self.content.take(assembled.question, view);
                self.dirty = true;
                self.fit();
                self.follow();
                if before.is_some_and(|before| before != theme) {
                    return vec![Effect::Theme(theme)];
                }
            }
        }
        vec![]
    }

    /// Brings what a save changed into sight, in an open section.
    fn follow(&mut self) {
        if self.screen == Screen::Section
            && let Some(lines) = self.content.changes.lines[self.focus.index()].clone()
            && self.content.view.as_ref().is_some_and(|view| view.is_save)
        {
            self.section.show(&lines);
        }
    }

    /// Fits the panes to the size and the content.
    fn fit(&mut self) {
        let view = self.content.view.clone();
        let assembly = view.as_ref().map(|view| &view.assembly);
        match self.screen {
            Screen::Section => {
                let area = layout::section(self.size).text;
                let section = assembly.map(|assembly| assembly.section(self.focus));
                let text = section.and_then(|section| section.text.clone());
                let text = text.unwrap_or_else(|| Arc::from(""));
                let spans = section.map_or(&[][..], |section| &section.spans);
                let (width, height) = (area.width.into(), area.height.into());
                self.section.fit(&text, spans, width, height, self.symbols);
            }
            Screen::Overview | Screen::Message => {
                let area = match self.screen {
                    Screen::Message => layout::message(self.size).merged,
                    _ => layout::overview(self.size).merged,
                };
                // The first row is the pane's title.
                let height = usize::from(area.height).saturating_sub(1);
                let assembly = assembly.map(AsRef::as_ref);
                self.message
                    .fit(assembly, area.width.into(), height, self.symbols);
            }
        }
    }

    fn contexts(&self) -> &'static [Context] {
        match (&self.overlay, self.screen) {
            (Some(Overlay::Sessions(_)), _) => &[Context::Sessions, Context::Anywhere],
            (Some(_), _) => &[Context::Help, Context::Anywhere],
            (None, Screen::Overview) => &[Context::Overview, Context::Reading, Context::Anywhere],
            (None, Screen::Section) => &[Context::Section, Context::Reading, Context::Anywhere],
            (None, Screen::Message) => &[Context::Message, Context::Anywhere],
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        // Some terminals report releases as well.
        if key.kind == KeyEventKind::Release {
            return vec![];
        }
        self.dirty |= self.notice.take().is_some();
        let is_cycle = |action| matches!(action, Action::CycleNext | Action::CyclePrevious);
        match action(key, self.contexts()) {
            // In the message itself the arrows move the cursor.
            Some(action) if is_cycle(action) && !self.field_cycles() => self.type_key(key),
            Some(action) => {
                self.dirty = true;
                self.act(action)
            }
            None if self.overlay.is_none() && self.screen == Screen::Message => self.type_key(key),
            None => vec![],
        }
    }

    fn field_cycles(&self) -> bool {
        matches!(self.composer.field, Field::Channel | Field::Session)
    }

    fn type_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.dirty = true;
        if self.composer.key(key) {
            self.message.unscroll();
            vec![self.assemble(false)]
        } else {
            vec![]
        }
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        // Elsewhere pasted text would be taken for keys.
        if self.overlay.is_some() || self.screen != Screen::Message {
            return vec![];
        }
        self.dirty = true;
        if self.composer.paste(text) {
            self.message.unscroll();
            vec![self.assemble(false)]
        } else {
            vec![]
        }
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
            Action::Theme => return self.next_theme(),
            Action::Help => self.overlay = Some(Overlay::Help(0)),
            Action::Host => self.overlay = Some(Overlay::Host(0)),
            Action::Sessions => self.choose_session(),
            Action::OpenSection(id) => self.open(id),
            Action::Message => {
                if self.screen != Screen::Message {
                    self.before_message = self.screen;
                }
                self.screen = Screen::Message;
                self.composer.field = Field::Text;
            }
            _ => return self.act_on_what_is_shown(action),
        }
        vec![]
    }

    fn act_on_what_is_shown(&mut self, action: Action) -> Vec<Effect> {
        match self.overlay {
            None => return self.act_on_screen(action),
            Some(Overlay::Help(scroll)) => {
                self.overlay = scrolled(action, scroll).map(Overlay::Help);
            }
            Some(Overlay::Host(scroll)) => {
                self.overlay = scrolled(action, scroll).map(Overlay::Host);
            }
            Some(Overlay::Sessions(chosen)) => return self.act_on_sessions(action, chosen),
        }
        vec![]
    }

    /// Opens the list of sessions at the one that is replayed.
    fn choose_session(&mut self) {
        let now = self.composer.composed().session;
        let choices = self.session_choices();
        let at = choices.iter().position(|choice| choice.key == now);
        self.overlay = Some(Overlay::Sessions(at.unwrap_or(0)));
    }

    fn session_choices(&self) -> Vec<SessionChoice> {
        let view = self.content.view.as_ref();
        view.map_or_else(Vec::new, |view| session_choices(view, &self.composer))
    }

    fn act_on_sessions(&mut self, action: Action, chosen: usize) -> Vec<Effect> {
        const PAGE: isize = 10;
        let choices = self.session_choices();
        let by = match action {
            Action::Down => 1,
            Action::Up => -1,
            Action::PageDown => PAGE,
            Action::PageUp => -PAGE,
            Action::Enter => {
                self.overlay = None;
                let key = choices.get(chosen).and_then(|choice| choice.key.clone());
                self.composer.set(Field::Session, &key.unwrap_or_default());
                return vec![self.assemble(false)];
            }
            _ => {
                self.overlay = None;
                return vec![];
            }
        };
        self.overlay = Some(Overlay::Sessions(moved(chosen, by, choices.len())));
        vec![]
    }

    fn act_on_screen(&mut self, action: Action) -> Vec<Effect> {
        match self.screen {
            Screen::Overview => self.act_on_overview(action),
            Screen::Section => self.act_on_section(action),
            Screen::Message => return self.act_on_message(action),
        }
        vec![]
    }

    fn act_on_overview(&mut self, action: Action) {
        let columns = layout::overview(self.size).columns;
        let at = self.focus.index();
        let across = isize::try_from(columns).unwrap_or(1);
        match action {
            Action::Enter => self.open(self.focus),
            Action::Next => self.step_focus(1),
            Action::Previous => self.step_focus(-1),
            Action::Left if !at.is_multiple_of(columns) => self.step_focus(-1),
            Action::Right if at % columns + 1 < columns => self.step_focus(1),
            Action::Up if at >= columns => self.step_focus(-across),
            Action::Down if at + columns < 8 => self.step_focus(across),
            Action::Top => self.focus = SectionId::Identity,
            Action::Bottom => self.focus = SectionId::SessionSummary,
            _ => {}
        }
    }

    fn act_on_section(&mut self, action: Action) {
        match action {
            Action::Back => self.screen = Screen::Overview,
            Action::Next => self.step_section(1),
            Action::Previous => self.step_section(-1),
            Action::Up => self.section.scroll(-1),
            Action::Down => self.section.scroll(1),
            Action::PageUp => self.section.page(-1),
            Action::PageDown => self.section.page(1),
            Action::Top => self.section.top = 0,
            Action::Bottom => self.section.bottom(),
            Action::Changed => match self.content.changes.lines[self.focus.index()].clone() {
                Some(lines) => self.section.show(&lines),
                None => self.notice = Some(Notice("The last save changed nothing here.".into())),
            },
            _ => {}
        }
    }

    fn act_on_message(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Back => self.screen = self.before_message,
            Action::Next => self.composer.step(1),
            Action::Previous => self.composer.step(-1),
            Action::PageUp => self.message.page(-1),
            Action::PageDown => self.message.page(1),
            Action::CycleNext | Action::CyclePrevious => {
                let by = if action == Action::CycleNext { 1 } else { -1 };
                let view = self.content.view.as_ref();
                let sessions = view.map(|view| &view.workspace.sessions);
                let keys: Vec<String> = sessions
                    .into_iter()
                    .flatten()
                    .map(|session| session.key.clone())
                    .collect();
                if self.composer.cycle(by, &keys) {
                    return vec![self.assemble(false)];
                }
            }
            _ => {}
        }
        vec![]
    }

    fn step_focus(&mut self, by: isize) {
        let at = self.focus.index().wrapping_add_signed(by).wrapping_add(8) % 8;
        self.focus = SectionId::ALL[at];
    }

    fn step_section(&mut self, by: isize) {
        self.step_focus(by);
        self.open(self.focus);
    }

    /// Opens a section where the last save changed it, else at its top.
    fn open(&mut self, id: SectionId) {
        let is_other =
            self.screen != Screen::Section || self.focus != id || self.section.rows.is_empty();
        self.focus = id;
        self.screen = Screen::Section;
        self.before_message = Screen::Section;
        if is_other {
            self.section.reset();
        }
        self.fit();
        if let (true, Some(lines)) = (is_other, self.content.changes.lines[id.index()].clone()) {
            self.section.show(&lines);
        }
    }

    fn next_theme(&mut self) -> Vec<Effect> {
        let at = self.themes.iter().position(|name| *name == self.theme);
        let next = at.map_or(0, |at| (at + 1) % self.themes.len().max(1));
        match self.themes.get(next).cloned() {
            Some(name) => vec![Effect::Theme(name)],
            None => vec![],
        }
    }
}

/// Gives an overlay's scroll after a key; `None` closes it. Drawing keeps it within the lines.
fn scrolled(action: Action, scroll: usize) -> Option<usize> {
    const PAGE: usize = 10;
    match action {
        Action::Back => None,
        Action::Down => Some((scroll + 1).min(KEYMAP.len())),
        Action::Up => Some(scroll.saturating_sub(1)),
        Action::PageDown => Some((scroll + PAGE).min(KEYMAP.len())),
        Action::PageUp => Some(scroll.saturating_sub(PAGE)),
        _ => Some(scroll),
    }
}
