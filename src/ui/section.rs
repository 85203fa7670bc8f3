//! One section: the list of the eight beside the whole text.

use std::path::Path;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;

mod list;

use super::number::grouped;
use super::pane::{figures, fitted, title};
use super::text_pane::TextPane;
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, Base, layout};
use crate::display::sanitize::plain;
use crate::display::wrap::{Row, rows};
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
    if app.section.outline.is_none() || (section.text.is_none() && !is_compared) {
        why_absent(app, painter, frame, parts.text);
        return;
    }
    let changed = app.content.changes.lines[app.focus.index()].clone();
    let pane = TextPane {
        pane: &app.section,
        is_rendered: app.is_rendered && !is_compared,
        changed: changed.filter(|_| !is_compared),
        main: None,
        app,
    };
    pane.render(painter, frame, parts.text, parts.gutter);
}

/// Names the file and the line that the line under the cursor comes from.
fn place(app: &App, painter: &Painter) -> Vec<Span<'static>> {
    let (Some(view), Some(origin)) = (&app.content.view, app.section.place()) else {
        return Vec::new();
    };
    let Some(path) = origin.path() else {
        return Vec::new();
    };
    let muted = painter.theme.style(Part::Muted);
    let Some(line) = origin.line() else {
        return vec![Span::styled(format!("{}  ", named(app, path)), muted)];
    };
    let mut said = vec![format!("{}:{line}  ", named(app, path))];
    // What is compiled comes from a source, which is named as well where there is room for both.
    if let Some((source, line)) = view.source_of(path, line) {
        said[0] = format!("{} from ", said[0].trim_end());
        said.push(format!("{}:{line}  ", named(app, &source)));
    }
    let spans = said.into_iter().map(|text| Span::styled(text, muted));
    spans.collect()
}

/// Writes a path: below the workspace, or of a file elsewhere, such as a template of the agent, the end that
/// says enough.
pub(super) fn named(app: &App, path: &Path) -> String {
    let path = match &app.content.view {
        Some(view) if path.starts_with(&view.workspace.root) => view.workspace.relative(path),
        _ => {
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            parts[parts.len().saturating_sub(2)..].join("/")
        }
    };
    plain(&path, app.symbols).into_owned()
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
