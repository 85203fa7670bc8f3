//! A turn: one message of somebody on some channel, and what comes with it.

mod runtime_templates;

use super::Replay;
use crate::python::{Dict, Value};
pub use runtime_templates::RuntimeTemplates;

/// One message and its surroundings: the arguments of the reference's `build_messages`.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The user's text.
    pub message: String,
    /// The channel, such as `telegram`.
    pub channel: Option<String>,
    /// The chat on that channel.
    pub chat_id: Option<String>,
    /// Who writes.
    pub sender_id: Option<String>,
    /// Paths of attached files.
    pub media: Vec<String>,
    /// Earlier messages; where empty, those of the session.
    pub history: Vec<Value>,
    /// The session to be replayed.
    pub session: Option<SessionRequest>,
    /// The archived summary; where `None`, that of the session.
    pub session_summary: Option<String>,
    /// The session's metadata, which may hold a goal; where empty, that of the session.
    pub session_metadata: Value,
    /// The key that picks entries of the history; where `None`, that of the session.
    pub session_key: Option<String>,
    /// Whether all sessions are one.
    pub unified_session: bool,
    /// The role of the new message.
    pub current_role: String,
    /// Whether Recent History is asked for.
    pub include_memory_recent_history: bool,
    /// How many turns of the earlier messages are kept, for agents that work this way; nanobot does not.
    pub max_history_turns: Option<usize>,
    /// Whether Recent History is not capped, as it never is in the agent: a what-if.
    pub history_uncapped: bool,
    /// Further lines of the runtime context.
    pub current_runtime_lines: Vec<String>,
    /// The CLI apps attached to the message, as the channel's metadata lists them.
    pub cli_apps: Vec<Value>,
    /// The MCP presets attached to the message, as the channel's metadata lists them.
    pub mcp_presets: Vec<Value>,
    /// How the lines about these two are worded.
    pub runtime_templates: RuntimeTemplates,
    /// The zone in the agent's configuration.
    pub timezone: Option<String>,
    /// Skills that the agent's configuration switches off.
    pub disabled_skills: Vec<String>,
}

/// The channels that the reference knows by name.
pub const KNOWN_CHANNELS: [&str; 11] = [
    "telegram",
    "discord",
    "qq",
    "whatsapp",
    "sms",
    "email",
    "cli",
    "mochat",
    "slack",
    "feishu",
    "websocket",
];

/// Which session is replayed, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRequest {
    /// The session's key, such as `telegram:12345`.
    pub key: String,
    /// The most messages that are replayed; 0 stands for [`SessionRequest::MAX_MESSAGES`].
    pub max_messages: usize,
    /// The most tokens that are replayed; 0 for no limit.
    pub max_tokens: usize,
}

/// How much of a session is replayed, whichever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLimits {
    /// The most messages that are replayed.
    pub max_messages: usize,
    /// The most tokens that are replayed; 0 for no limit.
    pub max_tokens: usize,
}

impl SessionLimits {
    /// Asks for a session within these limits.
    #[must_use]
    pub fn of(&self, key: &str) -> SessionRequest {
        SessionRequest {
            key: key.to_owned(),
            max_messages: self.max_messages,
            max_tokens: self.max_tokens,
        }
    }
}

impl SessionRequest {
    /// How many messages the agent replays by default.
    pub const MAX_MESSAGES: usize = 120;

    /// Asks for a session with the agent's default limits.
    pub fn new(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            max_messages: Self::MAX_MESSAGES,
            max_tokens: 0,
        }
    }
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            message: String::new(),
            channel: None,
            chat_id: None,
            sender_id: None,
            media: Vec::new(),
            history: Vec::new(),
            session: None,
            session_summary: None,
            session_metadata: Value::Dict(Dict::new()),
            session_key: None,
            unified_session: false,
            current_role: "user".to_owned(),
            include_memory_recent_history: true,
            max_history_turns: None,
            history_uncapped: false,
            current_runtime_lines: Vec::new(),
            cli_apps: Vec::new(),
            mcp_presets: Vec::new(),
            runtime_templates: RuntimeTemplates::default(),
            timezone: None,
            disabled_skills: Vec::new(),
        }
    }
}

/// What a turn says itself, completed by the session that it replays.
pub(super) struct Inputs {
    pub history: Vec<Value>,
    pub session_summary: Option<String>,
    pub session_metadata: Value,
    pub session_key: Option<String>,
}

impl Turn {
    pub(super) fn with_replay(&self, replay: Option<&Replay>) -> Inputs {
        let mut inputs = Inputs {
            history: self.history.clone(),
            session_summary: self.session_summary.clone(),
            session_metadata: self.session_metadata.clone(),
            session_key: self.session_key.clone(),
        };
        if let Some(replay) = replay {
            if inputs.history.is_empty() {
                inputs.history.clone_from(&replay.history);
            }
            if inputs.session_summary.is_none() {
                inputs.session_summary.clone_from(&replay.summary);
            }
            if !inputs.session_metadata.truth() {
                inputs.session_metadata.clone_from(&replay.metadata);
            }
            if inputs.session_key.is_none() {
                inputs.session_key = Some(replay.key.clone());
            }
        }
        if let Some(turns) = self.max_history_turns {
            let start = last_turns(&inputs.history, turns);
            inputs.history.drain(..start);
        }
        inputs
    }
}

/// Finds where the last so many turns of earlier messages begin: each begins with a user's message.
fn last_turns(history: &[Value], turns: usize) -> usize {
    let is_user = |message: &Value| message.get("role") == Some(&Value::str("user"));
    let starts = history.iter().enumerate().rev();
    let mut starts = starts.filter(|(_, message)| is_user(message));
    match turns.checked_sub(1) {
        Some(before) => starts.nth(before).map_or(0, |(at, _)| at),
        None => history.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::json;

    #[test]
    fn the_last_turns_are_kept_from_a_users_message_on() {
        let history = json::loads(
            r#"[{"role": "assistant"}, {"role": "user"}, {"role": "assistant"}, {"role": "tool"}, {"role": "user"}, {"role": "assistant"}]"#,
        )
        .unwrap();
        let Value::List(history) = history else {
            panic!("it is a list");
        };
        let starts = [0, 1, 2, 3].map(|turns| last_turns(&history, turns));
        assert_eq!(starts, [6, 4, 1, 0]);
        let turn = Turn {
            history: history.clone(),
            max_history_turns: Some(1),
            ..Turn::default()
        };
        assert_eq!(turn.with_replay(None).history, history[4..]);
    }
}
