//! The few keys of the agent's `config.json` that a prompt depends on.
//!
//! The file also holds API tokens: nothing but the keys named here is taken out of it.

use std::path::{Path, PathBuf};

use super::read::{self, FileRead};
use crate::python::{Value, json};

/// What the agent's configuration says about prompts; `None` where it is silent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentConfig {
    /// The workspace folder, as written.
    pub workspace: Option<String>,
    /// The time zone.
    pub timezone: Option<String>,
    /// The skills that are switched off.
    pub disabled_skills: Vec<String>,
    /// Whether all sessions are one.
    pub unified_session: Option<bool>,
    /// The context window in tokens.
    pub context_window: Option<usize>,
    /// The model.
    pub model: Option<String>,
    /// How many messages of a session are replayed.
    pub max_messages: Option<usize>,
}

impl AgentConfig {
    /// Reads the configuration in a person's home folder; `None` if there is none that can be read.
    #[must_use]
    pub fn read(home: &Path) -> Option<Self> {
        match read::text(&home.join(".nanobot").join("config.json")) {
            FileRead::Text(text) => Self::parse(&text),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let config = json::loads(text).ok()?;
        let defaults = config
            .get("agents")
            .and_then(|agents| agents.get("defaults"));
        // The agent writes camelCase and reads both.
        let get = |camel: &str, snake: &str| {
            defaults.and_then(|defaults| defaults.get(camel).or_else(|| defaults.get(snake)))
        };
        let text = |camel: &str, snake: &str| {
            let value = get(camel, snake).and_then(Value::as_str);
            value.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let count = |camel: &str, snake: &str| match get(camel, snake) {
            Some(Value::Int(number)) => usize::try_from(number).ok(),
            _ => None,
        };
        Some(Self {
            workspace: text("workspace", "workspace"),
            timezone: text("timezone", "timezone"),
            disabled_skills: match get("disabledSkills", "disabled_skills") {
                Some(Value::List(names)) => names
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                _ => Vec::new(),
            },
            unified_session: match get("unifiedSession", "unified_session") {
                Some(Value::Bool(unified)) => Some(*unified),
                _ => None,
            },
            context_window: count("contextWindowTokens", "context_window_tokens"),
            model: text("model", "model"),
            max_messages: count("maxMessages", "max_messages"),
        })
    }

    /// Gives the workspace folder, `~` replaced by the home folder; the agent's default otherwise.
    #[must_use]
    pub fn workspace_folder(&self, home: &Path) -> PathBuf {
        match self.workspace.as_deref() {
            None => home.join(".nanobot").join("workspace"),
            Some("~") => home.to_path_buf(),
            Some(path) => match path.strip_prefix("~/") {
                Some(below) => home.join(below),
                None => PathBuf::from(path),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_keys_are_taken() {
        let config = AgentConfig::parse(
            r#"{"agents": {"defaults": {"workspace": "~/w", "timezone": "Asia/Tokyo", "unifiedSession": true,
                "disabled_skills": ["a", 5], "contextWindowTokens": 1000, "maxMessages": -1}},
                "providers": {"openai": {"apiKey": "secret"}}}"#,
        )
        .unwrap();
        assert_eq!(config.timezone.as_deref(), Some("Asia/Tokyo"));
        assert_eq!(config.disabled_skills, ["a"]);
        assert_eq!(config.context_window, Some(1000));
        assert_eq!(config.max_messages, None);
        assert_eq!(config.unified_session, Some(true));
        assert_eq!(config.workspace_folder(Path::new("/h")), Path::new("/h/w"));
        assert!(!format!("{config:?}").contains("secret"));
        let silent = AgentConfig::parse("{}").unwrap();
        assert_eq!(
            silent.workspace_folder(Path::new("/h")),
            Path::new("/h/.nanobot/workspace")
        );
        assert_eq!(AgentConfig::parse("{broken"), None);
    }
}
