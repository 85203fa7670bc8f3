//! What lies over a screen: a title, and lines that scroll.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use super::pane::title;
use super::theme::Part;
use super::{
    Painter, findings, help, history, host, insight, palette, scenarios, sessions, what_if,
};
use crate::app::{App, List, Overlay, Page, layout};
use crate::display::sanitize::plain;
use crate::display::wrap::rows;

/// How many rows the pane under a list has, its title among them.
const DETAIL: u16 = 6;

/// Draws a text of our own under a list, wrapped.
fn detail_pane(app: &App, painter: &Painter, frame: &mut Frame, area: Rect, text: &str) {
    Clear.render(area, frame.buffer_mut());
    let theme = &painter.theme;
    frame.buffer_mut().set_style(area, theme.style(Part::Text));
    let mut places = area.rows();
    if let Some(row) = places.next() {
        title(painter, frame, row, vec![], vec![], false, app.symbols);
    }
    let room = usize::from(area.width).saturating_sub(2);
    for (row, place) in rows(text, room, app.symbols).zip(places) {
        let line = plain(&text[row.range], app.symbols);
        let line = Line::styled(format!(" {line}"), theme.style(Part::Text));
        line.render(place, frame.buffer_mut());
    }
}

/// Draws what lies over the screen's body.
pub fn render(app: &App, overlay: &Overlay, painter: &Painter, frame: &mut Frame, area: Rect) {
    let area = match overlay {
        // Under the list stands all of the chosen finding.
        Overlay::List(List::Findings, chosen) => {
            let height = DETAIL.min(area.height / 2);
            let [list, detail] = [
                Rect {
                    height: area.height - height,
                    ..area
                },
                Rect {
                    y: area.bottom() - height,
                    height,
                    ..area
                },
            ];
            let text = findings::chosen(app, *chosen).unwrap_or_default();
            detail_pane(app, painter, frame, detail, &text);
            list
        }
        _ => area,
    };
    let width = area.width;
    let chosen = |chosen: usize| layout::first_line(chosen, usize::from(area.height));
    let (name, lines, first) = match overlay {
        Overlay::Page(Page::Help, scroll) => ("Keys", help::lines(app, painter), *scroll),
        Overlay::Page(Page::Host, scroll) => ("Host", host::lines(app, painter, width), *scroll),
        Overlay::List(List::Sessions, at) => {
            let lines = sessions::lines(app, *at, painter, width);
            ("Sessions", lines, chosen(*at))
        }
        Overlay::List(List::WhatIf, at) => {
            let lines = what_if::lines(app, *at, painter, width);
            ("What if", lines, chosen(*at))
        }
        Overlay::Page(Page::Insight, scroll) => {
            ("Cache and savings", insight::lines(app, painter), *scroll)
        }
        Overlay::List(List::Findings, at) => {
            let lines = findings::lines(app, *at, painter, width);
            ("Findings", lines, chosen(*at))
        }
        Overlay::List(List::History, at) => {
            let lines = history::lines(app, *at, painter, width);
            ("History", lines, chosen(*at))
        }
        Overlay::List(List::Scenarios, at) => {
            let lines = scenarios::lines(app, *at, painter, width);
            ("Scenarios", lines, chosen(*at))
        }
        Overlay::Palette(query, at) => {
            let lines = palette::lines(app, query, *at, painter);
            ("Actions", lines, chosen(*at))
        }
        // These are typed in the footer, under what they are about.
        Overlay::Ask(..) | Overlay::Confirm(_) => return,
    };
    Clear.render(area, frame.buffer_mut());
    let theme = &painter.theme;
    frame.buffer_mut().set_style(area, theme.style(Part::Text));
    let mut places = area.rows();
    if let Some(row) = places.next() {
        let mut left = vec![Span::styled(name, theme.style(Part::Title))];
        if let Overlay::Palette(query, _) = overlay {
            let query = plain(query, app.symbols);
            left.push(Span::styled(format!(" {query}"), theme.style(Part::Text)));
            left.push(Span::styled(" ", theme.style(Part::Marker)));
        }
        title(painter, frame, row, left, vec![], true, app.symbols);
    }
    let room = usize::from(area.height).saturating_sub(1);
    let last = lines.len().saturating_sub(room);
    for (line, place) in lines.into_iter().skip(first.min(last)).zip(places) {
        Line::render(line, place, frame.buffer_mut());
    }
}
