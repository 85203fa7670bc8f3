//! A session file: its messages, metadata and offset, repaired as the reference repairs it.

use std::path::{Path, PathBuf};

use super::path_text;
use super::read::{FileRead, FolderOrder, Found, Source};
use crate::python::json::{self, JsonFailure};
use crate::python::text::strip;
use crate::python::{Dict, Value, isoformat};

/// A file below `sessions/`, as far as a list of sessions needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// The session's key, from the file's metadata line, else the file's name without its ending.
    pub key: String,
    /// The file.
    pub path: PathBuf,
    /// The file's size in bytes.
    pub bytes: u64,
}

/// The file of the session that is to be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The session's key.
    pub key: String,
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub content: FileRead,
}

impl StoredSession {
    /// Reads the file of a session in the first of these folders that has one.
    ///
    /// The agent looks into the workspace's `sessions/`, then into the folder that older versions
    /// kept below the home folder, from which it would move the file.
    #[must_use]
    pub fn read(key: &str, folders: &[&Path], source: &Source) -> Self {
        let read = |folder: &&Path| {
            let path = folder.join(file_name(key));
            Self {
                key: key.to_owned(),
                content: source.text(&path),
                path,
            }
        };
        let found = folders.iter().map(read);
        let mut missing = None;
        for stored in found {
            if stored.content != FileRead::Missing {
                return stored;
            }
            missing.get_or_insert(stored);
        }
        missing.unwrap_or_else(|| read(&Path::new("")))
    }
}

/// A session as the agent loads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// The session's key.
    pub key: String,
    /// Every stored message.
    pub messages: Vec<Dict>,
    /// The line of the file on which each message stands, from 1.
    pub lines: Vec<usize>,
    /// The line of the file on which the metadata stands, from 1.
    pub metadata_line: Option<usize>,
    /// What is stored beside the messages: summary, goal and the like.
    pub metadata: Value,
    /// How many messages have been consolidated into memory; always within the list.
    pub last_consolidated: usize,
    /// Lines of the file that were passed over in repair, from 1.
    pub skipped_lines: Vec<usize>,
}

impl Session {
    /// Makes the empty session that the agent starts with.
    #[must_use]
    pub fn empty(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            messages: Vec::new(),
            lines: Vec::new(),
            metadata_line: None,
            metadata: Value::Dict(Dict::new()),
            last_consolidated: 0,
            skipped_lines: Vec::new(),
        }
    }

    /// Loads a session from its file's text.
    ///
    /// Mirrors the reference: a file that cannot be read whole is read again with broken lines left
    /// out; a file that is past repair gives an empty session.
    #[must_use]
    pub fn load(stored: &StoredSession) -> Self {
        let key = stored.key.as_str();
        let Some(text) = stored.content.text() else {
            return Self::empty(key);
        };
        Loading::strict(text)
            .or_else(|| Loading::repairing(text))
            .map_or_else(|| Self::empty(key), |loading| loading.session(key))
    }
}

/// What is gathered from a session file line by line.
struct Loading {
    messages: Vec<Dict>,
    lines: Vec<usize>,
    metadata_line: Option<usize>,
    metadata: Value,
    last_consolidated: Value,
    skipped_lines: Vec<usize>,
}

impl Loading {
    fn new() -> Self {
        Self {
            messages: Vec::new(),
            lines: Vec::new(),
            metadata_line: None,
            metadata: Value::Dict(Dict::new()),
            last_consolidated: Value::None,
            skipped_lines: Vec::new(),
        }
    }

    /// Reads every line; `None` at the first that Python stumbles over.
    fn strict(text: &str) -> Option<Self> {
        let mut loading = Self::new();
        for (number, line) in lines(text) {
            let Value::Dict(record) = json::loads(line).ok()? else {
                return None;
            };
            if is_metadata(&record) {
                for key in ["created_at", "updated_at"] {
                    if let Some(stamp) = record.get(&Value::str(key)).filter(|s| s.truth()) {
                        isoformat::parse(stamp.as_str()?)?;
                    }
                }
            }
            loading.add(number, record);
        }
        Some(loading)
    }

    /// Reads what can be read; `None` if nothing can, or on a line that no repair gets past.
    fn repairing(text: &str) -> Option<Self> {
        let mut loading = Self::new();
        for (number, line) in lines(text) {
            match json::loads(line) {
                Ok(Value::Dict(record)) => loading.add(number, record),
                Err(JsonFailure::Decode { .. }) => loading.skipped_lines.push(number),
                Ok(_) | Err(JsonFailure::Raises { .. }) => return None,
            }
        }
        (!loading.messages.is_empty() || loading.metadata.truth()).then_some(loading)
    }

    fn add(&mut self, line: usize, mut record: Dict) {
        if is_metadata(&record) {
            let mut take = |key: &str| record.shift_remove(&Value::str(key));
            self.metadata = take("metadata").unwrap_or_else(|| Value::Dict(Dict::new()));
            self.last_consolidated = take("last_consolidated").unwrap_or(Value::None);
            self.metadata_line = Some(line);
        } else {
            self.messages.push(record);
            self.lines.push(line);
        }
    }

    fn session(self, key: &str) -> Session {
        // An offset of another type or out of range would hide everything: the agent drops it.
        let offset = match &self.last_consolidated {
            Value::Int(offset) => usize::try_from(offset).unwrap_or(0),
            _ => 0,
        };
        Session {
            key: key.to_owned(),
            last_consolidated: if offset <= self.messages.len() {
                offset
            } else {
                0
            },
            messages: self.messages,
            lines: self.lines,
            metadata_line: self.metadata_line,
            metadata: self.metadata,
            skipped_lines: self.skipped_lines,
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .enumerate()
        .map(|(index, line)| (index + 1, strip(line)))
        .filter(|(_, line)| !line.is_empty())
}

fn is_metadata(record: &Dict) -> bool {
    record.get(&Value::str("_type")) == Some(&Value::str("metadata"))
}

/// Names the file of a session below `sessions/`, as the reference's `safe_key` does.
#[must_use]
pub fn file_name(key: &str) -> String {
    let safe: String = key
        .chars()
        .map(|c| if ":<>\"/\\|?*".contains(c) { '_' } else { c })
        .collect();
    format!("{}.jsonl", strip(&safe))
}

/// Lists the sessions of a folder by key; empty where it cannot be read.
#[must_use]
pub fn list(folder: &Path, source: &Source) -> Vec<SessionFile> {
    let mut sessions: Vec<SessionFile> = source
        .list(folder, FolderOrder::Name)
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .filter_map(|path| match source.find(&path) {
            Ok(Found::File(bytes)) => Some(SessionFile {
                key: key_of(&path, source),
                bytes,
                path,
            }),
            _ => None,
        })
        .collect();
    sessions.sort_by(|a, b| a.key.cmp(&b.key));
    sessions
}

/// Reads a session's key off the first line of its file.
fn key_of(path: &Path, source: &Source) -> String {
    const HEAD: u64 = 64 * 1024;
    let head = source.head(path, HEAD);
    let first = head.split(|&b| b == b'\n').next().unwrap_or_default();
    let stored = std::str::from_utf8(first)
        .ok()
        .and_then(|line| json::loads(strip(line)).ok())
        .and_then(|record| record.get("key").and_then(Value::as_str).map(str::to_owned));
    stored.unwrap_or_else(|| {
        path.file_stem()
            .map(|s| path_text(Path::new(s)))
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Session {
        Session::load(&StoredSession {
            key: "k".into(),
            path: "/w/sessions/k.jsonl".into(),
            content: FileRead::Text(text.into()),
        })
    }

    #[test]
    fn offsets_out_of_range_or_of_other_types_are_dropped() {
        let with = |offset: &str| {
            let text = format!(
                "{{\"_type\": \"metadata\", \"last_consolidated\": {offset}}}\n{{\"role\": \"user\"}}\n{{\"role\": \"user\"}}\n"
            );
            load(&text).last_consolidated
        };
        for offset in ["999", "\"1\"", "true", "-1", "1.0", "null", "1e0"] {
            assert_eq!(with(offset), 0, "{offset}");
        }
        assert_eq!(with("2"), 2);
        assert_eq!(with("1"), 1);
    }

    #[test]
    fn a_broken_line_is_left_out_and_a_stranger_empties_all() {
        let session = load("{\"role\": \"user\"}\n{broken\n{\"role\": \"assistant\"}\n");
        assert_eq!(
            (session.messages.len(), session.skipped_lines),
            (2, vec![2])
        );
        let session = load("{\"role\": \"user\"}\n[1]\n");
        assert!(session.messages.is_empty());
        assert!(load("{broken").messages.is_empty());
    }

    #[test]
    fn a_bad_date_sends_the_file_through_repair() {
        let text =
            "{\"_type\": \"metadata\", \"created_at\": \"soon\", \"metadata\": {\"a\": 1}}\n";
        assert!(load(text).metadata.get("a").is_some());
    }

    #[test]
    fn messages_and_metadata_know_their_lines() {
        let session = load(
            "\n{\"role\": \"user\"}\n{\"_type\": \"metadata\"}\n\n{broken\n{\"role\": \"tool\"}",
        );
        assert_eq!(session.lines, [2, 6]);
        assert_eq!(session.metadata_line, Some(3));
    }

    #[test]
    fn the_first_folder_that_has_the_file_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (new, old) = (dir.path().join("new"), dir.path().join("old"));
        let read = || StoredSession::read("a:1", &[&new, &old], &Source::default());
        assert_eq!(read().path, new.join("a_1.jsonl"));
        assert_eq!(read().content, FileRead::Missing);
        for folder in [&old, &new] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a_1.jsonl"), "").unwrap();
            assert_eq!(read().path, folder.join("a_1.jsonl"));
        }
    }

    #[test]
    fn file_names_are_made_safe() {
        assert_eq!(file_name("telegram:1"), "telegram_1.jsonl");
        assert_eq!(file_name(" a/b?c "), "a_b_c.jsonl");
    }
}
