//! The JSON object that `render` prints. Its names are a contract.
//!
//! It is built of Python's values and written by Python's rules, so that messages stand in it
//! exactly as they are sent: whole numbers of any size, and `NaN` where the agent writes it.

use super::check::of_finding;
use crate::budget::Usage;
use crate::inputs::Inputs;
use crate::lint::Finding;
use crate::prompt::provenance::Origin;
use crate::prompt::{Assembly, Section, SectionId};
use crate::python::surrogate::escaped_in_json;
use crate::python::{Value, json};
use crate::workspace::agent_error::AgentError;
use crate::workspace::{Workspace, path_text};

/// Builds the report of an assembly.
#[must_use]
pub fn report(
    workspace: &Workspace,
    inputs: &Inputs,
    assembly: &Assembly,
    usage: &Usage,
    findings: &[Finding],
) -> Value {
    let agent = inputs.agent.as_ref();
    let findings = findings.iter();
    let findings = findings.map(|finding| of_finding(finding, finding.path.clone()));
    let sections = SectionId::ALL.map(|id| section(workspace, assembly, usage, id));
    record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("profile", Value::str(inputs.profile.name)),
        (
            "agent",
            record([
                ("version", text(agent.and_then(|it| it.version.clone()))),
                ("path", text(agent.map(|it| path_text(&it.package)))),
                ("exact", inputs.is_exact().map_or(Value::None, Value::Bool)),
            ]),
        ),
        ("workspace", Value::Str(path_text(&workspace.root))),
        ("encoding", Value::str(usage.encoding.name())),
        ("sections", Value::List(sections.into())),
        (
            "joins",
            record([("tokens", Value::Int(usage.joins.into()))]),
        ),
        (
            "system_prompt",
            record([
                ("text", Value::str(assembly.system_prompt.as_ref())),
                ("tokens", count(usage.system_prompt)),
                ("chars", count(assembly.system_prompt.chars().count())),
            ]),
        ),
        ("messages", Value::List(assembly.messages.clone())),
        (
            "user_message",
            record([
                ("tokens", Value::Int(usage.user_message.into())),
                ("runtime_context_tokens", count(usage.runtime_context)),
                ("approximate_lines", count(assembly.approximate_lines)),
            ]),
        ),
        (
            "request",
            record([
                ("tokens", count(usage.request())),
                (
                    "window",
                    inputs.config.budget.window.map_or(Value::None, count),
                ),
            ]),
        ),
        ("session", session(assembly)),
        ("findings", Value::List(findings.collect())),
        ("error", agent_error(workspace, assembly.error.as_ref())),
    ])
}

/// Builds what the report says of one section.
pub(super) fn section(
    workspace: &Workspace,
    assembly: &Assembly,
    usage: &Usage,
    id: SectionId,
) -> Value {
    let section = assembly.section(id);
    let sources = section.sources.iter().zip(&usage.sources[id.index()]);
    let sources = sources.map(|(source, tokens)| {
        let kind = if source.is_template {
            "template"
        } else {
            "file"
        };
        record([
            ("path", Value::Str(workspace.relative(&source.path))),
            ("tokens", count(*tokens)),
            ("kind", Value::str(kind)),
        ])
    });
    let chars = section
        .text
        .as_deref()
        .map_or(0, |text| text.chars().count());
    record([
        ("id", Value::str(id.id())),
        ("title", Value::str(id.title())),
        ("present", Value::Bool(section.text.is_some())),
        ("text", text(section.text.as_deref().map(str::to_owned))),
        ("tokens", count(usage.section(id))),
        ("chars", count(chars)),
        ("sources", Value::List(sources.collect())),
        ("lines", Value::List(lines(workspace, section))),
        ("error", agent_error(workspace, section.error.as_ref())),
    ])
}

/// Says where the lines of a section come from, run by run: `count` lines, of which the first stands
/// on `line` of the file at `path` and each further one on the next.
fn lines(workspace: &Workspace, section: &Section) -> Vec<Value> {
    let mut runs: Vec<(Origin, usize)> = Vec::new();
    for origin in section.line_origins() {
        match runs.last_mut() {
            Some((first, run)) if origin.continues(first, *run) => *run += 1,
            _ => runs.push((origin, 1)),
        }
    }
    let runs = runs.into_iter().map(|(origin, run)| {
        let kind = match &origin {
            Origin::Verbatim(_) | Origin::MadeFrom(_) => "file",
            Origin::Template(_) | Origin::SomewhereIn(_) => "template",
            Origin::Generated => "generated",
        };
        let path = origin.path().map(|path| workspace.relative(path));
        record([
            ("count", count(run)),
            ("kind", Value::str(kind)),
            ("path", text(path)),
            ("line", origin.line().map_or(Value::None, count)),
        ])
    });
    runs.collect()
}

fn session(assembly: &Assembly) -> Value {
    assembly.replay.as_ref().map_or(Value::None, |replay| {
        record([
            ("history", Value::List(replay.history.clone())),
            ("summary", text(replay.summary.clone())),
        ])
    })
}

fn agent_error(workspace: &Workspace, error: Option<&AgentError>) -> Value {
    error.map_or(Value::None, |error| {
        let path = error.path.as_deref().map(|path| workspace.relative(path));
        record([
            ("type", Value::str(error.class)),
            ("message", Value::str(error.message.as_str())),
            ("path", text(path)),
            ("line", error.line.map_or(Value::None, count)),
        ])
    })
}

/// Makes a mapping with text keys.
pub(super) fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.map(|(key, value)| (Value::str(key), value));
    Value::Dict(fields.into_iter().collect())
}

/// Makes a text, or null where there is none.
pub(super) fn text(text: Option<String>) -> Value {
    text.map_or(Value::None, Value::Str)
}

pub(super) fn count(number: usize) -> Value {
    Value::Int(number.into())
}

/// Writes JSON over several lines, as Python does.
pub(super) fn json_text(value: &Value) -> String {
    escaped_in_json(&json::dumps_pretty(value)).into_owned() + "\n"
}
