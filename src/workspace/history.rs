//! `memory/history.jsonl` and the Dream cursor: which entries the agent can read.

use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;

use super::agent_error::AgentError;
use super::read::FileRead;
use crate::python::json::{self, JsonFailure};
use crate::python::number::int;
use crate::python::text::strip;
use crate::python::{Dict, Value};

/// One entry that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The line of the file, from 1.
    pub line: usize,
    /// The entry's number, 0 or more.
    pub cursor: BigInt,
    /// When it happened, as written.
    pub timestamp: String,
    /// What happened.
    pub content: String,
    /// The session it belongs to; `None` for a missing key as for `null`.
    pub session_key: Option<String>,
}

/// A line that the agent passes over, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// The history as the agent reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// The entries that count, in the order of the file.
    pub entries: Vec<HistoryEntry>,
    /// The lines that are passed over without a word.
    pub skipped: Vec<SkippedLine>,
    /// What the agent raises on this file, if it does.
    pub raises: Option<AgentError>,
}

/// `memory/history.jsonl` with the history in it, which is parsed once, when it is first asked for.
#[derive(Debug, Clone, Default)]
pub struct HistoryFile {
    file: FileRead,
    history: Arc<OnceLock<History>>,
}

impl PartialEq for HistoryFile {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

impl Eq for HistoryFile {}

impl HistoryFile {
    /// Takes in the file.
    #[must_use]
    pub fn new(file: FileRead) -> Self {
        Self {
            file,
            history: Arc::default(),
        }
    }

    /// Gives the history in it.
    #[must_use]
    pub fn history(&self) -> &History {
        self.history.get_or_init(|| History::read(&self.file))
    }

    /// Takes over what was parsed before, where the file is the same.
    pub fn take_over(&mut self, known: &Self) {
        if self == known {
            self.clone_from(known);
        }
    }
}

impl History {
    /// Reads the file's lines by the reference's rules.
    ///
    /// A line counts if it is JSON as Python reads it, an object, with a whole `cursor` of 0 or
    /// more, text `timestamp` and `content`, and `session_key` text or null. Broken lines are
    /// skipped; a valid line that is no object makes the reference raise once all lines are read.
    #[must_use]
    pub fn read(file: &FileRead) -> Self {
        let mut history = Self::default();
        let text = match file {
            FileRead::Missing => return history,
            FileRead::Failed(failure) => {
                history.raises = Some(failure.clone());
                return history;
            }
            FileRead::Text(text) => text,
        };
        let mut no_object = None;
        for (index, line) in text.split('\n').enumerate() {
            let number = index + 1;
            let line = strip(line);
            if line.is_empty() {
                continue;
            }
            match json::loads(line) {
                Ok(Value::Dict(record)) => match entry(number, &record) {
                    Ok(entry) => history.entries.push(entry),
                    Err(reason) => history.skipped.push(SkippedLine {
                        line: number,
                        reason,
                    }),
                },
                Ok(other) => {
                    no_object.get_or_insert_with(|| {
                        let message =
                            format!("holds a {} where an object must be", other.type_name());
                        AgentError::new("AttributeError", message).on_line(number)
                    });
                }
                Err(JsonFailure::Decode { .. }) => history.skipped.push(SkippedLine {
                    line: number,
                    reason: "no JSON",
                }),
                Err(JsonFailure::Raises { class, message }) => {
                    // Raised while reading, so before any line is looked at.
                    history.raises = Some(AgentError::new(class, message).on_line(number));
                    return history;
                }
            }
        }
        history.raises = no_object;
        history
    }
}

fn entry(line: usize, record: &Dict) -> Result<HistoryEntry, &'static str> {
    let get = |key: &str| record.get(&Value::str(key));
    let cursor = match get("cursor") {
        None | Some(Value::None) => return Err("no cursor"),
        Some(Value::Int(cursor)) if *cursor >= BigInt::ZERO => cursor.clone(),
        Some(_) => return Err("the cursor is no whole number of 0 or more"),
    };
    let text = |key: &str| get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(HistoryEntry {
        line,
        cursor,
        timestamp: text("timestamp").ok_or("the timestamp is no text")?,
        content: text("content").ok_or("the content is no text")?,
        session_key: match get("session_key") {
            None | Some(Value::None) => None,
            Some(Value::Str(key)) => Some(key.clone()),
            Some(_) => return Err("the session key is no text"),
        },
    })
}

/// Reads the Dream cursor: the number in `memory/.dream_cursor`, 0 where it is missing or unreadable.
#[must_use]
pub fn dream_cursor(file: &FileRead) -> BigInt {
    file.text()
        .and_then(|text| int(strip(text)))
        .unwrap_or_default()
}

/// Tells whether an entry of this session is kept out of a unified session's prompt.
#[must_use]
pub fn is_internal_session(key: &str) -> bool {
    key == "heartbeat" || key.starts_with("cron:") || key.starts_with("dream:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> History {
        History::read(&FileRead::Text(text.into()))
    }

    const GOOD: &str = r#"{"cursor": 1, "timestamp": "t", "content": "c"}"#;

    #[test]
    fn broken_lines_are_skipped_with_their_place() {
        let text = format!("{{broken\n\n{GOOD}\n{{\"cursor\": 2}}\n");
        let history = read(&text);
        assert_eq!(history.entries.len(), 1);
        assert_eq!(history.entries[0].line, 3);
        let skipped: Vec<_> = history.skipped.iter().map(|s| s.line).collect();
        assert_eq!(skipped, [1, 4]);
        assert_eq!(history.raises, None);
    }

    #[test]
    fn a_file_that_is_the_same_is_not_parsed_again() {
        let file = |text: &str| HistoryFile::new(FileRead::Text(text.into()));
        let known = file(GOOD);
        assert_eq!(known.history().entries.len(), 1);
        let (mut same, mut other) = (file(GOOD), file(""));
        same.take_over(&known);
        assert!(std::ptr::eq(same.history(), known.history()));
        other.take_over(&known);
        assert_eq!(other.history().entries.len(), 0);
    }

    #[test]
    fn cursors_of_other_types_do_not_count() {
        for cursor in ["true", "\"2\"", "-1", "1.0", "null"] {
            let line = format!(r#"{{"cursor": {cursor}, "timestamp": "t", "content": "c"}}"#);
            assert!(read(&line).entries.is_empty(), "{cursor}");
        }
        let huge =
            r#"{"cursor": 1000000000000000000000000000000, "timestamp": "t", "content": "c"}"#;
        assert_eq!(read(huge).entries.len(), 1);
    }

    #[test]
    fn a_line_that_is_no_object_makes_the_agent_raise() {
        let history = read(&format!("{GOOD}\n[1]\n42\n"));
        let raised = history.raises.unwrap();
        assert_eq!((raised.class, raised.line), ("AttributeError", Some(2)));
    }

    #[test]
    fn the_dream_cursor_is_read_as_int_reads() {
        let cursor = |text: &str| dream_cursor(&FileRead::Text(text.into()));
        assert_eq!(cursor(" 2 \n"), BigInt::from(2));
        assert_eq!(cursor("1\u{1c}"), BigInt::from(1));
        assert_eq!(cursor("-5"), BigInt::from(-5));
        assert_eq!(cursor("2.0"), BigInt::ZERO);
        assert_eq!(dream_cursor(&FileRead::Missing), BigInt::ZERO);
    }

    #[test]
    fn internal_sessions_are_known_by_name() {
        assert!(is_internal_session("cron:x"));
        assert!(is_internal_session("heartbeat"));
        assert!(!is_internal_session("heartbeat2"));
        assert!(!is_internal_session(""));
    }
}
