//! The help: the key table.

use ratatui::text::{Line, Span};

use super::Painter;
use super::theme::Part;
use crate::app::{App, Context, Keymap, Screen};

/// Gives the table's lines; the keys of the screen that it was called from come first.
pub fn lines(app: &App, painter: &Painter) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let own: &[Context] = match app.screen {
        Screen::Overview => &[Context::Overview, Context::Reading],
        Screen::Section => &[Context::Section, Context::Reading],
        Screen::Message => &[Context::Message],
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
        for (keys, help) in rows(&app.keymap, context) {
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

/// Gathers the keys that stand under one line of help.
fn rows(keymap: &Keymap, context: Context) -> Vec<(String, &'static str)> {
    let mut rows: Vec<(String, &'static str)> = Vec::new();
    for (binding, keys) in keymap.lines(context) {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        match rows.last_mut() {
            Some((all, _)) if binding.help.is_empty() => {
                all.push(' ');
                all.push_str(&keys.join(" "));
            }
            _ => rows.push((keys.join(" "), binding.help)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_stands_in_the_help() {
        let keymap = Keymap::default();
        for context in Context::ALL {
            let all = rows(&keymap, context);
            let shown: usize = all.iter().map(|(keys, _)| keys.split(' ').count()).sum();
            let bound: usize = keymap.lines(context).map(|(_, keys)| keys.len()).sum();
            assert_eq!(shown, bound, "{context:?}");
        }
    }
}
