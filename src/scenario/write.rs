//! A scenario as the text of a file: what is as it would be anyhow is left out.

use super::{BuiltinSkills, Scenario};
use crate::prompt::{SessionRequest, Turn};
use crate::python::{Dict, Value, json};
use crate::workspace::host::HostProfile;
use crate::workspace::path_text;
use crate::workspace::read::FolderOrder;

impl Scenario {
    /// Writes the scenario as JSON, which [`Scenario::parse`] reads back as it is.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Turn {
            message,
            channel,
            chat_id,
            sender_id,
            media,
            history,
            session,
            session_summary,
            session_metadata,
            session_key,
            unified_session,
            current_role,
            include_memory_recent_history,
            current_runtime_lines,
            cli_apps,
            mcp_presets,
            timezone,
            disabled_skills,
            runtime_templates: _,
            history_uncapped: _,
            max_history_turns: _,
        } = &self.turn;
        let base = Turn::default();
        let mut fields = Written::default();
        fields.text("message", Some(message).filter(|text| !text.is_empty()));
        fields.text("channel", channel.as_ref());
        fields.text("chat_id", chat_id.as_ref());
        fields.text("sender_id", sender_id.as_ref());
        fields.texts("media", media);
        fields.values("history", history);
        if let Some(session) = session {
            fields.put("session", of_session(session));
        }
        fields.text("session_summary", session_summary.as_ref());
        if *session_metadata != base.session_metadata {
            fields.put("session_metadata", session_metadata.clone());
        }
        fields.text("session_key", session_key.as_ref());
        if *unified_session {
            fields.put("unified_session", Value::Bool(true));
        }
        let role = Some(current_role).filter(|role| **role != base.current_role);
        fields.text("current_role", role);
        if !include_memory_recent_history {
            fields.put("include_memory_recent_history", Value::Bool(false));
        }
        fields.texts("current_runtime_lines", current_runtime_lines);
        fields.values("cli_apps", cli_apps);
        fields.values("mcp_presets", mcp_presets);
        fields.text("timezone", timezone.as_ref());
        fields.texts("disabled_skills", disabled_skills);
        if let Some(order) = self.skill_order {
            let order = match order {
                FolderOrder::Directory => "directory",
                FolderOrder::Name => "name",
            };
            fields.put("skill_order", Value::str(order));
        }
        if !self.variables.is_empty() {
            let values = self.variables.iter();
            let values = values.map(|(name, value)| (Value::str(name), Value::str(value)));
            fields.put("variables", Value::Dict(values.collect()));
        }
        if self.host != HostProfile::default() {
            fields.put("host", of_host(&self.host));
        }
        if let Some(folder) = &self.templates {
            fields.put("templates", Value::Str(path_text(folder)));
        }
        match &self.builtin_skills {
            BuiltinSkills::OfAgent => {}
            BuiltinSkills::None => fields.put("builtin_skills", Value::Bool(false)),
            BuiltinSkills::Folder(folder) => {
                fields.put("builtin_skills", Value::Str(path_text(folder)));
            }
        }
        json::dumps_pretty(&Value::Dict(fields.0)) + "\n"
    }
}

fn of_session(session: &SessionRequest) -> Value {
    let mut fields = Written::default();
    fields.text("key", Some(&session.key));
    fields.put("max_messages", Value::Int(session.max_messages.into()));
    fields.put("max_tokens", Value::Int(session.max_tokens.into()));
    Value::Dict(fields.0)
}

fn of_host(host: &HostProfile) -> Value {
    let mut fields = Written::default();
    fields.text("system", host.system.as_ref());
    fields.text("machine", host.machine.as_ref());
    fields.text("python", host.python.as_ref());
    fields.text("now", host.now.map(|now| now.to_rfc3339()).as_ref());
    let zone = host.local_timezone.map(|zone| zone.name().to_owned());
    fields.text("local_timezone", zone.as_ref());
    if let Some(path) = &host.path {
        let folders = path.iter().map(|folder| Value::Str(path_text(folder)));
        fields.put("path", Value::List(folders.collect()));
    }
    fields.texts("bins", &host.bins);
    if let Some(env) = &host.env {
        let pairs = env.iter();
        let pairs = pairs.map(|(name, value)| (Value::str(name), Value::str(value)));
        fields.put("env", Value::Dict(pairs.collect()));
    }
    Value::Dict(fields.0)
}

/// The fields that say something.
#[derive(Default)]
struct Written(Dict);

impl Written {
    fn put(&mut self, key: &str, value: Value) {
        self.0.insert(Value::str(key), value);
    }

    fn text(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.put(key, Value::str(text));
        }
    }

    fn texts(&mut self, key: &str, texts: &[String]) {
        let texts: Vec<Value> = texts.iter().map(Value::str).collect();
        self.values(key, &texts);
    }

    fn values(&mut self, key: &str, values: &[Value]) {
        if !values.is_empty() {
            self.put(key, Value::List(values.to_vec()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_written_is_read_back_as_it_was() {
        let full = r#"{"message": "hi\nthere \"you\" 漢", "channel": "telegram", "chat_id": "1", "sender_id": "u",
            "media": ["/m/a b.png"], "history": [{"role": "user", "content": [1, 2.5, true, null]}],
            "session": {"key": "telegram:1", "max_messages": 3, "max_tokens": 40}, "session_summary": "so far",
            "session_metadata": {"goal_state": {"status": "active", "objective": "x"}}, "session_key": "k",
            "unified_session": true, "current_role": "assistant", "include_memory_recent_history": false,
            "current_runtime_lines": ["One: 1"], "cli_apps": [{"name": "gh"}], "mcp_presets": [{"name": "m"}],
            "timezone": "Asia/Tokyo", "disabled_skills": ["a"], "skill_order": "name", "templates": "/t",
            "builtin_skills": "/b",
            "host": {"system": "Linux", "machine": "arm64", "python": "3.13.1", "now": "2026-06-19T02:30:00.25+00:00",
                     "local_timezone": "Europe/Berlin", "path": [], "bins": ["gh"], "env": {"TOKEN": "1"}}}"#;
        let few = r#"{"builtin_skills": false, "skill_order": "directory", "host": {"path": ["/usr/bin"], "env": {}}}"#;
        for text in [full, few, "{}"] {
            let scenario = Scenario::parse(text, Path::new("/s/a.json")).unwrap();
            let written = scenario.to_json();
            let again = Scenario::parse(&written, Path::new("/other/b.json")).unwrap();
            assert_eq!(again, scenario, "{written}");
        }
        assert_eq!(Scenario::default().to_json(), "{}\n");
    }
}
