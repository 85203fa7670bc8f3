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
    choices
        .iter()
        .enumerate()
        .map(|(index, choice)| {
            let is_chosen = index == chosen;
            let remark = remark(choice, choice.key.as_deref() == now);
            let size = choice.bytes.map(size).unwrap_or_default();
            let room =
                usize::from(columns).saturating_sub(size.len() + width(&remark, app.symbols) + 8);
            let name = match &choice.key {
                Some(key) => fitted(&plain(key, app.symbols), room, app.symbols),
                None => "no session".to_owned(),
            };
            let pad = " ".repeat(room.min(40).saturating_sub(width(&name, app.symbols)));
            let mark = if is_chosen { " > " } else { "   " };
            let part = if is_chosen {
                Part::FieldFocused
            } else {
                Part::Text
            };
            Line::from(vec![
                Span::styled(mark, theme.style(Part::Accent)),
                Span::styled(name, theme.style(part)),
                Span::raw(pad),
                Span::styled(format!("  {size:>8}"), theme.style(Part::Muted)),
                Span::styled(format!("  {remark}"), theme.style(Part::Muted)),
            ])
        })
        .collect()
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
