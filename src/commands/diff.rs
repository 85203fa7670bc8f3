//! `promptscope diff`: what a prompt costs and says against a revision.

use std::fmt::Write as _;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use super::report::{count, json_text, record, text};
use crate::budget::Usage;
use crate::cli::{DiffArgs, ReportFormat};
use crate::display::line_diff::{CONTEXT, unified};
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::{Assembly, SectionId};
use crate::python::Value;
use crate::revision::Revision;
use crate::tokens::Counter;
use crate::workspace::read::{Found, find};
use crate::workspace::{Workspace, path_text};

/// One of the two sides.
struct Side {
    assembly: Assembly,
    usage: Usage,
}

/// Runs the command.
pub fn run(
    args: &DiffArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let (workspace, revision) = named(args, machine);
    let mut inputs = Inputs::resolve(&args.turn.request(workspace), machine)?;
    let root = inputs.places.root.clone();
    let revision_name = revision.unwrap_or_else(|| "HEAD".to_owned());
    let revision = Revision::read(&root, &revision_name)?;
    let mut counter = Counter::new(inputs.encoding);
    let mut side = |inputs: &Inputs| {
        let workspace = Workspace::read(&inputs.places);
        let assembly = inputs.assemble(&workspace, machine, now);
        let usage = Usage::count(&assembly, &mut counter);
        Side { assembly, usage }
    };
    let after = side(&inputs);
    inputs.set_revision(&revision);
    let before = side(&inputs);
    for path in &revision.ignored {
        let note = format!(
            "note: git ignores {}: both sides have it as it is on the disk\n",
            path.display()
        );
        let note = (output.safe)(&note).into_owned();
        write_all(output.notes, note.as_bytes()).map_err(|error| Error::output(&error))?;
    }
    for (which, side) in [("the revision", &before), ("the workspace", &after)] {
        if let Some(error) = &side.assembly.error {
            let (outcome, problem) = (error.outcome(), &error.message);
            let message = format!("error: on {which} {outcome}: {problem}\n");
            let message = (output.safe)(&message).into_owned();
            write_all(output.notes, message.as_bytes()).map_err(|error| Error::output(&error))?;
        }
    }
    let report = match args.format {
        ReportFormat::Human => human(args, &path_text(&root), &revision, &before, &after),
        ReportFormat::Json => as_json(
            &path_text(&root),
            &revision_name,
            &revision,
            &before,
            &after,
        ),
    };
    let report = (output.safe)(&report);
    write_all(output.out, report.as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(u8::from(after.assembly.error.is_some()))
}

/// Tells the workspace from the revision: a single word that is a folder is the workspace.
fn named(args: &DiffArgs, machine: &Machine) -> (Option<PathBuf>, Option<String>) {
    match (&args.workspace, &args.revision) {
        (Some(word), None) => {
            let path = machine.absolute(word);
            if find(&path) == Ok(Found::Folder) {
                (Some(word.clone()), None)
            } else {
                (None, Some(path_text(word)))
            }
        }
        (workspace, revision) => (workspace.clone(), revision.clone()),
    }
}

fn section_text(side: &Side, id: SectionId) -> &str {
    side.assembly
        .section(id)
        .text
        .as_deref()
        .unwrap_or_default()
}

/// Writes a section's difference line by line, with three lines around each change.
fn difference(before: &Side, after: &Side, id: SectionId) -> String {
    let (old, new) = (section_text(before, id), section_text(after, id));
    if old == new {
        return String::new();
    }
    unified(old, new, CONTEXT, Some((id.title(), id.title())))
}

fn changed(before: usize, after: usize) -> i64 {
    let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    signed(after) - signed(before)
}

fn human(args: &DiffArgs, root: &str, revision: &Revision, before: &Side, after: &Side) -> String {
    let commit: String = revision.commit.chars().take(10).collect();
    let mut out = format!("{root} against {commit} {}\n", revision.subject);
    let mut line = |name: &str, before: usize, after: usize, is_same: bool| {
        let by = match changed(before, after) {
            0 if is_same => "same".to_owned(),
            0 => "other text".to_owned(),
            by => format!("{by:+}"),
        };
        let _ = writeln!(out, "{name:<18} {before:>9} {after:>9}  {by}");
    };
    for id in SectionId::ALL {
        let is_same = section_text(before, id) == section_text(after, id);
        line(
            id.title(),
            before.usage.section(id),
            after.usage.section(id),
            is_same,
        );
    }
    let (old, new) = (&before.usage, &after.usage);
    let is_same = before.assembly.system_prompt == after.assembly.system_prompt;
    line(
        "system prompt",
        old.system_prompt,
        new.system_prompt,
        is_same,
    );
    let is_same = before.assembly.messages == after.assembly.messages;
    line("request", old.request(), new.request(), is_same);
    if !args.stat {
        for id in SectionId::ALL {
            let difference = difference(before, after, id);
            if !difference.is_empty() {
                out.extend(["\n", &difference]);
            }
        }
    }
    out
}

fn as_json(root: &str, name: &str, revision: &Revision, before: &Side, after: &Side) -> String {
    let pair = |before: usize, after: usize| {
        [
            ("before", count(before)),
            ("now", count(after)),
            ("change", Value::Int(changed(before, after).into())),
        ]
    };
    let sections = SectionId::ALL.map(|id| {
        let [before_tokens, now, change] = pair(before.usage.section(id), after.usage.section(id));
        let difference = difference(before, after, id);
        record([
            ("id", Value::str(id.id())),
            before_tokens,
            now,
            change,
            (
                "diff",
                text(Some(difference).filter(|text| !text.is_empty())),
            ),
        ])
    });
    let ignored = revision
        .ignored
        .iter()
        .map(|path| Value::Str(path_text(path)));
    let report = record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("workspace", Value::str(root)),
        ("encoding", Value::str(after.usage.encoding.name())),
        (
            "revision",
            record([
                ("name", Value::str(name)),
                ("commit", Value::str(revision.commit.as_str())),
                ("subject", Value::str(revision.subject.as_str())),
                ("ignored", Value::List(ignored.collect())),
            ]),
        ),
        ("sections", Value::List(sections.into())),
        (
            "system_prompt",
            record(pair(before.usage.system_prompt, after.usage.system_prompt)),
        ),
        (
            "request",
            record(pair(before.usage.request(), after.usage.request())),
        ),
    ]);
    json_text(&report)
}
