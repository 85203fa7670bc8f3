//! The overview: eight panes, and the message beneath.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::message::{merged, merged_title};
use super::pane::{figures, fitted, title, title_with_share};
use super::theme::Part;
use super::{Painter, text_rows};
use crate::app::{App, Field, layout};
use crate::budget::share;
use crate::display::sanitize::Symbols;
use crate::display::wrap::{Row, rows};
use crate::prompt::SectionId;

/// Draws the overview.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame) {
    let area = frame.area();
    let overview = layout::overview((area.width, area.height));
    for (id, pane) in SectionId::ALL.into_iter().zip(overview.panes) {
        section_pane(app, painter, frame, pane, id);
    }
    if overview.composer.height > 0 {
        composer(app, painter, frame, overview.composer);
        merged_title(app, painter, frame, overview.merged);
        merged(app, painter, frame, below_title(overview.merged));
    }
}

/// Gives what is left of a pane below its title line.
pub fn below_title(pane: Rect) -> Rect {
    Rect {
        y: pane.y + pane.height.min(1),
        height: pane.height.saturating_sub(1),
        ..pane
    }
}

fn section_pane(app: &App, painter: &Painter, frame: &mut Frame, pane: Rect, id: SectionId) {
    let is_focused = app.focus == id;
    let theme = &painter.theme;
    let name = if is_focused {
        Part::Accent
    } else {
        Part::Title
    };
    let focus = match (is_focused, app.symbols) {
        (false, _) => " ",
        (true, Symbols::Unicode) => "▸",
        (true, Symbols::Ascii) => ">",
    };
    let left = vec![
        Span::styled(
            format!("{focus}{} ", id.number()),
            theme.style(Part::Accent),
        ),
        Span::styled(id.title(), theme.style(name)),
    ];
    let row = Rect {
        height: pane.height.min(1),
        ..pane
    };
    let usage = app.content.usage.as_ref();
    let of_all = usage.map_or(0.0, |usage| share(usage.section(id), usage.system_prompt));
    title_with_share(
        painter,
        frame,
        row,
        (left, figures(app, painter, id)),
        is_focused,
        of_all,
        app.symbols,
    );
    let body = below_title(pane);
    let Some(view) = &app.content.view else {
        return;
    };
    let section = view.assembly.section(id);
    if let Some(text) = &section.text {
        let width = usize::from(body.width);
        let shown: Vec<Row> = rows(text, width, app.symbols)
            .filter(|row| !row.range.is_empty())
            .take(usize::from(body.height))
            .collect();
        let style = theme.style(Part::Muted);
        text_rows::render(frame, body, text, &shown, theme, app, |row| {
            vec![(row.range.clone(), style)]
        });
        return;
    }
    let (text, part) = match (&section.error, section.absent) {
        (Some(error), _) => {
            let problem = view.workspace.problem(error);
            (problem, Part::Error)
        }
        (None, Some(reason)) => (format!("Left out: {reason}."), Part::Absent),
        (None, None) => return,
    };
    let text = text.trim_start().to_owned();
    let shown: Vec<Row> = rows(&text, usize::from(body.width), app.symbols)
        .take(usize::from(body.height))
        .collect();
    let style = theme.style(part);
    text_rows::render(frame, body, &text, &shown, theme, app, |row| {
        vec![(row.range.clone(), style)]
    });
}

fn composer(app: &App, painter: &Painter, frame: &mut Frame, pane: Rect) {
    let theme = &painter.theme;
    let left = vec![
        Span::styled("m ", theme.style(Part::Accent)),
        Span::styled("Message", theme.style(Part::Title)),
    ];
    let row = Rect {
        height: pane.height.min(1),
        ..pane
    };
    title(painter, frame, row, left, vec![], false, app.symbols);
    let body = below_title(pane);
    let places = body.rows().collect::<Vec<_>>();
    let Some((first, text_rows_area)) = places.split_first() else {
        return;
    };
    let who = [Field::Channel, Field::ChatId, Field::Sender]
        .map(|field| app.composer.text(field))
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(&app.symbols.spell(" · "));
    let who = if who.is_empty() {
        "nobody in particular".to_owned()
    } else {
        who
    };
    let who = fitted(&who, usize::from(pane.width), app.symbols);
    Line::styled(who, theme.style(Part::Field)).render(*first, frame.buffer_mut());
    let text = app.composer.text(Field::Text);
    let (text, part) = if text.is_empty() {
        ("Press m to write a test message.".to_owned(), Part::Muted)
    } else {
        (text, Part::Text)
    };
    let Some(area) = text_rows_area.first() else {
        return;
    };
    let area = Rect {
        height: body.height.saturating_sub(1),
        ..*area
    };
    let shown: Vec<Row> = rows(&text, usize::from(area.width), app.symbols)
        .take(area.height.into())
        .collect();
    let style = theme.style(part);
    text_rows::render(frame, area, &text, &shown, theme, app, |row| {
        vec![(row.range.clone(), style)]
    });
}
