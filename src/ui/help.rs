//! The help: the key table.

use ratatui::text::{Line, Span};

use super::Painter;
use super::theme::Part;
use crate::app::{App, Context, Screen};

/// Gives the table's lines; the keys of the screen that it was called from come first.
pub fn lines(app: &App, painter: &Painter) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let own: &[Context] = match app.screen {
        Screen::Overview => &[Context::Overview, Context::Reading],
        Screen::Section => &[Context::Section, Context::Reading],
        Screen::Message => &[Context::Message],
        Screen::Library => &[Context::Library, Context::Reading],
    };
    let mut contexts = own.to_vec();
    for context in Context::ALL {
        if !contexts.contains(&context) {
            contexts.push(context);
        }
    }
    let mut lines = Vec::new();
    for context in contexts {
        lines.push(Line::styled(context.title(), theme.style(Part::Heading)));
        for (keys, help) in app.keymap.help(context) {
            lines.push(Line::from(vec![
                Span::styled(
                    format!("  {:<31}", app.symbols.spell(&keys)),
                    theme.style(Part::Accent),
                ),
                Span::styled(help, theme.style(Part::Text)),
            ]));
        }
        lines.push(Line::default());
    }
    lines
}
