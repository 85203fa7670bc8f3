//! `promptscope verify`: the installed agent's own builder is asked for the same prompt, and every
//! byte compared.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use crate::cli::VerifyArgs;
use crate::error::{Error, Result};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::Turn;
use crate::workspace::{Workspace, session};

mod answer;
mod compare;
mod effects;
mod failure;
mod question;
mod show;

use answer::Answer;
use compare::Comparison;
use effects::{Errand, Reply};

/// How long after the time limit the child ends itself, should this process be gone by then.
const OVERTIME: u64 = 10;

/// What a shell adds to the number of the signal that ended a process.
const BY_SIGNAL: u8 = 128;

/// Takes the CLI apps and MCP presets off the turn, on both sides: their lines are of our own wording
/// and would differ. Tells whether there were any.
fn without_attachments(turn: &mut Turn) -> bool {
    let apps = std::mem::take(&mut turn.cli_apps);
    let presets = std::mem::take(&mut turn.mcp_presets);
    !apps.is_empty() || !presets.is_empty()
}

/// Runs the command; gives the exit code: 0 where all is the same, 1 where anything differs.
pub fn run(
    args: &VerifyArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let mut inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let is_approximate = without_attachments(&mut inputs.turn);
    let is_cut = inputs.turn.max_history_turns.take().is_some();
    let agent = inputs.agent.as_ref().ok_or_else(failure::no_agent)?;
    let interpreter = agent.interpreter.as_deref();
    let interpreter = interpreter.ok_or_else(|| failure::no_interpreter(agent))?;
    let now = inputs.host.now.unwrap_or(now);
    let workspace = Workspace::read(&inputs.places);
    let assembly = inputs.assemble(&workspace, machine, now);

    let session_file = inputs.places.session.as_deref().map(session::file_name);
    let errand = Errand {
        interpreter,
        root: &workspace.root,
        resolved_root: &workspace.resolved_root,
        session_file: session_file.as_deref(),
        old_sessions: inputs.places.old_sessions.as_deref(),
        variables: question::variables(machine),
        limit: Duration::from_secs(args.timeout),
    };
    let reply = effects::ask(&errand, |copied| {
        let seconds = args.timeout.saturating_add(OVERTIME);
        question::write(&inputs, agent, machine, now, seconds, copied)
    })?;
    let (line, copied) = match reply {
        Reply::Line(line, copied) => (line, copied),
        Reply::Interrupted(number) => return Ok(BY_SIGNAL + number),
    };
    let answer = Answer::read(&line, &copied, &workspace);
    let answer = answer.ok_or_else(|| failure::no_sense(interpreter))?;
    let answer = answer.map_err(|failed| failure::failed(agent, &failed))?;
    let comparison = Comparison::of(&assembly, &answer);
    if !comparison.is_equal() && Workspace::read(&inputs.places) != workspace {
        return Err(failure::changed());
    }
    let mut text = show::head(agent, interpreter, &answer.python);
    if is_approximate {
        text += show::ATTACHMENTS;
    }
    if is_cut {
        text += show::ALL_TURNS;
    }
    let text = text + &show::body(&comparison, &assembly, &answer, &workspace);
    let text = (output.safe)(&text);
    write_all(output.out, text.as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(u8::from(!comparison.is_equal()))
}
