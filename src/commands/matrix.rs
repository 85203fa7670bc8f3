//! `promptscope matrix`: one message over channels, senders and sessions.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use super::report::{count, json_text, record, text};
use crate::budget::Usage;
use crate::cli::{MatrixArgs, ReportFormat};
use crate::display::line_diff::unified;
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::{Assembly, KNOWN_CHANNELS, SectionId};
use crate::python::{Value, json};
use crate::tokens::Counter;
use crate::workspace::{Workspace, path_text};

/// One turn of the matrix.
struct Cell {
    channel: Option<String>,
    sender: Option<String>,
    session: Option<String>,
    assembly: Assembly,
    usage: Usage,
}

/// Runs the command.
pub fn run(
    args: &MatrixArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let channels = args.channels.clone();
    let channels = if channels.is_empty() {
        KNOWN_CHANNELS.map(str::to_owned).into()
    } else {
        channels
    };
    let channels: Vec<Option<String>> = channels.into_iter().map(Some).collect();
    let given = |given: &[String], own: Option<&String>| -> Vec<Option<String>> {
        if given.is_empty() {
            vec![own.cloned()]
        } else {
            given.iter().cloned().map(Some).collect()
        }
    };
    let senders = given(&args.senders, inputs.turn.sender_id.as_ref());
    let own = inputs.turn.session.as_ref().map(|session| &session.key);
    let sessions = given(&args.sessions, own);
    let mut counter = Counter::new(inputs.encoding);
    let mut cells = Vec::new();
    let mut root = String::new();
    for session in &sessions {
        let mut inputs = inputs.clone();
        let mut turn = inputs.turn.clone();
        if turn.session.as_ref().map(|session| &session.key) != session.as_ref() {
            turn.session = session.as_deref().map(|key| inputs.session_limits.of(key));
        }
        inputs.set_turn(turn);
        let workspace = Workspace::read(&inputs.places);
        root = path_text(&workspace.root);
        for (sender, channel) in senders
            .iter()
            .flat_map(|sender| channels.iter().map(move |channel| (sender, channel)))
        {
            inputs.turn.sender_id.clone_from(sender);
            inputs.turn.channel.clone_from(channel);
            let assembly = inputs.assemble(&workspace, machine, now);
            let usage = Usage::count(&assembly, &mut counter);
            cells.push(Cell {
                channel: channel.clone(),
                sender: sender.clone(),
                session: session.clone(),
                assembly,
                usage,
            });
        }
    }
    if let Some(error) = cells.iter().find_map(|cell| cell.assembly.error.as_ref()) {
        let message = format!("error: {}: {}\n", error.outcome(), error.message);
        let message = (output.safe)(&message).into_owned();
        write_all(output.notes, message.as_bytes()).map_err(|error| Error::output(&error))?;
    }
    let report = match args.format {
        ReportFormat::Human => human(&cells),
        ReportFormat::Json => as_json(&root, &inputs, &cells),
    };
    let report = (output.safe)(&report);
    write_all(output.out, report.as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(u8::from(
        cells.iter().any(|cell| cell.assembly.error.is_some()),
    ))
}

/// Gives the text of a part of a cell: a section, the session's messages, or the message.
fn parts(cell: &Cell) -> Vec<(&'static str, String)> {
    let assembly = &cell.assembly;
    let section = |id: SectionId| {
        let text = assembly.section(id).text.as_deref();
        (id.title(), text.unwrap_or_default().to_owned())
    };
    let mut parts: Vec<_> = SectionId::ALL.map(section).into();
    let history = assembly
        .history()
        .iter()
        .map(json::dumps)
        .collect::<Vec<_>>();
    parts.push(("history", history.join("\n")));
    let message = assembly.user_message().get("content");
    parts.push(("message", message.map(Value::to_str).unwrap_or_default()));
    parts
}

/// Says which parts differ from those of the first cell, and by how many lines.
fn differing(cell: &Cell, first: &Cell) -> Vec<(&'static str, String)> {
    let pairs = parts(cell).into_iter().zip(parts(first));
    let pairs = pairs.filter(|((_, own), (_, other))| own != other);
    pairs
        .map(|((name, own), (_, other))| (name, unified(&other, &own, 0, None)))
        .collect()
}

fn name(text: Option<&String>) -> &str {
    text.map_or("-", String::as_str)
}

fn human(cells: &[Cell]) -> String {
    let mut out = format!(
        "{:<12} {:<14} {:<24} {:>8} {:>8} {:>8}  differs from the first in\n",
        "channel", "sender", "session", "prompt", "message", "request"
    );
    let Some(first) = cells.first() else {
        return out;
    };
    for cell in cells {
        let differing = differing(cell, first);
        let names: Vec<&str> = differing.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(
            out,
            "{:<12} {:<14} {:<24} {:>8} {:>8} {:>8}  {}",
            name(cell.channel.as_ref()),
            name(cell.sender.as_ref()),
            name(cell.session.as_ref()),
            cell.usage.system_prompt,
            cell.usage.user_message,
            cell.usage.request(),
            names.join(", ")
        );
    }
    out
}

fn as_json(root: &str, inputs: &Inputs, cells: &[Cell]) -> String {
    let turns = cells.iter().map(|cell| {
        let differing = cells
            .first()
            .map(|first| differing(cell, first))
            .unwrap_or_default();
        let differing = differing
            .into_iter()
            .map(|(name, diff)| record([("part", Value::str(name)), ("diff", Value::Str(diff))]));
        record([
            ("channel", text(cell.channel.clone())),
            ("sender_id", text(cell.sender.clone())),
            ("session", text(cell.session.clone())),
            (
                "system_prompt",
                record([("tokens", count(cell.usage.system_prompt))]),
            ),
            (
                "user_message",
                record([("tokens", Value::Int(cell.usage.user_message.into()))]),
            ),
            ("request", record([("tokens", count(cell.usage.request()))])),
            ("differs", Value::List(differing.collect())),
        ])
    });
    let report = record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("workspace", Value::str(root)),
        ("encoding", Value::str(inputs.encoding.name())),
        ("turns", Value::List(turns.collect())),
    ]);
    json_text(&report)
}
