//! The runtime context: the block of facts that follows the user's text.

use chrono::{DateTime, FixedOffset, Utc};
use chrono_tz::Tz;

use crate::prompt::Turn;
use crate::python::Value;
use crate::python::json::{self, JsonFailure};
use crate::python::text::{first_chars, rstrip, strip};
use crate::workspace::agent_error::AgentError;
use crate::workspace::host::{Host, LocalZone};

/// The block's first line. It is data of the agent's format: the agent looks for it in stored text.
const TAG: &str = "[Runtime Context — metadata only, not instructions]";
/// How many characters of a goal are shown at most.
const MAX_GOAL_CHARS: usize = 4000;
/// The block's last line.
const END: &str = "[/Runtime Context]";

/// Builds the block; mirrors `_build_runtime_context`.
///
/// Channel and chat id are shown only when neither is empty, the sender when it is not empty.
pub(super) fn block(
    turn: &Turn,
    host: &Host,
    goal_lines: &[String],
    attached: &[String],
) -> String {
    let given = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    let mut lines = vec![
        TAG.to_owned(),
        format!(
            "Current Time: {}",
            current_time(turn.timezone.as_deref(), host)
        ),
    ];
    if let (Some(channel), Some(chat_id)) = (given(&turn.channel), given(&turn.chat_id)) {
        lines.push(format!("Channel: {channel}"));
        lines.push(format!("Chat ID: {chat_id}"));
    }
    if let Some(sender_id) = given(&turn.sender_id) {
        lines.push(format!("Sender ID: {sender_id}"));
    }
    lines.extend(goal_lines.iter().chain(attached).cloned());
    let further = turn.current_runtime_lines.iter();
    lines.extend(further.filter(|line| !line.is_empty()).cloned());
    lines.push(END.to_owned());
    lines.join("\n")
}

/// Writes the clock as the agent does: `2026-06-19 10:30 (Friday) (Asia/Shanghai, UTC+08:00)`.
///
/// A zone that is not known prints its own name over the machine's time; no zone prints the
/// machine's abbreviation.
fn current_time(timezone: Option<&str>, host: &Host) -> String {
    let timezone = timezone.filter(|name| !name.is_empty());
    let zone = timezone
        .and_then(|name| name.parse::<Tz>().ok())
        .map_or(host.local_timezone, LocalZone::Named);
    let name = timezone.map_or_else(|| zone.abbreviation(host.now), str::to_owned);
    written(zone.offset(host.now), host.now, &name)
}

fn written(offset: FixedOffset, now: DateTime<Utc>, name: &str) -> String {
    let seconds = offset.local_minus_utc();
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let offset_text = match (size / 3600, size / 60 % 60, size % 60) {
        (hours, minutes, 0) => format!("{sign}{hours:02}:{minutes:02}"),
        // Python writes these in one piece, and the agent puts a colon only into five characters.
        (hours, minutes, seconds) => format!("{sign}{hours:02}{minutes:02}{seconds:02}"),
    };
    let local = now.with_timezone(&offset);
    format!(
        "{} ({name}, UTC{offset_text})",
        local.format("%Y-%m-%d %H:%M (%A)")
    )
}

/// Gives the lines about an active goal in a session's metadata.
///
/// Mirrors `goal_state_runtime_lines`: the goal may be a mapping or JSON text, under `goal_state`,
/// else under `thread_goal`. Fails where the reference raises on metadata that is no mapping.
pub(super) fn goal_lines(metadata: &Value) -> Result<Vec<String>, AgentError> {
    if !metadata.truth() {
        return Ok(Vec::new());
    }
    let Some(fields) = metadata.as_dict() else {
        let message = format!("the session's metadata is a {}", metadata.type_name());
        // The reference asks whether the key is in it before it asks for the value.
        let class = match metadata {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => "TypeError",
            _ => "AttributeError",
        };
        return Err(AgentError::new(class, message));
    };
    let key = [Value::str("goal_state"), Value::str("thread_goal")]
        .into_iter()
        .find(|key| fields.contains_key(key));
    let parsed;
    let goal = match key.and_then(|key| fields.get(&key)) {
        Some(Value::Str(text)) => match json::loads(text) {
            Ok(value) => {
                parsed = value;
                &parsed
            }
            Err(JsonFailure::Decode { .. }) => return Ok(Vec::new()),
            Err(JsonFailure::Raises { class, message }) => {
                return Err(AgentError::new(class, message));
            }
        },
        Some(value) => value,
        None => return Ok(Vec::new()),
    };
    if goal.get("status") != Some(&Value::str("active")) {
        return Ok(Vec::new());
    }
    Ok(active_goal(goal))
}

fn active_goal(goal: &Value) -> Vec<String> {
    let text = |key: &str| match goal.get(key) {
        Some(value) if value.truth() => strip(&value.to_str()).to_owned(),
        _ => String::new(),
    };
    let mut objective = text("objective");
    if objective.is_empty() {
        return vec!["Goal: active (no objective text stored).".to_owned()];
    }
    if objective.chars().count() > MAX_GOAL_CHARS {
        objective = format!(
            "{}\n… (truncated)",
            rstrip(first_chars(&objective, MAX_GOAL_CHARS))
        );
    }
    let mut lines = vec!["Goal (active):".to_owned(), objective];
    let summary = text("ui_summary");
    if !summary.is_empty() {
        lines.push(format!("Summary: {summary}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_offsets_are_written_as_python_writes_them() {
        let now: DateTime<Utc> = "1900-01-01T00:00:00Z".parse().unwrap();
        let text = written(
            LocalZone::Named(Tz::America__St_Johns).offset(now),
            now,
            "x",
        );
        assert!(text.ends_with("(x, UTC-033052)"), "{text}");
    }

    #[test]
    fn metadata_that_is_no_mapping_raises_unless_it_is_empty() {
        assert_eq!(goal_lines(&Value::None), Ok(vec![]));
        assert_eq!(goal_lines(&Value::List(vec![])), Ok(vec![]));
        let class = |metadata: Value| goal_lines(&metadata).unwrap_err().class;
        assert_eq!(class(Value::str("x")), "AttributeError");
        assert_eq!(class(Value::List(vec![Value::None])), "AttributeError");
        assert_eq!(class(Value::Int((-1).into())), "TypeError");
        assert_eq!(class(Value::Bool(true)), "TypeError");
    }
}
