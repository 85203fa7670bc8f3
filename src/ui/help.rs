//! The help: the key table.

use ratatui::text::{Line, Span};

use super::Painter;
use super::theme::Part;
use crate::app::{App, Context, KEYMAP, Screen, key_text};

/// Gives the table's lines; the keys of the screen that it was called from come first.
pub fn lines(app: &App, painter: &Painter) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let own: &[Context] = match app.screen {
        Screen::Overview => &[Context::Overview, Context::Reading],
        Screen::Section => &[Context::Section, Context::Reading],
        Screen::Message => &[Context::Message],
    };
    let mut contexts = own.to_vec();
    for context in [
        Context::Anywhere,
        Context::Reading,
        Context::Overview,
        Context::Section,
        Context::Message,
        Context::Sessions,
    ] {
        if !contexts.contains(&context) {
            contexts.push(context);
        }
    }
    let mut lines = Vec::new();
    for context in contexts {
        lines.push(Line::styled(context.title(), theme.style(Part::Heading)));
        for (keys, help) in rows(context) {
            lines.push(Line::from(vec![
                Span::styled(format!("  {keys:<31}"), theme.style(Part::Accent)),
                Span::styled(help, theme.style(Part::Text)),
            ]));
        }
        lines.push(Line::default());
    }
    lines
}

/// Gathers the keys that stand under one line of help.
fn rows(context: Context) -> Vec<(String, &'static str)> {
    let mut rows: Vec<(String, &'static str)> = Vec::new();
    for binding in KEYMAP.iter().filter(|binding| binding.context == context) {
        match rows.last_mut() {
            Some((keys, _)) if binding.help.is_empty() => {
                keys.push(' ');
                keys.push_str(&key_text(binding));
            }
            _ => rows.push((key_text(binding), binding.help)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binding_stands_in_the_help() {
        let all: usize = [
            Context::Anywhere,
            Context::Reading,
            Context::Overview,
            Context::Section,
            Context::Message,
            Context::Help,
            Context::Sessions,
        ]
        .into_iter()
        .flat_map(rows)
        .map(|(keys, _)| keys.split(' ').count())
        .sum();
        assert_eq!(all, KEYMAP.len());
    }
}
