//! What the mouse does: a click goes where the keys would, the wheel scrolls what is under it, and the
//! edge of the list can be dragged.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{Action, App, Effect, Field, LibraryFocus, Overlay, Screen, layout};
use crate::prompt::SectionId;

/// How many rows a step of the wheel scrolls.
const WHEEL: isize = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(1),
            MouseEventKind::ScrollUp => self.wheel(-1),
            MouseEventKind::Down(MouseButton::Left) => self.click(at),
            MouseEventKind::Drag(MouseButton::Left) if self.is_dragging => {
                self.split = Some(at.x);
                self.dirty = true;
                vec![]
            }
            MouseEventKind::Up(MouseButton::Left) => {
                self.is_dragging = false;
                vec![]
            }
            _ => vec![],
        }
    }

    fn wheel(&mut self, by: isize) -> Vec<Effect> {
        self.dirty = true;
        let step = if by > 0 { Action::Down } else { Action::Up };
        match (&self.overlay, self.screen) {
            (Some(Overlay::Page(..) | Overlay::List(..)), _) => self.act(step),
            (Some(_), _) => vec![],
            (None, Screen::Section) => {
                self.section.scroll(by * WHEEL);
                vec![]
            }
            (None, Screen::Library) => {
                self.library_text().scroll(by * WHEEL);
                vec![]
            }
            (None, Screen::Overview | Screen::Message) => {
                self.message.scroll(by * WHEEL);
                vec![]
            }
        }
    }

    fn click(&mut self, at: Position) -> Vec<Effect> {
        self.dirty = true;
        if let Some(overlay) = self.overlay.clone() {
            return self.click_on_overlay(&overlay, at);
        }
        match self.screen {
            Screen::Overview => self.click_on_overview(at),
            Screen::Section => self.click_on_section(at),
            Screen::Message => self.click_on_message(at),
            Screen::Library => self.click_on_library(at),
        }
        vec![]
    }

    /// A click on a line of a list chooses it, and takes it where it is chosen already.
    fn click_on_overlay(&mut self, overlay: &Overlay, at: Position) -> Vec<Effect> {
        let body = layout::frame(self.size).body;
        if let (Overlay::List(list, chosen), true) = (overlay, body.contains(at)) {
            let first = layout::first_line(*chosen, usize::from(body.height));
            let line = first + usize::from(at.y.saturating_sub(body.y + 1));
            if line == *chosen {
                return self.act(Action::Enter);
            }
            self.overlay = Some(Overlay::List(*list, line));
            // Beyond its end a list stays where it ends.
            return self.act_on_list(Action::Down, *list, line.saturating_sub(1));
        }
        vec![]
    }

    fn click_on_overview(&mut self, at: Position) {
        let overview = layout::overview(self.size);
        let pane = |area: &Rect| area.contains(at);
        if let Some(index) = overview.panes.iter().position(pane) {
            let id = SectionId::ALL[index];
            if self.focus == id {
                self.open(id);
            } else {
                self.focus = id;
            }
        } else if overview.composer.contains(at) || overview.merged.contains(at) {
            self.act(Action::Message);
        }
    }

    fn click_on_section(&mut self, at: Position) {
        let parts = layout::section(self.size, self.split);
        if at.x + 1 >= parts.list.right() && at.x <= parts.list.right() {
            self.is_dragging = true;
        } else if parts.list.contains(at) {
            let row = usize::from(at.y - parts.list.y);
            if let Some(id) = SectionId::ALL.get(row) {
                self.open(*id);
            }
        } else if parts.text.contains(at) || parts.gutter.contains(at) {
            let row = self.section.top + usize::from(at.y - parts.text.y);
            let by = isize::try_from(row).unwrap_or(0)
                - isize::try_from(self.section.cursor).unwrap_or(0);
            self.section.step(by);
        }
    }

    fn click_on_library(&mut self, at: Position) {
        let parts = layout::library(self.size, self.library.sides);
        let row = |area: Rect| usize::from(at.y.saturating_sub(area.y));
        if parts.tree.is_some_and(|area| area.contains(at)) {
            let area = parts.tree.unwrap_or_default();
            let lines = self.library_tree();
            let first = self.library_line(&lines).unwrap_or(0);
            let first = layout::first_line(first, usize::from(area.height));
            let clicked = lines.into_iter().nth(first + row(area));
            if let Some(node) = clicked.and_then(|line| line.node) {
                self.choose(Some(node));
            }
            self.library.focus = LibraryFocus::Tree;
        } else if parts.variables.contains(at) {
            let count = self.library_variables().len();
            let line = row(parts.variables).saturating_sub(1);
            self.library.variable = line.min(count.saturating_sub(1));
            self.library.focus = LibraryFocus::Variables;
        } else {
            self.library.focus = LibraryFocus::Text;
        }
    }

    fn click_on_message(&mut self, at: Position) {
        let parts = layout::message(self.size);
        let places = Field::SHORT.into_iter().zip(parts.fields);
        let places = places.chain([(Field::Text, parts.text)]);
        for (field, area) in places {
            if area.contains(at) {
                self.composer.field = field;
            }
        }
    }
}
