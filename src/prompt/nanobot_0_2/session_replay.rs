//! A stored session as the agent replays it in front of the new message.

mod clean;

use super::media::record;
use super::noted;
use crate::prompt::provenance::Place;
use crate::prompt::{Replay, SessionRequest};
use crate::python::json::dumps;
use crate::python::{Dict, Value, isoformat};
use crate::tokens::{Encoding, count, holds_special_token};
use crate::workspace::Workspace;
use crate::workspace::agent_error::AgentError;
use crate::workspace::session::{Session, StoredSession};

/// A replayed session, and where its parts stand.
pub(super) struct Replayed {
    pub replay: Replay,
    /// The line of the file that holds summary and goal.
    pub metadata: Option<Place>,
    /// What the agent raises over the summary.
    pub summary_error: Option<AgentError>,
}

/// The fields that go out with a message besides its role and content.
const KEPT_FIELDS: [&str; 5] = [
    "tool_calls",
    "tool_call_id",
    "name",
    "reasoning_content",
    "thinking_blocks",
];

/// Replays a session; mirrors `prepare_session` and `Session.get_history` of the reference.
pub(super) fn replay(
    workspace: &Workspace,
    request: &SessionRequest,
    errors: &mut Vec<AgentError>,
) -> Replayed {
    let stored = workspace
        .session
        .as_ref()
        .filter(|stored| stored.key == request.key);
    let session = stored.map_or_else(|| Session::empty(&request.key), Session::load);
    let on_line = |line: usize| {
        stored.map(|stored| Place {
            path: stored.path.as_path().into(),
            line,
        })
    };
    let metadata = session.metadata_line.and_then(on_line);
    let summary = summary(&session).map_err(|error| placed(error, metadata.as_ref()));
    let summary_error = summary.as_ref().err().cloned();
    let history = history(&session, request, stored);
    Replayed {
        summary_error,
        metadata,
        replay: Replay {
            stored: session.messages.len(),
            summary: noted(summary, errors).flatten(),
            history: noted(history, errors).unwrap_or_default(),
            key: session.key,
            metadata: session.metadata,
        },
    }
}

/// Says where an error stands.
pub(super) fn placed(error: AgentError, place: Option<&Place>) -> AgentError {
    match place {
        Some(place) if error.path.is_none() => AgentError {
            path: Some(place.path.to_path_buf()),
            ..error.on_line(place.line)
        },
        _ => error,
    }
}

/// Builds the summary text; internal sessions of Dream have none.
fn summary(session: &Session) -> Result<Option<String>, AgentError> {
    if session.key.starts_with("dream:") {
        return Ok(None);
    }
    let Some(metadata) = session.metadata.as_dict() else {
        let message = format!(
            "the session's metadata is a {}",
            session.metadata.type_name()
        );
        return Err(AgentError::new("AttributeError", message));
    };
    let Some(stored @ Value::Dict(_)) = metadata.get(&Value::str("_last_summary")) else {
        return Ok(None);
    };
    let field = |key: &str| {
        stored.get(key).ok_or_else(|| {
            AgentError::new("KeyError", format!("the stored summary has no `{key}`"))
        })
    };
    let text = field("text")?.to_str();
    let stamp = field("last_active")?;
    let Some(stamp_text) = stamp.as_str() else {
        let message = format!("`last_active` is a {}, not text", stamp.type_name());
        return Err(AgentError::new("TypeError", message));
    };
    let at = isoformat::parse(stamp_text).ok_or_else(|| {
        AgentError::new(
            "ValueError",
            format!("`last_active` is no date: {stamp_text:?}"),
        )
    })?;
    let at = isoformat::write(&at);
    Ok(Some(format!(
        "Previous conversation summary (last active {at}):\n{text}"
    )))
}

fn history(
    session: &Session,
    request: &SessionRequest,
    stored: Option<&StoredSession>,
) -> Result<Vec<Value>, AgentError> {
    let max_messages = match request.max_messages {
        0 => SessionRequest::MAX_MESSAGES,
        limit => limit,
    };
    let open = &session.messages[session.last_consolidated..];
    let recent = &open[open.len().saturating_sub(max_messages)..];
    let whole_turns = from_first_user(recent);
    let legal = &whole_turns[legal_start(whole_turns.iter())?..];
    let mut out = Vec::new();
    let last = session.messages.len();
    for (index, message) in legal.iter().enumerate() {
        // The messages that go out are the last ones of the file.
        let line = session.lines.get(last - legal.len() + index);
        let place = stored.zip(line).map(|(stored, line)| Place {
            path: stored.path.as_path().into(),
            line: *line,
        });
        let message = outgoing(message).map_err(|error| placed(error, place.as_ref()))?;
        out.extend(message);
    }
    if request.max_tokens > 0 && !out.is_empty() {
        out = within_tokens(out, request.max_tokens)?;
    }
    Ok(out.into_iter().map(Value::Dict).collect())
}

/// Starts at the first user turn, or at the delivery that it may be an answer to.
fn from_first_user(messages: &[Dict]) -> &[Dict] {
    match messages.iter().position(is_user) {
        Some(at) if at > 0 && is_true(&messages[at - 1], "_channel_delivery") => {
            &messages[at - 1..]
        }
        Some(at) => &messages[at..],
        None => messages,
    }
}

fn field<'a>(message: &'a Dict, key: &str) -> Option<&'a Value> {
    message.get(&Value::str(key))
}

fn is_true(message: &Dict, key: &str) -> bool {
    field(message, key).is_some_and(Value::truth)
}

fn has_role(message: &Dict, role: &str) -> bool {
    field(message, "role") == Some(&Value::str(role))
}

fn is_user(message: &Dict) -> bool {
    has_role(message, "user")
}

/// Finds the first message from which every tool result has its call before it.
///
/// After an orphan, calls declared before it count no longer, so one late orphan can leave nothing.
fn legal_start<'a>(messages: impl Iterator<Item = &'a Dict>) -> Result<usize, AgentError> {
    let mut declared = Vec::new();
    let mut start = 0;
    for (index, message) in messages.enumerate() {
        if has_role(message, "assistant") {
            match field(message, "tool_calls") {
                Some(Value::List(calls)) => {
                    let ids = calls.iter().filter_map(|call| call.get("id"));
                    declared.extend(ids.filter(|id| id.truth()).map(Value::to_str));
                }
                Some(other @ (Value::Int(_) | Value::Float(_) | Value::Bool(_)))
                    if other.truth() =>
                {
                    let text = format!("`tool_calls` is a {}, not a list", other.type_name());
                    return Err(AgentError::new("TypeError", text));
                }
                _ => {}
            }
        } else if has_role(message, "tool")
            && let Some(id) = field(message, "tool_call_id").filter(|id| id.truth())
            && !declared.contains(&id.to_str())
        {
            start = index + 1;
            declared.clear();
        }
    }
    Ok(start)
}

/// Makes the message that goes out, if it does: commands and blank answers stay behind.
fn outgoing(message: &Dict) -> Result<Option<Dict>, AgentError> {
    if is_true(message, "_command") {
        return Ok(None);
    }
    let content = clean::content(message);
    let is_blank =
        matches!(&content, Value::Str(text) if crate::python::text::strip(text).is_empty());
    let says_more = ["tool_calls", "reasoning_content", "thinking_blocks"]
        .iter()
        .any(|key| field(message, key).is_some());
    if has_role(message, "assistant") && is_blank && !says_more {
        return Ok(None);
    }
    let Some(role) = field(message, "role") else {
        let text = "a message of the session has no `role`";
        return Err(AgentError::new("KeyError", text));
    };
    let Value::Dict(mut out) = record([("role", role.clone()), ("content", content)]) else {
        return Ok(None);
    };
    for key in KEPT_FIELDS {
        if let Some(value) = field(message, key) {
            out.insert(Value::str(key), value.clone());
        }
    }
    Ok(Some(out))
}

/// Keeps the newest messages within a number of tokens, from a user turn and a legal boundary on.
fn within_tokens(messages: Vec<Dict>, max_tokens: usize) -> Result<Vec<Dict>, AgentError> {
    let mut used = 0;
    let mut start = messages.len();
    for (index, message) in messages.iter().enumerate().rev() {
        let tokens = estimate(message)?;
        if start < messages.len() && used + tokens > max_tokens {
            break;
        }
        used += tokens;
        start = index;
    }
    let first_user = messages[start..]
        .iter()
        .position(is_user)
        .map(|at| start + at);
    // A budget that leaves answers only goes back to the nearest question.
    let last_user = || messages.iter().rposition(is_user);
    start = first_user.or_else(last_user).unwrap_or(start);
    start += legal_start(messages[start..].iter())?;
    Ok(messages.into_iter().skip(start).collect())
}

/// Counts a message as the agent does for this limit: its texts joined by line ends, and 4 more.
fn estimate(message: &Dict) -> Result<usize, AgentError> {
    let mut parts = Vec::new();
    match field(message, "content") {
        Some(Value::Str(text)) => parts.push(text.clone()),
        Some(Value::List(blocks)) => {
            for block in blocks {
                parts.extend(block_text(block)?);
            }
        }
        None | Some(Value::None) => {}
        Some(other) => parts.push(dumps(other)),
    }
    let text = |key: &str| {
        let text = field(message, key).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    parts.extend(text("name"));
    parts.extend(text("tool_call_id"));
    if let Some(calls) = field(message, "tool_calls").filter(|calls| calls.truth()) {
        parts.push(dumps(calls));
    }
    parts.extend(text("reasoning_content"));
    let payload = parts.join("\n");
    Ok(if payload.is_empty() {
        4
    } else if holds_special_token(&payload) {
        payload.chars().count() / 4 + 4
    } else {
        count(Encoding::Cl100kBase, &payload) + 4
    })
}

/// Gives what a block counts as: its text, if it has any, else the block as JSON.
fn block_text(block: &Value) -> Result<Option<String>, AgentError> {
    if block.get("type") != Some(&Value::str("text")) {
        return Ok(Some(dumps(block)));
    }
    match block.get("text").filter(|text| text.truth()) {
        None => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text.clone())),
        Some(other) => {
            let text = format!("the `text` of a block is a {}", other.type_name());
            Err(AgentError::new("TypeError", text))
        }
    }
}
