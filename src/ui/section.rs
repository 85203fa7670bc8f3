//! One section: the list of the eight beside the whole text.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

mod list;

use super::number::grouped;
use super::pane::{figures, fitted, title};
use super::text_rows::overlaid;
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, Base, Sign, layout};
use crate::display::sanitize::{Symbols, plain};
use crate::display::wrap::{Row, rows};
use crate::prompt::provenance::Origin;
use crate::workspace::agent_error::AgentError;

/// Draws the section in focus.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    let parts = layout::section((area.width, area.height), app.split);
    list::render(app, painter, frame, parts.list);
    let theme = &painter.theme;
    let id = app.focus;
    let left = vec![
        Span::styled(format!("{} ", id.number()), theme.style(Part::Accent)),
        Span::styled(id.title(), theme.style(Part::Title)),
    ];
    let mut right = place(app, painter);
    right.extend(found(app, painter, usize::from(parts.title.width) / 2));
    right.extend(figures(app, painter, id));
    let (line, lines) = app.section.position();
    if lines > 0 {
        right.push(Span::styled(
            format!("  {line}/{lines}"),
            theme.style(Part::Muted),
        ));
    }
    title(painter, frame, parts.title, left, right, true, app.symbols);
    text(app, painter, frame, parts);
}

/// Says what is compared, found and marked.
fn found(app: &App, painter: &Painter, room: usize) -> Vec<Span<'static>> {
    let pane = &app.section;
    let mut said = Vec::new();
    if app.is_rendered && app.base == Base::None {
        said.push(("rendered".to_owned(), Part::Hypothetical));
    }
    let base = match app.base {
        Base::None => None,
        Base::LastSave => Some("since the last save".to_owned()),
        Base::Git if app.content.git_base.is_none() => {
            said.push(("reading git HEAD".to_owned(), Part::Changed));
            None
        }
        Base::Git => Some("since git HEAD".to_owned()),
        Base::Turn => {
            let turn = app.content.view.as_ref().map(|view| &view.turn);
            let base = app.turn_base.as_ref().zip(turn);
            base.map(|(base, turn)| format!("against {}", base.differing(turn)))
        }
    };
    if let Some(base) = base {
        let (added, removed) = pane.shown.counts();
        said.push((format!("+{added} -{removed} lines {base}"), Part::Changed));
    }
    if !pane.search.query.is_empty() {
        let count = pane.search.matches.len();
        let text = match pane.search.current {
            Some(at) => format!("{} of {count} found", at + 1),
            None => format!("{count} found"),
        };
        said.push((text, Part::Notice));
    }
    if let Some(lines) = pane.marked() {
        let count = lines.len();
        let tokens = app.marked_tokens.map_or_else(
            || app.symbols.spell("…").into_owned(),
            |tokens| format!("{} tokens", grouped(tokens)),
        );
        let word = if count == 1 { "line" } else { "lines" };
        said.push((format!("{count} {word} marked, {tokens}"), Part::Accent));
    }
    said.into_iter()
        .map(|(text, part)| {
            let text = fitted(&text, room, app.symbols);
            Span::styled(format!("{text}  "), painter.theme.style(part))
        })
        .collect()
}

fn text(app: &App, painter: &Painter, frame: &mut Frame, parts: layout::Section) {
    let Some(view) = &app.content.view else {
        return;
    };
    let section = view.assembly.section(app.focus);
    let is_compared = app.base != Base::None;
    let Some(outline) = app
        .section
        .outline
        .as_ref()
        .filter(|_| section.text.is_some() || is_compared)
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
    let spans = if app.is_rendered && !is_compared {
        Vec::new()
    } else {
        let lines = first.line..last.line + 1;
        painter.highlighter.lines(&pane.shown.text, outline, lines)
    };
    let marked = pane.marked();
    let look = |row: &Row| {
        let line = spans.get(row.line - first.line);
        let styled = |(range, slot): &(std::ops::Range<usize>, _)| {
            (range.clone(), theme.style(Part::from(*slot)))
        };
        let mut over = Vec::new();
        if pane.shown.sign(row.line) == Sign::Removed {
            over.push((row.range.clone(), theme.style(Part::Absent)));
        }
        if marked
            .as_ref()
            .is_some_and(|lines| lines.contains(&row.line))
        {
            over.push((row.range.clone(), theme.style(Part::Selection)));
        }
        let matches = pane.search.within(&row.range).iter();
        over.extend(matches.map(|it| (it.clone(), theme.style(Part::SearchMatch))));
        if app.is_rendered && !is_compared {
            let slots = &pane.shown.slots;
            let at = slots.partition_point(|(range, _)| range.end <= row.range.start);
            let slots = slots[at..].iter();
            let slots = slots.take_while(|(range, _)| range.start < row.range.end);
            let looks: Vec<_> = slots.map(styled).collect();
            let plain = vec![(row.range.clone(), theme.style(Part::Text))];
            return overlaid(overlaid(plain, &looks), &over);
        }
        overlaid(line.into_iter().flatten().map(styled).collect(), &over)
    };
    text_rows::render(
        frame,
        parts.text,
        &pane.shown.text,
        visible,
        theme,
        app,
        look,
    );
    let changed = app.content.changes.lines[app.focus.index()].clone();
    for ((index, row), place) in visible.iter().enumerate().zip(parts.gutter.rows()) {
        let changed = changed.as_ref().filter(|_| !is_compared);
        let is_changed = changed.is_some_and(|it| it.contains(&row.line));
        // Where lines only went away, the line that closed the gap is the one to look at.
        let closes_gap = changed.is_some_and(|it| it.is_empty() && it.start == row.line);
        let sign = match pane.shown.sign(row.line) {
            Sign::Removed => "-",
            Sign::Added => "+",
            Sign::Same if is_changed => "+",
            Sign::Same if closes_gap && row.first => "-",
            Sign::Same => " ",
        };
        let origin = pane.shown.origins.get(row.line).filter(|_| row.first);
        let is_cursor = pane.top + index == pane.cursor;
        gutter(app, painter, frame, place, origin, sign, is_cursor);
    }
}

/// Names the file and the line that the line under the cursor comes from.
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

/// Draws the line of the file that a row comes from, what a save or a comparison says of it, and the
/// cursor. What no file holds has no number.
fn gutter(
    app: &App,
    painter: &Painter,
    frame: &mut Frame,
    place: Rect,
    origin: Option<&Origin>,
    sign: &'static str,
    is_cursor: bool,
) {
    const WIDTH: usize = 5;
    let theme = &painter.theme;
    let line = origin.and_then(Origin::line);
    let number = line.map_or_else(String::new, |line| line.to_string());
    let (part, cursor) = match (is_cursor, app.symbols) {
        (false, _) => (Part::Muted, " "),
        (true, Symbols::Unicode) => (Part::Accent, "▸"),
        (true, Symbols::Ascii) => (Part::Accent, ">"),
    };
    let sign_part = if sign == "-" {
        Part::Error
    } else {
        Part::Changed
    };
    Line::from(vec![
        Span::styled(format!("{number:>WIDTH$}"), theme.style(part)),
        Span::styled(sign, theme.style(sign_part)),
        Span::styled(cursor, theme.style(Part::Accent)),
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
            let text = match error.class {
                AgentError::OUTSIDE => format!(
                    "{problem}.\n\nThe agent would follow it and send what stands there: the settings \
                     say that we do not (agent.follow_links)."
                ),
                class => format!(
                    "The agent would fail here with {class}.\n\n{problem}\n\nNothing of this section is \
                     sent, and nothing of the turn: the other sections are shown as they would be without it."
                ),
            };
            (text, Part::Error)
        }
        (None, reason) => {
            let reason = reason.unwrap_or("it is empty");
            (format!("This section is left out: {reason}."), Part::Absent)
        }
    };
    let shown: Vec<Row> = rows(&text, area.width.into(), app.symbols).collect();
    let style = painter.theme.style(part);
    text_rows::render(frame, area, &text, &shown, &painter.theme, app, |row| {
        vec![(row.range.clone(), style)]
    });
}
