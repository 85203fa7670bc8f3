//! Recent History: the newest entries of history.jsonl, capped twice.

use std::path::Path;
use std::sync::Arc;

use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::{HistoryCut, Section, SectionId, Turn};
use crate::tokens::{Cut, cut_to_tokens};
use crate::workspace::Workspace;
use crate::workspace::history::{History, HistoryEntry, dream_cursor, is_internal_session};

/// How many entries are shown at most.
const MAX_ENTRIES: usize = 50;
/// How many `cl100k_base` tokens they take at most.
const MAX_TOKENS: usize = 8000;
/// What stands in front of them.
const HEAD: &str = "# Recent History\n\n";

/// Builds the section; mirrors `read_recent_history_for_prompt` and the caps that follow it.
pub(super) fn build(workspace: &Workspace, turn: &Turn, session_key: Option<&str>) -> Section {
    const ID: SectionId = SectionId::RecentHistory;
    if !turn.include_memory_recent_history {
        return Section::absent(ID, "switched off for this turn");
    }
    let path = workspace.root.join("memory").join("history.jsonl");
    let history = History::read(&workspace.history);
    if let Some(mut error) = history.raises {
        error.path = Some(path);
        return Section::failed(ID, error);
    }
    if history.entries.is_empty() {
        return Section::absent(ID, "no history entry");
    }
    let since = dream_cursor(&workspace.dream_cursor);
    let recent: Vec<&HistoryEntry> = history
        .entries
        .iter()
        .filter(|entry| entry.cursor > since)
        .collect();
    if recent.is_empty() {
        return Section::absent(ID, "no entry after the Dream cursor");
    }
    let ours: Vec<&HistoryEntry> = recent
        .into_iter()
        .filter(|entry| is_ours(entry, session_key, turn.unified_session))
        .collect();
    if ours.is_empty() {
        return Section::absent(ID, "no entry of this session");
    }
    let (max_entries, max_tokens) = if turn.history_uncapped {
        (usize::MAX, usize::MAX)
    } else {
        (MAX_ENTRIES, MAX_TOKENS)
    };
    let over_count = ours.len().saturating_sub(max_entries);
    let shown = &ours[over_count..];
    let lines: Vec<String> = shown
        .iter()
        .map(|entry| format!("- [{}] {}", entry.timestamp, entry.content))
        .collect();
    let cut = cut_to_tokens(&lines.join("\n"), max_tokens);
    let (lost, in_part) = cut.kept_bytes.map_or((0, false), |kept| lost(&lines, kept));
    let is_cut = cut.kept_bytes.is_some() || over_count > 0 || cut.by_characters;
    let path: Arc<Path> = path.into();
    let places = shown.iter().map(|entry| Place {
        path: path.clone(),
        line: entry.line,
    });
    Section {
        cut: is_cut.then_some(HistoryCut {
            over_count,
            lost,
            in_part,
            at: cut.kept_bytes.map(|_| HEAD.len() + cut.end),
            by_characters: cut.by_characters,
        }),
        ..Section::present(ID, traced(&cut, &lines, places))
    }
}

/// Puts the heading in front of what is left of the entries, each of them with its line.
fn traced(cut: &Cut, lines: &[String], places: impl Iterator<Item = Place>) -> Traced {
    let mut text = Traced::generated(HEAD);
    let mut start = 0;
    for (index, (line, place)) in lines.iter().zip(places).enumerate() {
        let line_break = usize::from(index + 1 < lines.len());
        let end = (start + line.len() + line_break).min(cut.end);
        // A character that was cut in the middle stands as another one of other length.
        let end = cut.text.floor_char_boundary(end);
        if end <= start {
            break;
        }
        text.push(&cut.text[start..end], Origin::MadeFrom(place));
        start = end;
    }
    text.push_generated(&cut.text[start..]);
    text
}

/// Tells whether an entry may be shown to this session.
fn is_ours(entry: &HistoryEntry, session_key: Option<&str>, unified: bool) -> bool {
    let Some(session_key) = session_key else {
        return true;
    };
    let own = entry.session_key.as_deref() == Some(session_key);
    let internal = entry
        .session_key
        .as_deref()
        .is_some_and(is_internal_session);
    own || (unified && !internal)
}

/// Counts the entries of which nothing is left, and tells whether one is left in part.
fn lost(lines: &[String], kept: usize) -> (usize, bool) {
    let mut start = 0;
    for (index, line) in lines.iter().enumerate() {
        let end = start + line.len();
        if kept < end {
            let in_part = kept > start;
            return (lines.len() - index - usize::from(in_part), in_part);
        }
        start = end + 1;
    }
    (0, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_entries_are_told_from_the_one_cut_in_part() {
        let lines: Vec<String> = ["- [a] one", "- [b] two", "- [c] three"]
            .map(String::from)
            .into();
        assert_eq!(lost(&lines, 9), (2, false));
        assert_eq!(lost(&lines, 10), (2, false));
        assert_eq!(lost(&lines, 12), (1, true));
        assert_eq!(lost(&lines, 31), (0, false));
        assert_eq!(lost(&lines, 0), (3, false));
    }
}
