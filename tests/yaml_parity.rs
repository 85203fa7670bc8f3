//! YAML texts are read and rejected as PyYAML 6.0.4 was recorded to read and reject them.
//!
//! A line of `yaml/cases.jsonl` holds a text and the `repr` of its value, or the line and column
//! at which it is `rejected`, or the class of another exception that it `raises`.

use promptscope::python::yaml::{YamlFailure, safe_load};
use promptscope::python::{Value, json};

/// Says what becomes of a text, in the terms of a recorded case.
fn outcome(text: &str) -> (&'static str, String) {
    match safe_load(text) {
        Ok(value) => ("repr", value.repr()),
        Err(YamlFailure::Yaml { line, column, .. }) => ("rejected", format!("[{line}, {column}]")),
        Err(YamlFailure::Raises { class, .. }) => ("raises", class.to_owned()),
        Err(YamlFailure::Beyond { .. }) => ("beyond", String::new()),
    }
}

#[test]
fn every_recorded_text_has_its_recorded_outcome() {
    let cases = include_str!("yaml/cases.jsonl");
    for (line, number) in cases.lines().zip(1..) {
        let case = json::loads(line).unwrap();
        let text = case.get("yaml").and_then(Value::as_str).unwrap();
        let (kind, found) = outcome(text);
        let recorded = case.get(kind).map(Value::to_str);
        assert_eq!(
            recorded.as_ref(),
            Some(&found),
            "case {number}: {text:?} has another outcome ({kind}): {line}"
        );
    }
    assert!(cases.lines().count() > 400);
}
