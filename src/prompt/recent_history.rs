//! Recent History: the newest entries of history.jsonl, capped twice.

use super::{Profile, Section, SectionId, Source, Turn};
use crate::tokens::cut_to_tokens;
use crate::workspace::Workspace;
use crate::workspace::history::{History, HistoryEntry, dream_cursor, is_internal_session};

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

/// Builds the section; mirrors `read_recent_history_for_prompt` and the caps that follow it.
pub(super) fn build(
    workspace: &Workspace,
    turn: &Turn,
    session_key: Option<&str>,
    profile: &Profile,
) -> Section {
    const ID: SectionId = SectionId::RecentHistory;
    const HEAD: &str = "# Recent History\n\n";
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
    let over_count = ours.len().saturating_sub(profile.max_recent_history);
    let lines: Vec<String> = ours[over_count..]
        .iter()
        .map(|entry| format!("- [{}] {}", entry.timestamp, entry.content))
        .collect();
    let cut = cut_to_tokens(&lines.join("\n"), profile.max_history_tokens);
    let (lost, in_part) = cut.kept_bytes.map_or((0, false), |kept| lost(&lines, kept));
    let is_cut = cut.kept_bytes.is_some() || over_count > 0 || cut.by_characters;
    let text = format!("{HEAD}{}", cut.text);
    let source = Source {
        path,
        range: HEAD.len()..HEAD.len() + cut.end,
    };
    Section {
        cut: is_cut.then_some(HistoryCut {
            over_count,
            lost,
            in_part,
            at: cut.kept_bytes.map(|_| HEAD.len() + cut.end),
            by_characters: cut.by_characters,
        }),
        ..Section::present(ID, text, vec![source])
    }
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
