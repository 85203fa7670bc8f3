//! What is shown: the last good view, its counts, and what the last save changed.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Keymap;
use crate::budget::{Budget, Usage};
use crate::inputs::HostReport;
use crate::library::{Catalog, Compiled};
use crate::lint::{Finding, LibrarySubject, LintSettings, Subject, VariantUsage};
use crate::prompt::{Assembly, SectionId, SkillState, Turn};
use crate::scenario::Scenario;
use crate::tokens::Encoding;
use crate::workspace::Workspace;
use crate::workspace::agent_install::AgentInstall;
use crate::workspace::survey::Survey;

/// Everything that one question brought.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// What was read.
    pub workspace: Arc<Workspace>,
    /// Its files as they are.
    pub survey: Arc<Survey>,
    /// The prompts as files, and all that is made of them.
    pub catalog: Arc<Catalog>,
    /// What would be sent with another variant in a target, each with its name for people.
    pub variants: Vec<(String, Arc<Assembly>)>,
    /// What stands in place of the targets' files, where the prompt is shown as it would be compiled now.
    pub compiled: Option<Compiled>,
    /// What the settings say of rules.
    pub lint: LintSettings,
    /// Whether skills are listed in the order of the directory.
    pub is_directory_order: bool,
    /// What was assembled from it, without what is switched off.
    pub assembly: Arc<Assembly>,
    /// What is really sent: the same one where nothing is switched off.
    pub real: Arc<Assembly>,
    /// What the agent makes of each skill.
    pub skills: Vec<SkillState>,
    /// Which key does what.
    pub keymap: Arc<Keymap>,
    /// The turn that it was assembled for.
    pub turn: Turn,
    /// The turn with the host and what else would be saved as a scenario.
    pub scenario: Scenario,
    /// The agent whose templates are used.
    pub agent: Option<AgentInstall>,
    /// Whether the rules are exact for that agent; `None` without its version.
    pub is_exact: Option<bool>,
    /// How far the assembly is what the agent sends.
    pub reservations: Vec<String>,
    /// What the declared host changes.
    pub host: HostReport,
    /// The encoding of the counts.
    pub encoding: Encoding,
    /// The budgets.
    pub budget: Budget,
    /// The theme that the settings name.
    pub theme: String,
    /// Whether the mouse is asked for.
    pub mouse: bool,
    /// What is wrong with the settings; those before them are in force.
    pub settings_problem: Option<String>,
    /// Whether the disk held something new, rather than the turn alone.
    pub is_save: bool,
}

impl View {
    /// Gathers what the rules check: what is really sent, whatever is switched off.
    #[must_use]
    pub fn subject<'a>(
        &'a self,
        usage: &'a Usage,
        tokens: &'a [Option<usize>],
        variants: &'a [VariantUsage],
    ) -> Subject<'a> {
        Subject {
            workspace: &self.workspace,
            survey: &self.survey,
            skills: &self.skills,
            turn: &self.turn,
            assembly: &self.real,
            usage,
            budget: &self.budget,
            baseline: None,
            is_directory_order: self.is_directory_order,
            settings_problem: self.settings_problem.as_deref(),
            library: Some(LibrarySubject {
                catalog: &self.catalog,
                tokens,
                variants,
            }),
        }
    }

    /// Leads a line of a file that is compiled to the line of the source that it was made from.
    #[must_use]
    pub fn source_of(&self, file: &Path, line: usize) -> Option<(PathBuf, usize)> {
        let target = file.strip_prefix(&self.workspace.root).ok()?;
        let (path, line) = match &self.compiled {
            Some(compiled) => compiled.source_of(target, line)?,
            None => self.catalog.source_of(target, line)?,
        };
        Some((self.catalog.library.sources.folder.join(path), line))
    }
}

/// The counts of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// The number of the question that the view answers.
    pub question: u64,
    /// The counts of what is shown.
    pub usage: Usage,
    /// The counts of what is really sent, where that is another thing.
    pub real: Option<Usage>,
    /// What the rules find, where that was known at once.
    pub found: Option<Arc<[Finding]>>,
    /// The tokens of each entry of the catalog; `None` where it cannot be built.
    pub library: Arc<[Option<usize>]>,
}

/// Why the view is not of now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale(pub String);

/// What the last save changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// The change in tokens of each section.
    pub sections: [i64; 8],
    /// The change in tokens of the system prompt.
    pub system_prompt: i64,
    /// The lines of each section that are new or different, from 0.
    pub lines: [Option<Range<usize>>; 8],
}

/// What is shown, and what is known about it.
#[derive(Debug, Default)]
pub struct Content {
    /// The last good view.
    pub view: Option<Arc<View>>,
    /// The counts of that view; of an earlier one while [`Content::counting`].
    pub usage: Option<Usage>,
    /// The counts of what is really sent, while something is switched off.
    pub real: Option<Usage>,
    /// What was sent before the last save, and for which turn.
    before: Option<(Turn, Arc<Assembly>)>,
    /// What git's last commit would send.
    pub git_base: Option<Arc<Assembly>>,
    /// The tokens of the system prompt at the start and after each of the last saves.
    pub totals: Vec<usize>,
    /// Whether the counts are still to come.
    pub counting: bool,
    /// Set while the workspace cannot be read.
    pub stale: Option<Stale>,
    /// What the last save changed.
    pub changes: Changes,
    /// The tokens of each entry of the view's catalog, once they are counted.
    pub library: Arc<[Option<usize>]>,
    /// The number of the question that the view answers.
    pub question: u64,
    /// Whether a save came in since the counts.
    uncounted_save: bool,
}

/// How many totals are kept.
const KEPT_TOTALS: usize = 24;

impl Content {
    /// Gives the counts of what is really sent.
    #[must_use]
    pub fn real_usage(&self) -> Option<&Usage> {
        self.real.as_ref().or(self.usage.as_ref())
    }

    /// Gives what was sent before the last save, where it was for the turn that is shown: what
    /// another turn sends differs for other reasons.
    #[must_use]
    pub fn before(&self) -> Option<&Arc<Assembly>> {
        let (turn, before) = self.before.as_ref()?;
        let view = self.view.as_ref()?;
        (view.turn == *turn).then_some(before)
    }

    /// Takes a new view in; what it changed is known once it is counted.
    pub(super) fn take(&mut self, question: u64, view: Arc<View>) {
        if let (Some(before), true) = (&self.view, view.is_save) {
            self.changes.lines = SectionId::ALL.map(|id| {
                let text = |view: &View| view.assembly.section(id).text.clone().unwrap_or_default();
                changed_lines(&text(before), &text(&view))
            });
            self.uncounted_save = true;
            self.before = Some((before.turn.clone(), before.real.clone()));
        }
        self.question = question;
        self.view = Some(view);
        self.counting = true;
        self.stale = None;
    }

    /// Takes the counts of the view in; tells whether they are news.
    pub(super) fn count(&mut self, counted: Counted) -> bool {
        let Counted {
            usage,
            real,
            library,
            ..
        } = counted;
        let known = (self.usage.clone(), self.real.clone(), self.changes.clone());
        let is_other_library = self.library != library;
        self.library = library;
        let is_save = self.uncounted_save;
        if self.totals.is_empty() || self.uncounted_save {
            let total = real.as_ref().unwrap_or(&usage).system_prompt;
            self.totals.push(total);
            let over = self.totals.len().saturating_sub(KEPT_TOTALS);
            self.totals.drain(..over);
        }
        self.real = real;
        if let (Some(before), true) = (&self.usage, self.uncounted_save)
            && before.encoding == usage.encoding
        {
            self.changes.sections =
                SectionId::ALL.map(|id| signed(usage.section(id)) - signed(before.section(id)));
            self.changes.system_prompt = signed(usage.system_prompt) - signed(before.system_prompt);
        }
        if let (Some(before), false) = (&self.usage, self.uncounted_save) {
            // Another turn, not a save: what it changed is no news about the files.
            for id in SectionId::ALL {
                if usage.section(id) != before.section(id) {
                    self.changes.sections[id.index()] = 0;
                    self.changes.lines[id.index()] = None;
                }
            }
            if usage.system_prompt != before.system_prompt {
                self.changes.system_prompt = 0;
            }
        }
        self.uncounted_save = false;
        self.counting = false;
        self.usage = Some(usage);
        is_save
            || is_other_library
            || known != (self.usage.clone(), self.real.clone(), self.changes.clone())
    }

    /// Gives the count of a section, once it is known.
    #[must_use]
    pub fn tokens(&self, id: SectionId) -> Option<usize> {
        self.usage.as_ref().map(|usage| usage.section(id))
    }

    /// Gives the budgets; without a view there are none.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.view
            .as_ref()
            .map(|view| view.budget.clone())
            .unwrap_or_default()
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Finds the lines of a text that differ from what stood there before; `None` if none does.
///
/// Lines are compared from both ends, so one stretch is found however many changes it holds. Where
/// lines only went away, it is an empty stretch at the line that closed the gap.
pub(super) fn changed_lines(before: &str, after: &str) -> Option<Range<usize>> {
    if before == after {
        return None;
    }
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let same = before
        .iter()
        .zip(&after)
        .take_while(|(a, b)| a == b)
        .count();
    let room = before.len().min(after.len()) - same;
    let pairs = before.iter().rev().zip(after.iter().rev());
    let tail = pairs.take(room).take_while(|(a, b)| a == b).count();
    let end = after.len() - tail;
    if end <= same {
        let gap = same.min(after.len().saturating_sub(1));
        return Some(gap..gap);
    }
    Some(same..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_found_from_both_ends() {
        assert_eq!(changed_lines("a\nb\nc", "a\nb\nc"), None);
        assert_eq!(changed_lines("a\nb\nc", "a\nx\nc"), Some(1..2));
        assert_eq!(changed_lines("a\nb", "a\nb\nc\nd"), Some(2..4));
        assert_eq!(changed_lines("a\na\na", "a\na\na\na"), Some(3..4));
        assert_eq!(changed_lines("", "a"), Some(0..1));
        assert_eq!(changed_lines("a\nb\nc", "a\nc"), Some(1..1));
        assert_eq!(changed_lines("a\nb", "a"), Some(0..0));
        assert_eq!(changed_lines("a", ""), Some(0..0));
    }
}
