//! One section: the list of the eight with the sum that reconciles, and the whole text.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::number::{bar, change, grouped};
use super::pane::{change_part, figures, fitted, level_style, level_word, mark, title};
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, layout};
use crate::budget::share;
use crate::display::sanitize::plain;
use crate::display::wrap::{Row, rows};
use crate::prompt::SectionId;
use crate::prompt::provenance::Origin;

/// Draws the section in focus.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    let parts = layout::section((area.width, area.height));
    list(app, painter, frame, parts.list);
    let theme = &painter.theme;
    let id = app.focus;
    let left = vec![
        Span::styled(format!("{} ", id.number()), theme.style(Part::Accent)),
        Span::styled(id.title(), theme.style(Part::Title)),
    ];
    let mut right = place(app, painter);
    right.extend(figures(app, painter, id));
    let (first, last, all) = app.section.position();
    if all > 0 {
        right.push(Span::styled(
            format!("  {first}–{last}/{all}"),
            theme.style(Part::Muted),
        ));
    }
    title(painter, frame, parts.title, left, right, true, app.symbols);
    text(app, painter, frame, parts);
}

fn text(app: &App, painter: &Painter, frame: &mut Frame, parts: layout::Section) {
    let Some(view) = &app.content.view else {
        return;
    };
    let section = view.assembly.section(app.focus);
    let Some(outline) = app
        .section
        .outline
        .as_ref()
        .filter(|_| section.text.is_some())
    else {
        why_absent(app, painter, frame, parts.text);
        return;
    };
    let theme = &painter.theme;
    let pane = &app.section;
    let visible = pane.visible();
    let (Some(first), Some(last)) = (visible.first(), visible.last()) else {
        return;
    };
    let spans = painter
        .highlighter
        .lines(&pane.text, outline, first.line..last.line + 1);
    text_rows::render(
        frame,
        parts.text,
        &pane.text,
        visible,
        theme,
        app.symbols,
        |row| {
            let line = spans.get(row.line - first.line);
            let styled = |(range, slot): &(std::ops::Range<usize>, _)| {
                (range.clone(), theme.style(Part::from(*slot)))
            };
            line.into_iter().flatten().map(styled).collect()
        },
    );
    let changed = app.content.changes.lines[app.focus.index()].clone();
    for (row, place) in visible.iter().zip(parts.gutter.rows()) {
        let is_changed = changed
            .as_ref()
            .is_some_and(|lines| lines.contains(&row.line));
        let origin = pane.origins.get(row.line).filter(|_| row.first);
        gutter(painter, frame, place, origin, is_changed);
    }
}

/// Names the file and the line that the uppermost lines in sight come from.
fn place(app: &App, painter: &Painter) -> Vec<Span<'static>> {
    let (Some(view), Some(origin)) = (&app.content.view, app.section.place()) else {
        return Vec::new();
    };
    let Some(path) = origin.path() else {
        return Vec::new();
    };
    let path = if path.starts_with(&view.workspace.root) {
        view.workspace.relative(path)
    } else {
        // Of a file elsewhere, such as a template of the agent, the end of the path says enough.
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        parts[parts.len().saturating_sub(2)..].join("/")
    };
    let path = plain(&path, app.symbols);
    let text = match origin.line() {
        Some(line) => format!("{path}:{line}  "),
        None => format!("{path}  "),
    };
    vec![Span::styled(text, painter.theme.style(Part::Muted))]
}

/// Draws the line of the file that a row comes from, and whether the last save changed it. What no
/// file holds has no number.
fn gutter(
    painter: &Painter,
    frame: &mut Frame,
    place: Rect,
    origin: Option<&Origin>,
    is_changed: bool,
) {
    const WIDTH: usize = 5;
    let theme = &painter.theme;
    let line = origin.and_then(Origin::line);
    let number = line.map_or_else(String::new, |line| line.to_string());
    let number = format!("{number:>WIDTH$}");
    let mark = if is_changed { "+" } else { " " };
    Line::from(vec![
        Span::styled(number, theme.style(Part::Muted)),
        Span::styled(mark, theme.style(Part::Changed)),
        Span::raw(" "),
    ])
    .render(place, frame.buffer_mut());
}

/// Says why there is no text.
fn why_absent(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let Some(view) = &app.content.view else {
        return;
    };
    let section = view.assembly.section(app.focus);
    let (text, part) = match (&section.error, section.absent) {
        (Some(error), _) => {
            let problem = view.workspace.problem(error);
            let text = format!(
                "The agent would fail here with {}.\n\n{problem}\n\nNothing of this section is sent, \
                 and nothing of the turn: the other sections are shown as they would be without it.",
                error.class
            );
            (text, Part::Error)
        }
        (None, reason) => {
            let reason = reason.unwrap_or("it is empty");
            (format!("This section is left out: {reason}."), Part::Absent)
        }
    };
    let shown: Vec<Row> = rows(&text, area.width.into(), app.symbols).collect();
    let style = painter.theme.style(part);
    text_rows::render(
        frame,
        area,
        &text,
        &shown,
        &painter.theme,
        app.symbols,
        |row| vec![(row.range.clone(), style)],
    );
}

/// Draws the list: the eight sections, and what they add up to.
fn list(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let mut places = area.rows();
    for id in SectionId::ALL {
        if let Some(place) = places.next() {
            list_row(app, painter, frame, place, id);
        }
    }
    let Some(usage) = &app.content.usage else {
        return;
    };
    let theme = &painter.theme;
    let muted = theme.style(Part::Muted);
    let strong = theme.style(Part::Title);
    let history: usize = usage.history.iter().sum();
    let signed = |count: i64| {
        let size = grouped(usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX));
        if count < 0 {
            format!("−{size}")
        } else {
            size
        }
    };
    let sums: [(&str, String, Style); 5] = [
        ("joins", signed(usage.joins), muted),
        ("system prompt", grouped(usage.system_prompt), strong),
        ("history", grouped(history), muted),
        ("user message", signed(usage.user_message), muted),
        ("request", grouped(usage.request()), strong),
    ];
    for (name, count, style) in sums {
        if let Some(place) = places.next() {
            let room = usize::from(area.width).saturating_sub(count.chars().count() + 3);
            let name = fitted(name, room, app.symbols);
            let text = format!("  {name:<room$} {count}");
            Line::styled(text, style).render(place, frame.buffer_mut());
        }
    }
}

fn list_row(app: &App, painter: &Painter, frame: &mut Frame, place: Rect, id: SectionId) {
    let theme = &painter.theme;
    let is_shown = app.focus == id;
    let Some(view) = &app.content.view else {
        return;
    };
    let section = view.assembly.section(id);
    let tokens = app.content.tokens(id);
    let level = view
        .budget
        .level(tokens.unwrap_or(0), view.budget.section(id));
    let mut right = Vec::new();
    let by = app.content.changes.sections[id.index()];
    if by != 0 {
        let part = change_part(by);
        right.push(Span::styled(format!("{} ", change(by)), theme.style(part)));
    }
    let word = level_word(level);
    if let (Some(word), true) = (word, place.width >= 34) {
        right.push(Span::styled(format!("{word} "), level_style(theme, level)));
    }
    match (mark(section), tokens) {
        (Some((_, part)), _) if section.text.is_none() => {
            let word = if section.error.is_some() {
                "error"
            } else {
                "–"
            };
            right.push(Span::styled(word, theme.style(part)));
        }
        (_, Some(tokens)) => {
            right.push(Span::styled(grouped(tokens), level_style(theme, level)));
        }
        (_, None) => right.push(Span::styled("…", theme.style(Part::Muted))),
    }
    if place.width >= 44
        && let (Some(usage), Some(tokens)) = (&app.content.usage, tokens)
    {
        let (full, empty) = bar(share(tokens, usage.system_prompt), 8, app.symbols);
        right.push(Span::raw(" "));
        right.push(Span::styled(full, theme.style(Part::BarFull)));
        right.push(Span::styled(empty, theme.style(Part::BarEmpty)));
    }
    let arrow = if is_shown { "▸" } else { " " };
    let name = if is_shown {
        Part::Selection
    } else {
        Part::Text
    };
    let mut spans = vec![
        Span::styled(arrow, theme.style(Part::Accent)),
        Span::styled(format!("{} ", id.number()), theme.style(Part::Accent)),
        Span::styled(id.title(), theme.style(name)),
    ];
    let wide = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let room = usize::from(place.width);
    if wide(&spans) + wide(&right) + 1 > room {
        // The count matters more than what stands before it.
        let keep = right.pop();
        right = keep.into_iter().collect();
    }
    let free = room.saturating_sub(wide(&spans) + wide(&right));
    spans.push(Span::raw(" ".repeat(free)));
    spans.extend(right);
    Line::from(spans).render(place, frame.buffer_mut());
}
