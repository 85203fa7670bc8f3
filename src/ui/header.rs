//! The header: workspace, agent, watch state, totals against budget and window.

use std::path::Path;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::Painter;
use super::number::{bar, change, grouped, percent, sparkline};
use super::pane::{change_part, fitted, level_style, level_word};
use super::theme::Part;
use crate::app::{App, View, Watching};
use crate::budget::share;
use crate::display::sanitize::plain;
use crate::inputs::HostReport;
use crate::lint::Severity;
use crate::workspace::agent_error::AgentError;
use crate::workspace::path_text;

/// How many columns the program's name and the folder's need at least.
const NAMED: usize = 24;

/// Draws the header in one or two rows.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    frame
        .buffer_mut()
        .set_style(area, painter.theme.style(Part::Header));
    let rows: Vec<Rect> = area.rows().collect();
    let totals = totals(app, painter, usize::from(area.width));
    match rows.as_slice() {
        // What makes the numbers other than what is sent must stand, whatever else does not.
        [only] if app.what_if.is_any() || app.is_compiled || app.content.stale.is_some() => {
            let mut said = state(app, painter, 0);
            said.insert(0, Span::raw(" "));
            said.push(Span::raw("  "));
            split(frame, *only, said, prompt_total(app, painter), vec![]);
        }
        [only] => split(
            frame,
            *only,
            vec![Span::raw(" ")],
            totals,
            state(app, painter, 0),
        ),
        [first, second, ..] => {
            // The name of the program and some of the folder's have to stand.
            let right = state(app, painter, usize::from(area.width).saturating_sub(NAMED));
            let room = usize::from(area.width).saturating_sub(spans_width(&right) + 3);
            split(frame, *first, place(app, painter, room), vec![], right);
            let free = usize::from(area.width).saturating_sub(spans_width(&totals) + 2);
            let right = agent(app, painter, free);
            split(frame, *second, vec![Span::raw(" ")], totals, right);
        }
        [] => {}
    }
}

/// Draws spans at the left and at the right of a row; what does not fit at the right is left out.
fn split(
    frame: &mut Frame,
    row: Rect,
    mut left: Vec<Span<'static>>,
    more: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
) {
    left.extend(more);
    let used = spans_width(&left);
    let free = usize::from(row.width).saturating_sub(used + spans_width(&right) + 1);
    if used + spans_width(&right) + 2 <= usize::from(row.width) {
        left.push(Span::raw(" ".repeat(free)));
        left.extend(right);
    }
    Line::from(left).render(row, frame.buffer_mut());
}

fn spans_width(spans: &[Span]) -> usize {
    spans.iter().map(Span::width).sum()
}

fn place(app: &App, painter: &Painter, room: usize) -> Vec<Span<'static>> {
    let mut spans = vec![Span::styled(
        " promptscope ",
        painter.theme.style(Part::Title),
    )];
    let path = app
        .content
        .view
        .as_ref()
        .map(|view| path_text(&view.workspace.root));
    if let Some(path) = path {
        let room = room.saturating_sub(14);
        let letters: Vec<char> = path.chars().collect();
        // The end of a path says more than its start.
        let path = if letters.len() > room && room > 1 {
            let tail: String = letters[letters.len() - (room - 1)..].iter().collect();
            format!("{}{tail}", fitted("  ", 1, app.symbols))
        } else {
            path
        };
        let path = fitted(&plain(&path, app.symbols), room, app.symbols);
        spans.push(Span::styled(path, painter.theme.style(Part::Text)));
    }
    spans
}

/// Says how fresh the view is, what would stop the agent, and what else there is room for.
fn state(app: &App, painter: &Painter, room: usize) -> Vec<Span<'static>> {
    let theme = &painter.theme;
    let mut said = said(app);
    let join = app.symbols.spell(" · ").into_owned();
    let width = |said: &[Said]| {
        let texts = said.iter().map(|it| it.text.chars().count() + 3);
        texts.sum::<usize>().saturating_sub(3)
    };
    // What matters least goes first where there is no room for all.
    while width(&said) > room
        && let Some(least) = said
            .iter()
            .map(|it| it.weight)
            .min()
            .filter(|it| *it < MUST)
    {
        said.retain(|it| it.weight > least);
    }
    let mut spans = Vec::new();
    for Said { text, part, .. } in said {
        if !spans.is_empty() {
            spans.push(Span::styled(join.clone(), theme.style(Part::Muted)));
        }
        spans.push(Span::styled(text, theme.style(part)));
    }
    spans
}

/// Something that the header says of the view.
struct Said {
    text: String,
    part: Part,
    /// How much it matters; what weighs least goes first.
    weight: u8,
}

/// What weighs as much stands whatever the room.
const MUST: u8 = 9;

fn said(app: &App) -> Vec<Said> {
    let view = app.content.view.as_ref();
    let mut all = Vec::new();
    let mut say = |weight: u8, text: String, part: Part| all.push(Said { text, part, weight });
    if let Some(text) = hypothetical(app) {
        say(MUST, text, Part::Hypothetical);
    }
    if let Some(text) = view.and_then(|view| compiled(view)) {
        say(MUST, text, Part::Hypothetical);
    }
    match app.library.values.len() {
        0 => {}
        1 => say(5, "1 VALUE EDITED".to_owned(), Part::Hypothetical),
        count => say(5, format!("{count} VALUES EDITED"), Part::Hypothetical),
    }
    if let Some(error) = view.and_then(|view| view.assembly.error.as_ref()) {
        let text = match error.class {
            AgentError::OUTSIDE => "a link is not followed".to_owned(),
            class => format!("agent fails: {class}"),
        };
        say(MUST, text, Part::Error);
    }
    if let Some(name) = app.scenario.as_deref().and_then(Path::file_stem) {
        let name = plain(&name.to_string_lossy(), app.symbols).into_owned();
        say(
            2,
            format!("scenario {}", fitted(&name, 24, app.symbols)),
            Part::Notice,
        );
    }
    if let Some((text, part)) = found(app) {
        say(3, text, part);
    }
    if let Some(text) = view.and_then(|view| declared(&view.host)) {
        say(4, text, Part::Near);
    }
    if let Some(view) = view {
        say(1, view.encoding.name().to_owned(), Part::Muted);
    }
    let (text, part) = match &app.watching {
        _ if app.content.stale.is_some() => ("stale", Part::Stale),
        _ if view.is_none() => ("reading…", Part::Muted),
        _ if app.is_late => ("working…", Part::Muted),
        Watching::Starting => ("starting", Part::Muted),
        Watching::Live => ("live", Part::Within),
        Watching::Polling(_) => ("polling", Part::Near),
    };
    say(MUST, app.symbols.spell(text).into_owned(), part);
    all
}

/// Says that what is shown is not what is sent, and what that saves.
fn hypothetical(app: &App) -> Option<String> {
    if !app.what_if.is_any() {
        return None;
    }
    let saved = match (&app.content.real, &app.content.usage) {
        (Some(real), Some(shown)) => {
            let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
            let by = signed(shown.system_prompt) - signed(real.system_prompt);
            format!(" {}", app.symbols.spell(&change(by)))
        }
        _ => String::new(),
    };
    Some(format!("HYPOTHETICAL{saved}"))
}

/// Says that the targets are shown as they would be compiled now, and with which variants.
fn compiled(view: &View) -> Option<String> {
    let variants = &view.compiled.as_ref()?.variants;
    let variants: Vec<String> = variants
        .iter()
        .map(|(experiment, variant)| format!("{experiment} {variant}"))
        .collect();
    Some(match variants.as_slice() {
        [] => "AS COMPILED".to_owned(),
        variants => format!("AS COMPILED ({})", variants.join(", ")),
    })
}

/// Counts what the rules find, notes aside.
fn found(app: &App) -> Option<(String, Part)> {
    let count = |severity: Severity| {
        let all = app.findings.iter();
        all.filter(|finding| finding.severity == severity).count()
    };
    let word = |count: usize, severity: Severity| match count {
        1 => format!("1 {severity}"),
        count => format!("{count} {severity}s"),
    };
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => None,
        (0, warnings) => Some((word(warnings, Severity::Warning), Part::Near)),
        (errors, 0) => Some((word(errors, Severity::Error), Part::Error)),
        (errors, warnings) => {
            let both = [
                word(errors, Severity::Error),
                word(warnings, Severity::Warning),
            ];
            Some((both.join(", "), Part::Error))
        }
    }
}

/// Says that the prompt is for a host unlike this machine.
fn declared(host: &HostReport) -> Option<String> {
    match (host.flips.len(), host.differences.len()) {
        (0, 0) => None,
        (0, _) => Some("host declared".to_owned()),
        (1, _) => Some("host declared: 1 skill flips".to_owned()),
        (flips, _) => Some(format!("host declared: {flips} skills flip")),
    }
}

/// Says whose templates make up the prompt, in the words that there is room for.
fn agent(app: &App, painter: &Painter, room: usize) -> Vec<Span<'static>> {
    let Some(view) = &app.content.view else {
        return Vec::new();
    };
    let (text, short) = match (&view.agent, &view.workspace.templates.folder) {
        (Some(agent), Some(folder)) if *folder == agent.templates() => {
            let version = agent.version.as_deref().unwrap_or("of unknown version");
            let rules = match view.is_exact {
                Some(false) => " by other rules",
                _ => "",
            };
            (
                format!("nanobot {version}{rules}"),
                format!("{version}{rules}"),
            )
        }
        (_, Some(_)) => (
            "templates of another folder".to_owned(),
            "other templates".to_owned(),
        ),
        (_, None) => (
            "no nanobot found: our templates".to_owned(),
            "our templates".to_owned(),
        ),
    };
    let text = if text.chars().count() <= room {
        text
    } else {
        short
    };
    let part = match view.is_exact {
        Some(false) => Part::Near,
        _ => Part::Muted,
    };
    vec![Span::styled(text, painter.theme.style(part))]
}

/// Shows the system prompt against its budget, without a bar.
fn prompt_total(app: &App, painter: &Painter) -> Vec<Span<'static>> {
    match (&app.content.view, &app.content.usage) {
        (Some(view), Some(usage)) => {
            let system = (usage.system_prompt, view.budget.total);
            against(app, painter, view, "Prompt", system, 0)
        }
        _ => Vec::new(),
    }
}

/// Shows the system prompt against its budget and the request against the window.
fn totals(app: &App, painter: &Painter, width: usize) -> Vec<Span<'static>> {
    let theme = &painter.theme;
    let (Some(view), Some(usage)) = (&app.content.view, &app.content.usage) else {
        return vec![Span::styled(
            app.symbols.spell("Counting…"),
            theme.style(Part::Muted),
        )];
    };
    let bar_width = if width >= 120 { 12 } else { 6 };
    let request = usage.request();
    let system = (usage.system_prompt, view.budget.total);
    let mut spans = against(app, painter, view, "Prompt", system, bar_width);
    let by = app.content.changes.system_prompt;
    if by != 0 {
        let part = change_part(by);
        spans.push(Span::raw(" "));
        spans.push(Span::styled(
            app.symbols.spell(&change(by)).into_owned(),
            theme.style(part),
        ));
    }
    if width >= 100 && app.content.totals.len() > 1 {
        let line = sparkline(&app.content.totals, app.symbols);
        spans.push(Span::styled(format!(" {line}"), theme.style(Part::Muted)));
    }
    spans.push(Span::raw("  "));
    let request = (request, view.budget.window);
    let bar_width = if width >= 100 { bar_width } else { 0 };
    spans.extend(against(app, painter, view, "Request", request, bar_width));
    if app.is_late {
        spans.push(Span::styled(
            app.symbols.spell(" …"),
            theme.style(Part::Muted),
        ));
    }
    spans
}

fn against(
    app: &App,
    painter: &Painter,
    view: &View,
    name: &str,
    (used, budget): (usize, Option<usize>),
    bar_width: usize,
) -> Vec<Span<'static>> {
    let theme = &painter.theme;
    let level = view.budget.level(used, budget);
    let mut spans = vec![
        Span::styled(format!("{name} "), theme.style(Part::Muted)),
        Span::styled(grouped(used), level_style(theme, level)),
    ];
    if let Some(budget) = budget {
        let (full, empty) = bar(share(used, budget), bar_width, app.symbols);
        let limit = limit(budget);
        spans.push(Span::styled(format!("/{limit} "), theme.style(Part::Muted)));
        spans.push(Span::styled(
            percent(used, budget),
            level_style(theme, level),
        ));
        if bar_width > 0 {
            spans.push(Span::raw(" "));
            spans.push(Span::styled(full, theme.style(Part::BarFull)));
            spans.push(Span::styled(empty, theme.style(Part::BarEmpty)));
        }
        if let Some(word) = level_word(level) {
            spans.push(Span::styled(format!(" {word}"), level_style(theme, level)));
        }
    }
    spans
}

/// Writes a limit in as few letters as keep it exact.
fn limit(count: usize) -> String {
    if count >= 1000 && count.is_multiple_of(1000) {
        format!("{}k", grouped(count / 1000))
    } else {
        grouped(count)
    }
}
