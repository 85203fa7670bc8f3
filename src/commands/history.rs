//! `promptscope history`: what becomes of every line of history.jsonl.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use super::report::{count, record, text};
use crate::cli::{HistoryArgs, ReportFormat};
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::{Assembly, Fate, SectionId};
use crate::python::surrogate::escaped_in_json;
use crate::python::{Value, json};
use crate::tokens::Counter;
use crate::workspace::history::History;
use crate::workspace::{Workspace, path_text};

/// A line of the history with its fate.
struct Audited {
    line: usize,
    fate: Fate,
    timestamp: String,
    session_key: Option<String>,
    content: String,
    /// The tokens of the line as the prompt shows it; 0 for one that is passed over.
    tokens: usize,
}

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
    let mut lines = lines(&workspace, &assembly, &mut counter);
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

fn lines(workspace: &Workspace, assembly: &Assembly, counter: &mut Counter) -> Vec<Audited> {
    let history = History::read(&workspace.history);
    let mut entries = history.entries.iter().peekable();
    let fates = assembly.history_fates.iter();
    fates
        .map(|entry| {
            while entries.next_if(|known| known.line < entry.line).is_some() {}
            let own = entries.next_if(|known| known.line == entry.line);
            let (timestamp, content, session_key) = own.map_or_else(Default::default, |own| {
                (
                    own.timestamp.clone(),
                    own.content.clone(),
                    own.session_key.clone(),
                )
            });
            let tokens = own.map_or(0, |own| {
                counter.count(&format!("- [{}] {}", own.timestamp, own.content))
            });
            Audited {
                line: entry.line,
                fate: entry.fate,
                timestamp,
                session_key,
                content,
                tokens,
            }
        })
        .collect()
}

/// Says where the history is cut: in which line, and after how many of its characters.
fn cut(lines: &[Audited], assembly: &Assembly) -> Option<(usize, usize)> {
    let section = assembly.section(SectionId::RecentHistory);
    let at = section.cut.as_ref()?.at?;
    let shown = section.text.as_deref()?;
    let first = lines
        .iter()
        .filter(|line| matches!(line.fate, Fate::Cut | Fate::CutInPart));
    let first = first.min_by_key(|line| line.line)?;
    let kept = match first.fate {
        Fate::CutInPart => {
            let before = shown.get(..at)?;
            let start = before.rfind(&format!("- [{}] ", first.timestamp))?;
            before[start..].chars().count()
        }
        _ => 0,
    };
    Some((first.line, kept))
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
        let start: String = first.chars().take(60).collect();
        let session = line.session_key.as_deref().unwrap_or("-");
        let _ = writeln!(
            out,
            "{:>6} {:>7}  {fate:<18} {:<18} {session:<20} {start}",
            line.line, line.tokens, line.timestamp
        );
    }
    if let Some(error) = &section.error {
        let line = error
            .line
            .map_or_else(String::new, |line| format!(" on line {line}"));
        let _ = writeln!(
            out,
            "the agent fails with {}{line}: {}",
            error.class, error.message
        );
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
    escaped_in_json(&json::dumps_pretty(&report)).into_owned() + "\n"
}
