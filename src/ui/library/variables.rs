//! The variables of what is chosen, and why it could not be built.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::app::{App, LibraryFocus, VariableLine, layout};
use crate::display::sanitize::{plain, width};
use crate::display::wrap::rows;
use crate::library::Fault;
use crate::ui::Painter;
use crate::ui::pane::{fitted, title};
use crate::ui::text_rows::masked;
use crate::ui::theme::Part;

/// Draws the variables: name, value, where the value comes from, where it is used.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let theme = &painter.theme;
    let is_focused = app.library.focus == LibraryFocus::Variables;
    let lines = app.library_variables();
    let mut places = area.rows();
    if let Some(place) = places.next() {
        let mut left = vec![Span::styled("Variables", theme.style(Part::Title))];
        let faults = faults_of(app);
        if let Some(fault) = faults.first() {
            let more = match faults.len() {
                1 => String::new(),
                count => format!(" (+{})", count - 1),
            };
            let part = if fault.kind.is_warning() {
                Part::Near
            } else {
                Part::Error
            };
            let room = usize::from(area.width).saturating_sub(14);
            let text = format!(" {}{more}", plain(&fault.to_string(), app.symbols));
            left.push(Span::styled(
                fitted(&text, room, app.symbols),
                theme.style(part),
            ));
        }
        title(painter, frame, place, left, vec![], is_focused, app.symbols);
    }
    let chosen = app.library.variable.min(lines.len().saturating_sub(1));
    let first = layout::first_line(chosen, usize::from(area.height));
    let widest = lines
        .iter()
        .map(|line| width(&line.name, app.symbols))
        .max();
    let room = widest.unwrap_or(0).min(usize::from(area.width) / 3);
    if lines.is_empty()
        && let Some(place) = places.next()
    {
        let text = "  It uses none.";
        Line::styled(text, theme.style(Part::Muted)).render(place, frame.buffer_mut());
    }
    for ((index, line), place) in lines.iter().enumerate().skip(first).zip(places) {
        let is_chosen = index == chosen && is_focused;
        row(app, painter, frame, place, line, is_chosen, room);
    }
}

fn row(
    app: &App,
    painter: &Painter,
    frame: &mut Frame,
    place: Rect,
    line: &VariableLine,
    is_chosen: bool,
    room: usize,
) {
    let theme = &painter.theme;
    let (mark, part) = if is_chosen {
        (" > ", Part::FieldFocused)
    } else {
        ("   ", Part::Text)
    };
    let name = fitted(&plain(&line.name, app.symbols), room, app.symbols);
    let pad = " ".repeat(room - width(&name, app.symbols).min(room));
    let (value, value_part) = match (&line.value, &line.place) {
        (None, _) => ("undefined".to_owned(), Part::Error),
        (Some(value), _) => {
            let value = masked(app, value);
            (plain(&value, app.symbols).into_owned(), part)
        }
    };
    let mut right = Vec::new();
    let origin = plain(&line.origin, app.symbols).into_owned();
    let origin_part = if line.is_edited {
        Part::Hypothetical
    } else {
        Part::Muted
    };
    right.push(Span::styled(origin, theme.style(origin_part)));
    let used = match (&line.place, line.count) {
        (None, _) => "unused".to_owned(),
        (Some(place), 1) => plain(place, app.symbols).into_owned(),
        (Some(place), count) => format!("{} (+{})", plain(place, app.symbols), count - 1),
    };
    let used_part = if line.place.is_none() {
        Part::Near
    } else {
        Part::Muted
    };
    right.push(Span::styled(format!("  {used}"), theme.style(used_part)));
    let wide = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let columns = usize::from(place.width);
    let least = room + 4 + 12;
    // Where a value comes from matters more than where it is used.
    while !right.is_empty() && least + wide(&right) > columns {
        right.pop();
    }
    let left = columns.saturating_sub(room + 6 + wide(&right));
    let value = fitted(&value, left, app.symbols);
    let mut spans = vec![
        Span::styled(mark, theme.style(Part::Accent)),
        Span::styled(name, theme.style(part)),
        Span::raw(format!("{pad}  ")),
        Span::styled(value, theme.style(value_part)),
    ];
    let free = columns.saturating_sub(wide(&spans) + wide(&right));
    spans.push(Span::raw(" ".repeat(free)));
    spans.extend(right);
    Line::from(spans).render(place, frame.buffer_mut());
}

fn faults_of(app: &App) -> Vec<Fault> {
    let built = app
        .content
        .view
        .as_ref()
        .zip(app.library_node())
        .and_then(|(view, node)| node.built(view));
    built.map_or_else(Vec::new, |built| built.faults.clone())
}

/// Says why there is no text.
pub fn faults(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let faults = faults_of(app);
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let text = faults.join("\n");
    for (row, place) in rows(&text, area.width.into(), app.symbols).zip(area.rows()) {
        let line = plain(&text[row.range], app.symbols).into_owned();
        let style = painter.theme.style(Part::Error);
        Line::styled(line, style).render(place, frame.buffer_mut());
    }
}
