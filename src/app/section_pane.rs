//! One section's whole text, wrapped once and shown from some row on.

use std::ops::Range;
use std::sync::Arc;

use crate::display::highlight::{Language, Outline};
use crate::display::sanitize::Symbols;
use crate::display::wrap::{Row, wrap};
use crate::prompt::provenance::{Origin, Span, line_origins};

/// A text in rows, and the row at the top of its pane.
#[derive(Debug, Default)]
pub struct SectionPane {
    /// The text that the rows are of.
    pub text: Arc<str>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What the highlighter needs to know about the text.
    pub outline: Option<Outline>,
    /// Where each line comes from.
    pub origins: Vec<Origin>,
    spans: Vec<Span>,
    /// The row at the top.
    pub top: usize,
    width: usize,
    height: usize,
}

impl SectionPane {
    /// Takes a text and a size in, and wraps again only if one of them is new.
    ///
    /// The line at the top stays there while it exists.
    pub(super) fn fit(
        &mut self,
        text: &Arc<str>,
        spans: &[Span],
        width: usize,
        height: usize,
        symbols: Symbols,
    ) {
        let is_same_text = Arc::ptr_eq(&self.text, text) || self.text == *text;
        if !is_same_text || width != self.width || self.outline.is_none() {
            let line = self.rows.get(self.top).map_or(0, |row| row.line);
            self.rows = wrap(text, width, symbols);
            self.top = self.rows.partition_point(|row| row.line < line);
            if !is_same_text || self.outline.is_none() {
                self.outline = Some(Outline::new(text, Language::Markdown));
            }
            self.text = text.clone();
        }
        if !is_same_text || self.spans != spans {
            self.origins = line_origins(text, spans);
            self.spans = spans.to_vec();
        }
        self.width = width;
        self.height = height;
        self.scroll(0);
    }

    /// Forgets where it was scrolled to, for another text.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Gives the last row that may be at the top.
    fn last_top(&self) -> usize {
        self.rows.len().saturating_sub(self.height.max(1))
    }

    /// Scrolls by rows, within the text.
    pub(super) fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by).min(self.last_top());
    }

    /// Scrolls by pages; a row of the page before stays in sight.
    pub(super) fn page(&mut self, by: isize) {
        let rows = self.height.saturating_sub(1).max(1);
        self.scroll(by * isize::try_from(rows).unwrap_or(isize::MAX));
    }

    /// Scrolls to the end.
    pub(super) fn bottom(&mut self) {
        self.top = self.last_top();
    }

    /// Brings lines into sight, if they are not: a few lines of what stands before them on top.
    pub(super) fn show(&mut self, lines: &Range<usize>) {
        let first = self.rows.partition_point(|row| row.line < lines.start);
        let end = self.rows.partition_point(|row| row.line < lines.end);
        let visible = self.top..self.top + self.height;
        let is_seen = visible.contains(&first) && (end <= visible.end || first == self.top);
        if !is_seen {
            let context = self.height / 4;
            self.top = first.saturating_sub(context).min(self.last_top());
        }
    }

    /// Gives the rows in sight.
    #[must_use]
    pub fn visible(&self) -> &[Row] {
        let end = (self.top + self.height).min(self.rows.len());
        self.rows.get(self.top..end).unwrap_or_default()
    }

    /// Gives the lines in sight, from 1, and how many there are.
    #[must_use]
    pub fn position(&self) -> (usize, usize, usize) {
        let line = |row: Option<&Row>| row.map_or(0, |row| row.line + 1);
        let visible = self.visible();
        (
            line(visible.first()),
            line(visible.last()),
            line(self.rows.last()),
        )
    }

    /// Gives the first place in a file that the visible lines come from.
    #[must_use]
    pub fn place(&self) -> Option<&Origin> {
        let visible = self.visible().iter();
        let origins = visible.filter_map(|row| self.origins.get(row.line));
        origins.into_iter().find(|origin| origin.path().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pane(lines: usize) -> SectionPane {
        let text: Vec<String> = (1..=lines).map(|n| format!("line {n}\n")).collect();
        let mut pane = SectionPane::default();
        pane.fit(&text.concat().into(), &[], 20, 5, Symbols::Unicode);
        pane
    }

    #[test]
    fn scrolling_stays_within_the_text() {
        let mut pane = pane(12);
        pane.scroll(-3);
        assert_eq!(pane.position(), (1, 5, 12));
        pane.page(1);
        assert_eq!(pane.position(), (5, 9, 12));
        pane.page(9);
        assert_eq!(pane.position(), (8, 12, 12));
        pane.scroll(-1);
        assert_eq!(pane.top, 6);
    }

    #[test]
    fn a_line_out_of_sight_is_brought_in_and_one_in_sight_moves_nothing() {
        let mut pane = pane(40);
        pane.show(&(2..3));
        assert_eq!(pane.top, 0);
        pane.show(&(20..21));
        assert_eq!(pane.position(), (20, 24, 40));
        pane.show(&(39..40));
        assert_eq!(pane.position(), (36, 40, 40));
    }

    #[test]
    fn the_top_line_stays_when_the_width_changes() {
        let text: Arc<str> = "one two three four five\n".repeat(30).into();
        let mut pane = SectionPane::default();
        pane.fit(&text, &[], 30, 5, Symbols::Unicode);
        pane.scroll(10);
        pane.fit(&text, &[], 10, 5, Symbols::Unicode);
        assert_eq!(pane.position().0, 11);
    }

    #[test]
    fn an_empty_text_has_no_rows() {
        let mut pane = SectionPane::default();
        pane.fit(&"".into(), &[], 10, 5, Symbols::Unicode);
        pane.page(1);
        assert_eq!(pane.position(), (0, 0, 0));
    }
}
