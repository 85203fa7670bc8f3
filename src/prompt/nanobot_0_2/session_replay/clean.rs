//! The content of a replayed message: stamps added, breadcrumbs added, echoes removed.

use super::{field, has_role};
use crate::python::text::{is_space, splitlines, strip};
use crate::python::{Dict, Value};

/// How many attachments of a kind leave a line.
const MAX_ATTACHMENTS: usize = 8;

/// Gives the content of a stored message as it is replayed.
pub(super) fn content(message: &Dict) -> Value {
    let content = field(message, "content")
        .cloned()
        .unwrap_or_else(|| Value::str(""));
    let Value::Str(mut text) = content else {
        return content;
    };
    if has_role(message, "assistant") {
        text = without_echoes(&text);
    }
    if has_role(message, "user") {
        append(&mut text, image_lines(message));
        append(&mut text, app_lines(message));
        append(&mut text, preset_lines(message));
        if let Some(stamp) = field(message, "timestamp").filter(|stamp| stamp.truth()) {
            text = format!("[Message Time: {}]\n{text}", stamp.to_str());
        }
    }
    Value::Str(text)
}

/// Appends lines, if the message carries such attachments at all.
fn append(text: &mut String, lines: Option<Vec<String>>) {
    if let Some(lines) = lines {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&lines.join("\n"));
    }
}

fn attachments<'a>(message: &'a Dict, key: &str) -> Option<&'a [Value]> {
    match field(message, key) {
        Some(Value::List(items)) if !items.is_empty() => Some(items),
        _ => None,
    }
}

fn image_lines(message: &Dict) -> Option<Vec<String>> {
    let media = attachments(message, "media")?;
    let paths = media.iter().filter_map(Value::as_str);
    Some(
        paths
            .filter(|path| !path.is_empty())
            .map(|path| format!("[image: {path}]"))
            .collect(),
    )
}

fn app_lines(message: &Dict) -> Option<Vec<String>> {
    named(message, "cli_apps", |name, item| {
        let entry = or_default(item, "entry_point", "unknown");
        format!(
            "[CLI App Attachment: @{name}; tool=run_cli_app; entry_point={entry}; \
             skill=skills/cli-app-{name}/SKILL.md]"
        )
    })
}

fn preset_lines(message: &Dict) -> Option<Vec<String>> {
    named(message, "mcp_presets", |name, item| {
        let transport = or_default(item, "transport", "mcp");
        format!("[MCP Preset Attachment: @{name}; tool_prefix=mcp_{name}_; transport={transport}]")
    })
}

/// Makes a line for each of the first attachments that has a name.
fn named(message: &Dict, key: &str, line: impl Fn(&str, &Value) -> String) -> Option<Vec<String>> {
    let items = attachments(message, key)?;
    let lines: Vec<String> = items
        .iter()
        .take(MAX_ATTACHMENTS)
        .filter(|item| item.as_dict().is_some())
        .filter_map(|item| {
            let name = or_default(item, "name", "").to_lowercase();
            (!name.is_empty()).then(|| line(&name, item))
        })
        .collect();
    (!lines.is_empty()).then_some(lines)
}

fn or_default(item: &Value, key: &str, default: &str) -> String {
    let text = match item.get(key) {
        Some(value) if value.truth() => strip(&value.to_str()).to_owned(),
        _ => default.to_owned(),
    };
    if text.is_empty() {
        default.to_owned()
    } else {
        text
    }
}

/// Removes what an assistant may have copied from replayed text: stamp, image lines, tool calls.
fn without_echoes(text: &str) -> String {
    let lines = splitlines(without_stamp(text));
    let kept: Vec<&str> = lines
        .into_iter()
        .filter(|line| !is_image_line(line) && !is_call_line(line))
        .collect();
    strip(&kept.join("\n")).to_owned()
}

/// Drops one leading `[Message Time: …]` and the line end behind it.
fn without_stamp(text: &str) -> &str {
    let stamped = text.strip_prefix("[Message Time: ").and_then(|rest| {
        let end = rest.find(']')?;
        (end > 0).then(|| &rest[end + 1..])
    });
    match stamped {
        Some(rest) => rest.strip_prefix('\n').unwrap_or(rest),
        None => text,
    }
}

/// Matches `[image: /…]` or `[image: ~…]` alone on a line.
fn is_image_line(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("[image: ") else {
        return false;
    };
    let Some((path, after)) = rest.split_once(']') else {
        return false;
    };
    path.starts_with(['/', '~']) && path.chars().count() > 1 && after.chars().all(is_space)
}

/// Matches a call of `message(…)` or `generate_image(…)` alone on a line.
fn is_call_line(line: &str) -> bool {
    let line = strip(line);
    ["generate_image(", "message("].iter().any(|name| {
        line.strip_prefix(name)
            .and_then(|rest| rest.strip_suffix(')'))
            .is_some_and(|arguments| !arguments.contains(')'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echoes_are_removed_and_lookalikes_stay() {
        assert_eq!(
            without_echoes("[Message Time: x]\nhi\n[image: /a.png] \n message(a=1) \nbye"),
            "hi\nbye"
        );
        for kept in [
            "[image: a.png]",
            "see [image: /a.png]",
            "[image: /]",
            "message(a) and more",
            "message(f(x))",
            "a [Message Time: x]",
        ] {
            assert_eq!(without_echoes(kept), kept);
        }
    }
}
