//! Draws rows of text: made safe, highlighted, with what is invisible made visible.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::theme::{Part, Theme};
use crate::app::App;
use crate::display::sanitize::{Kind, Symbols, visible};
use crate::display::wrap::Row;
use crate::lint::secrets;

/// A stretch of bytes of a text, and how it looks.
pub type Styled = (Range<usize>, Style);

/// Draws rows one below the other; `styles` gives the stretches that cover a row.
pub fn render(
    frame: &mut Frame,
    area: Rect,
    text: &str,
    rows: &[Row],
    theme: &Theme,
    app: &App,
    mut styles: impl FnMut(&Row) -> Vec<Styled>,
) {
    let masks = masks(text, rows, app);
    for (row, place) in rows.iter().zip(area.rows()) {
        let mut spans = Vec::new();
        for (range, style) in styles(row) {
            let mut at = range.start.max(row.range.start);
            let end = range.end.min(row.range.end);
            while at < end {
                let mask = masks.iter().find(|mask| mask.end > at);
                let is_masked = mask.is_some_and(|mask| mask.start <= at);
                let next = mask.map_or(end, |mask| if is_masked { mask.end } else { mask.start });
                let next = next.min(end);
                let part = text.get(at..next).unwrap_or_default();
                push(&mut spans, part, style, theme, app.symbols, is_masked);
                at = next;
            }
        }
        Line::from(spans).render(place, frame.buffer_mut());
    }
}

/// Finds what of the rows is not shown: keys and passwords, unless the person asked to see them.
fn masks(text: &str, rows: &[Row], app: &App) -> Vec<Range<usize>> {
    match (rows.first(), rows.last()) {
        (Some(first), Some(last)) if !app.shows_secrets => {
            secrets::within(text, first.range.start..last.range.end)
        }
        _ => Vec::new(),
    }
}

/// Gives a text for a line of its own, without what is not shown.
pub fn masked(app: &App, text: &str) -> String {
    if app.shows_secrets {
        return text.to_owned();
    }
    secrets::masked(text).into_owned()
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

fn push(
    spans: &mut Vec<Span<'static>>,
    text: &str,
    style: Style,
    theme: &Theme,
    symbols: Symbols,
    is_masked: bool,
) {
    for piece in visible(text, symbols) {
        if is_masked {
            // As wide as what it stands for, so that no row changes.
            let dots = match symbols {
                Symbols::Unicode => "•",
                Symbols::Ascii => "*",
            };
            let dots = dots.repeat(piece.width);
            spans.push(Span::styled(dots, theme.style(Part::Marker)));
            continue;
        }
        let style = match piece.kind {
            Kind::Text => style,
            Kind::Tab => theme.style(Part::Muted),
            Kind::Marker => theme.style(Part::Marker),
        };
        spans.push(Span::styled(piece.text.into_owned(), style));
    }
}
