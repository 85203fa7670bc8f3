//! The declared host against this machine.

use ratatui::text::{Line, Span};

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::App;
use crate::display::sanitize::plain;
use crate::inputs::{HostReport, SkillFlip};
use crate::prompt::SkillState;

/// Gives the lines: the skills that flip, and what else is declared otherwise than it is here.
pub fn lines(app: &App, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let Some(view) = &app.content.view else {
        return Vec::new();
    };
    let said = |text: &str| vec![Line::styled(text.to_owned(), theme.style(Part::Muted))];
    let report = &view.host;
    if !report.is_declared {
        return said("The prompt is for this machine: no [host] is declared, and no scenario's.");
    }
    if report.differences.is_empty() && report.flips.is_empty() {
        return said("What is declared about the host is as it is on this machine.");
    }
    let mut lines = Vec::new();
    let mut push = |heading: &str, rows: Vec<[String; 3]>| {
        if rows.is_empty() {
            return;
        }
        lines.push(Line::from(vec![
            Span::styled(format!("{heading:<22}"), theme.style(Part::Heading)),
            Span::styled(" declared host, shown", theme.style(Part::Heading)),
        ]));
        for [what, declared, here] in rows {
            let room = usize::from(columns).saturating_sub(24);
            let text = format!("{declared}   (here: {here})");
            lines.push(Line::from(vec![
                Span::styled(
                    format!(
                        "{:<22} ",
                        fitted(&plain(&what, app.symbols), 22, app.symbols)
                    ),
                    theme.style(Part::Accent),
                ),
                Span::styled(
                    fitted(&plain(&text, app.symbols), room, app.symbols),
                    theme.style(Part::Text),
                ),
            ]));
        }
        lines.push(Line::default());
    };
    push("Skills that flip", report.flips.iter().map(flip).collect());
    push("Declared otherwise", differences(report));
    lines
}

fn flip(flip: &SkillFlip) -> [String; 3] {
    [
        flip.declared.name.clone(),
        state(&flip.declared),
        state(&flip.here),
    ]
}

fn state(skill: &SkillState) -> String {
    match (skill.is_always, skill.is_available) {
        (true, _) => "always on".to_owned(),
        (false, true) => "available".to_owned(),
        (false, false) => format!("unavailable, {}", skill.missing),
    }
}

fn differences(report: &HostReport) -> Vec<[String; 3]> {
    let rows = report.differences.iter();
    rows.map(|it| [it.what.clone(), it.declared.clone(), it.here.clone()])
        .collect()
}
