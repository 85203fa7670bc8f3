//! The comparison for people: one line a part, and the first difference from both sides.

use std::fmt::Write as _;

use super::answer::Answer;
use super::compare::{Comparison, Difference, Verdict, parting};
use crate::display::sanitize::{Symbols, visible, width};
use crate::prompt::Assembly;
use crate::workspace::Workspace;
use crate::workspace::agent_install::AgentInstall;

/// How many characters are shown before the first difference, and from there on.
const BEFORE: usize = 24;
const AFTER: usize = 40;

/// Writes which agent is asked, and by which Python.
pub(super) fn head(agent: &AgentInstall, interpreter: &std::path::Path, python: &str) -> String {
    format!(
        "agent   {} in {}\npython  {python} at {}\n\n",
        agent.version.as_deref().unwrap_or("of unknown version"),
        agent.package.display(),
        interpreter.display()
    )
}

/// Writes all comparisons, the first difference and the last line.
pub(super) fn body(
    comparison: &Comparison,
    assembly: &Assembly,
    answer: &Answer,
    workspace: &Workspace,
) -> String {
    let mut out = String::new();
    let names = comparison.rows.iter().map(|(name, _)| name.chars().count());
    let column = names.max().unwrap_or(0);
    for (name, verdict) in &comparison.rows {
        let verdict = match verdict {
            Verdict::Equal(what) => format!("equal  {what}"),
            Verdict::Absent => "absent in both".into(),
            Verdict::Different => "DIFFERENT".into(),
        };
        // Writing into a String cannot fail, here and below.
        let _ = writeln!(out, "{name:column$}  {verdict}");
    }
    let raised = assembly.error.is_some() || answer.error.is_some();
    if answer.sections.is_none() && !raised {
        out.push_str(
            "note: this agent holds its sections otherwise; they are compared as a whole\n",
        );
    }
    if answer.tokenizer == Some(false) {
        out.push_str(
            "note: the agent cannot load its tokenizer (TIKTOKEN_CACHE_DIR) and counts 4 characters as a token\n",
        );
    }
    out.push('\n');
    if raised {
        let ours = assembly.error.as_ref().map(|error| {
            let problem = workspace.problem(error);
            format!("{}: {problem}", error.class)
        });
        let agents = answer.error.as_ref();
        let agents = agents.map(|(class, message)| format!("{class}: {message}"));
        let side =
            |text: Option<String>| one_line(&text.unwrap_or_else(|| "raises nothing".into()));
        sides(&mut out, &side(ours), &side(agents));
        out.push('\n');
    } else if let Some(difference) = &comparison.first {
        first_difference(&mut out, difference);
        out.push('\n');
    }
    out.push_str(&last_line(comparison, assembly));
    out
}

fn last_line(comparison: &Comparison, assembly: &Assembly) -> String {
    match (&comparison.first, &assembly.error) {
        (Some(difference), _) => format!("different: first in {}\n", difference.place),
        (None, Some(error)) => format!("equal: both raise {}\n", error.class),
        (None, None) => "equal: promptscope shows what the agent builds\n".into(),
    }
}

fn first_difference(out: &mut String, difference: &Difference) {
    let (Some(ours), Some(agents)) = (&difference.ours, &difference.agents) else {
        let _ = writeln!(out, "first difference: {}", difference.place);
        let side = |text: &Option<String>| match text {
            Some(text) => excerpt(text, 0).1,
            None => "(absent)".into(),
        };
        sides(out, &side(&difference.ours), &side(&difference.agents));
        return;
    };
    let Some(at) = parting(ours, agents) else {
        return;
    };
    let _ = writeln!(
        out,
        "first difference: {}, line {}, column {}, after {} characters",
        difference.place, at.line, at.column, at.offset
    );
    let (before, ours) = excerpt(ours, at.byte);
    let (_, agents) = excerpt(agents, at.byte);
    sides(out, &ours, &agents);
    let _ = writeln!(out, "  {:before$}^", "", before = LABEL + before);
}

/// What is said where the turn has CLI apps or MCP presets.
pub(super) const ATTACHMENTS: &str = "note: the lines about CLI apps and MCP presets are approximate, and left out on both sides\n\n";

/// What is said where the settings keep some turns of the session alone.
pub(super) const ALL_TURNS: &str =
    "note: turn.max_history_turns is left out: nanobot knows no such limit\n\n";

/// The width of `promptscope:` and the blank behind it.
const LABEL: usize = 13;

fn sides(out: &mut String, ours: &str, agents: &str) {
    let _ = writeln!(out, "  {:LABEL$}{ours}", "promptscope:");
    let _ = writeln!(out, "  {:LABEL$}{agents}", "agent:");
}

/// Cuts the surroundings of a byte out of a text, with the width of what stands before it.
fn excerpt(text: &str, at: usize) -> (usize, String) {
    let (before, after) = text.split_at(at);
    let start = before.char_indices().rev().nth(BEFORE - 1);
    let start = start.map_or(0, |(start, _)| start);
    let end = after.char_indices().nth(AFTER);
    let mut lead = one_line(&before[start..]);
    if start > 0 {
        lead.insert(0, '…');
    }
    let rest = one_line(&after[..end.map_or(after.len(), |(end, _)| end)]);
    let tail = match end {
        Some(_) => "…",
        None => "⟨end⟩",
    };
    (
        width(&lead, Symbols::Unicode),
        format!("{lead}{rest}{tail}"),
    )
}

/// Writes a text on one line, with every line end and hidden character as a mark.
fn one_line(text: &str) -> String {
    visible(text, Symbols::Unicode)
        .map(|piece| piece.text)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ours: &str, agents: &str) -> String {
        let mut out = String::new();
        let difference = Difference {
            place: "section memory".into(),
            ours: Some(ours.into()),
            agents: Some(agents.into()),
        };
        first_difference(&mut out, &difference);
        out
    }

    #[test]
    fn the_mark_stands_below_the_first_character_that_differs() {
        let wanted = "first difference: section memory, line 2, column 2, after 4 characters\n\
            \x20 promptscope: ab␊xy⟨end⟩\n  agent:       ab␊xz⟨end⟩\n                   ^\n";
        assert_eq!(shown("ab\nxy", "ab\nxz"), wanted);
        let long = "日本".repeat(20);
        let text = shown(&format!("{long}a"), &format!("{long}\u{200b}"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            width(lines[3], Symbols::Unicode),
            2 + LABEL + 1 + 2 * BEFORE + 1
        );
        assert!(lines[2].ends_with("本⟨U+200B⟩⟨end⟩"), "{text}");
    }

    #[test]
    fn a_text_that_ends_early_says_so() {
        assert!(shown("ab", "ab ").contains("promptscope: ab⟨end⟩\n  agent:       ab ⟨end⟩\n"));
        let many = "x".repeat(100);
        assert!(shown(&many, "x").contains(&format!("promptscope: x{}…\n", "x".repeat(AFTER))));
    }
}
