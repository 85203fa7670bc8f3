//! The list of what can be switched off, with the tokens of each.

use ratatui::text::{Line, Span};

use super::Painter;
use super::number::grouped;
use super::pane::fitted;
use super::theme::Part;
use crate::app::{App, Switch, SwitchLine};
use crate::display::sanitize::{plain, width};

/// Gives a line for each thing that can be switched.
pub fn lines(app: &App, chosen: usize, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let room = usize::from(columns).saturating_sub(36).min(40);
    let lines = app.switches().into_iter().enumerate();
    lines
        .map(|(index, line)| {
            let is_chosen = index == chosen;
            let (mark, part) = match (is_chosen, line.is_on) {
                (true, _) => (" > ", Part::FieldFocused),
                (false, true) => ("   ", Part::Text),
                (false, false) => ("   ", Part::Absent),
            };
            let name = fitted(&name(&line, app), room, app.symbols);
            let pad = " ".repeat(room - width(&name, app.symbols).min(room));
            let tokens = line.tokens.map(grouped).unwrap_or_default();
            let switch = if line.is_on { "[x] " } else { "[ ] " };
            let always = match line.is_always {
                Some(true) => "  always on",
                _ => "",
            };
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(switch, theme.style(Part::Accent)),
                Span::styled(name, theme.style(part)),
                Span::raw(pad),
                Span::styled(format!("{tokens:>9}"), theme.style(Part::Muted)),
                Span::styled(always, theme.style(Part::Muted)),
            ])
        })
        .collect()
}

fn name(line: &SwitchLine, app: &App) -> String {
    match &line.switch {
        Switch::Skill(name) => format!("skill {}", plain(name, app.symbols)),
        Switch::File(name) => (*name).to_owned(),
        Switch::Memory => "MEMORY.md".to_owned(),
        Switch::History => "Recent History".to_owned(),
        Switch::HistoryCap => "cap of Recent History".to_owned(),
    }
}
