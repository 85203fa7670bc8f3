//! What an assembly is made of, whatever version of the agent it is for.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::SectionId;
use super::provenance::{Origin, Span, Traced, line_origins};
use crate::python::Value;
use crate::workspace::agent_error::AgentError;

/// One of the eight sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Which section it is.
    pub id: SectionId,
    /// The text as it goes out; `None` where the section is left out or cannot be built.
    pub text: Option<Arc<str>>,
    /// The pieces of the text, in order and without gaps.
    pub spans: Vec<Span>,
    /// The files that the text comes from, in order.
    pub sources: Vec<Source>,
    /// Why the section is left out, in a few words.
    pub absent: Option<&'static str>,
    /// What was cut off, for Recent History.
    pub cut: Option<HistoryCut>,
    /// What the agent raises while it builds this section.
    pub error: Option<AgentError>,
}

/// A part of a section's text that comes from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: Arc<Path>,
    /// Whether the file is a template.
    pub is_template: bool,
    /// The bytes of the section's text that come from it.
    pub range: Range<usize>,
}

/// What the two caps left out of Recent History.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCut {
    /// The entries that were left out because there are more than the profile allows: the oldest.
    pub over_count: usize,
    /// The entries of which nothing is left after the cut by tokens: the newest.
    pub lost: usize,
    /// Whether one entry is cut in the middle.
    pub in_part: bool,
    /// The byte of the section's text at which it was cut, where it was.
    pub at: Option<usize>,
    /// Whether a special token turned the cap into four characters a token.
    pub by_characters: bool,
}

/// What became of a line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryFate {
    /// The line of history.jsonl, from 1.
    pub line: usize,
    /// What became of it.
    pub fate: Fate,
}

/// What becomes of a line of the history in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is shown whole.
    Shown,
    /// It is shown and cut in the middle.
    CutInPart,
    /// Nothing of it is left after the cut by tokens.
    Cut,
    /// It is older than the newest that are shown at most.
    OverCount,
    /// It belongs to another session.
    OtherSession,
    /// It stands at or before the Dream cursor.
    BeforeCursor,
    /// It is passed over, for this reason.
    Malformed(&'static str),
}

impl Fate {
    /// Gives the word for it, as reports name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shown => "in",
            Self::CutInPart => "cut in part",
            Self::Cut => "cut",
            Self::OverCount => "over the count",
            Self::OtherSession => "other session",
            Self::BeforeCursor => "before the cursor",
            Self::Malformed(_) => "malformed",
        }
    }
}

/// What became of the new message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// It stands by itself.
    None,
    /// It was merged into the last message of the history.
    History,
    /// It was merged into the system prompt.
    System,
}

/// A replayed session.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The session's key.
    pub key: String,
    /// The messages that go out.
    pub history: Vec<Value>,
    /// The archived summary, if there is one.
    pub summary: Option<String>,
    /// What is stored beside the messages.
    pub metadata: Value,
    /// How many messages the file holds.
    pub stored: usize,
}

/// Everything that the agent would send, and what would stop it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// The eight sections, in order.
    pub sections: [Section; 8],
    /// The system prompt: the sections that are there, joined.
    pub system_prompt: Arc<str>,
    /// The final list of messages, the system prompt first.
    pub messages: Vec<Value>,
    /// The block that follows the user's text.
    pub runtime_context: String,
    /// How many lines of that block are worded by us, since the agent's wording is its own prose.
    pub approximate_lines: usize,
    /// What became of each line of the history.
    pub history_fates: Vec<HistoryFate>,
    /// What the new message was merged into.
    pub merge: Merge,
    /// The replayed session, where the turn names one.
    pub replay: Option<Replay>,
    /// The first thing that the agent would raise on this turn; with it, nothing is sent at all.
    pub error: Option<AgentError>,
}

impl Section {
    pub(super) fn present(id: SectionId, text: Traced) -> Self {
        let (text, spans) = text.into_parts();
        Self {
            text: Some(text.into()),
            sources: sources(&spans),
            spans,
            ..Self::empty(id)
        }
    }

    pub(super) fn absent(id: SectionId, reason: &'static str) -> Self {
        Self {
            absent: Some(reason),
            ..Self::empty(id)
        }
    }

    pub(super) fn failed(id: SectionId, error: AgentError) -> Self {
        Self {
            error: Some(error),
            ..Self::empty(id)
        }
    }

    fn empty(id: SectionId) -> Self {
        Self {
            id,
            text: None,
            spans: Vec::new(),
            sources: Vec::new(),
            absent: None,
            cut: None,
            error: None,
        }
    }

    /// Gives the origin of every line of the text.
    #[must_use]
    pub fn line_origins(&self) -> Vec<Origin> {
        let text = self.text.as_deref();
        text.map_or_else(Vec::new, |text| line_origins(text, &self.spans))
    }
}

/// Joins neighbouring pieces of one file.
fn sources(spans: &[Span]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for span in spans {
        let Some(path) = span.origin.path() else {
            continue;
        };
        match sources.last_mut() {
            Some(last) if last.path == *path && last.range.end == span.range.start => {
                last.range.end = span.range.end;
            }
            _ => sources.push(Source {
                path: path.clone(),
                is_template: span.origin.is_template(),
                range: span.range.clone(),
            }),
        }
    }
    sources
}

impl Assembly {
    /// Gives a section.
    #[must_use]
    pub fn section(&self, id: SectionId) -> &Section {
        &self.sections[id.index()]
    }

    /// Gives the message that holds the user's text, which is always the last.
    #[must_use]
    pub fn user_message(&self) -> &Value {
        self.messages.last().unwrap_or(&Value::None)
    }

    /// Gives the messages between the system prompt and the user's.
    #[must_use]
    pub fn history(&self) -> &[Value] {
        match self.messages.len() {
            0..=2 => &[],
            len => &self.messages[1..len - 1],
        }
    }
}
