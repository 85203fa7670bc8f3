//! A text with its gutter: highlighted, with what is searched, marked or compared.

use std::ops::Range;
use std::path::Path;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::text_rows::overlaid;
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, SectionPane, Sign};
use crate::display::sanitize::Symbols;
use crate::display::wrap::Row;
use crate::prompt::provenance::Origin;

/// A text to draw.
pub struct TextPane<'a> {
    /// Its rows, and where in them one is.
    pub pane: &'a SectionPane,
    /// Whether it is shown without its marks.
    pub is_rendered: bool,
    /// The lines that the last save changed.
    pub changed: Option<Range<usize>>,
    /// The file that the text is mainly of, where lines of others are to be told from its own.
    pub main: Option<&'a Path>,
    /// How what cannot be seen is drawn, and whether secrets are.
    pub app: &'a App,
}

impl TextPane<'_> {
    /// Draws the rows in sight and the gutter beside them.
    pub fn render(&self, painter: &Painter, frame: &mut Frame, text: Rect, gutter: Rect) {
        let (pane, theme) = (self.pane, &painter.theme);
        let Some(outline) = &pane.outline else {
            return;
        };
        let visible = pane.visible();
        let (Some(first), Some(last)) = (visible.first(), visible.last()) else {
            return;
        };
        let spans = if self.is_rendered {
            Vec::new()
        } else {
            let lines = first.line..last.line + 1;
            painter.highlighter.lines(&pane.shown.text, outline, lines)
        };
        let marked = pane.marked();
        let look = |row: &Row| {
            let line = spans.get(row.line - first.line);
            let styled =
                |(range, slot): &(Range<usize>, _)| (range.clone(), theme.style(Part::from(*slot)));
            let mut over = Vec::new();
            if pane.shown.sign(row.line) == Sign::Removed {
                over.push((row.range.clone(), theme.style(Part::Absent)));
            }
            if marked
                .as_ref()
                .is_some_and(|lines| lines.contains(&row.line))
            {
                over.push((row.range.clone(), theme.style(Part::Selection)));
            }
            let matches = pane.search.within(&row.range).iter();
            over.extend(matches.map(|it| (it.clone(), theme.style(Part::SearchMatch))));
            if self.is_rendered {
                let slots = &pane.shown.slots;
                let at = slots.partition_point(|(range, _)| range.end <= row.range.start);
                let slots = slots[at..].iter();
                let slots = slots.take_while(|(range, _)| range.start < row.range.end);
                let looks: Vec<_> = slots.map(styled).collect();
                let plain = vec![(row.range.clone(), theme.style(Part::Text))];
                return overlaid(overlaid(plain, &looks), &over);
            }
            overlaid(line.into_iter().flatten().map(styled).collect(), &over)
        };
        text_rows::render(
            frame,
            text,
            &pane.shown.text,
            visible,
            theme,
            self.app,
            look,
        );
        for ((index, row), place) in visible.iter().enumerate().zip(gutter.rows()) {
            let origin = pane.shown.origins.get(row.line).filter(|_| row.first);
            let is_cursor = pane.top + index == pane.cursor;
            let mut sign = self.sign(row);
            let own = pane.shown.origins.get(row.line).and_then(Origin::path);
            if let (Some(main), Some(own), " ") = (self.main, own, sign)
                && **own != *main
            {
                sign = "|";
            }
            self.gutter(painter, frame, place, origin, sign, is_cursor);
        }
    }

    /// Tells what a save or a comparison says of a row.
    fn sign(&self, row: &Row) -> &'static str {
        let changed = self.changed.as_ref();
        let is_changed = changed.is_some_and(|it| it.contains(&row.line));
        // Where lines only went away, the line that closed the gap is the one to look at.
        let closes_gap = changed.is_some_and(|it| it.is_empty() && it.start == row.line);
        match self.pane.shown.sign(row.line) {
            Sign::Removed => "-",
            Sign::Added => "+",
            Sign::Same if is_changed => "+",
            Sign::Same if closes_gap && row.first => "-",
            Sign::Same => " ",
        }
    }

    /// Draws the line of the file that a row comes from, its sign, and the cursor. What no file holds
    /// has no number.
    fn gutter(
        &self,
        painter: &Painter,
        frame: &mut Frame,
        place: Rect,
        origin: Option<&Origin>,
        sign: &'static str,
        is_cursor: bool,
    ) {
        const WIDTH: usize = 5;
        let theme = &painter.theme;
        let line = origin.and_then(Origin::line);
        let number = line.map_or_else(String::new, |line| line.to_string());
        let (part, cursor) = match (is_cursor, self.app.symbols) {
            (false, _) => (Part::Muted, " "),
            (true, Symbols::Unicode) => (Part::Accent, "▸"),
            (true, Symbols::Ascii) => (Part::Accent, ">"),
        };
        let sign_part = match sign {
            "-" => Part::Error,
            "|" => Part::Muted,
            _ => Part::Changed,
        };
        Line::from(vec![
            Span::styled(format!("{number:>WIDTH$}"), theme.style(part)),
            Span::styled(sign, theme.style(sign_part)),
            Span::styled(cursor, theme.style(Part::Accent)),
            Span::raw(" "),
        ])
        .render(place, frame.buffer_mut());
    }
}
