//! `promptscope render`: the assembled prompt, for people, for programs, or as it is sent.

use std::borrow::Cow;
use std::io::{self, Write};

use chrono::{DateTime, Utc};

use super::report;
use crate::budget::Usage;
use crate::cli::{Format, RenderArgs};
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::{Assembly, SectionId};
use crate::python::{Value, json};
use crate::tokens::Counter;
use crate::workspace::front_matter::FrontMatter;
use crate::workspace::{RootState, Workspace};

/// Where the output goes, and what it must be made safe for.
pub struct Output<'a> {
    /// The output itself.
    pub out: &'a mut dyn Write,
    /// What is said beside it.
    pub notes: &'a mut dyn Write,
    /// Makes text safe for a terminal; the identity for a pipe.
    pub safe: fn(&str) -> Cow<'_, str>,
}

/// Runs the command; gives the exit code: 1 where the agent itself would raise.
pub fn run(
    args: &RenderArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let workspace = Workspace::read(&inputs.places);
    let assembly = inputs.assemble(&workspace, machine, now);
    let notes = notes(args, &workspace, &inputs, &assembly);
    say(&notes, output).map_err(|error| Error::output(&error))?;
    let text = match (args.section, args.format) {
        (Some(id), Format::Text) => section_text(&assembly, id).unwrap_or_default(),
        (None, Format::Text) => prompt_text(&assembly),
        (None, Format::Messages) => report::json_text(&Value::List(assembly.messages.clone())),
        (Some(id), Format::Messages) => {
            let content = report::text(section_text(&assembly, id));
            let message = report::record([("role", Value::str("system")), ("content", content)]);
            report::json_text(&Value::List(vec![message]))
        }
        (section, Format::Json) => {
            let mut counter = Counter::new(inputs.encoding);
            let usage = Usage::count(&assembly, &mut counter);
            report::json_text(&if let Some(id) = section {
                report::section(&workspace, &assembly, &usage, id)
            } else {
                let sent = (&assembly, &usage);
                let here = (machine, now);
                let found = inputs.findings(&workspace, here, sent, None, &mut counter);
                report::report(&workspace, &inputs, &assembly, &usage, &found)
            })
        }
    };
    let text = (output.safe)(&text);
    write_all(output.out, text.as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(u8::from(assembly.error.is_some()))
}

/// Writes everything out.
pub(super) fn write_all(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// Lists what a person should know about the output.
fn notes(
    args: &RenderArgs,
    workspace: &Workspace,
    inputs: &Inputs,
    assembly: &Assembly,
) -> Vec<String> {
    let mut notes = Vec::new();
    if workspace.state == RootState::Bare {
        notes.push(format!(
            "note: {} holds none of the files that an agent reads; is it the right folder?",
            workspace.root.display()
        ));
    }
    if let (Some(_), Some(key)) = (&args.turn.session, workspace.missing_session()) {
        notes.push(format!(
            "note: there is no session {key:?} yet, so nothing is replayed"
        ));
    }
    for skill in workspace.skills.iter().flatten() {
        if let FrontMatter::Unread { problem, line, .. } = &skill.front_matter {
            notes.push(format!(
                "note: {}:{line}: what the agent takes from this front matter is not known: {problem}",
                workspace.relative(&skill.path)
            ));
        }
    }
    let reservations = inputs.reservations(assembly).into_iter();
    notes.extend(reservations.map(|reservation| format!("note: {reservation}")));
    if let Some(error) = &assembly.error {
        let problem = workspace.problem(error);
        notes.push(format!("error: {}: {problem}", error.outcome()));
    }
    notes
}

fn say(notes: &[String], output: &mut Output) -> io::Result<()> {
    notes
        .iter()
        .try_for_each(|note| writeln!(output.notes, "{}", (output.safe)(note)))
}

fn section_text(assembly: &Assembly, id: SectionId) -> Option<String> {
    assembly.section(id).text.as_deref().map(str::to_owned)
}

/// Writes the system prompt, and the other messages under their roles if anybody said anything.
fn prompt_text(assembly: &Assembly) -> String {
    let mut text = assembly.system_prompt.to_string();
    let is_bare = assembly.messages.len() == 2
        && assembly
            .user_message()
            .get("content")
            .and_then(Value::as_str)
            == Some(&format!("\n\n{}", assembly.runtime_context));
    if is_bare {
        return text;
    }
    for message in assembly.messages.iter().skip(1) {
        let role = message.get("role").map(Value::to_str).unwrap_or_default();
        text.extend(["\n\n=== ", &role, " ===\n\n"]);
        match message.get("content") {
            Some(Value::Str(content)) => text.push_str(content),
            Some(other) => text.push_str(&json::dumps_pretty(other)),
            None => {}
        }
        if let Some(calls) = message.get("tool_calls") {
            text.push_str(&json::dumps_pretty(calls));
        }
    }
    text.push('\n');
    text
}
