//! `memory/history.jsonl`: what is passed over, what is cut, and what takes the room.

use std::collections::BTreeSet;

use num_bigint::BigInt;

use super::{Finding, Subject, finding};
use crate::prompt::{Fate, SectionId};
use crate::workspace::history::{History, dream_cursor};

const PATH: &str = "memory/history.jsonl";
/// From how many entries on a cursor that stands still is told of: as many as are ever shown.
const MANY: usize = 50;
/// From which share of Recent History on an entry counts as heavy, in percent.
const HEAVY: usize = 25;
/// Below so many bytes of Recent History nothing is heavy.
const LIGHT: usize = 4000;

/// Checks the history.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let history = subject.workspace.history.history();
    for skipped in &history.skipped {
        let rule = if skipped.reason.contains("cursor") {
            "cursor-type"
        } else {
            "history-malformed"
        };
        let message = format!("{}: the agent passes over the line", skipped.reason);
        let fix = match rule {
            "cursor-type" => "give it a whole number of 0 or more",
            _ => "repair the line, or delete it",
        };
        found.push(
            finding(rule, message, fix)
                .on_line(PATH, skipped.line)
                .of(SectionId::RecentHistory),
        );
    }
    let since = dream_cursor(&subject.workspace.dream_cursor);
    let waiting = history
        .entries
        .iter()
        .filter(|entry| entry.cursor > since)
        .count();
    if waiting > MANY && waiting == history.entries.len() {
        let stands = if since == BigInt::ZERO {
            "missing or at 0".to_owned()
        } else {
            format!("at {since}")
        };
        let message = format!(
            "the Dream cursor is {stands}, before all {waiting} entries: nothing was ever folded into the memory"
        );
        let fix = "let the agent dream, or set memory/.dream_cursor";
        found.push(
            finding("cursor-stuck", message, fix)
                .on_line(PATH, 1)
                .of(SectionId::RecentHistory),
        );
    }
    let section = subject.assembly.section(SectionId::RecentHistory);
    if let Some(cut) = &section.cut {
        let first = subject
            .assembly
            .history_fates
            .iter()
            .find(|entry| matches!(entry.fate, Fate::Cut | Fate::CutInPart));
        let line = first.map_or(1, |entry| entry.line);
        if cut.lost > 0 || cut.in_part {
            let message = format!(
                "Recent History is full: the newest {} entries are lost, from this line on",
                cut.lost + usize::from(cut.in_part)
            );
            let fix = "shorten the heaviest entries, or let the agent dream";
            found.push(
                finding("history-cut", message, fix)
                    .on_line(PATH, line)
                    .of(SectionId::RecentHistory),
            );
        }
        if cut.by_characters {
            let message = "a special token such as <|endoftext|> stands in the history: the agent caps it by characters instead of tokens";
            let line = history
                .entries
                .iter()
                .find(|entry| entry.content.contains("<|"))
                .map_or(1, |entry| entry.line);
            found.push(
                finding("special-token", message, "take it out")
                    .on_line(PATH, line)
                    .of(SectionId::RecentHistory),
            );
        }
    }
    heavy(subject, history, found);
}

fn heavy(subject: &Subject, history: &History, found: &mut Vec<Finding>) {
    let fates = subject.assembly.history_fates.iter();
    let fates = fates.filter(|entry| matches!(entry.fate, Fate::Shown | Fate::CutInPart));
    let lines: BTreeSet<usize> = fates.map(|entry| entry.line).collect();
    let entries = history.entries.iter();
    let shown: Vec<_> = entries
        .filter(|entry| lines.contains(&entry.line))
        .collect();
    let all: usize = shown.iter().map(|entry| entry.content.len()).sum();
    if all < LIGHT || shown.len() < 3 {
        return;
    }
    for entry in shown {
        let share = entry.content.len() * 100 / all;
        if share >= HEAVY {
            let message = format!("this entry is {share}% of what is shown of the history");
            let fix = "shorten it: `promptscope history --heaviest` ranks them";
            found.push(
                finding("history-heavy", message, fix)
                    .on_line(PATH, entry.line)
                    .of(SectionId::RecentHistory),
            );
        }
    }
}
