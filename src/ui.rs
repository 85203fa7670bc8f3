//! The screen: draws the app's state, and nothing else.
//!
//! Every pane has a file. Nothing here changes the state, and no colour is named: what a part of the
//! screen looks like is the theme's.

mod findings;
mod footer;
mod header;
mod help;
mod history;
mod host;
mod insight;
mod library;
pub mod lines;
mod message;
mod number;
mod overlay;
mod overview;
mod palette;
mod pane;
mod scenarios;
mod section;
mod sessions;
mod text_pane;
mod text_rows;
pub mod theme;
mod what_if;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget as _};

use crate::app::layout::{self, SMALLEST};
use crate::app::{App, Screen};
use crate::display::highlight::Highlighter;
use theme::{Part, Theme};

/// What drawing needs besides the state: the theme and the highlighter's compiled grammar.
#[derive(Debug)]
pub struct Painter {
    /// The theme in force.
    pub theme: Theme,
    highlighter: Highlighter,
}

impl Painter {
    /// Makes a painter.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            highlighter: Highlighter::new(),
        }
    }
}

/// Draws a frame.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    frame
        .buffer_mut()
        .set_style(area, painter.theme.style(Part::Text));
    let size = (area.width, area.height);
    if layout::is_too_small(size) {
        too_small(painter, frame, area);
        return;
    }
    let parts = layout::frame(size);
    header::render(app, painter, frame, parts.header);
    match app.screen {
        Screen::Overview => overview::render(app, painter, frame),
        Screen::Section => section::render(app, painter, frame),
        Screen::Message => message::render(app, painter, frame),
        Screen::Library => library::render(app, painter, frame),
    }
    footer::render(app, painter, frame, parts.footer);
    if let Some(overlay) = &app.overlay {
        overlay::render(app, overlay, painter, frame, parts.body);
    }
}

fn too_small(painter: &Painter, frame: &mut Frame, area: Rect) {
    Clear.render(area, frame.buffer_mut());
    let text = [
        format!("{}×{} is too small.", area.width, area.height),
        format!("It takes {}×{}.", SMALLEST.0, SMALLEST.1),
    ];
    for (row, text) in text.into_iter().enumerate() {
        let Ok(offset) = u16::try_from(row) else {
            return;
        };
        if offset < area.height {
            let line = Line::styled(text, painter.theme.style(Part::Notice));
            let row = Rect::new(area.x, area.y + offset, area.width, 1);
            line.render(row, frame.buffer_mut());
        }
    }
}
