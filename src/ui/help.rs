//! The help: the key table, in place of the screen's body.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use super::Painter;
use super::pane::title;
use super::theme::Part;
use crate::app::{App, Context, KEYMAP, Screen, key_text};

/// Draws the help; the keys of the screen that it was called from come first.
pub fn render(app: &App, scroll: usize, painter: &Painter, frame: &mut Frame, area: Rect) {
    Clear.render(area, frame.buffer_mut());
    let theme = &painter.theme;
    frame.buffer_mut().set_style(area, theme.style(Part::Text));
    let mut places = area.rows();
    if let Some(row) = places.next() {
        let left = vec![Span::styled("Keys", theme.style(Part::Title))];
        title(painter, frame, row, left, vec![], true, app.symbols);
    }
    let lines = lines(app, painter);
    let last = lines
        .len()
        .saturating_sub(usize::from(area.height).saturating_sub(1));
    for (line, place) in lines.into_iter().skip(scroll.min(last)).zip(places) {
        line.render(place, frame.buffer_mut());
    }
}

fn lines(app: &App, painter: &Painter) -> Vec<Line<'static>> {
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
        ]
        .into_iter()
        .flat_map(rows)
        .map(|(keys, _)| keys.split(' ').count())
        .sum();
        assert_eq!(all, KEYMAP.len());
    }
}
