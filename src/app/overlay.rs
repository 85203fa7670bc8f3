//! What lies over a screen: pages to read, lists to choose from, a line to type, a question.

use std::borrow::Cow;

use super::{Action, Composer, Field, View};

/// How far a page goes in a list.
pub(super) const PAGE: isize = 10;

/// What lies over the screen's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// A page to read, and how far it is scrolled.
    Page(Page, usize),
    /// A list to choose from, and which line is chosen.
    List(List, usize),
    /// The palette: what is typed, and which line is chosen.
    Palette(String, usize),
    /// A line to type, in the footer.
    Ask(AskFor, String),
    /// A question that takes yes or no, in the footer.
    Confirm(Confirm),
}

/// A page to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The key table.
    Help,
    /// The declared host against this machine.
    Host,
    /// Where a prompt cache would miss, and what would save most.
    Insight,
}

/// A list to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// The sessions.
    Sessions,
    /// The saved scenarios.
    Scenarios,
    /// What can be switched off.
    WhatIf,
    /// What the rules find.
    Findings,
    /// Every line of the history.
    History,
}

/// What a typed line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskFor {
    /// To search the section's text.
    Search,
    /// The name under which the present turn is saved.
    Save,
    /// Another name for a scenario.
    Rename(String),
    /// The value of a variable, by its name.
    Value(String),
}

/// What is done after a yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirm {
    /// A scenario of this name is replaced.
    Overwrite(String),
    /// A scenario is removed.
    Delete(String),
}

impl Confirm {
    /// Writes the question.
    #[must_use]
    pub fn question(&self) -> String {
        match self {
            Self::Overwrite(name) => format!("There is a scenario {name:?}. Replace it? (y/n)"),
            Self::Delete(name) => format!("Delete the scenario {name:?}? (y/n)"),
        }
    }
}

impl AskFor {
    /// Gives what stands before the line.
    #[must_use]
    pub fn label(&self) -> Cow<'static, str> {
        match self {
            Self::Search => "/".into(),
            Self::Save => "Save this turn as: ".into(),
            Self::Rename(_) => "New name: ".into(),
            Self::Value(name) => format!("{name} (written nowhere): ").into(),
        }
    }
}

/// A line of the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionChoice {
    /// The session's key; `None` for none.
    pub key: Option<String>,
    /// The size of its file in bytes; `None` where it has none yet.
    pub bytes: Option<u64>,
    /// Whether it is the one that the agent would take for the composer's channel and chat.
    pub is_own: bool,
}

/// Lists what can be chosen: none, the session of the composer's channel and chat, and all that have
/// a file.
#[must_use]
pub fn session_choices(view: &View, composer: &Composer) -> Vec<SessionChoice> {
    let own = own_session(view, composer);
    let mut choices = vec![SessionChoice {
        key: None,
        bytes: None,
        is_own: false,
    }];
    let files = &view.workspace.sessions;
    if let Some(key) = own
        .as_ref()
        .filter(|own| files.iter().all(|file| file.key != **own))
    {
        choices.push(SessionChoice {
            key: Some(key.clone()),
            bytes: None,
            is_own: true,
        });
    }
    choices.extend(files.iter().map(|file| SessionChoice {
        is_own: own.as_ref() == Some(&file.key),
        key: Some(file.key.clone()),
        bytes: Some(file.bytes),
    }));
    choices
}

/// Gives the key that the agent makes of channel and chat; unified sessions share one.
pub(super) fn own_session(view: &View, composer: &Composer) -> Option<String> {
    const UNIFIED: &str = "unified:default";
    if view.turn.unified_session {
        return Some(UNIFIED.to_owned());
    }
    let (channel, chat) = (composer.text(Field::Channel), composer.text(Field::ChatId));
    let key = format!("{channel}:{chat}");
    (!channel.is_empty() && !chat.is_empty()).then_some(key)
}

/// Gives by how many lines an action moves in a list; `None` for one that does something else.
pub(super) fn step_of(action: Action) -> Option<isize> {
    match action {
        Action::Down => Some(1),
        Action::Up => Some(-1),
        Action::PageDown => Some(PAGE),
        Action::PageUp => Some(-PAGE),
        Action::Top => Some(isize::MIN),
        Action::Bottom => Some(isize::MAX),
        _ => None,
    }
}

/// Moves a place in a list of so many lines by so many; it stays within.
pub(super) fn moved(at: usize, by: isize, count: usize) -> usize {
    at.saturating_add_signed(by).min(count.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_where_it_ends() {
        assert_eq!(moved(0, -1, 3), 0);
        assert_eq!(moved(1, 1, 3), 2);
        assert_eq!(moved(2, 10, 3), 2);
        assert_eq!(moved(2, 1, 0), 0);
    }
}
