//! Draws rows of text: made safe, highlighted, with what is invisible made visible.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::theme::{Part, Theme};
use crate::display::sanitize::{Kind, Symbols, visible};
use crate::display::wrap::Row;

/// A stretch of bytes of a text, and how it looks.
pub type Styled = (Range<usize>, Style);

/// Draws rows one below the other; `styles` gives the stretches that cover a row.
pub fn render(
    frame: &mut Frame,
    area: Rect,
    text: &str,
    rows: &[Row],
    theme: &Theme,
    symbols: Symbols,
    mut styles: impl FnMut(&Row) -> Vec<Styled>,
) {
    for (row, place) in rows.iter().zip(area.rows()) {
        let mut spans = Vec::new();
        for (range, style) in styles(row) {
            let start = range.start.max(row.range.start);
            let end = range.end.min(row.range.end);
            if let Some(part) = (start < end).then(|| text.get(start..end)).flatten() {
                push(&mut spans, part, style, theme, symbols);
            }
        }
        Line::from(spans).render(place, frame.buffer_mut());
    }
}

fn push(spans: &mut Vec<Span<'static>>, text: &str, style: Style, theme: &Theme, symbols: Symbols) {
    for piece in visible(text, symbols) {
        let style = match piece.kind {
            Kind::Text => style,
            Kind::Tab => theme.style(Part::Muted),
            Kind::Marker => theme.style(Part::Marker),
        };
        spans.push(Span::styled(piece.text.into_owned(), style));
    }
}
