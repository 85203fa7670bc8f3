//! One skill: its folder, its SKILL.md and what the front matter declares.

use std::path::{Path, PathBuf};

use super::agent_error::AgentError;
use super::front_matter::{self, FrontMatter};
use super::path_text;
use super::read::{FileRead, FolderOrder, Found, Source};
use crate::python::json::{self, JsonFailure};
use crate::python::{Dict, Value};

/// Where a skill comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillSource {
    /// The workspace's own `skills/`.
    Workspace,
    /// The folder that comes with the agent.
    Builtin,
}

/// A folder under `skills/` that holds a SKILL.md.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The folder's name, which is the skill's name.
    pub name: String,
    /// The SKILL.md, written as the agent writes it into the prompt.
    pub path: PathBuf,
    /// Where the skill comes from.
    pub source: SkillSource,
    /// The text of the SKILL.md.
    pub content: FileRead,
    /// What the text declares at its top.
    pub front_matter: FrontMatter,
    /// Whether it counts as asking to be always on, whatever it declares: a what-if.
    pub always_instead: Option<bool>,
}

/// What `metadata` in the front matter declares for this agent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentMetadata(Dict);

/// Lists the skills below a folder in the given order.
///
/// Mirrors the reference's listing: an entry counts if it is a folder (links followed) in which
/// SKILL.md exists. Fails where the reference raises, as on a plain file named `skills`.
pub fn list(
    folder: &Path,
    source: SkillSource,
    order: FolderOrder,
    files: &Source,
) -> Result<Vec<Skill>, AgentError> {
    let mut skills = Vec::new();
    for entry in files.list(folder, order)? {
        let path = entry.join("SKILL.md");
        if files.find(&entry)? != Found::Folder || files.find(&path)? == Found::Nothing {
            continue;
        }
        let content = files.text(&path);
        let front_matter = content
            .text()
            .map_or(FrontMatter::None, |text| FrontMatter::read(text));
        skills.push(Skill {
            name: entry
                .file_name()
                .map(|name| path_text(Path::new(name)))
                .unwrap_or_default(),
            path,
            source,
            content,
            front_matter,
            always_instead: None,
        });
    }
    Ok(skills)
}

impl Skill {
    /// Gives the exception that the agent raises when it reads this skill, if it does.
    pub fn readable(&self) -> Result<(), AgentError> {
        if let FileRead::Failed(failure) = &self.content {
            return Err(failure.clone());
        }
        match &self.front_matter {
            FrontMatter::Raises {
                class,
                message,
                line,
            } => Err(AgentError::at(&self.path, class, message).on_line(*line)),
            _ => Ok(()),
        }
    }

    /// Reads the metadata for this agent: a mapping or JSON text, under `nanobot`, else `openclaw`.
    ///
    /// Whatever has another shape counts as empty. Fails only where Python's JSON reader raises
    /// something other than a decoding error.
    pub fn metadata(&self) -> Result<AgentMetadata, AgentError> {
        let parsed;
        let declared = match self.front_matter.get("metadata") {
            Some(Value::Str(text)) => match json::loads(text) {
                Ok(value) => {
                    parsed = value;
                    &parsed
                }
                Err(JsonFailure::Decode { .. }) => return Ok(AgentMetadata::default()),
                Err(JsonFailure::Raises { class, message }) => {
                    return Err(AgentError::at(&self.path, class, message));
                }
            },
            Some(value) => value,
            None => return Ok(AgentMetadata::default()),
        };
        let payload = declared.get("nanobot").or_else(|| declared.get("openclaw"));
        Ok(match payload {
            Some(Value::Dict(dict)) => AgentMetadata(dict.clone()),
            _ => AgentMetadata::default(),
        })
    }

    /// Gives the description that the skills summary shows: the declared one, else the name.
    #[must_use]
    pub fn description(&self) -> String {
        match self.front_matter.get("description") {
            Some(value) if value.truth() => value.to_str(),
            _ => self.name.clone(),
        }
    }

    /// Gives the line of the SKILL.md that the description comes from: the first where it has none.
    #[must_use]
    pub fn description_line(&self) -> usize {
        let text = self.content.text();
        text.map_or(1, |text| front_matter::line_of(text, "description"))
    }

    /// Tells whether the skill asks to be always on, by Python's truth.
    #[must_use]
    pub fn asks_always(&self, metadata: &AgentMetadata) -> bool {
        if let Some(instead) = self.always_instead {
            return instead;
        }
        let declared = metadata.0.get(&Value::str("always"));
        declared.is_some_and(Value::truth)
            || self.front_matter.get("always").is_some_and(Value::truth)
    }
}

impl AgentMetadata {
    /// Gives the programs and variables that the skill requires.
    ///
    /// Fails as the reference does on a `requires` that is no mapping.
    pub fn requires(&self) -> Result<Requirements, (&'static str, String)> {
        let requires = match self.0.get(&Value::str("requires")) {
            None => return Ok(Requirements::default()),
            Some(Value::Dict(dict)) => dict,
            Some(other) => {
                let message = format!("`requires` is a {}, not a mapping", other.type_name());
                return Err(("AttributeError", message));
            }
        };
        let listed = |key: &str| match requires.get(&Value::str(key)) {
            None => Ok(Vec::new()),
            Some(value) => walked(value).ok_or_else(|| {
                let message = format!("`requires.{key}` is a {}, not a list", value.type_name());
                ("TypeError", message)
            }),
        };
        // The reference fetches both first and walks them later: a bad `bins` comes up first.
        Ok(Requirements {
            bins: listed("bins"),
            env: listed("env"),
        })
    }
}

/// What a `requires` asks for; each part fails on its own, when the reference walks it.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirements {
    /// The programs, as written.
    pub bins: Result<Vec<Value>, (&'static str, String)>,
    /// The environment variables, as written.
    pub env: Result<Vec<Value>, (&'static str, String)>,
}

impl Default for Requirements {
    fn default() -> Self {
        Self {
            bins: Ok(Vec::new()),
            env: Ok(Vec::new()),
        }
    }
}

/// Walks a value as a Python `for` does: text letter by letter, a mapping by its keys.
fn walked(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => Some(items.clone()),
        Value::Str(text) => Some(text.chars().map(|c| Value::Str(c.into())).collect()),
        Value::Dict(dict) => Some(dict.keys().cloned().collect()),
        Value::Bytes(bytes) => Some(bytes.iter().map(|&b| Value::Int(b.into())).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(front: &str) -> Skill {
        let text = format!("---\n{front}\n---\nBody\n");
        Skill {
            name: "s".into(),
            path: "/w/skills/s/SKILL.md".into(),
            source: SkillSource::Workspace,
            front_matter: FrontMatter::read(&text),
            content: FileRead::Text(text.into()),
            always_instead: None,
        }
    }

    #[test]
    fn metadata_is_found_under_its_keys_only() {
        let always = |front: &str| {
            let skill = skill(front);
            skill.asks_always(&skill.metadata().unwrap())
        };
        assert!(always("metadata: {nanobot: {always: true}}"));
        assert!(always("metadata: {openclaw: {always: true}}"));
        assert!(!always(
            "metadata: {nanobot: null, openclaw: {always: true}}"
        ));
        assert!(!always("metadata: {clawdbot: {always: true}}"));
        assert!(always(r#"metadata: '{"nanobot": {"always": "false"}}'"#));
        assert!(!always(r#"metadata: '{"nanobot": '"#));
        assert!(always("always: yes"));
        assert!(!always("always: no"));
    }

    #[test]
    fn requirements_of_odd_shapes_fail_as_python_does() {
        let requires = |front: &str| skill(front).metadata().unwrap().requires();
        assert_eq!(
            requires("metadata: {nanobot: {requires: null}}")
                .unwrap_err()
                .0,
            "AttributeError"
        );
        let nothing = requires("metadata: {nanobot: {requires: {bins: null}}}").unwrap();
        assert_eq!(nothing.bins.unwrap_err().0, "TypeError");
        let letters = requires("metadata: {nanobot: {requires: {env: AB}}}").unwrap();
        assert_eq!(letters.env, Ok(vec![Value::str("A"), Value::str("B")]));
    }

    #[test]
    fn a_false_description_falls_back_to_the_name() {
        assert_eq!(skill("description: ''").description(), "s");
        assert_eq!(skill("description: no").description(), "s");
        assert_eq!(skill("description: [a, 1]").description(), "['a', 1]");
    }
}
