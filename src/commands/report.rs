//! The JSON object that `render` prints. Its names are a contract.

use serde_json::{Value as Json, json};

use crate::budget::Usage;
use crate::inputs::Inputs;
use crate::prompt::{Assembly, SectionId};
use crate::python::Value;
use crate::workspace::agent_error::AgentError;
use crate::workspace::{Workspace, path_text};

/// Builds the report of an assembly.
#[must_use]
pub fn report(workspace: &Workspace, inputs: &Inputs, assembly: &Assembly, usage: &Usage) -> Json {
    let agent = inputs.agent.as_ref();
    json!({
        "promptscope": env!("CARGO_PKG_VERSION"),
        "profile": inputs.profile.name,
        "agent": {
            "version": agent.and_then(|agent| agent.version.clone()),
            "path": agent.map(|agent| path_text(&agent.package)),
        },
        "workspace": path_text(&workspace.root),
        "encoding": usage.encoding.name(),
        "sections": SectionId::ALL.map(|id| section(workspace, assembly, usage, id)),
        "joins": { "tokens": usage.joins },
        "system_prompt": {
            "text": assembly.system_prompt.as_ref(),
            "tokens": usage.system_prompt,
            "chars": assembly.system_prompt.chars().count(),
        },
        "messages": assembly.messages.iter().map(to_json).collect::<Vec<_>>(),
        "user_message": {
            "tokens": usage.user_message,
            "runtime_context_tokens": usage.runtime_context,
        },
        "request": {
            "tokens": usage.request(),
            "window": inputs.config.budget.window,
        },
        "session": assembly.replay.as_ref().map(|replay| json!({
            "history": replay.history.iter().map(to_json).collect::<Vec<_>>(),
            "summary": replay.summary,
        })),
        "findings": [],
        "error": assembly.error.as_ref().map(|error| agent_error(workspace, error)),
    })
}

fn section(workspace: &Workspace, assembly: &Assembly, usage: &Usage, id: SectionId) -> Json {
    let section = assembly.section(id);
    let sources = section.sources.iter().zip(&usage.sources[id.index()]);
    let sources: Vec<Json> = sources
        .map(|(source, tokens)| {
            json!({ "path": workspace.relative(&source.path), "tokens": tokens })
        })
        .collect();
    json!({
        "id": id.id(),
        "title": id.title(),
        "present": section.text.is_some(),
        "text": section.text.as_deref(),
        "tokens": usage.section(id),
        "chars": section.text.as_deref().map_or(0, |text| text.chars().count()),
        "sources": sources,
        "error": section.error.as_ref().map(|error| agent_error(workspace, error)),
    })
}

fn agent_error(workspace: &Workspace, error: &AgentError) -> Json {
    json!({
        "type": error.class,
        "message": error.message,
        "path": error.path.as_deref().map(|path| workspace.relative(path)),
        "line": error.line,
    })
}

/// Turns a value into JSON as the agent's own JSON writer does; what JSON cannot hold becomes text.
fn to_json(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(number) => number
            .to_string()
            .parse::<serde_json::Number>()
            .map_or_else(|_| Json::String(number.to_string()), Json::Number),
        Value::Float(number) => serde_json::Number::from_f64(*number)
            .map_or_else(|| Json::String(value.repr()), Json::Number),
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
            Json::Array(items.iter().map(to_json).collect())
        }
        Value::Dict(fields) => Json::Object(
            fields
                .iter()
                .map(|(key, item)| (key.to_str(), to_json(item)))
                .collect(),
        ),
        other => Json::String(other.to_str()),
    }
}
