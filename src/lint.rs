//! What is wrong in a workspace, or soon will be: findings with their place, what the agent will do about
//! it, and the fix.
//!
//! Every rule is a function of values in one of the files below; [`RULES`] names them all.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

mod budgets;
mod characters;
mod declarations;
mod front_matter;
mod history;
mod library;
mod links;
mod names;
mod place;
mod rules;
mod scan;
pub mod secrets;
mod sessions;
mod silence;
mod skills;
mod templates;
mod unreached;
mod wording;

use crate::budget::{Baseline, Budget, Usage};
use crate::prompt::{Assembly, SectionId, SkillState, Turn};
use crate::workspace::Workspace;
use crate::workspace::survey::Survey;
pub use library::{LibrarySubject, VariantUsage};
pub use place::Place;
pub use rules::{RULES, Rule, rule};
pub use silence::glob;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Likely not what was meant.
    Warning,
    /// Something is lost, exposed or over its limit.
    Error,
}

impl Severity {
    /// Every severity, the lightest first.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// Gives the word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// How much it matters, the settings considered.
    pub severity: Severity,
    /// What is wrong, and what the agent will do about it.
    pub message: String,
    /// What to do.
    pub fix: String,
    /// The file, relative to the workspace; `None` where no file is at fault.
    pub path: Option<String>,
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// The section that it is about.
    pub section: Option<SectionId>,
}

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The workspace as the agent reads it.
    pub workspace: &'a Workspace,
    /// Its files as they are, with those that the agent passes over.
    pub survey: &'a Survey,
    /// What the agent makes of each skill.
    pub skills: &'a [SkillState],
    /// The turn.
    pub turn: &'a Turn,
    /// What is sent.
    pub assembly: &'a Assembly,
    /// What that costs.
    pub usage: &'a Usage,
    /// What it may cost.
    pub budget: &'a Budget,
    /// What was recorded, and how much may come on top as a share of it.
    pub baseline: Option<(&'a Baseline, f64)>,
    /// Whether skills are listed in the order of the directory.
    pub is_directory_order: bool,
    /// What is wrong with the settings, where those before them are in force.
    pub settings_problem: Option<&'a str>,
    /// The prompts as files, where there are any.
    pub library: Option<LibrarySubject<'a>>,
}

/// Which severity each rule has, by name; `None` for a rule that is off.
pub type Severities = BTreeMap<String, Option<Severity>>;

/// What the settings say of rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LintSettings {
    /// For every file.
    pub everywhere: Severities,
    /// For the files that match a pattern, the later ones over the earlier.
    pub paths: Vec<(String, Severities)>,
}

impl LintSettings {
    /// Gives the severity of a finding of a rule in a file; `None` where the rule is off.
    fn severity(&self, found: &Finding) -> Option<Severity> {
        let mut severity = self
            .everywhere
            .get(found.rule)
            .copied()
            .unwrap_or(Some(found.severity));
        for (pattern, severities) in &self.paths {
            let is_there = found
                .path
                .as_deref()
                .is_some_and(|path| glob(pattern, path));
            if let (true, Some(other)) = (is_there, severities.get(found.rule)) {
                severity = *other;
            }
        }
        severity
    }
}

/// Checks by every rule.
///
/// The findings are in the order of files, lines, columns and rules, the same for the same input.
#[must_use]
pub fn check(subject: &Subject, settings: &LintSettings) -> Vec<Finding> {
    let mut found = Vec::new();
    for check in [
        budgets::check,
        characters::check,
        front_matter::check,
        skills::check,
        history::check,
        links::check,
        sessions::check,
        templates::check,
        secrets::check,
        wording::check,
        library::check,
        declarations::check,
        names::check,
        unreached::check,
    ] {
        check(subject, &mut found);
    }
    if let Some(problem) = subject.settings_problem {
        let fix = "mend the settings; what is shown goes by those before";
        found.push(finding("settings-invalid", problem, fix));
    }
    // Rules of their own name the cause of some failures, and say it better.
    let told: Vec<Option<String>> = found
        .iter()
        .filter(|finding| matches!(finding.rule, "requires-malformed" | "not-utf8"))
        .map(|finding| finding.path.clone())
        .collect();
    found.retain(|finding| {
        !matches!(finding.rule, "agent-fails" | "prompt-unreadable")
            || !told.contains(&finding.path)
    });
    library::lead_to_sources(subject, &mut found);
    silence::apply(subject, &mut found);
    found.retain_mut(|finding| match settings.severity(finding) {
        Some(severity) => {
            finding.severity = severity;
            true
        }
        None => false,
    });
    for finding in &mut found {
        // What a rule quotes may hold what another one is about.
        finding.message = secrets::masked(&finding.message).into_owned();
        finding.fix = secrets::masked(&finding.fix).into_owned();
    }
    found.sort_by(|a, b| order(a).cmp(&order(b)));
    found.dedup();
    found
}

fn order(
    found: &Finding,
) -> (
    bool,
    &Option<String>,
    Option<usize>,
    Option<usize>,
    &str,
    &str,
) {
    // What no file is at fault for comes first.
    let has_path = found.path.is_some();
    let (rule, message) = (found.rule, found.message.as_str());
    (
        has_path,
        &found.path,
        found.line,
        found.column,
        rule,
        message,
    )
}

/// Begins a finding of a rule, with the rule's own severity.
fn finding(name: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        rule: name,
        severity: rule(name).map_or(Severity::Warning, |rule| rule.severity),
        message: message.into(),
        fix: fix.into(),
        path: None,
        line: None,
        column: None,
        section: None,
    }
}

impl Finding {
    fn at(mut self, path: &str, place: Place) -> Self {
        self.path = Some(path.to_owned());
        self.line = Some(place.line);
        self.column = Some(place.column);
        self
    }

    fn on_line(self, path: &str, line: usize) -> Self {
        self.at(path, Place { line, column: 1 })
    }

    fn of(mut self, section: SectionId) -> Self {
        self.section = Some(section);
        self
    }
}

/// Writes a path as findings name it.
fn named(subject: &Subject, path: &Path) -> String {
    subject.workspace.relative(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_go_from_the_lightest_to_the_gravest() {
        assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
        assert_eq!(
            Severity::ALL.map(Severity::name),
            ["note", "warning", "error"]
        );
    }
}
