//! How events change the state.

use std::sync::Arc;

use crossterm::event::{KeyEvent, KeyEventKind};

use super::outside::is_control;
use super::overlay::own_session;
use super::section_pane::Compared;
use super::{
    Action, App, Assembled, Base, Context, Effect, Event, Field, List, Notice, Outcome, Overlay,
    Screen, Stale, layout,
};
use crate::prompt::SectionId;

impl App {
    /// Takes an event in and says what must be done outside.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let effects = match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => {
                self.size = (width, height);
                self.dirty = true;
                vec![]
            }
            Event::DiskChanged => vec![Effect::ReloadTheme, self.assemble(true)],
            Event::Watching(watching) => {
                self.dirty |= self.watching != watching;
                self.watching = watching;
                vec![]
            }
            Event::Assembled(assembled) => self.assembled(*assembled),
            Event::Counted(counted) => {
                // A count of a view that is no longer shown answers nothing.
                let (question, found) = (counted.question, counted.found.clone());
                if question == self.content.question {
                    self.dirty |= self.content.count(*counted);
                }
                found.map_or_else(Vec::new, |found| {
                    self.checked(Event::Found(question, found))
                })
            }
            Event::Late(number) => {
                let is_late = number == self.questions && self.is_waiting();
                self.dirty |= is_late && !self.is_late;
                self.is_late |= is_late;
                vec![]
            }
            Event::CountedMarked(number, tokens) => {
                if number == self.marks_asked {
                    self.marked_tokens = Some(tokens);
                    self.dirty = true;
                }
                vec![]
            }
            Event::Stored(answer) => self.stored(*answer),
            event
            @ (Event::Edited(_) | Event::Copied(_) | Event::Failed(_) | Event::GitBase(_)) => {
                self.told(event)
            }
            event @ (Event::Found(..) | Event::Audited(_) | Event::Insight(_)) => {
                self.checked(event)
            }
            Event::Background { is_dark } => self.background(is_dark),
            Event::Suspend => vec![Effect::Suspend],
            Event::Resumed => vec![Effect::Resume],
            Event::Terminated => vec![Effect::Quit],
        };
        if self.is_late && !self.is_waiting() {
            self.is_late = false;
            self.dirty = true;
        }
        if self.dirty {
            self.fit();
        }
        effects
    }

    /// Tells whether an answer or its counts are still to come.
    fn is_waiting(&self) -> bool {
        self.answered < self.questions || self.content.counting
    }

    fn assembled(&mut self, assembled: Assembled) -> Vec<Effect> {
        if assembled.question < self.content.question {
            return vec![];
        }
        self.answered = self.answered.max(assembled.question);
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
                if self
                    .filling
                    .is_some_and(|number| number <= assembled.question)
                {
                    self.filling = None;
                    self.composer.fill(&view.turn);
                }
                if self.content.view.is_none() {
                    let reservation = view.reservations.first().cloned();
                    self.notice = self.notice.take().or(reservation.map(Notice));
                }
                let theme = view.theme.clone();
                let before = self.content.view.as_ref().map(|view| view.theme.clone());
                let mouse = self.content.view.as_ref().is_some_and(|view| view.mouse);
                let mut effects = Vec::new();
                if view.mouse != mouse {
                    effects.push(Effect::Mouse(view.mouse));
                }
                if self.base == Base::Git {
                    effects.push(Effect::GitBase);
                }
                self.keymap = view.keymap.clone();
                self.content.take(assembled.question, view);
                self.dirty = true;
                self.fit();
                self.follow();
                if before.is_some_and(|before| before != theme) {
                    effects.push(self.show_theme(&theme));
                }
                return effects;
            }
        }
        vec![]
    }

    /// Brings what a save changed into sight, in an open section.
    fn follow(&mut self) {
        if self.screen == Screen::Section
            && self.base == Base::None
            && let Some(lines) = self.content.changes.lines[self.focus.index()].clone()
            && self.content.view.as_ref().is_some_and(|view| view.is_save)
        {
            self.section.show(&lines);
        }
    }

    /// Fits the panes to the size and the content.
    pub(super) fn fit(&mut self) {
        let view = self.content.view.clone();
        let assembly = view.as_ref().map(|view| &view.assembly);
        match self.screen {
            Screen::Section => {
                let area = layout::section(self.size, self.split).text;
                let section = assembly.map(|assembly| assembly.section(self.focus));
                let text = section.and_then(|section| section.text.clone());
                let of = Compared {
                    text: text.unwrap_or_else(|| self.no_text.clone()),
                    base: self.base_text(self.focus),
                    is_rendered: self.is_rendered,
                };
                let spans = section.map_or(&[][..], |section| &section.spans);
                let size = (area.width.into(), area.height.into());
                self.section.fit(of, spans, size, self.symbols);
            }
            Screen::Library => self.fit_library(),
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

    /// Gives the text that a section is compared with, where one is chosen.
    fn base_text(&self, id: SectionId) -> Option<Arc<str>> {
        let base = match self.base {
            Base::None => return None,
            Base::LastSave => self.content.before()?,
            Base::Turn => &self.turn_base.as_ref()?.assembly,
            Base::Git => self.content.git_base.as_ref()?,
        };
        let text = base.section(id).text.clone();
        Some(text.unwrap_or_else(|| self.no_text.clone()))
    }

    /// Lists the contexts that hold now, the narrowest first.
    #[must_use]
    pub fn contexts(&self) -> &'static [Context] {
        match (&self.overlay, self.screen) {
            (Some(Overlay::Page(..)), _) => &[Context::Page, Context::Anywhere],
            (Some(Overlay::List(List::Scenarios, _)), _) => {
                &[Context::Scenarios, Context::List, Context::Anywhere]
            }
            (Some(Overlay::List(List::WhatIf, _)), _) => {
                &[Context::WhatIf, Context::List, Context::Anywhere]
            }
            (Some(Overlay::List(List::Findings, _)), _) => {
                &[Context::Findings, Context::List, Context::Anywhere]
            }
            (Some(Overlay::List(List::Sessions | List::History, _)), _) => {
                &[Context::List, Context::Anywhere]
            }
            // What is typed goes into a line of its own.
            (Some(Overlay::Palette(..) | Overlay::Ask(..) | Overlay::Confirm(_)), _) => {
                &[Context::Anywhere]
            }
            (None, Screen::Overview) => &[Context::Overview, Context::Reading, Context::Anywhere],
            (None, Screen::Section) => &[Context::Section, Context::Reading, Context::Anywhere],
            (None, Screen::Library) => &[Context::Library, Context::Reading, Context::Anywhere],
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
        match self.keymap.action(key, self.contexts()) {
            // In the message itself the arrows move the cursor.
            Some(action) if is_cycle(action) && !self.field_cycles() => self.type_key(key),
            Some(action) => {
                self.dirty = true;
                self.act(action)
            }
            None if self.is_typed_into() => {
                self.dirty = true;
                self.type_into_overlay(key)
            }
            None if self.overlay.is_none() && self.screen == Screen::Message => self.type_key(key),
            None => vec![],
        }
    }

    fn is_typed_into(&self) -> bool {
        matches!(
            self.overlay,
            Some(Overlay::Palette(..) | Overlay::Ask(..) | Overlay::Confirm(_))
        )
    }

    fn field_cycles(&self) -> bool {
        matches!(self.composer.field, Field::Channel | Field::Session)
    }

    fn type_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.dirty = true;
        let own = self.own_session();
        if self.composer.key(key) {
            self.message.unscroll();
            self.follow_session(own.as_deref());
            vec![self.assemble(false)]
        } else {
            vec![]
        }
    }

    /// Gives the session of the composer's channel and chat.
    pub(super) fn own_session(&self) -> Option<String> {
        let view = self.content.view.as_ref()?;
        own_session(view, &self.composer)
    }

    /// Goes to the session of another channel and chat, as the agent does, where the one before was
    /// that of the channel and chat before.
    pub(super) fn follow_session(&mut self, before: Option<&str>) {
        let is_followed = before.is_some() && before == self.composer.composed().session.as_deref();
        if let (true, Some(own)) = (is_followed, self.own_session()) {
            self.composer.set(Field::Session, &own);
        }
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        if self.is_typed_into() {
            self.dirty = true;
            return self.paste_into_overlay(text);
        }
        // Elsewhere pasted text would be taken for keys.
        if self.overlay.is_some() || self.screen != Screen::Message {
            return vec![];
        }
        self.dirty = true;
        let controls = text.replace("\r\n", "\n");
        let controls = controls
            .chars()
            .filter(|c| is_control(*c) && *c != '\r')
            .count();
        if controls > 0 {
            self.say(&format!(
                "The pasted text holds {controls} control characters: each is sent."
            ));
        }
        let own = self.own_session();
        if self.composer.paste(text) {
            self.follow_session(own.as_deref());
            self.message.unscroll();
            vec![self.assemble(false)]
        } else {
            vec![]
        }
    }
}
