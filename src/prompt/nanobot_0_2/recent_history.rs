//! Recent History: the newest entries of history.jsonl, capped twice.

use std::path::Path;
use std::sync::Arc;

use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::{Fate, HistoryCut, HistoryFate, Section, SectionId, Turn};
use crate::tokens::{Cut, cut_to_tokens};
use crate::workspace::Workspace;
use crate::workspace::history::{HistoryEntry, dream_cursor, is_internal_session};

/// How many entries are shown at most.
const MAX_ENTRIES: usize = 50;
/// How many `cl100k_base` tokens they take at most.
const MAX_TOKENS: usize = 8000;
/// What stands in front of them.
const HEAD: &str = "# Recent History\n\n";

/// Builds the section, and tells what became of each line of the file; mirrors
/// `read_recent_history_for_prompt` and the caps that follow it.
pub(super) fn build(
    workspace: &Workspace,
    turn: &Turn,
    session_key: Option<&str>,
) -> (Section, Vec<HistoryFate>) {
    const ID: SectionId = SectionId::RecentHistory;
    let path = workspace.root.join("memory").join("history.jsonl");
    let history = workspace.history.history();
    let skipped = history.skipped.iter().map(|skipped| HistoryFate {
        line: skipped.line,
        fate: Fate::Malformed(skipped.reason),
    });
    let mut fates: Vec<HistoryFate> = skipped.collect();
    if !turn.include_memory_recent_history {
        return (Section::absent(ID, "switched off for this turn"), fates);
    }
    if let Some(mut error) = history.raises.clone() {
        error.path = Some(path);
        return (Section::failed(ID, error), fates);
    }
    let since = dream_cursor(&workspace.dream_cursor);
    let mut ours: Vec<&HistoryEntry> = Vec::new();
    let (mut is_recent, mut has_entry) = (false, false);
    for entry in &history.entries {
        has_entry = true;
        let fate = if entry.cursor <= since {
            Fate::BeforeCursor
        } else if is_ours(entry, session_key, turn.unified_session) {
            is_recent = true;
            ours.push(entry);
            continue;
        } else {
            is_recent = true;
            Fate::OtherSession
        };
        let line = entry.line;
        fates.push(HistoryFate { line, fate });
    }
    let reason = match (has_entry, is_recent) {
        (false, _) => "no history entry",
        (true, false) => "no entry after the Dream cursor",
        (true, true) => "no entry of this session",
    };
    if ours.is_empty() {
        fates.sort_by_key(|entry| entry.line);
        return (Section::absent(ID, reason), fates);
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
    let whole = shown.len() - lost - usize::from(in_part);
    fates.extend(ours.iter().enumerate().map(|(index, entry)| HistoryFate {
        line: entry.line,
        fate: match index.checked_sub(over_count) {
            None => Fate::OverCount,
            Some(index) if index < whole => Fate::Shown,
            Some(index) if in_part && index == whole => Fate::CutInPart,
            Some(_) => Fate::Cut,
        },
    }));
    fates.sort_by_key(|entry| entry.line);
    let is_cut = cut.kept_bytes.is_some() || over_count > 0 || cut.by_characters;
    let path: Arc<Path> = path.into();
    let places = shown.iter().map(|entry| Place {
        path: path.clone(),
        line: entry.line,
    });
    let section = Section {
        cut: is_cut.then_some(HistoryCut {
            over_count,
            lost,
            in_part,
            at: cut.kept_bytes.map(|_| HEAD.len() + cut.end),
            by_characters: cut.by_characters,
        }),
        ..Section::present(ID, traced(&cut, &lines, places))
    };
    (section, fates)
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
