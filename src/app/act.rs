//! What the actions do on each screen.

use super::overlay::moved;
use super::{
    Action, App, AskFor, Base, Effect, Field, List, Notice, Overlay, Page, Screen, SectionPane,
    TurnBase, layout,
};
use crate::prompt::SectionId;

impl App {
    /// Does what an action says where one is.
    pub(super) fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
            Action::Theme => return self.next_theme(),
            Action::ShowSecrets => self.show_secrets(),
            Action::Help => self.overlay = Some(Overlay::Page(Page::Help, 0)),
            Action::Host => self.overlay = Some(Overlay::Page(Page::Host, 0)),
            Action::Palette => self.overlay = Some(Overlay::Palette(String::new(), 0)),
            Action::Sessions => self.choose_session(),
            Action::WhatIf => self.overlay = Some(Overlay::List(List::WhatIf, 0)),
            Action::ResetWhatIf => return self.reset_what_if(),
            Action::Scenarios => return self.choose_scenario(),
            Action::Findings => self.show_findings(),
            Action::History => return self.show_history(),
            Action::Insight => return self.show_insight(),
            Action::Library => self.show_library(),
            Action::Compiled => return self.toggle_compiled(),
            Action::Edit => return self.edit(),
            Action::Copy => return self.copy(),
            Action::CopyPrompt => return self.copy_prompt(),
            Action::OpenSection(id) => self.open(id),
            Action::Message => {
                if self.screen != Screen::Message {
                    self.before_message = self.screen;
                }
                self.screen = Screen::Message;
                self.composer.field = Field::Text;
                self.remember_turn();
            }
            _ => return self.act_on_what_is_shown(action),
        }
        vec![]
    }

    fn act_on_what_is_shown(&mut self, action: Action) -> Vec<Effect> {
        match &self.overlay {
            None => self.act_on_screen(action),
            Some(Overlay::Page(page, scroll)) => {
                let page = *page;
                let last = self.page_end(page);
                self.overlay = scrolled(action, *scroll, last).map(|at| Overlay::Page(page, at));
                vec![]
            }
            Some(Overlay::List(list, chosen)) => self.act_on_list(action, *list, *chosen),
            Some(Overlay::Palette(..) | Overlay::Ask(..) | Overlay::Confirm(_)) => vec![],
        }
    }

    /// Tells how far a page can be scrolled.
    fn page_end(&self, page: Page) -> usize {
        // Headings and blank lines of the page of the host.
        const AROUND_THE_HOST: usize = 8;
        let lines = match page {
            Page::Help => self.keymap.help_lines(),
            Page::Insight => self.insight.as_ref().map_or(0, |insight| {
                2 * insight.losses.len() + insight.advice.len() + AROUND_THE_HOST
            }),
            Page::Host => self.content.view.as_ref().map_or(0, |view| {
                view.host.flips.len() + view.host.differences.len() + AROUND_THE_HOST
            }),
        };
        let room = usize::from(layout::frame(self.size).body.height).saturating_sub(1);
        lines.saturating_sub(room)
    }

    fn act_on_screen(&mut self, action: Action) -> Vec<Effect> {
        match self.screen {
            Screen::Overview => self.act_on_overview(action),
            Screen::Section => return self.act_on_section(action),
            Screen::Message => return self.act_on_message(action),
            Screen::Library => return self.act_on_library(action),
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

    fn act_on_section(&mut self, action: Action) -> Vec<Effect> {
        let mut is_moved = true;
        match action {
            Action::Up => self.section.step(-1),
            Action::Down => self.section.step(1),
            Action::PageUp => self.section.page(-1),
            Action::PageDown => self.section.page(1),
            Action::Top => self.section.top(),
            Action::Bottom => self.section.bottom(),
            Action::NextMatch | Action::PreviousMatch => {
                self.go_to_match(if action == Action::NextMatch { 1 } else { -1 });
            }
            Action::NextHeading | Action::PreviousHeading => {
                let by = if action == Action::NextHeading { 1 } else { -1 };
                if !self.section.go_to_heading(by) {
                    self.say("There is no further heading.");
                }
            }
            Action::Mark => {
                self.section.toggle_mark();
                self.marked_tokens = None;
            }
            Action::Changed => match self.content.changes.lines[self.focus.index()].clone() {
                Some(lines) => self.section.show(&lines),
                None => self.say("The last save changed nothing here."),
            },
            _ => is_moved = false,
        }
        if is_moved {
            return self.count_marked();
        }
        match action {
            Action::Back if self.section.mark.is_some() => self.section.mark = None,
            Action::Back if !self.section.search.query.is_empty() => {
                self.section.search = super::Search::default();
            }
            Action::Back if self.base != Base::None => self.base = Base::None,
            Action::Back => self.screen = Screen::Overview,
            Action::Next => self.step_section(1),
            Action::Previous => self.step_section(-1),
            Action::Search => self.overlay = Some(Overlay::Ask(AskFor::Search, String::new())),
            Action::Diff => return self.next_base(),
            Action::Rendered if self.base != Base::None => {
                self.say("A comparison shows the text as it is sent; leave it first.");
            }
            Action::Rendered => {
                self.is_rendered = !self.is_rendered;
                self.section.mark = None;
            }
            _ => {}
        }
        vec![]
    }

    /// Goes to a match, or says why there is none.
    pub(super) fn go_to_match(&mut self, by: isize) {
        let pane = self.text_pane();
        if pane.search.query.is_empty() {
            self.say("Nothing is searched for yet.");
        } else if !pane.go_to_match(by) {
            let text = format!("{:?} is not found here.", pane.search.query);
            self.say(&text);
        }
    }

    /// Gives the text that is read and searched.
    pub(super) fn text_pane(&mut self) -> &mut SectionPane {
        match self.screen {
            Screen::Library => self.library_text(),
            _ => &mut self.section,
        }
    }

    /// Asks for the tokens of the marked lines.
    fn count_marked(&mut self) -> Vec<Effect> {
        let Some(text) = self.section.marked_text() else {
            return vec![];
        };
        self.marks_asked += 1;
        self.marked_tokens = None;
        vec![Effect::CountMarked(self.marks_asked, text.into())]
    }

    /// Compares with the next base that there is: before the last save, before the turn was changed,
    /// git's last commit, then none.
    fn next_base(&mut self) -> Vec<Effect> {
        let turn = self.content.view.as_ref().map(|view| &view.turn);
        let base = self.turn_base.as_ref().zip(turn);
        let is_other_turn = base.is_some_and(|(base, turn)| !base.differing(turn).is_empty());
        let there = [
            (Base::LastSave, self.content.before().is_some()),
            (Base::Turn, is_other_turn),
            (Base::Git, true),
        ];
        let at = there.iter().position(|(base, _)| *base == self.base);
        let after = at.map_or(0, |at| at + 1);
        let next = there[after..].iter().find(|(_, is_there)| *is_there);
        self.base = next.map_or(Base::None, |(base, _)| *base);
        if self.base == Base::Git {
            self.content.git_base = None;
            return vec![Effect::GitBase];
        }
        vec![]
    }

    fn act_on_message(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Back => self.screen = self.before_message,
            Action::Next | Action::Previous => {
                self.composer
                    .step(if action == Action::Next { 1 } else { -1 });
                self.remember_turn();
            }
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
                self.remember_turn();
                let own = self.own_session();
                if self.composer.cycle(by, &keys) {
                    self.follow_session(own.as_deref());
                    return vec![self.assemble(false)];
                }
            }
            _ => {}
        }
        vec![]
    }

    /// Keeps what is shown, to see what the next change of the turn changes.
    pub(super) fn remember_turn(&mut self) {
        self.turn_base = TurnBase::of(&self.content).or(self.turn_base.take());
    }

    pub(super) fn say(&mut self, text: &str) {
        self.notice = Some(Notice(text.to_owned()));
    }

    fn step_focus(&mut self, by: isize) {
        self.focus = SectionId::ALL[moved_round(self.focus.index(), by)];
    }

    fn step_section(&mut self, by: isize) {
        self.open(SectionId::ALL[moved_round(self.focus.index(), by)]);
    }

    /// Opens a section where the last save changed it, else at its top.
    pub(super) fn open(&mut self, id: SectionId) {
        let is_other =
            self.screen != Screen::Section || self.focus != id || self.section.rows.is_empty();
        self.overlay = None;
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
}

/// Moves a place among the eight sections, round at the ends.
fn moved_round(at: usize, by: isize) -> usize {
    at.wrapping_add_signed(by).wrapping_add(8) % 8
}

/// Gives a page's scroll after a key, at most so far; `None` closes it.
fn scrolled(action: Action, scroll: usize, last: usize) -> Option<usize> {
    const PAGE: isize = 10;
    let by = match action {
        Action::Back => return None,
        Action::Down => 1,
        Action::Up => -1,
        Action::PageDown => PAGE,
        Action::PageUp => -PAGE,
        Action::Top => return Some(0),
        Action::Bottom => isize::MAX,
        _ => 0,
    };
    Some(moved(scroll, by, last + 1))
}
