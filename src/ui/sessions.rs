//! The list of sessions, from which one is chosen.

use ratatui::text::{Line, Span};

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::{App, SessionChoice, session_choices};
use crate::display::sanitize::{plain, width};

/// Gives a line for each session: its key, its size, and what is to be said of it.
pub fn lines(app: &App, chosen: usize, painter: &Painter, columns: u16) -> Vec<Line<'static>> {
    let Some(view) = &app.content.view else {
        return Vec::new();
    };
    let theme = &painter.theme;
    let choices = session_choices(view, &app.composer);
    let now = view
        .turn
        .session
        .as_ref()
        .map(|session| session.key.as_str());
    let names: Vec<String> = choices.iter().map(|choice| name(app, choice)).collect();
    let columns = usize::from(columns);
    let widest = names.iter().map(|name| width(name, app.symbols)).max();
    let room = widest.unwrap_or(0).min(columns / 2);
    let lines = choices.iter().zip(names).enumerate();
    lines
        .map(|(index, (choice, name))| {
            let is_chosen = index == chosen;
            let (mark, part) = if is_chosen {
                (" > ", Part::FieldFocused)
            } else {
                ("   ", Part::Text)
            };
            let name = fitted(&name, room, app.symbols);
            let pad = " ".repeat(room - width(&name, app.symbols));
            let size = choice.bytes.map(size).unwrap_or_default();
            let remark = remark(choice, choice.key.as_deref() == now);
            let left = columns.saturating_sub(room + 16);
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(name, theme.style(part)),
                Span::raw(pad),
                Span::styled(format!("  {size:>9}  "), theme.style(Part::Muted)),
                Span::styled(fitted(&remark, left, app.symbols), theme.style(Part::Muted)),
            ])
        })
        .collect()
}

fn name(app: &App, choice: &SessionChoice) -> String {
    choice.key.as_ref().map_or_else(
        || "no session".to_owned(),
        |key| plain(key, app.symbols).into_owned(),
    )
}

fn remark(choice: &SessionChoice, is_now: bool) -> String {
    let mut remarks = Vec::new();
    if is_now {
        remarks.push("replayed now");
    }
    if choice.is_own {
        remarks.push("of this channel and chat");
    }
    if choice.key.is_some() && choice.bytes.is_none() {
        remarks.push("new");
    }
    remarks.join(", ")
}

/// Writes a size in bytes as people read it.
fn size(bytes: u64) -> String {
    const K: u64 = 1024;
    let (unit, name) = match bytes {
        0..K => return format!("{bytes} B"),
        K..0x10_0000 => (K, "KB"),
        0x10_0000..0x4000_0000 => (K * K, "MB"),
        _ => (K * K * K, "GB"),
    };
    let tenths = bytes.saturating_mul(10) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_digit_after_the_point() {
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KB");
        assert_eq!(size(1024 * 1024), "1.0 MB");
        assert_eq!(size(5 * 1024 * 1024 * 1024), "5.0 GB");
    }
}
