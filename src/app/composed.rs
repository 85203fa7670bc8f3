//! What the composer's fields say, laid over a turn.

use crate::prompt::{SessionLimits, Turn};
use crate::python::Value;

/// What the composer's fields say; an empty field says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Composed {
    /// The user's text.
    pub message: String,
    /// The channel.
    pub channel: Option<String>,
    /// The chat on that channel.
    pub chat_id: Option<String>,
    /// Who writes.
    pub sender_id: Option<String>,
    /// The session to be replayed.
    pub session: Option<String>,
    /// Paths of attached files, as they are typed.
    pub media: Vec<String>,
    /// Further lines of the runtime context.
    pub lines: Vec<String>,
    /// The objective of an active goal.
    pub goal: Option<String>,
}

impl Composed {
    /// Lays the fields over a turn; what they do not show stays.
    ///
    /// Another session than the turn's is replayed within `limits`.
    #[must_use]
    pub fn over(self, turn: Turn, limits: &SessionLimits) -> Turn {
        let own = turn.session.clone();
        let mut metadata = turn.session_metadata.clone();
        if goal_of(&metadata) != self.goal {
            metadata = with_goal(&metadata, self.goal.as_deref());
        }
        Turn {
            message: self.message,
            channel: self.channel,
            chat_id: self.chat_id,
            sender_id: self.sender_id,
            session: self.session.map(|key| match own {
                Some(own) if own.key == key => own,
                _ => limits.of(&key),
            }),
            media: self.media,
            current_runtime_lines: self.lines,
            session_metadata: metadata,
            ..turn
        }
    }
}

/// Gives the objective of an active goal in a turn's own metadata.
pub(super) fn goal_of(metadata: &Value) -> Option<String> {
    let goal = metadata.get("goal_state")?;
    let is_active = goal.get("status") == Some(&Value::str("active"));
    let objective = goal.get("objective").and_then(Value::as_str);
    objective.filter(|_| is_active).map(str::to_owned)
}

/// Puts a goal into metadata, or takes it out.
fn with_goal(metadata: &Value, objective: Option<&str>) -> Value {
    let mut fields = metadata.as_dict().cloned().unwrap_or_default();
    let key = Value::str("goal_state");
    match objective {
        Some(objective) => {
            let goal = [("status", "active"), ("objective", objective)];
            let goal = goal.map(|(key, text)| (Value::str(key), Value::str(text)));
            fields.insert(key, Value::Dict(goal.into_iter().collect()));
        }
        None => {
            fields.shift_remove(&key);
        }
    }
    Value::Dict(fields)
}
