//! `promptscope history`: what becomes of every line of history.jsonl.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::check::in_a_line;
use super::render::{Output, write_all};
use super::report::{count, json_text, record, text};
use crate::cli::{HistoryArgs, ReportFormat};
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::insight::audit::{Audited, audit, cut};
use crate::machine::Machine;
use crate::prompt::{Assembly, Fate, SectionId};
use crate::python::Value;
use crate::tokens::Counter;
use crate::workspace::{Workspace, path_text};

/// Runs the command.
pub fn run(
    args: &HistoryArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let workspace = Workspace::read(&inputs.places);
    let assembly = inputs.assemble(&workspace, machine, now);
    let mut counter = Counter::new(inputs.encoding);
    let mut lines = audit(&workspace, &assembly, &mut counter);
    if args.heaviest {
        lines.sort_by(|a, b| b.tokens.cmp(&a.tokens).then(a.line.cmp(&b.line)));
    }
    let report = match args.format {
        ReportFormat::Human => human(&lines, &assembly),
        ReportFormat::Json => as_json(&path_text(&workspace.root), &lines, &assembly, &inputs),
    };
    let report = (output.safe)(&report);
    write_all(output.out, report.as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(u8::from(
        assembly.section(SectionId::RecentHistory).error.is_some(),
    ))
}

fn human(lines: &[Audited], assembly: &Assembly) -> String {
    let section = assembly.section(SectionId::RecentHistory);
    let mut out = String::new();
    for line in lines {
        let fate = match line.fate {
            Fate::Malformed(reason) => format!("malformed: {reason}"),
            fate => fate.name().to_owned(),
        };
        let first = line.content.lines().next().unwrap_or_default();
        let start = in_a_line(&first.chars().take(60).collect::<String>());
        let session = in_a_line(line.session_key.as_deref().unwrap_or("-"));
        let timestamp = in_a_line(&line.timestamp);
        let _ = writeln!(
            out,
            "{:>6} {:>7}  {fate:<18} {:<18} {session:<20} {start}",
            line.line, line.tokens, timestamp
        );
    }
    if let Some(error) = &section.error {
        let line = error
            .line
            .map_or_else(String::new, |line| format!(" on line {line}"));
        let _ = writeln!(out, "{}{line}: {}", error.outcome(), error.message);
    }
    if let Some(cut) = cut(lines, assembly) {
        let _ = writeln!(
            out,
            "cut in line {} after {} of its characters",
            cut.0, cut.1
        );
    }
    let shown = lines
        .iter()
        .filter(|line| matches!(line.fate, Fate::Shown | Fate::CutInPart));
    let _ = writeln!(
        out,
        "{} lines, {} in the prompt",
        lines.len(),
        shown.count()
    );
    out
}

fn as_json(root: &str, lines: &[Audited], assembly: &Assembly, inputs: &Inputs) -> String {
    let entries = lines.iter().map(|line| {
        let reason = match line.fate {
            Fate::Malformed(reason) => Some(reason.to_owned()),
            _ => None,
        };
        record([
            ("line", count(line.line)),
            ("fate", Value::str(line.fate.name())),
            ("reason", text(reason)),
            ("tokens", count(line.tokens)),
            ("timestamp", Value::str(line.timestamp.as_str())),
            ("session_key", text(line.session_key.clone())),
            ("content", Value::str(line.content.as_str())),
        ])
    });
    let cut = cut(lines, assembly).map_or(Value::None, |(line, kept)| {
        record([("line", count(line)), ("characters", count(kept))])
    });
    let report = record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("workspace", Value::str(root)),
        ("encoding", Value::str(inputs.encoding.name())),
        ("entries", Value::List(entries.collect())),
        ("cut", cut),
    ]);
    json_text(&report)
}
