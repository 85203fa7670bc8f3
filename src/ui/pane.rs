//! A pane's title line, and the figures of a section that every pane shows alike.

use std::path::Path;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::Painter;
use super::number::{bar, change, grouped, percent};
use super::theme::{Part, Theme};
use crate::app::{App, View};
use crate::budget::Level;
use crate::display::sanitize::{Symbols, first_cluster, visible, width};
use crate::library::TargetState;
use crate::prompt::{Section, SectionId};

/// Draws a pane's title line: words at the left, figures at the right, a rule between them.
pub fn title(
    painter: &Painter,
    frame: &mut Frame,
    row: Rect,
    left: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    is_focused: bool,
    symbols: Symbols,
) {
    title_with_share(painter, frame, row, (left, right), is_focused, 0.0, symbols);
}

/// Draws the same with a rule that is heavy over a share of its length: the heaviest is seen at a
/// glance.
pub fn title_with_share(
    painter: &Painter,
    frame: &mut Frame,
    row: Rect,
    (left, mut right): (Vec<Span<'static>>, Vec<Span<'static>>),
    is_focused: bool,
    share: f64,
    symbols: Symbols,
) {
    let part = if is_focused {
        Part::BorderFocused
    } else {
        Part::Border
    };
    let style = painter.theme.style(part);
    let (light, heavy) = match symbols {
        Symbols::Unicode => ("─", "━"),
        Symbols::Ascii => ("-", "="),
    };
    let room = usize::from(row.width);
    let left_width = spans_width(&left);
    // What stands first matters least: the tokens and their share are the last to go.
    while !right.is_empty() && left_width + spans_width(&right) + 2 > room {
        right.remove(0);
    }
    let rule = room.saturating_sub(left_width + spans_width(&right) + 2);
    let full = bar(share, rule, symbols).0.chars().count();
    let bar_style = painter.theme.style(Part::BarFull);
    let rest = if is_focused && share == 0.0 {
        heavy
    } else {
        light
    };
    let mut spans = left;
    spans.push(Span::styled(format!(" {}", heavy.repeat(full)), bar_style));
    spans.push(Span::styled(
        format!("{} ", rest.repeat(rule - full)),
        style,
    ));
    spans.extend(right);
    Line::from(spans).render(row, frame.buffer_mut());
}

fn spans_width(spans: &[Span]) -> usize {
    spans.iter().map(Span::width).sum()
}

/// Gives the style of a number by where it stands against its budget.
pub fn level_style(theme: &Theme, level: Level) -> Style {
    theme.style(match level {
        Level::Within => Part::Within,
        Level::Near => Part::Near,
        Level::Over => Part::Over,
    })
}

/// Gives the part of the theme that a change in tokens takes.
pub fn change_part(by: i64) -> Part {
    if by > 0 {
        Part::Increase
    } else {
        Part::Decrease
    }
}

/// Says in words what the colour of a number says.
pub fn level_word(level: Level) -> Option<&'static str> {
    match level {
        Level::Within => None,
        Level::Near => Some("near"),
        Level::Over => Some("OVER"),
    }
}

/// Begins a sentence with a capital letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Says what is special about a section: in error, left out, cut.
pub fn mark(section: &Section) -> Option<(String, Part)> {
    if let Some(error) = &section.error {
        return Some((error.class.to_owned(), Part::Error));
    }
    if let Some(cut) = &section.cut {
        let text = if cut.lost > 0 || cut.in_part {
            "cut"
        } else if cut.over_count > 0 {
            "oldest left out"
        } else {
            "capped by characters"
        };
        return Some((text.to_owned(), Part::Near));
    }
    section.absent.map(|_| ("absent".to_owned(), Part::Absent))
}

/// Says that a file of a section is not what its source is compiled to.
fn out_of_date(view: &View, id: SectionId) -> Option<&'static str> {
    if view.compiled.is_some() {
        return None;
    }
    let sources = &view.assembly.section(id).sources;
    let planned = view.catalog.planned.iter();
    let mut differing = planned.filter(|it| it.is_whole() && !it.is_in_date());
    let is_of = |target: &Path| {
        let path = view.workspace.root.join(target);
        sources.iter().any(|source| *source.path == path)
    };
    differing
        .find(|it| is_of(&it.target))
        .map(|it| match it.state {
            TargetState::EditedByHand => "edited by hand",
            TargetState::NotOurs => "not compiled",
            _ => "out of date",
        })
}

/// Gives the figures of a section: mark, share of its budget, change since the last save, tokens.
pub fn figures(app: &App, painter: &Painter, id: SectionId) -> Vec<Span<'static>> {
    let theme = &painter.theme;
    let mut spans = Vec::new();
    let mut push = |text: String, style: Style| {
        if !spans.is_empty() {
            spans.push(Span::raw(" "));
        }
        spans.push(Span::styled(text, style));
    };
    let Some(view) = &app.content.view else {
        return spans;
    };
    if let Some((text, part)) = mark(view.assembly.section(id)) {
        push(text, theme.style(part));
    }
    let by = app.content.changes.sections[id.index()];
    if by != 0 {
        let part = change_part(by);
        push(
            app.symbols.spell(&change(by)).into_owned(),
            theme.style(part),
        );
    }
    if let Some(word) = out_of_date(view, id) {
        push(word.to_owned(), theme.style(Part::Near));
    }
    match app.content.tokens(id) {
        None => push(
            app.symbols.spell("…").into_owned(),
            theme.style(Part::Muted),
        ),
        Some(tokens) => {
            let budget = view.budget.section(id);
            let level = view.budget.level(tokens, budget);
            if let Some(word) = level_word(level) {
                push(word.to_owned(), level_style(theme, level));
            }
            if view.assembly.section(id).text.is_some() {
                push(grouped(tokens), level_style(theme, level));
            }
            if let Some(budget) = budget.filter(|_| view.assembly.section(id).text.is_some()) {
                push(percent(tokens, budget), theme.style(Part::Muted));
            }
        }
    }
    spans
}

/// Cuts a text to a number of columns by its start, so that its end is seen.
pub fn with_end(text: &str, columns: usize, symbols: Symbols) -> String {
    if width(text, symbols) <= columns {
        return text.to_owned();
    }
    let mark = symbols.spell("…");
    let room = columns.saturating_sub(width(&mark, symbols));
    let mut starts = text.char_indices().map(|(at, _)| &text[at..]);
    let kept = starts.find(|kept| width(kept, symbols) <= room);
    format!("{mark}{}", kept.unwrap_or_default())
}

/// Makes a text safe for a line of the screen and cuts it to a number of columns; a cut one ends in an
/// ellipsis.
pub fn fitted(text: &str, columns: usize, symbols: Symbols) -> String {
    let (mark, room) = match symbols {
        _ if width(text, symbols) <= columns => ("", columns),
        Symbols::Unicode => ("…", columns.saturating_sub(1)),
        Symbols::Ascii => ("~", columns.saturating_sub(1)),
    };
    let mut out = String::new();
    let (mut at, mut used) = (0, 0);
    while let Some(cluster) = first_cluster(&text[at..], symbols) {
        let end = at + cluster.len;
        used += cluster.width;
        if used > room {
            break;
        }
        out.extend(visible(&text[at..end], symbols).map(|piece| piece.text));
        at = end;
    }
    out + mark
}
