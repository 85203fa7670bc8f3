//! The few keys of the agent's `config.json` that a prompt depends on.
//!
//! The file also holds API tokens: nothing but the keys named here is taken out of it.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use super::read::{self, FileRead};

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

/// The part of the file that is read; everything else is passed over unread.
#[derive(Deserialize, Default)]
#[serde(default)]
struct File {
    agents: Agents,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Agents {
    defaults: Defaults,
}

/// The named keys. The agent writes camelCase and reads both; a value of another type is as good as
/// none.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Defaults {
    workspace: Json,
    timezone: Json,
    #[serde(alias = "disabled_skills")]
    disabled_skills: Json,
    #[serde(alias = "unified_session")]
    unified_session: Json,
    #[serde(alias = "context_window_tokens")]
    context_window_tokens: Json,
    model: Json,
    #[serde(alias = "max_messages")]
    max_messages: Json,
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
        let file: File = serde_json::from_str(text).ok()?;
        let defaults = file.agents.defaults;
        let text = |value: Json| match value {
            Json::String(text) if !text.is_empty() => Some(text),
            _ => None,
        };
        let count = |value: Json| {
            value
                .as_u64()
                .and_then(|number| usize::try_from(number).ok())
        };
        Some(Self {
            workspace: text(defaults.workspace),
            timezone: text(defaults.timezone),
            disabled_skills: match defaults.disabled_skills {
                Json::Array(names) => names.into_iter().filter_map(text).collect(),
                _ => Vec::new(),
            },
            unified_session: defaults.unified_session.as_bool(),
            context_window: count(defaults.context_window_tokens),
            model: text(defaults.model),
            max_messages: count(defaults.max_messages),
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
