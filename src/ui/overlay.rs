//! What lies over a screen: a title, and lines that scroll.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use super::pane::title;
use super::theme::Part;
use super::{Painter, help, host, sessions};
use crate::app::{App, Overlay};

/// Draws what lies over the screen's body.
pub fn render(app: &App, overlay: &Overlay, painter: &Painter, frame: &mut Frame, area: Rect) {
    let (name, lines, wanted) = match overlay {
        Overlay::Help(scroll) => ("Keys", help::lines(app, painter), *scroll),
        Overlay::Host(scroll) => ("Host", host::lines(app, painter, area.width), *scroll),
        Overlay::Sessions(chosen) => {
            let lines = sessions::lines(app, *chosen, painter, area.width);
            // The chosen line stays in sight, in the middle where there is more than fits.
            (
                "Sessions",
                lines,
                chosen.saturating_sub(usize::from(area.height) / 2),
            )
        }
    };
    Clear.render(area, frame.buffer_mut());
    let theme = &painter.theme;
    frame.buffer_mut().set_style(area, theme.style(Part::Text));
    let mut places = area.rows();
    if let Some(row) = places.next() {
        let left = vec![Span::styled(name, theme.style(Part::Title))];
        title(painter, frame, row, left, vec![], true, app.symbols);
    }
    let room = usize::from(area.height).saturating_sub(1);
    let last = lines.len().saturating_sub(room);
    for (line, place) in lines.into_iter().skip(wanted.min(last)).zip(places) {
        Line::render(line, place, frame.buffer_mut());
    }
}
