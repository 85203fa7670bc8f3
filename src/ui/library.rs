//! The prompts as files: the tree, the texts of what is chosen, and its variables.

use ratatui::Frame;
use ratatui::text::Span;

mod tree;
mod variables;

use super::Painter;
use super::pane::{fitted, title, with_end};
use super::section::named;
use super::text_pane::TextPane;
use super::theme::Part;
use crate::app::{App, LibraryFocus, Node, layout};
use crate::display::sanitize::{plain, width};

/// Draws the screen.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    let parts = layout::library((area.width, area.height), app.library.sides);
    if let Some(area) = parts.tree {
        tree::render(app, painter, frame, area);
    }
    let is_focused = app.library.focus == LibraryFocus::Text;
    if let Some(side) = parts.raw {
        let is_focused = is_focused && parts.built.is_none();
        let words = ("source", app.library.texts.raw.text.is_empty());
        draw(app, painter, frame, side, false, words, is_focused);
    }
    if let Some(side) = parts.built {
        let is_compared = app.library.is_compared && app.library.texts.on_disk.is_some();
        let words = match (is_compared, app.library.is_folded) {
            (true, _) => "against the file that is there",
            (false, true) => "what it becomes, folded",
            (false, false) => "what it becomes",
        };
        let words = (words, app.library.texts.built.text.is_empty());
        draw(app, painter, frame, side, true, words, is_focused);
    }
    variables::render(app, painter, frame, parts.variables);
}

/// Draws one of the two texts with its title: what it is, and where the line under the cursor comes from.
fn draw(
    app: &App,
    painter: &Painter,
    frame: &mut Frame,
    side: layout::LibrarySide,
    is_built: bool,
    (words, is_empty): (&str, bool),
    is_focused: bool,
) {
    let theme = &painter.theme;
    let pane = if is_built {
        &app.library.built
    } else {
        &app.library.raw
    };
    let room = usize::from(side.title.width);
    let name = app
        .library_node()
        .map_or_else(String::new, |node| match node {
            Node::Target(target) => target.to_string_lossy().into_owned(),
            Node::Prompt(name) | Node::Composition(name) | Node::Experiment(name) => name,
            Node::Variant(name, variant) => format!("{name} {variant}"),
        });
    let name = fitted(&plain(&name, app.symbols), room / 3, app.symbols);
    let (line, lines) = pane.position();
    let place = pane.place().and_then(|origin| {
        let (path, number) = (origin.path()?, origin.line()?);
        Some(format!("{}:{number}", named(app, path)))
    });
    // Where a line comes from is what one looks for: it goes last, and loses its start before.
    let place = place.unwrap_or_default();
    let room_left = room.saturating_sub(width(&name, app.symbols) + 4);
    let place = with_end(&place, room_left, app.symbols);
    let mut left = vec![Span::styled(name, theme.style(Part::Title))];
    if width(words, app.symbols) + 1 + width(&place, app.symbols) <= room_left {
        left.push(Span::styled(format!(" {words}"), theme.style(Part::Muted)));
    }
    let mut right = Vec::new();
    if lines > 0 {
        let text = format!("{line}/{lines}  ");
        right.push(Span::styled(text, theme.style(Part::Muted)));
    }
    if !pane.search.query.is_empty() {
        let count = pane.search.matches.len();
        right.push(Span::styled(
            format!("{count} found  "),
            theme.style(Part::Notice),
        ));
    }
    right.push(Span::styled(place, theme.style(Part::Muted)));
    title(
        painter,
        frame,
        side.title,
        left,
        right,
        is_focused,
        app.symbols,
    );
    let raw = app.library.texts.raw.spans.first();
    let main = raw.and_then(|span| span.origin.path());
    let changed = app.library.texts.changed.clone();
    let pane = TextPane {
        pane,
        is_rendered: false,
        changed: changed.filter(|_| is_built && !app.library.is_compared),
        main: main.map(AsRef::as_ref),
        app,
    };
    if is_empty {
        variables::faults(app, painter, frame, side.text);
    } else {
        pane.render(painter, frame, side.text, side.gutter);
    }
}
