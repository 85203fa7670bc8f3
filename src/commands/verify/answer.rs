//! What the agent answered, with the real paths in the place of the copy's.

use super::effects::Copied;
use crate::prompt::SectionId;
use crate::python::{Dict, Value, json};
use crate::workspace::{Workspace, path_text};

/// What the agent built, or what it raised.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The eight sections; `None` where they could not be told apart.
    pub sections: Option<[Option<String>; 8]>,
    /// The system prompt.
    pub system_prompt: Option<String>,
    /// The final list of messages.
    pub messages: Vec<Value>,
    /// The replayed session: its messages and its summary.
    pub session: Option<(Value, Option<String>)>,
    /// Whether the agent's tokenizer could be loaded, where that matters.
    pub tokenizer: Option<bool>,
    /// The exception that the agent raised: its class and its text.
    pub error: Option<(String, String)>,
    /// The version of its Python.
    pub python: String,
}

/// Why the script could not ask the agent.
#[derive(Debug)]
pub(super) struct Failed {
    /// The step at which it stopped.
    pub step: String,
    /// The reason.
    pub reason: String,
}

impl Answer {
    /// Reads a line; `None` where it is no answer of the script.
    pub(super) fn read(
        line: &[u8],
        copied: &Copied,
        workspace: &Workspace,
    ) -> Option<Result<Self, Failed>> {
        let value = json::loads(std::str::from_utf8(line).ok()?).ok()?;
        let places = [
            (path_text(&copied.root), path_text(&workspace.root)),
            (
                path_text(&copied.resolved_root),
                path_text(&workspace.resolved_root),
            ),
        ];
        let value = put_back(value, &places);
        let text_of = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_owned());
        if let Some(failed) = value.get("failed") {
            return Some(Err(Failed {
                step: text_of(failed, "step")?,
                reason: text_of(failed, "reason")?,
            }));
        }
        let python = text_of(&value, "python")?;
        if let Some(error @ Value::Dict(_)) = value.get("error") {
            return Some(Ok(Self {
                error: Some((text_of(error, "type")?, text_of(error, "message")?)),
                python,
                ..Self::default()
            }));
        }
        let Some(Value::List(messages)) = value.get("messages") else {
            return None;
        };
        let sections = value.get("sections").filter(|it| **it != Value::None);
        let session = value.get("session").filter(|it| **it != Value::None);
        Some(Ok(Self {
            sections: sections.map(|of| SectionId::ALL.map(|id| text_of(of, id.id()))),
            system_prompt: text_of(&value, "system_prompt"),
            messages: messages.clone(),
            session: session.map(|of| {
                let history = of.get("history").cloned().unwrap_or(Value::None);
                (history, text_of(of, "summary"))
            }),
            tokenizer: match value.get("tokenizer") {
                Some(Value::Bool(loaded)) => Some(*loaded),
                _ => None,
            },
            error: None,
            python,
        }))
    }
}

/// Puts the real paths back into every text of a value.
fn put_back(value: Value, places: &[(String, String)]) -> Value {
    match value {
        Value::Str(text) => Value::Str(places.iter().fold(text, |text, (copy, real)| {
            if text.contains(copy.as_str()) {
                text.replace(copy, real)
            } else {
                text
            }
        })),
        Value::List(items) => {
            let items = items.into_iter().map(|item| put_back(item, places));
            Value::List(items.collect())
        }
        Value::Dict(fields) => {
            let fields = fields
                .into_iter()
                .map(|(key, item)| (key, put_back(item, places)));
            Value::Dict(fields.collect::<Dict>())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Places;

    fn read(line: &str) -> Option<Result<Answer, Failed>> {
        let copied = Copied {
            root: "/t/named".into(),
            resolved_root: "/t/real".into(),
            nothing: "/t/nothing".into(),
        };
        let workspace = Workspace {
            root: "/w".into(),
            resolved_root: "/r".into(),
            ..Workspace::read(&Places::default())
        };
        Answer::read(line.as_bytes(), &copied, &workspace)
    }

    #[test]
    fn the_real_paths_stand_in_every_text() {
        let line = r#"{"python": "3.12.1", "sections": {"identity": "at /t/real, /t/named/skills"}, "system_prompt": "s",
            "messages": [{"role": "user", "content": [{"text": "/t/named"}]}], "session": null, "tokenizer": true, "error": null}"#;
        let answer = read(line).unwrap().unwrap();
        let sections = answer.sections.unwrap();
        assert_eq!(sections[0].as_deref(), Some("at /r, /w/skills"));
        assert_eq!(sections[1], None);
        let messages = json::dumps(&Value::List(answer.messages));
        assert_eq!(
            messages,
            r#"[{"role": "user", "content": [{"text": "/w"}]}]"#
        );
        assert_eq!(answer.tokenizer, Some(true));
    }

    #[test]
    fn an_exception_a_failure_and_nonsense_are_told_apart() {
        let raised =
            r#"{"python": "3.12.1", "error": {"type": "OSError", "message": "/t/real/a"}}"#;
        let error = read(raised).unwrap().unwrap().error.unwrap();
        assert_eq!(error, ("OSError".into(), "/r/a".into()));
        let failed = read(r#"{"failed": {"step": "import", "reason": "no x"}}"#);
        assert_eq!(failed.unwrap().unwrap_err().step, "import");
        for nonsense in [
            "",
            "{}",
            "[1]",
            "{\"python\": 3}",
            r#"{"python": "3", "messages": 5}"#,
        ] {
            assert!(read(nonsense).is_none(), "{nonsense}");
        }
    }
}
