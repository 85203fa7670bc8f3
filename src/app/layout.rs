//! Where everything stands on the screen: a function of its size alone.

use ratatui::layout::{Constraint, Layout, Rect};

use super::Sides;

/// The smallest size that the screen works in, columns and rows.
pub const SMALLEST: (u16, u16) = (60, 16);

/// The parts of every screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Workspace, agent, watch state and totals.
    pub header: Rect,
    /// What is between.
    pub body: Rect,
    /// Keys and notices.
    pub footer: Rect,
}

/// The parts of the overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The eight panes, in the order of the prompt.
    pub panes: [Rect; 8],
    /// How many panes stand side by side.
    pub columns: usize,
    /// The composer's text.
    pub composer: Rect,
    /// The merged message.
    pub merged: Rect,
}

/// The parts of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The list of the eight.
    pub list: Rect,
    /// The text's title line.
    pub title: Rect,
    /// The lines of the files that the text comes from, and marks beside it.
    pub gutter: Rect,
    /// The text.
    pub text: Rect,
}

/// The parts of the message screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The fields of one line.
    pub fields: [Rect; 7],
    /// The composer's text, with its title line.
    pub text: Rect,
    /// The merged message, with its title line.
    pub merged: Rect,
    /// All messages, with its title line.
    pub messages: Rect,
}

/// Tells whether a size is too small to work in.
#[must_use]
pub fn is_too_small((width, height): (u16, u16)) -> bool {
    width < SMALLEST.0 || height < SMALLEST.1
}

/// Cuts the screen into header, body and footer.
#[must_use]
pub fn frame((width, height): (u16, u16)) -> Frame {
    let header_rows = if height < 20 { 1 } else { 2 };
    let area = Rect::new(0, 0, width, height);
    let [header, body, footer] = Layout::vertical([
        Constraint::Length(header_rows),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(area);
    Frame {
        header,
        body,
        footer,
    }
}

/// Cuts the body of the overview: eight panes above, the message beneath.
#[must_use]
pub fn overview(size: (u16, u16)) -> Overview {
    let body = frame(size).body;
    let columns: usize = match (body.width, body.height) {
        (0..70, _) | (_, 0..18) => 1,
        (0..140, _) => 2,
        _ => 4,
    };
    let lines = 8 / columns;
    let beneath = match (columns, body.height) {
        (1, height) => height.saturating_sub(8).min(10),
        (_, height) => (height * 3 / 10).clamp(5, 16),
    };
    let [grid, message] =
        Layout::vertical([Constraint::Min(8), Constraint::Length(beneath)]).areas(body);
    let rows = Layout::vertical(vec![Constraint::Fill(1); lines]).split(grid);
    let mut panes = [Rect::default(); 8];
    for (row, area) in rows.iter().enumerate() {
        let across = Layout::horizontal(vec![Constraint::Fill(1); columns])
            .spacing(i32::from(columns > 1))
            .split(*area);
        panes[row * columns..(row + 1) * columns].copy_from_slice(&across);
    }
    let [composer, merged] =
        Layout::horizontal([Constraint::Percentage(40), Constraint::Percentage(60)])
            .spacing(1)
            .areas(message);
    Overview {
        panes,
        columns,
        composer,
        merged,
    }
}

/// Cuts the body of a section: the list at the left, the text at the right.
///
/// The list ends at the column of `split`, where it was dragged; both keep room enough.
#[must_use]
pub fn section(size: (u16, u16), split: Option<u16>) -> Section {
    const GUTTER: u16 = 8;
    const LEAST: u16 = 18;
    const TEXT: u16 = 36;
    let body = frame(size).body;
    let list_width = match (split, body.width) {
        (Some(column), width) => column.clamp(LEAST, width.saturating_sub(TEXT).max(LEAST)),
        (None, 0..90) => 24,
        (None, 90..140) => 34,
        (None, _) => 44,
    };
    let [list, right] = Layout::horizontal([Constraint::Length(list_width), Constraint::Min(0)])
        .spacing(1)
        .areas(body);
    let [title, below] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(right);
    let [gutter, text] =
        Layout::horizontal([Constraint::Length(GUTTER), Constraint::Min(1)]).areas(below);
    Section {
        list,
        title,
        gutter,
        text,
    }
}

/// A text of the library's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibrarySide {
    /// The text's title line.
    pub title: Rect,
    /// The lines of the files that the text comes from.
    pub gutter: Rect,
    /// The text.
    pub text: Rect,
}

/// The parts of the library's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Library {
    /// The tree; `None` where two texts leave it no room.
    pub tree: Option<Rect>,
    /// What the choice becomes.
    pub built: Option<LibrarySide>,
    /// Its source.
    pub raw: Option<LibrarySide>,
    /// The variables, with their title line.
    pub variables: Rect,
}

/// Cuts the body of the library's screen: the tree at the left, the texts at the right, the variables
/// beneath them.
#[must_use]
pub fn library(size: (u16, u16), sides: Sides) -> Library {
    const WIDE: u16 = 120;
    const GUTTER: u16 = 8;
    let body = frame(size).body;
    let tree_width = match body.width {
        0..90 => 26,
        90..140 => 36,
        _ => 46,
    };
    let has_tree = sides != Sides::Both || body.width >= WIDE;
    let [tree, right] = Layout::horizontal([
        Constraint::Length(if has_tree { tree_width } else { 0 }),
        Constraint::Min(0),
    ])
    .spacing(u16::from(has_tree))
    .areas(body);
    let below = (body.height / 4).clamp(3, 12);
    let [texts, variables] =
        Layout::vertical([Constraint::Min(3), Constraint::Length(below)]).areas(right);
    let cut = |area: Rect| {
        let [title, below] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        let [gutter, text] =
            Layout::horizontal([Constraint::Length(GUTTER), Constraint::Min(1)]).areas(below);
        LibrarySide {
            title,
            gutter,
            text,
        }
    };
    let (built, raw) = match sides {
        Sides::Built => (Some(cut(texts)), None),
        Sides::Raw => (None, Some(cut(texts))),
        Sides::Both => {
            let [left, right] = Layout::horizontal([Constraint::Fill(1); 2])
                .spacing(1)
                .areas(texts);
            (Some(cut(right)), Some(cut(left)))
        }
    };
    Library {
        tree: has_tree.then_some(tree),
        built,
        raw,
        variables,
    }
}

/// Cuts the body of the message screen: fields and text, the merged message, the list of messages.
#[must_use]
pub fn message(size: (u16, u16)) -> Message {
    let body = frame(size).body;
    if body.width >= 120 {
        let [left, right] =
            Layout::horizontal([Constraint::Percentage(45), Constraint::Percentage(55)])
                .spacing(1)
                .areas(body);
        let [fields, text] =
            Layout::vertical([Constraint::Length(7), Constraint::Min(3)]).areas(left);
        let list = (right.height / 3).clamp(4, 14);
        let [merged, messages] =
            Layout::vertical([Constraint::Min(4), Constraint::Length(list)]).areas(right);
        let rows: [Rect; 7] = Layout::vertical([Constraint::Length(1); 7]).areas(fields);
        return Message {
            fields: rows,
            text,
            merged,
            messages,
        };
    }
    let list = if body.height >= 20 { 4 } else { 0 };
    let text_rows = (body.height / 4).max(3);
    let [fields, text, merged, messages] = Layout::vertical([
        Constraint::Length(4),
        Constraint::Length(text_rows),
        Constraint::Min(4),
        Constraint::Length(list),
    ])
    .areas(body);
    let [upper, lower, third, fourth] = Layout::vertical([Constraint::Length(1); 4]).areas(fields);
    let halves = |row: Rect| -> [Rect; 2] {
        Layout::horizontal([Constraint::Fill(1); 2])
            .spacing(1)
            .areas(row)
    };
    let ([channel, chat], [sender, session]) = (halves(upper), halves(lower));
    let [media, lines] = halves(third);
    Message {
        fields: [channel, chat, sender, session, media, lines, fourth],
        text,
        merged,
        messages,
    }
}

/// Gives the first line of a list that is in sight below its title: the chosen one stays in sight.
#[must_use]
pub fn first_line(chosen: usize, rows: usize) -> usize {
    let room = rows.saturating_sub(1);
    chosen.saturating_sub(room.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(u16, u16); 6] = [
        (60, 16),
        (80, 24),
        (100, 30),
        (120, 40),
        (200, 60),
        (300, 100),
    ];

    #[test]
    fn every_pane_has_room_and_none_overlaps() {
        for size in SIZES {
            let overview = overview(size);
            let all: Vec<Rect> = overview
                .panes
                .into_iter()
                .chain([overview.composer, overview.merged])
                .collect();
            for (index, pane) in all.iter().enumerate() {
                assert!(pane.width >= 20 && pane.height >= 1, "{size:?}: {pane:?}");
                assert!(pane.bottom() < size.1, "{size:?}: the footer is free");
                assert!(
                    all[..index].iter().all(|other| !other.intersects(*pane)),
                    "{size:?}"
                );
            }
        }
    }

    #[test]
    fn text_has_room_on_every_screen() {
        for size in SIZES {
            let section = section(size, None);
            assert!(
                section.text.width >= 27 && section.text.height >= 12,
                "{size:?}"
            );
            let message = message(size);
            assert!(message.merged.height >= 5, "{size:?}: {message:?}");
            assert!(message.text.height >= 3, "{size:?}: {message:?}");
        }
    }

    #[test]
    fn no_size_panics() {
        for width in 0..40 {
            for height in 0..30 {
                let _ = (
                    overview((width, height)),
                    section((width, height), Some(width)),
                    message((width, height)),
                );
            }
        }
    }
}
