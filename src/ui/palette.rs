//! The palette: actions by their words, with their keys.

use ratatui::text::{Line, Span};

use super::Painter;
use super::theme::Part;
use crate::app::App;

/// Gives a line for each action that fits what is typed.
pub fn lines(app: &App, query: &str, chosen: usize, painter: &Painter) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let found = app.palette(query);
    if found.is_empty() {
        let text = "No action has these words.";
        return vec![Line::styled(text, theme.style(Part::Muted))];
    }
    let lines = found.into_iter().enumerate();
    lines
        .map(|(index, line)| {
            let is_chosen = index == chosen;
            let (mark, part) = if is_chosen {
                (" > ", Part::FieldFocused)
            } else {
                ("   ", Part::Text)
            };
            let key = line.key.map(|key| key.to_string()).unwrap_or_default();
            let key = app.symbols.spell(&key);
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(format!("{key:<10}"), theme.style(Part::Accent)),
                Span::styled(line.words, theme.style(part)),
            ])
        })
        .collect()
}
