//! What the agent is asked: the turn, the host and the folders, as JSON for the script.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::effects::Copied;
use crate::commands::report::{record, text};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::prompt::Turn;
use crate::python::surrogate::escaped_in_json;
use crate::python::{Dict, Value, json};
use crate::workspace::agent_install::AgentInstall;
use crate::workspace::host::HostProfile;
use crate::workspace::path_text;
use crate::workspace::read::FolderOrder;

/// Folders outside the home that the agent's libraries may write to.
const WRITTEN: [&str; 4] = [
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

const USER_BASE: &str = "PYTHONUSERBASE";

/// Lists the variables that the child has otherwise than this process: another home, so that
/// nothing is written to the person's, and yet the packages that are installed there.
pub(super) fn variables(machine: &Machine) -> Vec<(&'static str, Option<OsString>)> {
    let base = machine.variable(USER_BASE).map(PathBuf::from);
    let base = base.or_else(|| Some(machine.home()?.join(".local")));
    let written = WRITTEN.into_iter().map(|name| (name, None));
    written
        .chain([(USER_BASE, base.map(PathBuf::into_os_string))])
        .collect()
}

/// Writes the question.
pub(super) fn write(
    inputs: &Inputs,
    agent: &AgentInstall,
    machine: &Machine,
    now: DateTime<Utc>,
    seconds: u64,
    copied: &Copied,
) -> String {
    let places = &inputs.places;
    let turn = &inputs.turn;
    let hidden = WRITTEN.into_iter().chain([USER_BASE, "HOME"]);
    let hidden = hidden.map(|name| (Value::str(name), text(machine.env.get(name).cloned())));
    let session = turn.session.as_ref().map_or(Value::None, |session| {
        record([
            ("key", Value::str(session.key.as_str())),
            ("max_messages", Value::Int(session.max_messages.into())),
            ("max_tokens", Value::Int(session.max_tokens.into())),
        ])
    });
    // What is the package's own stays untouched; `nothing` stands where there are no builtin skills.
    let templates = places.templates.as_deref();
    let templates = templates.filter(|folder| *folder != agent.templates());
    let builtin_skills = places.builtin_skills.as_deref();
    let builtin_skills = Some(builtin_skills.unwrap_or(&copied.nothing));
    let builtin_skills = builtin_skills.filter(|folder| *folder != agent.skills());
    let question = record([
        ("package", path(&agent.package)),
        ("workspace", path(&copied.root)),
        ("original_skills", path(&places.root.join("skills"))),
        (
            "skills_by_name",
            Value::Bool(places.skill_order == FolderOrder::Name),
        ),
        ("templates", templates.map_or(Value::None, path)),
        ("builtin_skills", builtin_skills.map_or(Value::None, path)),
        ("seconds", Value::Int(seconds.into())),
        ("now", Value::Int(now.timestamp().into())),
        ("host", host(&inputs.host)),
        ("hidden_variables", Value::Dict(hidden.collect())),
        ("timezone", text(turn.timezone.clone())),
        ("disabled_skills", texts(&turn.disabled_skills)),
        ("session", session),
        ("turn", arguments(turn)),
    ]);
    escaped_in_json(&json::dumps(&question)).into_owned()
}

/// Names the arguments of the builder as the agent does.
fn arguments(turn: &Turn) -> Value {
    record([
        ("message", Value::str(turn.message.as_str())),
        ("history", Value::List(turn.history.clone())),
        ("media", texts(&turn.media)),
        ("channel", text(turn.channel.clone())),
        ("chat_id", text(turn.chat_id.clone())),
        ("current_role", Value::str(turn.current_role.as_str())),
        ("sender_id", text(turn.sender_id.clone())),
        ("session_summary", text(turn.session_summary.clone())),
        ("session_metadata", turn.session_metadata.clone()),
        ("current_runtime_lines", texts(&turn.current_runtime_lines)),
        (
            "include_memory_recent_history",
            Value::Bool(turn.include_memory_recent_history),
        ),
        ("session_key", text(turn.session_key.clone())),
        ("unified_session", Value::Bool(turn.unified_session)),
    ])
}

fn host(host: &HostProfile) -> Value {
    let zone = host.local_timezone.map(|zone| zone.name().to_owned());
    let folders = host.path.as_deref().map(|folders| {
        let folders = folders.iter().map(|folder| path(folder));
        Value::List(folders.collect())
    });
    record([
        ("system", text(host.system.clone())),
        ("machine", text(host.machine.clone())),
        ("python", text(host.python.clone())),
        ("local_timezone", text(zone)),
        ("path", folders.unwrap_or(Value::None)),
        ("bins", texts(&host.bins)),
        ("env", host.env.as_ref().map_or(Value::None, environment)),
    ])
}

fn environment(env: &BTreeMap<String, String>) -> Value {
    let fields = env
        .iter()
        .map(|(name, value)| (Value::str(name.as_str()), Value::str(value.as_str())));
    Value::Dict(fields.collect::<Dict>())
}

fn path(path: &Path) -> Value {
    Value::Str(path_text(path))
}

fn texts(texts: &[String]) -> Value {
    let texts = texts.iter().map(|text| Value::str(text.as_str()));
    Value::List(texts.collect())
}
