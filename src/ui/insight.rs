//! The page of what the numbers mean: what a prompt cache would lose, and what would save most.

use ratatui::text::Line;

use super::Painter;
use super::number::{grouped, percent};
use super::theme::Part;
use crate::app::App;
use crate::display::sanitize::plain;

/// Gives the page's lines.
pub fn lines(app: &App, painter: &Painter) -> Vec<Line<'static>> {
    let theme = &painter.theme;
    let Some(insight) = &app.insight else {
        let text = app.symbols.spell("Working…").into_owned();
        return vec![Line::styled(text, theme.style(Part::Muted))];
    };
    let head = |text: &'static str| Line::styled(text, theme.style(Part::Heading));
    let mut lines = vec![head(
        "What a prompt cache would lose if the same message came",
    )];
    for loss in &insight.losses {
        let (text, part) = match &loss.first {
            None => (format!("  {}: nothing", loss.change), Part::Within),
            Some(first) => {
                let lost = grouped(first.lost);
                let share = percent(first.lost, loss.request);
                let part = if first.section.is_some() {
                    Part::Near
                } else {
                    Part::Text
                };
                (
                    format!(
                        "  {}: {lost} tokens ({share}), from {} on",
                        loss.change, first.part
                    ),
                    part,
                )
            }
        };
        lines.push(Line::styled(text, theme.style(part)));
        if let Some(first) = &loss.first {
            let text = format!("      byte {}: {:?}", first.byte, first.text);
            let text = plain(&text, app.symbols).into_owned();
            lines.push(Line::styled(text, theme.style(Part::Muted)));
        }
    }
    lines.push(Line::default());
    lines.push(head("What would save most"));
    for advice in &insight.advice {
        let text = format!(
            "  {:>7}  {}:{}  {}",
            grouped(advice.saves),
            advice.path,
            advice.line,
            advice.text
        );
        let text = plain(&text, app.symbols).into_owned();
        lines.push(Line::styled(text, theme.style(Part::Text)));
    }
    lines
}
