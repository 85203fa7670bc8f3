//! The audit of the history: every line with its fate and tokens.

use ratatui::text::{Line, Span};

use super::Painter;
use super::number::grouped;
use super::pane::fitted;
use super::text_rows::masked;
use super::theme::Part;
use crate::app::App;
use crate::display::sanitize::plain;
use crate::prompt::Fate;

/// Gives a line for each line of history.jsonl.
pub fn lines(app: &App, chosen: usize, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let Some(audited) = &app.audited else {
        let text = app.symbols.spell("Counting…").into_owned();
        return vec![Line::styled(text, theme.style(Part::Muted))];
    };
    if audited.is_empty() {
        return vec![Line::styled(
            "There is no history.",
            theme.style(Part::Muted),
        )];
    }
    let left = usize::from(columns).saturating_sub(59);
    let lines = audited.iter().enumerate();
    lines
        .map(|(index, entry)| {
            let (mark, focus) = if index == chosen {
                (" > ", Part::FieldFocused)
            } else {
                ("   ", Part::Text)
            };
            let part = match entry.fate {
                Fate::Shown => Part::Within,
                Fate::Cut | Fate::CutInPart | Fate::Malformed(_) => Part::Near,
                Fate::OverCount | Fate::OtherSession | Fate::BeforeCursor => Part::Absent,
            };
            let session = entry.session_key.as_deref().unwrap_or("-");
            let session = fitted(&plain(session, app.symbols), 16, app.symbols);
            let text = match entry.fate {
                Fate::Malformed(reason) => reason.to_owned(),
                _ => masked(app, entry.content.lines().next().unwrap_or_default()),
            };
            let text = fitted(&plain(&text, app.symbols), left, app.symbols);
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(format!("{:>6} ", entry.line), theme.style(Part::Muted)),
                Span::styled(
                    format!("{:>8}  ", grouped(entry.tokens)),
                    theme.style(focus),
                ),
                Span::styled(format!("{:<18}", entry.fate.name()), theme.style(part)),
                Span::styled(format!("{session:<18}"), theme.style(Part::Muted)),
                Span::styled(text, theme.style(focus)),
            ])
        })
        .collect()
}
