//! The lines about CLI apps and MCP presets that are attached to the present turn.
//!
//! Which of them get a line, in what order and with what data, mirrors the reference's
//! `runtime_lines`. The words are not the agent's: they come from a template of ours that a person
//! can replace, so that these lines are approximate.

use minijinja::{Value as Context, context};

use crate::prompt::Turn;
use crate::python::Value;
use crate::python::text::strip;

/// How many MCP presets of a turn get a line.
const MAX_PRESETS: usize = 8;

/// Gives the lines, those of the apps first.
///
/// An app needs a name that is text; a preset may have any name that is not blank.
pub(super) fn lines(turn: &Turn) -> Vec<String> {
    let templates = &turn.runtime_templates;
    let apps = turn.cli_apps.iter().filter_map(app);
    let presets = turn.mcp_presets.iter().take(MAX_PRESETS).filter_map(preset);
    apps.map(|values| templates.cli_app(values))
        .chain(presets.map(|values| templates.mcp_preset(values)))
        .collect()
}

fn app(item: &Value) -> Option<Context> {
    let name = strip(item.get("name")?.as_str()?).to_lowercase();
    let entry_point = given(item, "entry_point").unwrap_or_else(|| "unknown".to_owned());
    (!name.is_empty()).then(|| context! { name, entry_point })
}

fn preset(item: &Value) -> Option<Context> {
    let name = strip(&given(item, "name")?).to_lowercase();
    if name.is_empty() {
        return None;
    }
    let stripped = |key: &str| {
        let text = given(item, key).map(|text| strip(&text).to_owned());
        text.filter(|text| !text.is_empty())
    };
    let switch = |key: &str| item.get(key).is_none_or(Value::truth);
    Some(context! {
        display_name => stripped("display_name").unwrap_or_else(|| name.clone()),
        transport => stripped("transport").unwrap_or_else(|| "mcp".to_owned()),
        configured => switch("configured"),
        connected => switch("connected"),
        name,
    })
}

/// Gives a field as text, where it is true by Python's rules.
fn given(item: &Value, key: &str) -> Option<String> {
    let value = item.get(key).filter(|value| value.truth())?;
    Some(value.to_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::json;

    fn turn(apps: &str, presets: &str) -> Turn {
        let list = |text| match json::loads(text) {
            Ok(Value::List(items)) => items,
            other => panic!("{other:?}"),
        };
        Turn {
            cli_apps: list(apps),
            mcp_presets: list(presets),
            ..Turn::default()
        }
    }

    #[test]
    fn apps_come_first_and_what_has_no_name_is_left_out() {
        let apps = r#"[{"name": " Gh "}, {"name": 5}, {"name": " "}, 7, {"name": "jq", "entry_point": "jq-1.7"}]"#;
        let presets = r#"[{"name": 5, "transport": " "}, {"transport": "http"}, {"name": "Notes", "display_name": "My notes", "connected": false}]"#;
        let lines = lines(&turn(apps, presets));
        assert_eq!(lines.len(), 4, "{lines:#?}");
        for (line, wanted) in lines.iter().zip([
            ["@gh", "unknown"],
            ["@jq", "jq-1.7"],
            ["@5", "mcp_5_"],
            ["@notes", "My notes"],
        ]) {
            assert!(wanted.iter().all(|part| line.contains(part)), "{line}");
        }
        assert!(lines[3].contains("not connected"), "{}", lines[3]);
        assert!(!lines[2].contains("not connected"), "{}", lines[2]);
    }

    #[test]
    fn eight_presets_get_a_line_whether_named_or_not() {
        let many = format!("[{{}}, {}]", [r#"{"name": "a"}"#; 9].join(", "));
        assert_eq!(lines(&turn("[]", &many)).len(), 7);
    }
}
