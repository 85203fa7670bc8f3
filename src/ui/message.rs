//! The message screen: fields, text, the merged message as sent, and all messages.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use ratatui_textarea::{CursorMove, TextArea};

use super::number::{change, grouped, grouped_signed, percent};
use super::overview::below_title;
use super::pane::{fitted, title};
use super::text_rows::masked;
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, Field, MergedPart, layout};
use crate::budget::Usage;
use crate::display::sanitize::{Kind, Symbols, plain, visible, width};
use crate::display::wrap::Row;
use crate::python::Value;

/// Draws the message screen.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    let parts = layout::message((area.width, area.height));
    for (field, place) in Field::SHORT.into_iter().zip(parts.fields) {
        field_row(app, painter, frame, place, field);
    }
    text(app, painter, frame, parts.text);
    merged_title(app, painter, frame, parts.merged);
    merged(app, painter, frame, below_title(parts.merged));
    messages(app, painter, frame, parts.messages);
}

fn field_row(app: &App, painter: &Painter, frame: &mut Frame, place: Rect, field: Field) {
    const NAME: u16 = 9;
    let is_focused = app.composer.field == field;
    let part = if is_focused {
        Part::Accent
    } else {
        Part::Muted
    };
    let name = Line::styled(format!(" {:<8}", field.title()), painter.theme.style(part));
    name.render(place, frame.buffer_mut());
    let value = Rect {
        x: place.x + NAME.min(place.width),
        width: place.width.saturating_sub(NAME),
        ..place
    };
    editor(app, painter, frame, value, field);
}

/// Draws a field's editor; the terminal's own cursor stands in the one that keys go to.
fn editor(app: &App, painter: &Painter, frame: &mut Frame, area: Rect, field: Field) {
    let is_focused = app.composer.field == field;
    let part = if is_focused {
        Part::FieldFocused
    } else {
        Part::Field
    };
    let mut shown = marked(app.composer.area(field), app.symbols);
    shown.set_style(painter.theme.style(part));
    shown.set_cursor_line_style(ratatui::style::Style::new());
    let style = painter.theme.style(part);
    shown.set_cursor_style(if is_focused { style.reversed() } else { style });
    if field == Field::Text {
        shown.set_wrap_mode(ratatui_textarea::WrapMode::WordOrGlyph);
    }
    (&shown).render(area, frame.buffer_mut());
}

/// Gives an editor as it is drawn: with marks for what is hidden in its text.
fn marked(area: &TextArea<'static>, symbols: Symbols) -> TextArea<'static> {
    let is_safe = |line: &String| visible(line, symbols).all(|piece| piece.kind == Kind::Text);
    if area.lines().iter().all(is_safe) {
        return area.clone();
    }
    let drawn = |text: &str| -> String { visible(text, symbols).map(|it| it.text).collect() };
    let jump = |(row, column): (usize, usize)| {
        let before: String = area.lines()[row].chars().take(column).collect();
        let column = drawn(&before).chars().count();
        let at = |place: usize| u16::try_from(place).unwrap_or(u16::MAX);
        CursorMove::Jump(at(row), at(column))
    };
    let mut shown = TextArea::from(area.lines().iter().map(|line| drawn(line.as_str())));
    let cursor = (area.cursor().0, area.cursor().1);
    if let Some((start, end)) = area.selection_range() {
        let other = if start == cursor { end } else { start };
        shown.move_cursor(jump(other));
        shown.start_selection();
    }
    shown.move_cursor(jump(cursor));
    shown
}

fn text(app: &App, painter: &Painter, frame: &mut Frame, pane: Rect) {
    let is_focused = app.composer.field == Field::Text;
    let left = vec![Span::styled("Message", painter.theme.style(Part::Title))];
    let row = Rect {
        height: pane.height.min(1),
        ..pane
    };
    let room = usize::from(pane.width).saturating_sub(14);
    let right = difference(app, room).map_or_else(Vec::new, |text| {
        let text = fitted(&plain(&text, app.symbols), room, app.symbols);
        vec![Span::styled(text, painter.theme.style(Part::Changed))]
    });
    title(painter, frame, row, left, right, is_focused, app.symbols);
    editor(app, painter, frame, below_title(pane), Field::Text);
}

/// Says what the last change of channel, chat, sender or session changed.
fn difference(app: &App, room: usize) -> Option<String> {
    let view = app.content.view.as_ref()?;
    let base = app.turn_base.as_ref()?;
    let against = base.differing(&view.turn);
    let usage = app.content.real_usage().filter(|_| !app.content.counting)?;
    if against.is_empty() {
        return None;
    }
    let changes = base.changes(usage);
    let changes: Vec<String> = changes
        .into_iter()
        .map(|(name, by)| format!("{name} {}", app.symbols.spell(&change(by))))
        .collect();
    let mut said = format!("against {against}: ");
    if changes.is_empty() {
        said.push_str("the same tokens");
    }
    for (index, change) in changes.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let more = width(&said, app.symbols) + change.chars().count() + comma.len();
        // A number that is cut in the middle is another number.
        if more + 1 > room {
            said.push_str(&app.symbols.spell("…"));
            break;
        }
        said.extend([comma, change]);
    }
    Some(said)
}

/// Draws the merged message's title with its tokens.
pub fn merged_title(app: &App, painter: &Painter, frame: &mut Frame, pane: Rect) {
    let theme = &painter.theme;
    let left = vec![Span::styled("Merged message", theme.style(Part::Title))];
    let right = app.content.usage.as_ref().map_or_else(Vec::new, |usage| {
        let view = app.content.view.as_ref();
        let about = match view.map_or(0, |view| view.assembly.approximate_lines) {
            0 => String::new(),
            1 => ", 1 line approximate".to_owned(),
            lines => format!(", {lines} lines approximate"),
        };
        let text = format!(
            "{} tokens, {} of them runtime context{about}",
            grouped_signed(usage.user_message),
            grouped(usage.runtime_context)
        );
        let short = format!("{} tokens", grouped_signed(usage.user_message));
        let fits = usize::from(pane.width) > text.chars().count() + 20;
        vec![Span::styled(
            if fits { text } else { short },
            theme.style(Part::Muted),
        )]
    });
    let row = Rect {
        height: pane.height.min(1),
        ..pane
    };
    title(painter, frame, row, left, right, false, app.symbols);
}

/// Draws the merged message: what was said, and the runtime context set apart.
pub fn merged(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let pane = &app.message;
    let rows = pane.visible();
    let theme = &painter.theme;
    text_rows::render(frame, area, &pane.text, rows, theme, app, |row: &Row| {
        let part = match pane.part_at(row.range.start) {
            MergedPart::Text => Part::Text,
            MergedPart::RuntimeContext => Part::RuntimeContext,
            MergedPart::Note => Part::Muted,
        };
        vec![(row.range.clone(), theme.style(part))]
    });
}

/// Draws the list of all messages; the newest stay in sight.
fn messages(app: &App, painter: &Painter, frame: &mut Frame, pane: Rect) {
    let (Some(view), Some(usage)) = (&app.content.view, &app.content.usage) else {
        return;
    };
    if pane.height == 0 {
        return;
    }
    let theme = &painter.theme;
    let all = &view.assembly.messages;
    // Until the new counts are there the old ones stand, if they are of as many messages.
    let is_counted = usage.history.len() == view.assembly.history().len();
    let left = vec![Span::styled("All messages", theme.style(Part::Title))];
    let text = format!(
        "{} {} {} tokens",
        all.len(),
        app.symbols.spell("·"),
        grouped(usage.request())
    );
    let right = vec![Span::styled(text, theme.style(Part::Muted))];
    let row = Rect {
        height: pane.height.min(1),
        ..pane
    };
    title(painter, frame, row, left, right, false, app.symbols);
    let body = below_title(pane);
    let hidden = all.len().saturating_sub(body.height.into());
    for ((index, message), place) in all.iter().enumerate().skip(hidden).zip(body.rows()) {
        let figures = if is_counted {
            let tokens = tokens_of(usage, index, all.len());
            format!(
                "{:>7} {:>4}",
                grouped(tokens),
                percent(tokens, usage.request())
            )
        } else {
            format!("{:>7} {:>4}", app.symbols.spell("…"), "")
        };
        let role = message.get("role").map(Value::to_str).unwrap_or_default();
        let room = usize::from(place.width).saturating_sub(figures.len() + 12);
        let start = fitted(
            &plain(&masked(app, &first_words(message)), app.symbols),
            room,
            app.symbols,
        );
        Line::from(vec![
            Span::styled(
                format!("{:<10} ", fitted(&role, 10, app.symbols)),
                theme.style(Part::Text),
            ),
            Span::styled(figures, theme.style(Part::Muted)),
            Span::styled(format!(" {start}"), theme.style(Part::Muted)),
        ])
        .render(place, frame.buffer_mut());
    }
}

fn tokens_of(usage: &Usage, index: usize, count: usize) -> usize {
    if index == 0 {
        usage.system_prompt
    } else if index + 1 == count {
        usize::try_from(usage.user_message).unwrap_or(0)
    } else {
        usage.history.get(index - 1).copied().unwrap_or(0)
    }
}

/// Gives the beginning of what a message says, on one line.
fn first_words(message: &Value) -> String {
    // More than any screen shows, so that no key is cut before it is known for one.
    const ENOUGH: usize = 600;
    let text = match message.get("content") {
        Some(Value::Str(text)) => text.as_str(),
        _ => "",
    };
    let start = text
        .char_indices()
        .nth(ENOUGH)
        .map_or(text, |(at, _)| &text[..at]);
    match (start.is_empty(), message.get("tool_calls")) {
        (true, Some(_)) => "calls a tool".to_owned(),
        _ => start.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}
