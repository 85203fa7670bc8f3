//! Stored sessions: what the agent passes over or drops when it replays them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Finding, Place, Subject, finding};
use crate::python::{Dict, Value, json};
use crate::workspace::read::FileRead;
use crate::workspace::session::{Session, StoredSession};
use crate::workspace::survey::FileKind;

/// What the runtime context begins with, and at which a stored text is cut.
const RUNTIME_TAG: &str = "[Runtime Context — metadata only, not instructions]";

/// Checks every stored session, and the present message.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for (path, text) in subject.survey.of(FileKind::Session) {
        let stored = StoredSession {
            key: path.to_owned(),
            path: PathBuf::from(path),
            content: FileRead::Text(text.into()),
        };
        let session = Session::load(&stored);
        for line in &session.skipped_lines {
            let message = "the line is no JSON: the agent passes over it";
            found.push(
                finding("session-damaged", message, "repair the line, or delete it")
                    .on_line(path, *line),
            );
        }
        if session.messages.is_empty() && session.metadata_line.is_none() && !text.trim().is_empty()
        {
            let message = "the file is past repair: the agent starts an empty session";
            found.push(
                finding("session-damaged", message, "restore it from a copy").on_line(path, 1),
            );
        }
        offset(path, text, &session, found);
        orphans(path, &session, found);
        tags(path, text, &session, found);
    }
    if subject.turn.message.contains(RUNTIME_TAG) {
        let message = "the message holds the tag of the runtime context: what follows it is lost when the turn is stored";
        found.push(finding(
            "runtime-tag",
            message,
            "take the tag out of the message",
        ));
    }
}

fn offset(path: &str, text: &str, session: &Session, found: &mut Vec<Finding>) {
    let Some(line) = session.metadata_line else {
        return;
    };
    let record = text
        .split('\n')
        .nth(line - 1)
        .and_then(|line| json::loads(line.trim()).ok());
    let Some(given) = record
        .as_ref()
        .and_then(|record| record.get("last_consolidated"))
    else {
        return;
    };
    let is_kept = matches!(given, Value::Int(given) if *given == session.last_consolidated.into());
    if !is_kept && !matches!(given, Value::None) {
        let message = format!(
            "last_consolidated is {} and there are {} messages: the agent takes it for 0 and replays everything",
            given.to_str(),
            session.messages.len()
        );
        let fix = "set it to a whole number within the messages";
        found.push(finding("session-offset", message, fix).on_line(path, line));
    }
}

fn orphans(path: &str, session: &Session, found: &mut Vec<Finding>) {
    let get = |message: &Dict, key: &str| message.get(&Value::str(key)).cloned();
    let mut called: BTreeSet<String> = BTreeSet::new();
    let messages = session
        .messages
        .iter()
        .zip(&session.lines)
        .skip(session.last_consolidated);
    for (message, line) in messages {
        let role = get(message, "role").map(|role| role.to_str());
        if role.as_deref() == Some("assistant")
            && let Some(Value::List(calls)) = get(message, "tool_calls")
        {
            called.extend(
                calls
                    .iter()
                    .filter_map(|call| call.get("id").map(Value::to_str)),
            );
        }
        if role.as_deref() == Some("tool") {
            let id = get(message, "tool_call_id").map(|id| id.to_str());
            if id.as_ref().is_none_or(|id| !called.contains(id)) {
                let message = format!(
                    "the tool result {:?} answers no call before it: the agent drops every message up to it",
                    id.unwrap_or_default()
                );
                let fix = "delete the line, or restore the call";
                found.push(finding("session-orphan-tool", message, fix).on_line(path, *line));
            }
        }
    }
}

fn tags(path: &str, text: &str, session: &Session, found: &mut Vec<Finding>) {
    if !text.contains(RUNTIME_TAG) {
        return;
    }
    for (message, line) in session.messages.iter().zip(&session.lines) {
        let content = message.get(&Value::str("content")).and_then(Value::as_str);
        let is_user = message.get(&Value::str("role")) == Some(&Value::str("user"));
        if is_user && content.is_some_and(|content| content.contains(RUNTIME_TAG)) {
            let column = text.split('\n').nth(line - 1).and_then(|text| {
                text.find(RUNTIME_TAG)
                    .map(|at| text[..at].chars().count() + 1)
            });
            let place = Place {
                line: *line,
                column: column.unwrap_or(1),
            };
            let message = "the tag of the runtime context stands in a person's text, and a model may take what follows for the agent's";
            found.push(finding("runtime-tag", message, "take the tag out").at(path, place));
        }
    }
}
