//! The list of findings: severity, place, what is wrong and what to do.

use ratatui::text::{Line, Span};

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::App;
use crate::display::sanitize::{plain, width};
use crate::lint::Severity;

/// Gives the part of the theme that a severity takes.
pub fn severity_part(severity: Severity) -> Part {
    match severity {
        Severity::Error => Part::Error,
        Severity::Warning => Part::Near,
        Severity::Note => Part::Notice,
    }
}

/// Gives a line for each finding; the chosen one is followed by its fix.
pub fn lines(app: &App, chosen: usize, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let columns = usize::from(columns);
    let places: Vec<String> = app
        .findings
        .iter()
        .map(|finding| {
            let path = finding.path.as_deref().unwrap_or("the workspace");
            let path = plain(path, app.symbols).into_owned();
            finding
                .line
                .map_or(path.clone(), |line| format!("{path}:{line}"))
        })
        .collect();
    let widest = places.iter().map(|place| width(place, app.symbols)).max();
    let room = widest.unwrap_or(0).min(columns / 3);
    let mut lines = Vec::new();
    for (index, (finding, place)) in app.findings.iter().zip(&places).enumerate() {
        let is_chosen = index == chosen;
        let (mark, part) = if is_chosen {
            (" > ", Part::FieldFocused)
        } else {
            ("   ", Part::Text)
        };
        let place = fitted(place, room, app.symbols);
        let pad = " ".repeat(room - width(&place, app.symbols).min(room));
        let left = columns.saturating_sub(room + 15);
        let message = fitted(&plain(&finding.message, app.symbols), left, app.symbols);
        lines.push(Line::from(vec![
            Span::styled(mark, theme.style(Part::Accent)),
            Span::styled(
                format!("{:<8} ", finding.severity.name()),
                theme.style(severity_part(finding.severity)),
            ),
            Span::styled(place, theme.style(part)),
            Span::raw(format!("{pad}  ")),
            Span::styled(message, theme.style(part)),
        ]));
    }
    lines
}

/// Says all of the chosen finding: what is wrong, the fix, and the rule.
pub fn chosen(app: &App, chosen: usize) -> Option<String> {
    let finding = app.findings.get(chosen)?;
    let (message, fix, rule) = (&finding.message, &finding.fix, finding.rule);
    Some(format!("{message}\nFix: {fix}. [{rule}]"))
}
