//! The top of a SKILL.md: whether the agent sees it, and what it makes of it.

use super::{Finding, Place, Subject, finding};
use crate::python::text::strip;
use crate::python::{Dict, Value, json};
use crate::workspace::front_matter::{self as front, FrontMatter};
use crate::workspace::survey::FileKind;

/// How many lines from the top front matter is looked for that the agent does not see.
const LOOKED_AT: usize = 20;

/// Checks the front matter of every skill of the workspace.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for (path, text) in subject.survey.of(FileKind::Skill) {
        let folder = path.rsplit('/').nth(1).unwrap_or_default();
        match FrontMatter::read(text) {
            FrontMatter::Rejected {
                problem,
                line,
                column,
            } => {
                found.push(rejected(path, text, &problem, Place { line, column }));
            }
            FrontMatter::Mapping(fields) => {
                let file = File { path, text, folder };
                file.description(&fields, found);
                file.name(&fields, found);
                file.metadata(&fields, found);
                file.truths(&fields, found);
            }
            FrontMatter::Unread {
                problem,
                line,
                column,
            } => {
                let message = format!(
                    "the front matter is not read here ({problem}): the skill is shown as {folder:?}, and what the agent takes from it is not known"
                );
                found.push(
                    finding("front-matter-unread", message, "write less front matter")
                        .at(path, Place { line, column }),
                );
            }
            // What raises is told with everything else that stops the agent.
            FrontMatter::Raises { .. } => {}
            FrontMatter::None if front::find(text).is_some() => {
                let message = format!(
                    "the front matter is no mapping: the skill is listed as {folder:?} and nothing else is known of it"
                );
                found.push(
                    finding(
                        "front-matter-invalid",
                        message,
                        "write `description: …` on a line of its own",
                    )
                    .on_line(path, 1),
                );
            }
            FrontMatter::None => {
                if let Some((place, why, fix)) = ignored(text) {
                    let message = format!(
                        "{why}: the agent takes it for text, and the skill is listed as {folder:?}"
                    );
                    found.push(finding("front-matter-ignored", message, fix).at(path, place));
                } else {
                    let message =
                        format!("there is no front matter, so the skill is listed as {folder:?}");
                    let fix = "begin the file with ---, a line `description: …` and ---";
                    found.push(finding("description-missing", message, fix).on_line(path, 1));
                }
            }
        }
    }
}

/// Tells why what looks like front matter is none.
fn ignored(text: &str) -> Option<(Place, &'static str, &'static str)> {
    let first = Place { line: 1, column: 1 };
    if text.starts_with("\u{feff}---") {
        return Some((
            first,
            "a byte order mark stands before the front matter",
            "save the file without the mark",
        ));
    }
    if let Some(rest) = text.strip_prefix("---") {
        let line = rest.lines().next().unwrap_or_default();
        return Some(if strip(line).is_empty() {
            (
                first,
                "the front matter is not closed by a line ---",
                "add --- after the last key",
            )
        } else {
            let place = Place { line: 1, column: 4 };
            (
                place,
                "the first line is longer than ---",
                "write --- alone on the first line",
            )
        });
    }
    let lines: Vec<&str> = text.lines().take(LOOKED_AT).collect();
    let fence = lines
        .iter()
        .position(|line| line.trim_start_matches('\u{feff}').trim() == "---")?;
    let is_key = |line: &&str| {
        let key = line.split_once(':').map_or("", |(key, _)| key);
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    let has_keys = lines[fence + 1..]
        .iter()
        .take_while(|line| line.trim() != "---")
        .any(is_key);
    let place = Place {
        line: fence + 1,
        column: 1,
    };
    let why = if lines[..fence].iter().all(|line| line.trim().is_empty()) {
        "blank lines stand above the front matter"
    } else {
        "text stands above the front matter"
    };
    has_keys.then_some((place, why, "let the file begin with ---"))
}

/// Tells of YAML that is none, with the quotes that mend the commonest fault.
fn rejected(path: &str, text: &str, problem: &str, place: Place) -> Finding {
    let line = text.lines().nth(place.line - 1).unwrap_or_default();
    let quoted = line
        .split_once(": ")
        .filter(|(_, value)| value.contains(':'))
        .map(|(key, value)| {
            let value = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
            format!("write {key}: \"{value}\"")
        });
    let message = format!(
        "the front matter is no YAML ({problem}): the agent takes nothing from it, requirements included"
    );
    let fix = quoted.unwrap_or_else(|| "repair the YAML".to_owned());
    finding("front-matter-invalid", message, fix).at(path, place)
}

struct File<'a> {
    path: &'a str,
    text: &'a str,
    folder: &'a str,
}

impl File<'_> {
    fn finding(
        &self,
        rule: &'static str,
        key: &str,
        message: String,
        fix: impl Into<String>,
    ) -> Finding {
        let line = front::line_of(self.text, key);
        finding(rule, message, fix).on_line(self.path, line)
    }

    fn description(&self, fields: &Dict, found: &mut Vec<Finding>) {
        const KEY: &str = "description";
        match fields.get(&Value::str(KEY)) {
            Some(value) if value.truth() => {
                let shown = value.to_str();
                if !matches!(value, Value::Str(_)) {
                    let message = format!(
                        "the description is a {}: the list of skills says {shown:?}",
                        value.type_name()
                    );
                    found.push(self.finding(
                        "description-not-text",
                        KEY,
                        message,
                        "put it in quotes",
                    ));
                } else if shown.contains('\n') {
                    let lines = shown.split('\n').count();
                    let message = format!(
                        "the description has {lines} lines, which break the list of skills"
                    );
                    found.push(self.finding(
                        "description-lines",
                        KEY,
                        message,
                        "write it on one line, or with >- instead of > or |",
                    ));
                }
            }
            _ => {
                let message = format!(
                    "there is no description: the skill is listed as {:?}",
                    self.folder
                );
                found.push(self.finding("description-missing", KEY, message, "add `description: …`: it is all that the model knows before it reads the skill"));
            }
        }
    }

    fn name(&self, fields: &Dict, found: &mut Vec<Finding>) {
        let Some(name) = fields.get(&Value::str("name")).map(Value::to_str) else {
            return;
        };
        if name != self.folder {
            let message = format!(
                "the name is {name:?} and the folder {:?}: the agent goes by the folder",
                self.folder
            );
            found.push(self.finding("skill-name", "name", message, "call both the same"));
        }
    }

    fn metadata(&self, fields: &Dict, found: &mut Vec<Finding>) {
        const RULE: &str = "metadata-unread";
        if fields.contains_key(&Value::str("requires")) {
            let message =
                "`requires` at the top is not read: nothing is required of the machine".to_owned();
            found.push(self.finding(RULE, "requires", message, "put it below metadata: nanobot:"));
        }
        let parsed;
        let metadata = match fields.get(&Value::str("metadata")) {
            None | Some(Value::None) => return,
            Some(Value::Str(text)) => {
                if let Ok(value) = json::loads(text) {
                    parsed = value;
                    &parsed
                } else {
                    let message =
                        "the metadata is a text and no JSON: the agent reads nothing of it"
                            .to_owned();
                    found.push(self.finding(
                        RULE,
                        "metadata",
                        message,
                        "write it as YAML, or as JSON",
                    ));
                    return;
                }
            }
            Some(value) => value,
        };
        let Some(keys) = metadata.as_dict() else {
            let message = format!(
                "the metadata is a {}, not a mapping: the agent reads nothing of it",
                metadata.type_name()
            );
            found.push(self.finding(RULE, "metadata", message, "write metadata: {nanobot: {…}}"));
            return;
        };
        let read = ["nanobot", "openclaw"]
            .into_iter()
            .find(|key| keys.contains_key(&Value::str(*key)));
        let of_agent = |key: &Value| {
            ["requires", "always", "os", "install"]
                .iter()
                .any(|it| *key == Value::str(*it))
        };
        let others = keys.iter().filter(|(key, value)| {
            let inner = value
                .as_dict()
                .is_some_and(|inner| inner.keys().any(of_agent));
            (inner || of_agent(key)) && read.is_none_or(|read| **key != Value::str(read))
        });
        for (key, _) in others {
            let key = key.to_str();
            let message = match read {
                Some(read) => {
                    format!("metadata under {key:?} is not read, since there is {read:?}")
                }
                None => {
                    format!("metadata under {key:?} is not read: its requirements do not count")
                }
            };
            found.push(self.finding(RULE, "metadata", message, "put it below metadata: nanobot:"));
        }
    }

    fn truths(&self, fields: &Dict, found: &mut Vec<Finding>) {
        let is_off = |value: &Value| {
            let text = value.as_str().map(str::to_lowercase);
            text.is_some_and(|text| {
                ["false", "no", "off", "0", "none", "null"].contains(&text.as_str())
            })
        };
        let metadata = fields.get(&Value::str("metadata"));
        let parsed = metadata
            .and_then(Value::as_str)
            .and_then(|text| json::loads(text).ok());
        let metadata = parsed.as_ref().or(metadata);
        let inner = metadata.and_then(|it| it.get("nanobot").or_else(|| it.get("openclaw")));
        let of_metadata = inner.and_then(|inner| inner.get("always"));
        let own = fields.get(&Value::str("always"));
        for (value, key) in [(own, "always"), (of_metadata, "metadata")] {
            if let Some(value) = value.filter(|value| is_off(value)) {
                let message = format!(
                    "`always` is the text {:?}, which counts as on: the whole skill is in every prompt",
                    value.to_str()
                );
                found.push(self.finding("truthy-text", key, message, "write false without quotes"));
            }
        }
    }
}
