//! A scenario: a saved turn and host, which makes a run repeatable on any machine.
//!
//! The keys are a contract; every one is optional, and one that is not known is an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Error, Kind, Result};
use crate::prompt::{SessionRequest, Turn};
use crate::python::json::{self, JsonFailure};
use crate::python::{Dict, Value};
use crate::workspace::host::HostProfile;
use crate::workspace::read::FolderOrder;

mod fields;
mod from_toml;
mod write;

use fields::{Fields, Reader};
pub use fields::{instant, zone};

/// A turn, a host profile, and where templates and skills come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// The turn.
    pub turn: Turn,
    /// What is declared about the target machine.
    pub host: HostProfile,
    /// The folder of templates, where one is named.
    pub templates: Option<PathBuf>,
    /// Where builtin skills come from.
    pub builtin_skills: BuiltinSkills,
    /// In which order skills are listed, where it is said.
    pub skill_order: Option<FolderOrder>,
    /// Values of variables of prompts, by their dotted names.
    pub variables: BTreeMap<String, String>,
}

/// Where builtin skills come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BuiltinSkills {
    /// From the installed agent, if one is found.
    #[default]
    OfAgent,
    /// There are none.
    None,
    /// From this folder.
    Folder(PathBuf),
}

impl Scenario {
    /// Reads a scenario from the text of a file, as TOML or JSON by the file's ending.
    ///
    /// Relative paths start at the file's folder.
    pub fn parse(text: &str, file: &Path) -> Result<Self> {
        let is_toml = file.extension().is_some_and(|ending| ending == "toml");
        let value = if is_toml {
            from_toml::parse(text, file)?
        } else {
            json::loads(text).map_err(|failure| broken_json(file, &failure))?
        };
        let Value::Dict(fields) = value else {
            let message = format!("scenario {}: is no object", file.display());
            return Err(Error::new(Kind::Scenario, message)
                .hint("a scenario is one object of keys, such as {\"message\": \"hello\"}"));
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        Self::read(&Reader::new(file, folder), fields)
    }

    fn read(reader: &Reader, fields: Dict) -> Result<Self> {
        let mut fields = Fields::new(reader, "", fields);
        let mut turn = Turn::default();
        if let Some(message) = fields.text("message")? {
            turn.message = message;
        }
        turn.channel = fields.text("channel")?;
        turn.chat_id = fields.text("chat_id")?;
        turn.sender_id = fields.text("sender_id")?;
        turn.media = fields
            .paths("media")?
            .into_iter()
            .map(|path| path_string(&path))
            .collect();
        turn.history = fields.list("history")?.unwrap_or_default();
        turn.session = session(&mut fields)?;
        turn.session_summary = fields.text("session_summary")?;
        if let Some(metadata) = fields.mapping("session_metadata")? {
            turn.session_metadata = Value::Dict(metadata);
        }
        turn.session_key = fields.text("session_key")?;
        turn.unified_session = fields.truth("unified_session")?.unwrap_or(false);
        if let Some(role) = fields.text("current_role")? {
            turn.current_role = role;
        }
        turn.include_memory_recent_history = fields
            .truth("include_memory_recent_history")?
            .unwrap_or(true);
        turn.current_runtime_lines = fields.texts("current_runtime_lines")?.unwrap_or_default();
        turn.cli_apps = fields.list("cli_apps")?.unwrap_or_default();
        turn.mcp_presets = fields.list("mcp_presets")?.unwrap_or_default();
        turn.timezone = fields.text("timezone")?;
        turn.disabled_skills = fields.texts("disabled_skills")?.unwrap_or_default();
        let scenario = Self {
            turn,
            host: host(&mut fields)?,
            templates: fields.path("templates")?,
            builtin_skills: builtin_skills(&mut fields)?,
            skill_order: fields.skill_order()?,
            variables: fields.values("variables")?,
        };
        fields.finish()?;
        Ok(scenario)
    }
}

fn session(fields: &mut Fields) -> Result<Option<SessionRequest>> {
    let Some(mut fields) = fields.below("session")? else {
        return Ok(None);
    };
    let Some(key) = fields.text("key")? else {
        return Err(fields.error("key", "is missing"));
    };
    let default = SessionRequest::new(key);
    let request = SessionRequest {
        max_messages: fields
            .count("max_messages")?
            .unwrap_or(default.max_messages),
        max_tokens: fields.count("max_tokens")?.unwrap_or(default.max_tokens),
        key: default.key,
    };
    fields.finish()?;
    Ok(Some(request))
}

fn host(fields: &mut Fields) -> Result<HostProfile> {
    let Some(mut fields) = fields.below("host")? else {
        return Ok(HostProfile::default());
    };
    let profile = HostProfile {
        system: fields.text("system")?,
        machine: fields.text("machine")?,
        python: fields.text("python")?,
        now: fields.instant("now")?,
        local_timezone: fields.zone("local_timezone")?,
        path: fields
            .given("path")
            .then(|| fields.paths("path"))
            .transpose()?,
        bins: fields.texts("bins")?.unwrap_or_default(),
        env: variables(&mut fields)?,
    };
    fields.finish()?;
    Ok(profile)
}

fn variables(fields: &mut Fields) -> Result<Option<BTreeMap<String, String>>> {
    let Some(env) = fields.mapping("env")? else {
        return Ok(None);
    };
    env.into_iter()
        .map(|(name, value)| match value {
            Value::Str(value) => Ok((name.to_str(), value)),
            _ => Err(fields.error(&format!("env.{}", name.to_str()), "must be text")),
        })
        .collect::<Result<_>>()
        .map(Some)
}

fn builtin_skills(fields: &mut Fields) -> Result<BuiltinSkills> {
    if fields.is_false("builtin_skills") {
        fields.truth("builtin_skills")?;
        return Ok(BuiltinSkills::None);
    }
    Ok(match fields.path("builtin_skills")? {
        Some(folder) => BuiltinSkills::Folder(folder),
        None => BuiltinSkills::OfAgent,
    })
}

fn path_string(path: &Path) -> String {
    crate::workspace::path_text(path)
}

fn broken_json(file: &Path, failure: &JsonFailure) -> Error {
    let message = match failure {
        JsonFailure::Decode {
            message,
            line,
            column,
            ..
        } => format!("scenario {}:{line}:{column}: {message}", file.display()),
        JsonFailure::Raises { message, .. } => format!("scenario {}: {message}", file.display()),
    };
    Error::new(Kind::Scenario, message).hint("a scenario is a TOML file, or JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(name: &str, text: &str) -> Result<Scenario> {
        Scenario::parse(text, &Path::new("/s").join(name))
    }

    #[test]
    fn toml_and_json_say_the_same() {
        let json = r#"{"message": "hi\nthere", "channel": "telegram", "chat_id": null, "media": ["a.png"],
            "history": [{"role": "user", "content": [1, 2.5, true]}],
            "session": {"key": "telegram:1", "max_tokens": 40},
            "current_runtime_lines": ["One: 1"], "cli_apps": [{"name": "gh"}], "mcp_presets": [], "skill_order": "name", "templates": "../t", "builtin_skills": false,
            "host": {"python": "3.13.1", "now": "2026-06-19T02:30:00+00:00", "local_timezone": "UTC", "path": [],
                     "bins": ["gh"], "env": {"TOKEN": "1"}}}"#;
        let toml = r#"
            message = "hi\nthere"
            channel = "telegram"
            media = ["a.png"]
            history = [{role = "user", content = [1, 2.5, true]}]
            session = {key = "telegram:1", max_tokens = 40}
            current_runtime_lines = ["One: 1"]
            cli_apps = [{name = "gh"}]
            skill_order = "name"
            templates = "../t"
            builtin_skills = false
            [host]
            python = "3.13.1"
            now = 2026-06-19T02:30:00Z
            local_timezone = "UTC"
            path = []
            bins = ["gh"]
            env = {TOKEN = "1"}
        "#;
        let scenario = parse("a.json", json).unwrap();
        assert_eq!(scenario, parse("a.toml", toml).unwrap());
        assert_eq!(scenario.turn.media, ["/s/a.png"]);
        assert_eq!(scenario.templates, Some("/s/../t".into()));
        assert_eq!(scenario.turn.session.unwrap().max_messages, 120);
        assert_eq!(scenario.host.path, Some(vec![]));
        assert_eq!(scenario.turn.current_role, "user");
    }

    #[test]
    fn what_is_wrong_is_named_by_its_key() {
        for (text, wanted) in [
            (r#"{"mesage": "x"}"#, "`mesage`"),
            (r#"{"host": {"pythn": "3"}}"#, "`host.pythn`"),
            (r#"{"session": {}}"#, "`session.key`"),
            (
                r#"{"session": {"key": "a", "max_tokens": -1}}"#,
                "`session.max_tokens`",
            ),
            (r#"{"message": 5}"#, "`message`"),
            (r#"{"media": ["a", 5]}"#, "`media`"),
            (r#"{"host": {"now": "soon"}}"#, "`host.now`"),
            (r#"{"host": {"local_timezone": "Mars/Base"}}"#, "Mars/Base"),
            (r#"{"host": {"env": {"A": 1}}}"#, "`host.env.A`"),
            (r#"{"skill_order": "size"}"#, "`skill_order`"),
            (r#"{"builtin_skills": true}"#, "`builtin_skills`"),
            ("{\n \"message\": }", "a.json:2:"),
            ("[]", "no object"),
        ] {
            let error = parse("a.json", text).unwrap_err();
            assert!(error.to_string().contains(wanted), "{text}: {error}");
            assert!(error.to_string().contains("a.json"), "{text}: {error}");
        }
        let error = parse("a.toml", "message = ").unwrap_err();
        assert!(error.to_string().contains("a.toml:1:"), "{error}");
        let error = parse("a.json", r#"{"mesage": "x"}"#).unwrap_err();
        assert!(error.hint_text().unwrap().contains("`message`"));
    }
}
