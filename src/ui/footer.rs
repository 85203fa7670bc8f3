//! The footer: a notice if there is one, else the keys that work now.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::{App, Overlay, Screen, Watching};

/// Draws the footer.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, row: Rect) {
    let theme = &painter.theme;
    frame.buffer_mut().set_style(row, theme.style(Part::Footer));
    let room = usize::from(row.width).saturating_sub(1);
    if let Some((text, part)) = notice(app) {
        let text = fitted(&text, room, app.symbols);
        Line::styled(format!(" {text}"), theme.style(part)).render(row, frame.buffer_mut());
        return;
    }
    let mut spans = vec![Span::raw(" ")];
    let mut used = 1;
    for (key, what) in keys(app) {
        let wide = key.chars().count() + what.chars().count() + 3;
        if used + wide > room {
            break;
        }
        used += wide;
        spans.push(Span::styled(*key, theme.style(Part::Accent)));
        spans.push(Span::styled(
            format!(" {what}  "),
            theme.style(Part::Footer),
        ));
    }
    Line::from(spans).render(row, frame.buffer_mut());
}

/// Picks the one thing that a person should know now.
fn notice(app: &App) -> Option<(String, Part)> {
    if let Some(stale) = &app.content.stale {
        return Some((format!("Stale: {}", stale.0), Part::Stale));
    }
    let view = app.content.view.as_ref()?;
    if let Some(problem) = &view.settings_problem {
        return Some((problem.clone(), Part::Error));
    }
    if let Some(notice) = &app.notice {
        return Some((notice.0.clone(), Part::Notice));
    }
    if let Some(error) = &view.assembly.error {
        let problem = view.workspace.problem(error);
        let text = format!("The agent would fail with {}: {problem}", error.class);
        return Some((text, Part::Error));
    }
    if let (Screen::Message, Some(key)) = (app.screen, view.workspace.missing_session()) {
        let text = format!("There is no session {key:?} yet: nothing is replayed.");
        return Some((text, Part::Notice));
    }
    match &app.watching {
        Watching::Polling(reason) => Some((format!("Polling: {reason}"), Part::Notice)),
        _ => None,
    }
}

/// Names the keys that matter most on the screen that is shown.
fn keys(app: &App) -> &'static [(&'static str, &'static str)] {
    match (&app.overlay, app.screen) {
        (Some(Overlay::Sessions(_)), _) => {
            &[("Enter", "replay"), ("↑↓", "choose"), ("Esc", "leave")]
        }
        (Some(_), _) => &[("Esc", "close"), ("↑↓", "scroll")],
        (None, Screen::Overview) => &[
            ("1-8", "section"),
            ("Enter", "open"),
            ("m", "message"),
            ("s", "session"),
            ("t", "theme"),
            ("?", "keys"),
            ("q", "quit"),
            ("Tab", "next"),
        ],
        (None, Screen::Section) => &[
            ("Esc", "back"),
            ("1-8", "section"),
            ("↑↓", "scroll"),
            ("m", "message"),
            ("?", "keys"),
            ("q", "quit"),
            ("c", "last change"),
            ("g/G", "top/bottom"),
        ],
        (None, Screen::Message) => &[
            ("Esc", "back"),
            ("Tab", "field"),
            ("↑↓", "known values"),
            ("PgUp/PgDn", "scroll"),
        ],
    }
}
