//! What every skill asks for, and whether this host has it.

use crate::prompt::Turn;
use crate::python::Value;
use crate::workspace::Workspace;
use crate::workspace::agent_error::AgentError;
use crate::workspace::host::Host;
use crate::workspace::skill::Skill;

/// A skill that is not switched off, with what was found out about it.
pub(super) struct Examined<'a> {
    pub skill: &'a Skill,
    /// Whether all requirements are met.
    pub available: bool,
    /// Whether it is always on: it asks for it and is available.
    pub always: bool,
    /// What is missing, as the summary writes it; an error where walking it raises.
    pub missing: Result<String, AgentError>,
}

/// Examines the skills that are not switched off; the first error stops it, as in the reference.
pub(super) fn examine<'a>(
    workspace: &'a Workspace,
    host: &Host,
    turn: &Turn,
) -> Result<Vec<Examined<'a>>, AgentError> {
    let skills = workspace.skills.as_ref().map_err(Clone::clone)?;
    skills
        .iter()
        .filter(|skill| !turn.disabled_skills.contains(&skill.name))
        .map(|skill| examine_one(skill, host))
        .collect()
}

fn examine_one<'a>(skill: &'a Skill, host: &Host) -> Result<Examined<'a>, AgentError> {
    let raised =
        |(class, message): (&'static str, String)| AgentError::at(&skill.path, class, message);
    skill.readable()?;
    let metadata = skill.metadata()?;
    let requires = metadata.requires().map_err(raised)?;
    let bins = requires.bins.map_err(raised)?;
    let env = requires.env.map_err(raised);
    let has_bin = |bin: &Value| has_program(bin, host).map_err(raised);
    let has_env = |name: &Value| has_variable(name, host).map_err(raised);
    // Python's `all` stops at the first that is missing, and looks at no variable then.
    let available = all(&bins, has_bin)? && all(env.as_ref().map_err(Clone::clone)?, has_env)?;
    let missing = if available {
        Ok(String::new())
    } else {
        env.and_then(|env| missing(&bins, &env, has_bin, has_env))
    };
    Ok(Examined {
        available,
        always: available && skill.asks_always(&metadata),
        missing,
        skill,
    })
}

type Has<'a> = &'a dyn Fn(&Value) -> Result<bool, AgentError>;

fn all(
    items: &[Value],
    has: impl Fn(&Value) -> Result<bool, AgentError>,
) -> Result<bool, AgentError> {
    for item in items {
        if !has(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn missing(
    bins: &[Value],
    env: &[Value],
    has_bin: impl Fn(&Value) -> Result<bool, AgentError>,
    has_env: impl Fn(&Value) -> Result<bool, AgentError>,
) -> Result<String, AgentError> {
    let mut missing = Vec::new();
    let kinds: [(&str, &[Value], Has); 2] = [("CLI", bins, &has_bin), ("ENV", env, &has_env)];
    for (kind, items, has) in kinds {
        for item in items {
            if !has(item)? {
                missing.push(format!("{kind}: {}", item.to_str()));
            }
        }
    }
    Ok(missing.join(", "))
}

/// Looks a program up; `shutil.which` takes no other type than text.
fn has_program(bin: &Value, host: &Host) -> Result<bool, (&'static str, String)> {
    match bin {
        Value::Str(name) => Ok(host.has_program(name)),
        other => Err(not_text("requires.bins", other)),
    }
}

/// Looks a variable up; `os.environ` takes no other type than text.
fn has_variable(name: &Value, host: &Host) -> Result<bool, (&'static str, String)> {
    match name {
        Value::Str(name) => Ok(host.has_variable(name)),
        other => Err(not_text("requires.env", other)),
    }
}

fn not_text(key: &str, value: &Value) -> (&'static str, String) {
    let message = format!("`{key}` lists a {}, not text", value.type_name());
    ("TypeError", message)
}
