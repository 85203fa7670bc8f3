//! Prompts as files: what their sources lack, what the settings make of them, and targets that are out of
//! date.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::{Finding, Place, Subject, budgets, finding};
use crate::budget::Usage;
use crate::library::{
    Built, Catalog, Entry, Fault, FaultKind, Planned, Salt, SettingsPlace, SourceKind, Sources,
    TargetState, ValueOrigin,
};
use crate::prompt::Assembly;
use crate::workspace::path_text;

/// The library as it is checked.
#[derive(Debug, Clone, Copy)]
pub struct LibrarySubject<'a> {
    /// Everything that it makes.
    pub catalog: &'a Catalog,
    /// The tokens of each entry of the catalog; `None` where it cannot be built.
    pub tokens: &'a [Option<usize>],
    /// What would be sent with another variant in a target.
    pub variants: &'a [VariantUsage],
}

/// What would be sent with another variant in a target, and what that costs.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantUsage {
    /// The variant, for people: `the variant brief of tone`.
    pub name: String,
    /// What would be sent.
    pub assembly: Arc<Assembly>,
    /// What that costs.
    pub usage: Usage,
}

/// Checks the library.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let Some(library) = subject.library else {
        return;
    };
    let catalog = library.catalog;
    for (entry, tokens) in catalog.entries.iter().zip(library.tokens) {
        if entry.kind != SourceKind::Prompt || !is_put_into_others(catalog, &entry.name) {
            let place = settings_place(catalog, entry);
            let faults = entry.built.faults.iter();
            found.extend(faults.map(|fault| of_fault(subject, catalog, fault, place)));
        }
        if let Some(tokens) = tokens {
            found.extend(over_budget(subject, catalog, entry, *tokens));
        }
        if entry.kind == SourceKind::Prompt {
            unused_of(subject, catalog, entry, found);
        }
    }
    for link in &catalog.library.sources.outside {
        let kind = FaultKind::Outside(link.clone());
        let path = Some(link.as_str().into());
        let line = None;
        found.push(of_fault(
            subject,
            catalog,
            &Fault { kind, path, line },
            None,
        ));
    }
    for planned in &catalog.planned {
        found.extend(of_target(subject, catalog, planned));
    }
    unused_settings(subject, catalog, found);
    moving_together(subject, catalog, found);
    for variant in library.variants {
        of_variant(subject, variant, found);
    }
}

/// Tells whether another text of the catalog holds a prompt: its variables may be those of that text.
fn is_put_into_others(catalog: &Catalog, name: &str) -> bool {
    let path = Sources::file_of(name);
    catalog.entries.iter().any(|entry| {
        let is_itself = entry.kind == SourceKind::Prompt && entry.name == name;
        !is_itself && entry.built.files.iter().any(|file| **file == *path)
    })
}

pub(super) fn settings_place<'a>(catalog: &'a Catalog, entry: &Entry) -> Option<&'a SettingsPlace> {
    let settings = &catalog.library.settings;
    match entry.kind {
        SourceKind::Prompt => None,
        SourceKind::Composition => settings.compositions.get(&entry.name).map(|it| &it.place),
        SourceKind::Experiment => settings.experiments.get(&entry.name).map(|it| &it.place),
    }
}

/// Writes the path of a source as findings name it.
pub(super) fn source_path(subject: &Subject, catalog: &Catalog, path: &str) -> String {
    let path = catalog.library.sources.folder.join(path);
    subject.workspace.relative(&path)
}

pub(super) fn at_settings(subject: &Subject, finding: Finding, place: &SettingsPlace) -> Finding {
    if place.path.as_os_str().is_empty() {
        return finding;
    }
    let path = subject.workspace.relative(&place.path);
    finding.on_line(&path, place.line.unwrap_or(1))
}

fn of_fault(
    subject: &Subject,
    catalog: &Catalog,
    fault: &Fault,
    place: Option<&SettingsPlace>,
) -> Finding {
    let (rule, fix): (&'static str, &str) = match &fault.kind {
        FaultKind::NoPrompt(_) | FaultKind::NoVariant { .. } => {
            ("prompt-missing", "write the file, or name another")
        }
        FaultKind::NoVariantFile { .. } => (
            "variant-missing",
            "write its file, or take the variant out of the experiment",
        ),
        FaultKind::NoComponent(_) => (
            "component-missing",
            "write it into prompts/components, or list it in the composition",
        ),
        FaultKind::NoInclude(_) => (
            "include-missing",
            "a path starts at the folder of the file that it stands in",
        ),
        FaultKind::Cycle(_) => ("include-cycle", "take one of these includes out"),
        FaultKind::TooDeep(_) | FaultKind::TooLarge(_) | FaultKind::TooMany(_) => {
            ("include-depth", "include less, or put it into fewer files")
        }
        FaultKind::Outside(_) => (
            "include-outside",
            "move the file into the folder; `prompts.outside` allows links out of it",
        ),
        FaultKind::Unreadable(_) => ("prompt-unreadable", "make it a file of UTF-8 text"),
        FaultKind::FrontMatter(_) => (
            "front-matter-invalid",
            "mend it, or take the two lines of dashes out",
        ),
        FaultKind::Required(_) => ("variable-required", "give it a value in [variables]"),
        FaultKind::Undefined(_) => (
            "variable-undefined",
            "give it a value in [variables] or in the front matter, or end its fence's first line with verbatim",
        ),
    };
    let found = finding(rule, fault.kind.to_string(), fix);
    match (&fault.path, place) {
        (Some(path), _) => {
            let line = fault.line.unwrap_or(1);
            let column = column_of(catalog, path, line, &fault.kind);
            let path = source_path(subject, catalog, path);
            found.at(&path, Place { line, column })
        }
        (None, Some(place)) => at_settings(subject, found, place),
        (None, None) => found,
    }
}

/// Finds the column of what is at fault in its line of the file.
fn column_of(catalog: &Catalog, path: &str, line: usize, kind: &FaultKind) -> usize {
    let files = &catalog.library.sources.files;
    let text = files.get(path).and_then(|file| file.read.text());
    let text = text.and_then(|text| text.split('\n').nth(line - 1));
    let Some(text) = text else { return 1 };
    let at = match kind {
        FaultKind::Required(name) | FaultKind::Undefined(name) | FaultKind::NoComponent(name) => {
            let mut found = text.match_indices("{{").map(|(at, _)| at);
            found.find(|at| text[at + 2..].trim_start().starts_with(name.as_str()))
        }
        FaultKind::NoInclude(_)
        | FaultKind::Cycle(_)
        | FaultKind::TooDeep(_)
        | FaultKind::Outside(_) => text.find("<!--"),
        _ => None,
    };
    at.map_or(1, |at| text[..at].chars().count() + 1)
}

/// Compares a text with the budget that its file declares.
fn over_budget(
    subject: &Subject,
    catalog: &Catalog,
    entry: &Entry,
    tokens: usize,
) -> Option<Finding> {
    let limit = entry.built.declared.budget?;
    let file = entry.built.files.first()?;
    let name = match (&entry.variant, entry.kind) {
        (Some(variant), _) => format!("{} ({variant})", entry.name),
        (None, SourceKind::Composition) => entry.name.clone(),
        (None, _) => source_path(subject, catalog, file),
    };
    let found = budgets::against(subject, &name, tokens, limit, "budget")?;
    let fix = "shorten it, or raise `budget` in its front matter";
    let found = Finding {
        fix: fix.to_owned(),
        ..found
    };
    Some(found.on_line(&source_path(subject, catalog, file), 1))
}

/// Finds variables that a file declares and does not use.
fn unused_of(subject: &Subject, catalog: &Catalog, entry: &Entry, found: &mut Vec<Finding>) {
    let path = source_path(subject, catalog, &entry.path());
    for declared in &entry.built.declared.variables {
        let is_used = entry.built.uses.iter().any(|it| it.name == declared.name);
        // What a composition puts into it may use it as well.
        let main = |it: &&Entry| it.built.files.first().map(AsRef::as_ref) == Some(&*entry.path());
        let composed = catalog.entries.iter().filter(main);
        let mut uses = composed.flat_map(|it| &it.built.uses);
        if entry.built.is_whole() && !is_used && !uses.any(|it| it.name == declared.name) {
            let message = format!(
                "the variable {:?} is declared here and not used",
                declared.name
            );
            let fix = "take it out, or use it";
            found.push(finding("variable-unused", message, fix).on_line(&path, declared.line));
        }
    }
}

/// Finds variables of the workspace's settings that no text uses.
fn unused_settings(subject: &Subject, catalog: &Catalog, found: &mut Vec<Finding>) {
    let places = catalog.entries.iter().flat_map(|it| &it.built.uses);
    let used: BTreeSet<&str> = places.map(|it| it.name.as_str()).collect();
    for (name, given) in catalog.library.settings.variables.iter() {
        let ValueOrigin::Settings(place) = &given.origin else {
            continue;
        };
        // A person's own settings serve many workspaces.
        if !used.contains(name) && place.path.starts_with(&subject.workspace.root) {
            let message = format!("the variable {name:?} has a value here and is not used");
            let unused = finding("variable-unused", message, "take it out, or use it");
            found.push(at_settings(subject, unused, place));
        }
    }
}

fn of_target(subject: &Subject, catalog: &Catalog, planned: &Planned) -> Option<Finding> {
    let target = path_text(&planned.target);
    let source = &planned.source;
    if !planned.is_whole() {
        // A source that is in the catalog tells of its faults itself.
        let is_known = |fault: &Fault| {
            let is_variant = matches!(fault.kind, FaultKind::NoVariant { .. });
            !is_variant && catalog.entries.iter().any(|it| it.name == *source)
        };
        let fault = planned
            .built
            .faults
            .first()
            .filter(|fault| !is_known(fault))?;
        let targets = &catalog.library.settings.targets;
        let declared = targets.iter().find(|it| it.target == planned.target);
        let place = declared.map(|declared| &declared.place);
        return Some(of_fault(subject, catalog, fault, place));
    }
    let (rule, message, fix) = match planned.state {
        TargetState::Same => return None,
        TargetState::New => (
            "target-stale",
            format!("{target} is not compiled yet from {source}"),
            "run `promptscope compile`",
        ),
        TargetState::Stale => (
            "target-stale",
            format!(
                "it is out of date: {source} becomes something else now, and the agent reads this file"
            ),
            "run `promptscope compile`",
        ),
        TargetState::NotOurs => (
            "target-edited",
            format!("it was there before and differs from {source}, which would be compiled to it"),
            "take what is in it over into the source, then `promptscope compile --force`, which replaces it",
        ),
        TargetState::EditedByHand => (
            "target-edited",
            format!(
                "it differs from {source}, which it is compiled from, and compile leaves it as it is"
            ),
            "take the change over into the source, then `promptscope compile`; with `--force` the change is lost",
        ),
    };
    let line = first_difference(&planned.built, planned.now.as_deref());
    Some(finding(rule, message, fix).on_line(&target, line))
}

/// Finds the first line in which a target differs from what it should be.
fn first_difference(built: &Built, now: Option<&[u8]>) -> usize {
    let now = String::from_utf8_lossy(now.unwrap_or_default());
    let mut wanted = built.lines.iter().map(|line| line.text.as_str());
    let lines = now.lines().take_while(|line| wanted.next() == Some(line));
    let same = lines.count();
    (same + 1).min(now.lines().count().max(1))
}

/// Finds experiments whose variants come to the same people, since nothing tells their ids apart.
fn moving_together(subject: &Subject, catalog: &Catalog, found: &mut Vec<Finding>) {
    let experiments = &catalog.library.settings.experiments;
    let unsalted = experiments.iter().filter(|(_, experiment)| {
        let shares = experiment.variants.iter().filter(|it| it.weight > 0.0);
        experiment.salt == Salt::None && shares.count() > 1
    });
    let unsalted: Vec<_> = unsalted.collect();
    for (index, (name, experiment)) in unsalted.iter().enumerate().skip(1) {
        let others: Vec<&str> = unsalted[..index]
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let message = format!(
            "{name} moves together with {}: both hash the bare id, so the same people get the first variant of each",
            others.join(" and ")
        );
        let fix = "set `salt = \"experiment\"`";
        let together = finding("experiments-together", message, fix);
        found.push(at_settings(subject, together, &experiment.place));
    }
}

/// Checks the budgets with another variant in a target: what the variant on the disk exceeds as well is
/// told once.
fn of_variant(subject: &Subject, variant: &VariantUsage, found: &mut Vec<Finding>) {
    let other = Subject {
        assembly: &variant.assembly,
        usage: &variant.usage,
        baseline: None,
        library: None,
        ..*subject
    };
    let mut all = Vec::new();
    budgets::check(&other, &mut all);
    for finding in all {
        let is_budget = matches!(
            finding.rule,
            "over-budget" | "near-budget" | "window-exceeded"
        );
        let is_told = found.iter().any(|told| {
            told.rule == finding.rule && told.section == finding.section && told.fix == finding.fix
        });
        if is_budget && !is_told {
            found.push(Finding {
                message: format!("with {}, {}", variant.name, finding.message),
                ..finding
            });
        }
    }
}

/// Moves findings of a target that is in date to the line of the source that they come from: where the
/// source is told of already, the target is not told of again.
pub(super) fn lead_to_sources(subject: &Subject, found: &mut Vec<Finding>) {
    let Some(library) = subject.library else {
        return;
    };
    let catalog = library.catalog;
    let mut sections = Vec::new();
    let told = found.clone();
    found.retain(|finding| {
        let source = finding
            .path
            .as_deref()
            .zip(finding.line)
            .and_then(|(path, line)| catalog.source_of(Path::new(path), line));
        let Some((path, line)) = source else {
            return true;
        };
        let path = source_path(subject, catalog, path);
        let is_there = |other: &Finding| {
            other.rule == finding.rule
                && other.path.as_deref() == Some(&path)
                && other.line == Some(line)
        };
        if !told.iter().any(is_there) {
            return true;
        }
        sections.push((finding.rule, path, line, finding.section));
        false
    });
    for (rule, path, line, section) in sections {
        for finding in &mut *found {
            if finding.rule == rule
                && finding.path.as_ref() == Some(&path)
                && finding.line == Some(line)
            {
                finding.section = finding.section.or(section);
            }
        }
    }
}
