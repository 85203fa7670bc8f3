//! The JSON object that `render` prints. Its names are a contract.
//!
//! It is built of Python's values and written by Python's rules, so that messages stand in it
//! exactly as they are sent: whole numbers of any size, and `NaN` where the agent writes it.

use crate::budget::Usage;
use crate::inputs::Inputs;
use crate::prompt::{Assembly, SectionId};
use crate::python::Value;
use crate::workspace::agent_error::AgentError;
use crate::workspace::{Workspace, path_text};

/// Builds the report of an assembly.
#[must_use]
pub fn report(workspace: &Workspace, inputs: &Inputs, assembly: &Assembly, usage: &Usage) -> Value {
    let agent = inputs.agent.as_ref();
    let sections = SectionId::ALL.map(|id| section(workspace, assembly, usage, id));
    record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("profile", Value::str(inputs.profile.name)),
        (
            "agent",
            record([
                ("version", text(agent.and_then(|it| it.version.clone()))),
                ("path", text(agent.map(|it| path_text(&it.package)))),
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
        ("findings", Value::List(Vec::new())),
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
        record([
            ("path", Value::Str(workspace.relative(&source.path))),
            ("tokens", count(*tokens)),
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
        ("error", agent_error(workspace, section.error.as_ref())),
    ])
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

fn count(number: usize) -> Value {
    Value::Int(number.into())
}
