//! The list of scenarios, from which one is taken.

use ratatui::text::{Line, Span};

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::App;
use crate::display::sanitize::{plain, width};

/// Gives a line for the settings' own turn, then one for each scenario: name, whose it is, what it is
/// about.
pub fn lines(app: &App, chosen: usize, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let columns = usize::from(columns);
    let none = (
        "no scenario".to_owned(),
        String::new(),
        "the turn of the settings".to_owned(),
        None,
    );
    let entries = app.scenarios.iter().map(|entry| {
        let whose = if entry.is_own { "yours" } else { "workspace" };
        let name = plain(&entry.name, app.symbols).into_owned();
        (
            name,
            whose.to_owned(),
            plain(&entry.about, app.symbols).into_owned(),
            Some(&entry.path),
        )
    });
    let entries: Vec<_> = std::iter::once(none).chain(entries).collect();
    let widest = entries
        .iter()
        .map(|(name, ..)| width(name, app.symbols))
        .max();
    let room = widest.unwrap_or(0).min(columns / 2);
    let lines = entries.into_iter().enumerate();
    lines
        .map(|(index, (name, whose, about, path))| {
            let (mark, part) = if index == chosen {
                (" > ", Part::FieldFocused)
            } else {
                ("   ", Part::Text)
            };
            let name = fitted(&name, room, app.symbols);
            let pad = " ".repeat(room - width(&name, app.symbols).min(room));
            let is_in_force = app.scenario.as_ref() == path;
            let state = if is_in_force { "in force" } else { "" };
            let about = fitted(&about, columns.saturating_sub(room + 27), app.symbols);
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(name, theme.style(part)),
                Span::raw(pad),
                Span::styled(format!("  {whose:<9}  "), theme.style(Part::Muted)),
                Span::styled(format!("{state:<8}  "), theme.style(Part::Accent)),
                Span::styled(about, theme.style(Part::Muted)),
            ])
        })
        .collect()
}
