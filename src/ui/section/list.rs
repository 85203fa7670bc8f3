//! The list beside a section: the eight, the sum that reconciles, and what there is to know about the
//! one that is shown.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::app::App;
use crate::budget::{Level, share};
use crate::display::sanitize::{Symbols, plain, width};
use crate::display::wrap::rows;
use crate::prompt::{HistoryCut, SectionId};
use crate::ui::Painter;
use crate::ui::number::{bar, change, grouped};
use crate::ui::pane::{change_part, fitted, level_style, level_word, mark, with_end};
use crate::ui::theme::Part;

/// Draws the list: the eight sections, and what they add up to.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, area: Rect) {
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
            format!("{}{size}", app.symbols.spell("−"))
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
    places.next();
    for (text, part) in details(app) {
        // A file's name stands on one line, its end at least.
        let text = if part == Part::Muted {
            let room = usize::from(area.width).saturating_sub(3);
            number_and_path(&text, room, app.symbols)
        } else {
            text
        };
        for row in rows(
            &text,
            usize::from(area.width).saturating_sub(3),
            app.symbols,
        ) {
            let (Some(place), Some(text)) = (places.next(), text.get(row.range)) else {
                return;
            };
            let text = format!("  {}", plain(text, app.symbols));
            Line::styled(text, theme.style(part)).render(place, frame.buffer_mut());
        }
    }
}

/// Fits a number and a path into a room: the path loses its start.
fn number_and_path(text: &str, room: usize, symbols: Symbols) -> String {
    match text.split_once(' ') {
        Some((number, path)) => {
            let left = room.saturating_sub(width(number, symbols) + 1);
            format!("{number} {}", with_end(path, left, symbols))
        }
        None => text.to_owned(),
    }
}

/// Says of the section that is shown what its text does not: its budget, its files, what was cut.
fn details(app: &App) -> Vec<(String, Part)> {
    let (Some(view), Some(usage)) = (&app.content.view, &app.content.usage) else {
        return Vec::new();
    };
    let id = app.focus;
    let section = view.assembly.section(id);
    let mut said = Vec::new();
    if let Some(budget) = view.budget.section(id) {
        let used = usage.section(id);
        let limit = grouped(budget);
        said.push(match view.budget.level(used, Some(budget)) {
            Level::Over => (
                format!("budget {limit}: {} over", grouped(used - budget)),
                Part::Over,
            ),
            Level::Near => (
                format!("near {limit}: {} left", grouped(budget - used)),
                Part::Near,
            ),
            Level::Within => (
                format!("{} left of {limit}", grouped(budget - used)),
                Part::Muted,
            ),
        });
    }
    if let Some(cut) = &section.cut {
        said.extend(cut_words(cut).map(|words| (words, Part::Near)));
    }
    let counts = &usage.sources[id.index()];
    let mut files: Vec<(usize, String)> = section
        .sources
        .iter()
        .zip(counts)
        .map(|(source, tokens)| (*tokens, view.workspace.relative(&source.path)))
        .collect();
    // The heaviest first: that is where something can be saved.
    files.sort_by(|a, b| b.cmp(a));
    let files = files.into_iter().take(MOST_FILES);
    said.extend(files.map(|(tokens, path)| {
        let name = path.rsplit('/').take(2).collect::<Vec<_>>();
        let name = name.into_iter().rev().collect::<Vec<_>>().join("/");
        // Every skill's file has the same name, so the folder's says more.
        let name = name.strip_suffix("/SKILL.md").unwrap_or(&name);
        (format!("{} {name}", grouped(tokens)), Part::Muted)
    }));
    said
}

/// How wide the bar of a section's budget is.
const BAR: usize = 8;

/// How many files of a section are named.
const MOST_FILES: usize = 12;

/// Says what fell off Recent History.
fn cut_words(cut: &HistoryCut) -> impl Iterator<Item = String> {
    let entries = |count: usize| match count {
        1 => "1 entry".to_owned(),
        count => format!("{} entries", grouped(count)),
    };
    let lost = (cut.lost > 0).then(|| format!("cut: the newest {} lost", entries(cut.lost)));
    let part = cut
        .in_part
        .then(|| "cut: the last entry shown is cut in the middle".to_owned());
    let over = (cut.over_count > 0).then(|| {
        format!(
            "the oldest {} left out: 50 at most",
            entries(cut.over_count)
        )
    });
    let by_characters = cut
        .by_characters
        .then(|| "a special token in it: capped at 4 characters a token".to_owned());
    [lost, part, over, by_characters].into_iter().flatten()
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
        right.push(Span::styled(
            format!("{} ", app.symbols.spell(&change(by))),
            theme.style(part),
        ));
    }
    let word = level_word(level);
    if let (Level::Over, false) = (level, place.width >= 34) {
        right.push(Span::styled("! ", level_style(theme, level)));
    }
    if let (Some(word), true) = (word, place.width >= 34) {
        right.push(Span::styled(format!("{word} "), level_style(theme, level)));
    }
    match (mark(section), tokens) {
        (Some((_, part)), _) if section.text.is_none() => {
            let word = if section.error.is_some() {
                "error"
            } else {
                "-"
            };
            right.push(Span::styled(word, theme.style(part)));
        }
        (_, Some(tokens)) => {
            right.push(Span::styled(grouped(tokens), level_style(theme, level)));
        }
        (_, None) => right.push(Span::styled(
            app.symbols.spell("…"),
            theme.style(Part::Muted),
        )),
    }
    if place.width >= 44 {
        let budget = view.budget.section(id).zip(tokens);
        let bars = budget.map(|(budget, tokens)| bar(share(tokens, budget), BAR, app.symbols));
        let (full, empty) = bars.unwrap_or_else(|| (String::new(), " ".repeat(BAR)));
        right.push(Span::raw(" "));
        right.push(Span::styled(full, level_style(theme, level)));
        right.push(Span::styled(empty, theme.style(Part::BarEmpty)));
    }
    let arrow = app.symbols.spell(if is_shown { "▸" } else { " " });
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
