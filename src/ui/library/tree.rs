//! The tree of the prompts as files, with tokens.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::app::{App, LibraryFocus, TreeLine, TreeMark, layout};
use crate::display::sanitize::plain;
use crate::library::TargetState;
use crate::ui::Painter;
use crate::ui::number::{change, grouped};
use crate::ui::pane::{change_part, fitted, level_style, level_word};
use crate::ui::theme::Part;

/// From so many columns on, marks are said in full.
const WIDE: u16 = 34;

/// Draws the tree.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
    let lines = app.library_tree();
    let chosen = app.library_line(&lines);
    let first = layout::first_line(chosen.unwrap_or(0), usize::from(area.height));
    for ((index, line), place) in lines.iter().enumerate().skip(first).zip(area.rows()) {
        row(app, painter, frame, place, line, Some(index) == chosen);
    }
}

fn row(
    app: &App,
    painter: &Painter,
    frame: &mut Frame,
    place: Rect,
    line: &TreeLine,
    is_chosen: bool,
) {
    let theme = &painter.theme;
    let text = plain(&line.text, app.symbols).into_owned();
    if line.node.is_none() {
        let indent = " ".repeat(2 * line.depth);
        let part = if line.depth == 0 {
            Part::Heading
        } else {
            Part::Muted
        };
        Line::styled(format!("{indent}{text}"), theme.style(part))
            .render(place, frame.buffer_mut());
        return;
    }
    let is_focused = app.library.focus == LibraryFocus::Tree;
    let part = match (is_chosen, is_focused) {
        (true, true) => Part::Selection,
        (true, false) => Part::FieldFocused,
        _ => Part::Text,
    };
    let arrow = app.symbols.spell(if is_chosen { "▸ " } else { "  " });
    let indent = "  ".repeat(line.depth.saturating_sub(1));
    // The tokens are the last to go.
    let mut right = vec![Span::styled(
        line.tokens.map_or_else(String::new, grouped),
        theme.style(Part::Text),
    )];
    if let Some(by) = line.change.filter(|by| *by != 0) {
        let text = format!("{} ", app.symbols.spell(&change(by)));
        right.insert(0, Span::styled(text, theme.style(change_part(by))));
    }
    for mark in line.marks.iter().rev() {
        let is_wide = place.width >= WIDE;
        if let Some((text, style)) = of_mark(app, painter, mark, is_wide) {
            right.insert(0, Span::styled(format!("{text} "), style));
        }
    }
    let room = usize::from(place.width);
    let wide = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let left = 2 + indent.len();
    let least = crate::display::sanitize::width(&text, app.symbols).min(room / 2);
    while right.len() > 1 && left + least + 1 + wide(&right) > room {
        // What is wrong stays longer than by how much a variant differs.
        let at = right.len().saturating_sub(2);
        right.remove(at);
    }
    let text = fitted(
        &text,
        room.saturating_sub(left + wide(&right) + 1),
        app.symbols,
    );
    let mut spans = vec![
        Span::styled(arrow, theme.style(Part::Accent)),
        Span::raw(indent),
        Span::styled(text, theme.style(part)),
    ];
    let free = room.saturating_sub(wide(&spans) + wide(&right));
    spans.push(Span::raw(" ".repeat(free)));
    spans.extend(right);
    Line::from(spans).render(place, frame.buffer_mut());
}

fn of_mark(
    app: &App,
    painter: &Painter,
    mark: &TreeMark,
    is_wide: bool,
) -> Option<(String, ratatui::style::Style)> {
    let theme = &painter.theme;
    let either = |wide: &str, narrow: &str| (if is_wide { wide } else { narrow }).to_owned();
    Some(match mark {
        TreeMark::Error => ("error".to_owned(), theme.style(Part::Error)),
        TreeMark::Undefined(1) => ("1 missing".to_owned(), theme.style(Part::Near)),
        TreeMark::Undefined(count) => (format!("{count} missing"), theme.style(Part::Near)),
        TreeMark::Budget(level) => (level_word(*level)?.to_owned(), level_style(theme, *level)),
        TreeMark::Target(TargetState::Same) => return None,
        TreeMark::Target(TargetState::New) => {
            (either("not compiled", "new"), theme.style(Part::Near))
        }
        TreeMark::Target(TargetState::Stale) => {
            (either("out of date", "stale"), theme.style(Part::Near))
        }
        TreeMark::Target(TargetState::NotOurs) => {
            (either("there before", "theirs"), theme.style(Part::Error))
        }
        TreeMark::Target(TargetState::EditedByHand) => {
            (either("edited by hand", "edited"), theme.style(Part::Error))
        }
        TreeMark::Sender => {
            let view = app.content.view.as_ref()?;
            let sender = plain(view.turn.sender_id.as_deref()?, app.symbols).into_owned();
            let arrow = app.symbols.spell("◂");
            let text = if is_wide {
                format!("{arrow} {}", fitted(&sender, 12, app.symbols))
            } else {
                arrow.into_owned()
            };
            (text, theme.style(Part::Accent))
        }
    })
}
