//! The final list of messages: the new one is merged into a last one of the same role.

use super::media::{record, text_block};
use crate::prompt::Merge;
use crate::python::Value;
use crate::workspace::agent_error::AgentError;

/// Appends the runtime context to the user's content: to text after a blank line, else as a block.
pub(super) fn with_runtime_context(content: Value, runtime_context: &str) -> Value {
    match content {
        Value::List(mut blocks) => {
            blocks.push(text_block(runtime_context));
            Value::List(blocks)
        }
        other => Value::Str(format!("{}\n\n{runtime_context}", other.to_str())),
    }
}

/// Builds the list of messages; mirrors the end of `build_messages`.
///
/// Only the last message is looked at: earlier neighbours of one role stay as they are.
pub(super) fn messages(
    system_prompt: &str,
    history: Vec<Value>,
    content: Value,
    role: &str,
    errors: &mut Vec<AgentError>,
) -> (Vec<Value>, Merge) {
    let mut messages = vec![message("system", Value::str(system_prompt))];
    messages.extend(history);
    let merge = match messages.len() {
        1 => Merge::System,
        _ => Merge::History,
    };
    if let Some(last) = messages.last_mut() {
        match last {
            Value::Dict(fields) => {
                if fields.get(&Value::str("role")) == Some(&Value::str(role)) {
                    let before = fields.get(&Value::str("content")).unwrap_or(&Value::None);
                    let merged = merged(before, &content);
                    fields.insert(Value::str("content"), merged);
                    return (messages, merge);
                }
            }
            other => {
                let text = format!("the last message of the history is a {}", other.type_name());
                errors.push(AgentError::new("AttributeError", text));
            }
        }
    }
    messages.push(message(role, content));
    (messages, Merge::None)
}

fn message(role: &str, content: Value) -> Value {
    record([("role", Value::str(role)), ("content", content)])
}

/// Merges two contents; mirrors `_merge_message_content`.
fn merged(left: &Value, right: &Value) -> Value {
    if let (Value::Str(left), Value::Str(right)) = (left, right) {
        return if left.is_empty() {
            Value::str(right.as_str())
        } else {
            Value::Str(format!("{left}\n\n{right}"))
        };
    }
    let mut all = blocks(left);
    all.extend(blocks(right));
    Value::List(all)
}

/// Turns a content into blocks: whatever is no mapping becomes text as `str` writes it.
fn blocks(value: &Value) -> Vec<Value> {
    match value {
        Value::None => Vec::new(),
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Dict(_) => item.clone(),
                other => text_block(&other.to_str()),
            })
            .collect(),
        other => vec![text_block(&other.to_str())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_that_ends_in_no_mapping_raises() {
        let mut errors = Vec::new();
        let (messages, merge) = messages(
            "S",
            vec![Value::None],
            Value::str("now"),
            "user",
            &mut errors,
        );
        assert_eq!(errors[0].class, "AttributeError");
        assert_eq!((messages.len(), merge), (3, Merge::None));
    }
}
