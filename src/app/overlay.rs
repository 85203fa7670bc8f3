//! What lies over a screen: the keys, the host, the list of sessions.

use super::{Composer, Field, View};

/// What lies over the screen's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// The key table, and how far it is scrolled.
    Help(usize),
    /// The declared host against this machine, and how far it is scrolled.
    Host(usize),
    /// The list of sessions, and which of them is chosen.
    Sessions(usize),
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
fn own_session(view: &View, composer: &Composer) -> Option<String> {
    const UNIFIED: &str = "unified:default";
    if view.turn.unified_session {
        return Some(UNIFIED.to_owned());
    }
    let (channel, chat) = (composer.text(Field::Channel), composer.text(Field::ChatId));
    let key = format!("{channel}:{chat}");
    (!channel.is_empty() && !chat.is_empty()).then_some(key)
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
