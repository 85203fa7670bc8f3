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

/// Lays stretches over others: their styles are added where both are.
pub fn overlaid(styled: Vec<Styled>, over: &[Styled]) -> Vec<Styled> {
    let mut all = styled;
    for (range, style) in over {
        let mut cut = Vec::with_capacity(all.len() + 2);
        for (under, below) in all {
            let (start, end) = (range.start.max(under.start), range.end.min(under.end));
            if start >= end {
                cut.push((under, below));
                continue;
            }
            cut.push((under.start..start, below));
            cut.push((start..end, below.patch(*style)));
            cut.push((end..under.end, below));
        }
        cut.retain(|(range, _)| !range.is_empty());
        all = cut;
    }
    all
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
