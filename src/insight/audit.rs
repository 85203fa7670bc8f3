//! The audit of the history: every line of history.jsonl with its fate and its tokens.

use crate::prompt::{Assembly, Fate, SectionId};
use crate::tokens::Counter;
use crate::workspace::Workspace;

/// A line of the history with its fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// The line of history.jsonl, from 1.
    pub line: usize,
    /// What becomes of it.
    pub fate: Fate,
    /// When it happened, as written.
    pub timestamp: String,
    /// The session that it belongs to.
    pub session_key: Option<String>,
    /// What happened.
    pub content: String,
    /// The tokens of the line as the prompt shows it; 0 for one that is passed over.
    pub tokens: usize,
}

/// Lists every line of the history.
#[must_use]
pub fn audit(workspace: &Workspace, assembly: &Assembly, counter: &mut Counter) -> Vec<Audited> {
    let history = workspace.history.history();
    let mut entries = history.entries.iter().peekable();
    let fates = assembly.history_fates.iter();
    fates
        .map(|entry| {
            while entries.next_if(|known| known.line < entry.line).is_some() {}
            let own = entries.next_if(|known| known.line == entry.line);
            let (timestamp, content, session_key) = own.map_or_else(Default::default, |own| {
                let (timestamp, content) = (own.timestamp.clone(), own.content.clone());
                (timestamp, content, own.session_key.clone())
            });
            let tokens = own.map_or(0, |own| {
                counter.count(&format!("- [{}] {}", own.timestamp, own.content))
            });
            Audited {
                line: entry.line,
                fate: entry.fate,
                timestamp,
                session_key,
                content,
                tokens,
            }
        })
        .collect()
}

/// Says where the history is cut: in which line, and after how many of its characters as the prompt
/// shows them.
#[must_use]
pub fn cut(lines: &[Audited], assembly: &Assembly) -> Option<(usize, usize)> {
    let section = assembly.section(SectionId::RecentHistory);
    let at = section.cut.as_ref()?.at?;
    let shown = section.text.as_deref()?;
    let first = lines
        .iter()
        .filter(|line| matches!(line.fate, Fate::Cut | Fate::CutInPart));
    let first = first.min_by_key(|line| line.line)?;
    let kept = match first.fate {
        Fate::CutInPart => {
            let before = shown.get(..at)?;
            let start = before.rfind(&format!("- [{}] ", first.timestamp))?;
            before[start..].chars().count()
        }
        _ => 0,
    };
    Some((first.line, kept))
}
