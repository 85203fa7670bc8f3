//! One section's whole text: wrapped once, a cursor in it, and what is searched, marked or compared.

use std::ops::Range;
use std::sync::Arc;

use super::search::Search;
use super::shown::Shown;
use crate::display::highlight::{Language, Outline};
use crate::display::sanitize::Symbols;
use crate::display::wrap::{Row, wrap};
use crate::prompt::provenance::{Origin, Span};

/// The rows of one section's text, and where in them one is.
#[derive(Debug, Default)]
pub struct SectionPane {
    /// What is shown: the text as it is sent, or compared with another.
    pub shown: Shown,
    /// The text's rows at the present width.
    pub rows: Vec<Row>,
    /// Which language each line is in.
    pub outline: Option<Outline>,
    /// The first row in sight.
    pub top: usize,
    /// The row that the cursor is on.
    pub cursor: usize,
    /// The line at which marking began.
    pub mark: Option<usize>,
    /// What is searched for.
    pub search: Search,
    of: Option<Compared>,
    width: usize,
    height: usize,
}

/// A text, and the one that it is compared with.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    pub text: Arc<str>,
    pub base: Option<Arc<str>>,
    pub is_rendered: bool,
}

impl Compared {
    /// Tells whether both texts are the very same ones.
    fn is_same(&self, other: &Self) -> bool {
        let is_same_base = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        is_same_base
            && self.is_rendered == other.is_rendered
            && Arc::ptr_eq(&self.text, &other.text)
    }
}

/// How many rows stay in sight above and below the cursor.
const CONTEXT: usize = 2;

impl SectionPane {
    /// Fits the pane to its text and size; the line under the cursor stays where it is.
    ///
    /// With a base, the text is compared with it.
    pub(super) fn fit(
        &mut self,
        of: Compared,
        spans: &[Span],
        (width, height): (usize, usize),
        symbols: Symbols,
    ) {
        let mut is_same_text = true;
        if !self.of.as_ref().is_some_and(|before| before.is_same(&of)) {
            let shown = match &of.base {
                Some(base) => Shown::compared(base, &of.text, spans),
                None if of.is_rendered => Shown::rendered(&of.text, spans, symbols),
                None => Shown::sent(&of.text, spans),
            };
            is_same_text = self.shown.text == shown.text;
            self.shown = shown;
            self.of = Some(of);
        }
        if !is_same_text || width != self.width || self.outline.is_none() {
            let line = |row: Option<&Row>| row.map_or(0, |row| row.line);
            let (top, cursor) = (
                line(self.rows.get(self.top)),
                line(self.rows.get(self.cursor)),
            );
            if !is_same_text || self.outline.is_none() {
                self.outline = Some(Outline::new(&self.shown.text, Language::Markdown));
                self.search.run(&self.shown.text);
            }
            self.rows = wrap(&self.shown.text, width, symbols);
            self.top = self.rows.partition_point(|row| row.line < top);
            self.cursor = self.rows.partition_point(|row| row.line < cursor);
        }
        self.width = width;
        self.height = height;
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        self.top = self.top.min(self.last_top());
        self.follow_cursor();
    }

    /// Forgets the text and the place in it; what is searched for stays.
    pub(super) fn reset(&mut self) {
        *self = Self {
            search: std::mem::take(&mut self.search),
            ..Self::default()
        };
    }

    fn last_top(&self) -> usize {
        self.rows.len().saturating_sub(self.height.max(1))
    }

    /// Brings the cursor into sight.
    fn follow_cursor(&mut self) {
        let context = CONTEXT.min(self.height.saturating_sub(1) / 2);
        let lowest = self.cursor + context + 1;
        self.top = self
            .top
            .min(self.cursor.saturating_sub(context))
            .max(lowest.saturating_sub(self.height))
            .min(self.last_top());
    }

    /// Moves the cursor by rows.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.follow_cursor();
    }

    /// Scrolls by rows; the cursor stays in sight.
    pub(super) fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by).min(self.last_top());
        let context = CONTEXT.min(self.height.saturating_sub(1) / 2);
        let lowest = (self.top + self.height).saturating_sub(context + 1);
        let highest = if self.top == 0 { 0 } else { self.top + context };
        let lowest = if self.top == self.last_top() {
            self.rows.len().saturating_sub(1)
        } else {
            lowest
        };
        self.cursor = self.cursor.clamp(highest.min(lowest), lowest);
    }

    /// Moves cursor and sight by a page.
    pub(super) fn page(&mut self, by: isize) {
        let rows = self.height.saturating_sub(1).max(1);
        let by = by * isize::try_from(rows).unwrap_or(isize::MAX);
        self.top = self.top.saturating_add_signed(by).min(self.last_top());
        self.step(by);
    }

    /// Moves to the first row.
    pub(super) fn top(&mut self) {
        self.cursor = 0;
        self.follow_cursor();
    }

    /// Moves to the last row.
    pub(super) fn bottom(&mut self) {
        self.cursor = self.rows.len().saturating_sub(1);
        self.follow_cursor();
    }

    /// Moves the cursor to a line, and it with some of what is around it into sight.
    pub(super) fn go_to_line(&mut self, line: usize) {
        self.cursor = self.rows.partition_point(|row| row.line < line);
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        let visible = self.top..self.top + self.height;
        if !visible.contains(&self.cursor) {
            self.top = self.cursor.saturating_sub(self.height / 4);
        }
        self.follow_cursor();
    }

    /// Brings lines into sight, with some of what is before them, and the cursor to the first.
    pub(super) fn show(&mut self, lines: &Range<usize>) {
        let first = self.rows.partition_point(|row| row.line < lines.start);
        let end = self.rows.partition_point(|row| row.line < lines.end);
        let visible = self.top..self.top + self.height;
        let is_seen = visible.contains(&first) && (end <= visible.end || first == self.top);
        if !is_seen {
            self.top = first.saturating_sub(self.height / 4).min(self.last_top());
        }
        self.cursor = first.min(self.rows.len().saturating_sub(1));
        self.follow_cursor();
    }

    /// Moves to the next or previous match; tells whether there is one.
    pub(super) fn go_to_match(&mut self, by: isize) -> bool {
        let at = self.rows.get(self.cursor).map_or(0, |row| row.range.start);
        let Some(found) = self.search.step(at, by) else {
            return false;
        };
        let line = self.rows.partition_point(|row| row.range.end < found.start);
        self.cursor = line.min(self.rows.len().saturating_sub(1));
        let visible = self.top..self.top + self.height;
        if !visible.contains(&self.cursor) {
            self.top = self.cursor.saturating_sub(self.height / 3);
        }
        self.follow_cursor();
        true
    }

    /// Moves to the next or previous heading; tells whether there is one.
    pub(super) fn go_to_heading(&mut self, by: isize) -> bool {
        let at = self.line();
        let headings = self.shown.headings();
        let found = if by > 0 {
            headings.into_iter().find(|line| *line > at)
        } else {
            headings.into_iter().rev().find(|line| *line < at)
        };
        if let Some(line) = found {
            self.go_to_line(line);
        }
        found.is_some()
    }

    /// Begins or ends marking at the cursor.
    pub(super) fn toggle_mark(&mut self) {
        self.mark = match self.mark {
            Some(_) => None,
            None => Some(self.line()),
        };
    }

    /// Gives the line under the cursor.
    #[must_use]
    pub fn line(&self) -> usize {
        self.rows.get(self.cursor).map_or(0, |row| row.line)
    }

    /// Gives the marked lines, the one under the cursor included.
    #[must_use]
    pub fn marked(&self) -> Option<Range<usize>> {
        let (from, to) = (self.mark?, self.line());
        Some(from.min(to)..from.max(to) + 1)
    }

    /// Gives the text of the marked lines.
    #[must_use]
    pub fn marked_text(&self) -> Option<&str> {
        let lines = self.marked()?;
        let first = self.rows.partition_point(|row| row.line < lines.start);
        let end = self.rows.partition_point(|row| row.line < lines.end);
        let from = self.rows.get(first)?.range.start;
        // The line break after the last line belongs to it.
        let to = self
            .rows
            .get(end)
            .map_or(self.shown.text.len(), |row| row.range.start);
        self.shown.text.get(from..to)
    }

    /// Gives the rows in sight.
    #[must_use]
    pub fn visible(&self) -> &[Row] {
        let end = (self.top + self.height).min(self.rows.len());
        self.rows.get(self.top..end).unwrap_or_default()
    }

    /// Gives the line under the cursor and the number of lines, from 1.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        let lines = self.rows.last().map_or(0, |row| row.line + 1);
        ((self.line() + 1).min(lines), lines)
    }

    /// Gives where the line under the cursor comes from; where no file holds it, the next line that
    /// one does.
    #[must_use]
    pub fn place(&self) -> Option<&Origin> {
        let after = self.shown.origins.get(self.line()..)?.iter();
        let before = self.shown.origins.get(..self.line())?.iter().rev();
        after.chain(before).find(|origin| origin.path().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(pane: &mut SectionPane, text: &Arc<str>, width: usize) {
        let of = Compared {
            text: text.clone(),
            base: None,
            is_rendered: false,
        };
        pane.fit(of, &[], (width, 5), Symbols::Unicode);
    }

    fn pane(lines: usize) -> SectionPane {
        let text: Vec<String> = (1..=lines).map(|n| format!("line {n}\n")).collect();
        let mut pane = SectionPane::default();
        fit(&mut pane, &text.concat().into(), 20);
        pane
    }

    #[test]
    fn the_cursor_stays_within_the_text_and_in_sight() {
        let mut pane = pane(12);
        pane.step(-3);
        assert_eq!((pane.cursor, pane.top), (0, 0));
        pane.step(3);
        assert_eq!((pane.cursor, pane.top), (3, 1));
        pane.page(1);
        assert_eq!((pane.cursor, pane.top), (7, 5));
        pane.page(9);
        assert_eq!((pane.cursor, pane.top), (11, 7));
        assert_eq!(pane.position(), (12, 12));
        pane.top();
        assert_eq!((pane.cursor, pane.top), (0, 0));
    }

    #[test]
    fn scrolling_takes_the_cursor_along() {
        let mut pane = pane(12);
        pane.scroll(4);
        assert_eq!((pane.cursor, pane.top), (6, 4));
        pane.scroll(-4);
        assert_eq!((pane.cursor, pane.top), (2, 0));
        pane.scroll(99);
        assert_eq!((pane.cursor, pane.top), (9, 7));
    }

    #[test]
    fn a_line_out_of_sight_is_brought_in_and_one_in_sight_moves_nothing() {
        let mut pane = pane(40);
        pane.show(&(2..3));
        assert_eq!(pane.top, 0);
        pane.show(&(20..21));
        assert_eq!(pane.position(), (21, 40));
        assert!(pane.visible().iter().any(|row| row.line == 20));
        pane.go_to_line(39);
        assert_eq!((pane.cursor, pane.top), (39, 35));
    }

    #[test]
    fn the_line_stays_when_the_width_changes() {
        let text: Arc<str> = "one two three four five\n".repeat(30).into();
        let mut pane = SectionPane::default();
        fit(&mut pane, &text, 30);
        pane.go_to_line(12);
        fit(&mut pane, &text, 10);
        assert_eq!(pane.line(), 12);
    }

    #[test]
    fn an_empty_text_has_no_rows() {
        let mut pane = SectionPane::default();
        fit(&mut pane, &"".into(), 10);
        pane.page(1);
        pane.scroll(1);
        pane.bottom();
        assert_eq!(pane.position(), (0, 0));
        assert!(!pane.go_to_heading(1));
        pane.toggle_mark();
        assert_eq!(pane.marked_text(), None);
    }

    #[test]
    fn marked_lines_are_whole_whichever_way_they_are_marked() {
        let mut pane = pane(9);
        pane.go_to_line(4);
        pane.toggle_mark();
        pane.step(-2);
        assert_eq!(pane.marked(), Some(2..5));
        assert_eq!(pane.marked_text(), Some("line 3\nline 4\nline 5\n"));
        pane.toggle_mark();
        assert_eq!(pane.marked(), None);
    }

    #[test]
    fn matches_and_headings_are_gone_to() {
        let text: Arc<str> = "# A\nx\n```\n# no\n```\n## B\nx\n".into();
        let mut pane = SectionPane::default();
        fit(&mut pane, &text, 20);
        assert!(pane.go_to_heading(1));
        assert_eq!(pane.line(), 5);
        assert!(!pane.go_to_heading(1));
        assert!(pane.go_to_heading(-1));
        assert_eq!(pane.line(), 0);
        pane.search.set("x", &text);
        assert!(pane.go_to_match(1));
        assert_eq!(pane.line(), 1);
        assert!(pane.go_to_match(1));
        assert_eq!(pane.line(), 6);
        assert!(pane.go_to_match(1), "it goes round");
        assert_eq!(pane.line(), 1);
    }
}
