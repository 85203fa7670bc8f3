//! What `check` found, as SARIF 2.1.0.

use super::Checked;
use super::forms::path;
use crate::commands::report::{count, json_text, record};
use crate::lint::{Finding, RULES, Severity};
use crate::python::{Dict, Value};

/// The schema's address, as SARIF files name it.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn sarif(all: &[Checked]) -> String {
    let rules = RULES.map(|rule| {
        let level = record([("level", Value::str(level(rule.severity)))]);
        record([
            ("id", Value::str(rule.name)),
            ("shortDescription", message(rule.about)),
            ("defaultConfiguration", level),
        ])
    });
    let results = all.iter().flat_map(|checked| {
        let findings = checked.findings.iter();
        findings.map(move |finding| result(checked, finding))
    });
    let driver = record([
        ("name", Value::str("promptscope")),
        ("version", Value::str(env!("CARGO_PKG_VERSION"))),
        ("rules", Value::List(rules.into())),
    ]);
    let run = record([
        ("tool", record([("driver", driver)])),
        ("columnKind", Value::str("unicodeCodePoints")),
        ("results", Value::List(results.collect())),
    ]);
    let log = record([
        ("$schema", Value::str(SCHEMA)),
        ("version", Value::str("2.1.0")),
        ("runs", Value::List(vec![run])),
    ]);
    json_text(&log)
}

fn result(checked: &Checked, finding: &Finding) -> Value {
    let text = format!("{} (fix: {})", finding.message, finding.fix);
    let index = RULES.iter().position(|rule| rule.name == finding.rule);
    let uri = path(checked, finding).unwrap_or_else(|| checked.name.clone());
    let mut physical = Dict::new();
    let artifact = record([("uri", Value::Str(encoded(&uri)))]);
    physical.insert(Value::str("artifactLocation"), artifact);
    if let Some(line) = finding.line {
        let mut region = Dict::new();
        region.insert(Value::str("startLine"), count(line));
        if let Some(column) = finding.column {
            region.insert(Value::str("startColumn"), count(column));
        }
        physical.insert(Value::str("region"), Value::Dict(region));
    }
    let location = record([("physicalLocation", Value::Dict(physical))]);
    record([
        ("ruleId", Value::str(finding.rule)),
        ("ruleIndex", index.map_or(Value::Int((-1).into()), count)),
        ("level", Value::str(level(finding.severity))),
        ("message", message(&text)),
        ("locations", Value::List(vec![location])),
    ])
}

fn message(text: &str) -> Value {
    record([("text", Value::str(text))])
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

/// Writes a path as a reference of a URI.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => {
                use std::fmt::Write as _;
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(encoded("skills/a b/SKILL.md"), "skills/a%20b/SKILL.md");
        assert_eq!(encoded("é:1"), "%C3%A9%3A1");
    }
}
