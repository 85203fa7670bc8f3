//! The footer: a notice if there is one, else the keys that work now.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::Painter;
use super::pane::fitted;
use super::theme::Part;
use crate::app::{Action, App, Context, Field, LibraryFocus, List, Overlay, Screen, Watching};
use crate::display::sanitize::plain;
use crate::prompt::SectionId;

/// Draws the footer.
pub fn render(app: &App, painter: &Painter, frame: &mut Frame, row: Rect) {
    let theme = &painter.theme;
    frame.buffer_mut().set_style(row, theme.style(Part::Footer));
    let room = usize::from(row.width).saturating_sub(1);
    if typed(app, painter, frame, row) {
        return;
    }
    if let Some((text, part)) = notice(app) {
        let text = fitted(&text, room, app.symbols);
        Line::styled(format!(" {text}"), theme.style(part)).render(row, frame.buffer_mut());
        return;
    }
    let mut spans = vec![Span::raw(" ")];
    let mut used = 1;
    for (key, what) in keys(app) {
        let wide = key.chars().count() + what.chars().count() + 3;
        if used + wide > room {
            break;
        }
        used += wide;
        spans.push(Span::styled(key, theme.style(Part::Accent)));
        spans.push(Span::styled(
            format!(" {what}  "),
            theme.style(Part::Footer),
        ));
    }
    Line::from(spans).render(row, frame.buffer_mut());
}

/// Draws the line that is typed into, with a cursor of its own.
fn typed(app: &App, painter: &Painter, frame: &mut Frame, row: Rect) -> bool {
    let theme = &painter.theme;
    let spans = match &app.overlay {
        Some(Overlay::Ask(purpose, line)) => vec![
            Span::styled(format!(" {}", purpose.label()), theme.style(Part::Accent)),
            Span::styled(
                plain(line, app.symbols).into_owned(),
                theme.style(Part::Text),
            ),
            Span::styled(" ", theme.style(Part::Marker)),
        ],
        Some(Overlay::Confirm(confirm)) => vec![Span::styled(
            format!(" {}", confirm.question()),
            theme.style(Part::Notice),
        )],
        _ => return false,
    };
    Line::from(spans).render(row, frame.buffer_mut());
    true
}

/// Picks the one thing that a person should know now.
fn notice(app: &App) -> Option<(String, Part)> {
    if let Some(stale) = &app.content.stale {
        return Some((format!("Stale: {}", stale.0), Part::Stale));
    }
    let view = app.content.view.as_ref()?;
    if let Some(problem) = &view.settings_problem {
        return Some((problem.clone(), Part::Error));
    }
    if let Some(notice) = &app.notice {
        return Some((notice.0.clone(), Part::Notice));
    }
    if let Some(error) = &view.assembly.error {
        let problem = view.workspace.problem(error);
        let text = super::pane::sentence(&format!("{}: {problem}", error.outcome()));
        return Some((text, Part::Error));
    }
    if let (Screen::Message, Some(key)) = (app.screen, view.workspace.missing_session()) {
        let text = format!("There is no session {key:?} yet: nothing is replayed.");
        return Some((text, Part::Notice));
    }
    let media = view.workspace.media.iter();
    let lost = media.filter(|file| matches!(file.image, Ok(None))).count();
    if app.screen == Screen::Message && lost > 0 {
        let text = match lost {
            1 => "One attached file is not there or no image: the agent drops it.".to_owned(),
            lost => {
                format!("{lost} attached files are not there or no images: the agent drops them.")
            }
        };
        return Some((text, Part::Notice));
    }
    match &app.watching {
        Watching::Polling(reason) => Some((format!("Polling: {reason}"), Part::Notice)),
        _ => None,
    }
}

/// Names the actions that matter most where one is.
fn hints(app: &App) -> &'static [(Action, &'static str)] {
    use Action as A;
    match (&app.overlay, app.screen) {
        (Some(Overlay::List(List::Sessions, _)), _) => &[
            (A::Enter, "replay"),
            (A::Down, "choose"),
            (A::Back, "leave"),
        ],
        (Some(Overlay::List(List::Scenarios, _)), _) => &[
            (A::Enter, "open"),
            (A::Save, "save this turn"),
            (A::Rename, "rename"),
            (A::Delete, "delete"),
            (A::Back, "leave"),
        ],
        (Some(Overlay::List(List::Findings, _)), _) => &[
            (A::Enter, "edit"),
            (A::Show, "show in its section"),
            (A::Back, "leave"),
        ],
        (Some(Overlay::List(List::History, _)), _) => &[(A::Enter, "edit"), (A::Back, "leave")],
        (Some(Overlay::List(List::WhatIf, _)), _) => &[
            (A::Toggle, "off/on"),
            (A::ToggleAlways, "always"),
            (A::ResetWhatIf, "reset"),
            (A::Back, "leave"),
        ],
        (Some(Overlay::Page(..)), _) => &[(A::Back, "close"), (A::Down, "scroll")],
        (Some(Overlay::Palette(..) | Overlay::Ask(..) | Overlay::Confirm(_)), _) => &[],
        (None, Screen::Overview) => &[
            (A::OpenSection(SectionId::Identity), "section"),
            (A::Enter, "open"),
            (A::Message, "message"),
            (A::Findings, "findings"),
            (A::Help, "keys"),
            (A::Quit, "quit"),
            (A::Library, "prompts"),
            (A::WhatIf, "what if"),
            (A::Palette, "actions"),
            (A::Edit, "edit"),
            (A::CopyPrompt, "copy prompt"),
            (A::Sessions, "session"),
            (A::Scenarios, "scenarios"),
            (A::Theme, "theme"),
        ],
        (None, Screen::Section) => &[
            (A::Back, "back"),
            (A::OpenSection(SectionId::Identity), "section"),
            (A::Edit, "edit"),
            (A::Search, "search"),
            (A::Diff, "diff"),
            (A::Copy, "copy"),
            (A::Help, "keys"),
            (A::Mark, "mark"),
            (A::Changed, "last change"),
            (A::Message, "message"),
            (A::Quit, "quit"),
        ],
        (None, Screen::Library) => match app.library.focus {
            LibraryFocus::Tree => &[
                (A::Back, "back"),
                (A::Enter, "text"),
                (A::Next, "part"),
                (A::Rendered, "source, both"),
                (A::Edit, "edit"),
                (A::NextVariant, "variant"),
                (A::Diff, "diff"),
                (A::Fold, "fold"),
                (A::Help, "keys"),
                (A::Compiled, "as compiled"),
                (A::Quit, "quit"),
            ],
            LibraryFocus::Text => &[
                (A::Back, "tree"),
                (A::Next, "variables"),
                (A::Edit, "edit here"),
                (A::Search, "search"),
                (A::Fold, "fold"),
                (A::Rendered, "source, both"),
                (A::Copy, "copy"),
                (A::Help, "keys"),
            ],
            LibraryFocus::Variables => &[
                (A::Back, "tree"),
                (A::Enter, "try a value"),
                (A::ResetValue, "take it back"),
                (A::Edit, "edit where it is set"),
                (A::Next, "part"),
                (A::Help, "keys"),
            ],
        },
        (None, Screen::Message) => &[
            (A::Back, "back"),
            (A::Next, "field"),
            (A::CycleNext, "known values"),
            (A::Sessions, "sessions"),
            (A::PageDown, "scroll"),
            (A::Copy, "copy"),
            (A::Scenarios, "scenarios"),
        ],
    }
}

/// Names the keys that matter most where one is; a key without a binding is left out.
fn keys(app: &App) -> Vec<(String, &'static str)> {
    use Action as A;
    if let Some(Overlay::Palette(..)) = &app.overlay {
        return vec![
            ("Enter".to_owned(), "do it"),
            ("Esc".to_owned(), "leave"),
            (String::new(), "type to find an action"),
        ];
    }
    let contexts = app.contexts();
    let cycles = matches!(app.composer.field, Field::Channel | Field::Session);
    hints(app)
        .iter()
        .filter(|(action, _)| *action != A::CycleNext || cycles)
        .filter_map(|(action, what)| {
            let hint = |context: &Context| app.keymap.hint(*context, *action);
            let key = contexts.iter().find_map(hint)?.to_string();
            let key = app.symbols.spell(&key).into_owned();
            let last = A::OpenSection(SectionId::SessionSummary);
            Some(match (action, app.keymap.hint(Context::Reading, last)) {
                (A::OpenSection(_), Some(last)) => (format!("{key}-{last}"), *what),
                _ => (key, *what),
            })
        })
        .collect()
}
