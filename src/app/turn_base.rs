//! The turn before the last change of channel, chat, sender or session, to see what that changed.

use std::sync::Arc;

use super::Content;
use crate::budget::Usage;
use crate::prompt::{Assembly, SectionId, Turn};

/// What was sent for another turn, with its counts.
#[derive(Debug, Clone)]
pub struct TurnBase {
    turn: Turn,
    /// What was sent.
    pub assembly: Arc<Assembly>,
    usage: Usage,
}

impl TurnBase {
    /// Keeps what is shown now, once it is counted.
    #[must_use]
    pub fn of(content: &Content) -> Option<Self> {
        let view = content.view.as_ref().filter(|_| !content.counting)?;
        Some(Self {
            turn: view.turn.clone(),
            assembly: view.real.clone(),
            usage: content.real_usage()?.clone(),
        })
    }

    /// Says which of the four differ, by what they were: `channel telegram`. Empty where none does.
    #[must_use]
    pub fn differing(&self, turn: &Turn) -> String {
        let session = |turn: &Turn| turn.session.as_ref().map(|session| session.key.clone());
        // A session that goes with its channel and chat is named by these.
        let is_own = |turn: &Turn| {
            let own = turn.channel.as_ref().zip(turn.chat_id.as_ref());
            let own = own.map(|(channel, chat)| format!("{channel}:{chat}"));
            own.is_some() && own == session(turn)
        };
        let goes_along = is_own(&self.turn) && is_own(turn);
        let (before, now) = (&self.turn, turn);
        let pairs = [
            ("channel", before.channel.clone(), now.channel.clone()),
            ("chat", before.chat_id.clone(), now.chat_id.clone()),
            ("sender", before.sender_id.clone(), now.sender_id.clone()),
            ("session", session(before), session(now)),
        ];
        let words = pairs
            .into_iter()
            .filter(|(name, before, now)| before != now && !(goes_along && *name == "session"));
        let words = words.map(|(name, before, _)| match before {
            Some(before) => format!("{name} {before}"),
            None => format!("no {name}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Gives the change in tokens of every section that differs, and of the user's message.
    #[must_use]
    pub fn changes(&self, usage: &Usage) -> Vec<(&'static str, i64)> {
        let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let sections = SectionId::ALL.map(|id| {
            let by = signed(usage.section(id)) - signed(self.usage.section(id));
            (id.title(), by)
        });
        let history = |usage: &Usage| signed(usage.history.iter().sum());
        let more = [
            ("history", history(usage) - history(&self.usage)),
            ("message", usage.user_message - self.usage.user_message),
        ];
        let all = sections.into_iter().chain(more);
        all.filter(|(_, by)| *by != 0).collect()
    }
}
