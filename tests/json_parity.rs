//! JSON texts are read, rejected and written as Python's `json` was recorded to do it.
//!
//! A line of `json/cases.jsonl` holds a text and the `repr` of its value with what `dumps` makes
//! of it, or the line, column and offset at which it is `rejected`, or the class of another
//! exception that it `raises`.

use promptscope::python::Value;
use promptscope::python::json::{JsonFailure, dumps, dumps_pretty, loads};

/// Says what becomes of a text, in the terms of a recorded case.
fn outcomes(text: &str) -> Vec<(&'static str, String)> {
    match loads(text) {
        Ok(value) => vec![
            ("repr", value.repr()),
            ("dumps", dumps(&value)),
            ("pretty", dumps_pretty(&value)),
        ],
        Err(JsonFailure::Decode {
            line,
            column,
            offset,
            ..
        }) => vec![("rejected", format!("[{line}, {column}, {offset}]"))],
        Err(JsonFailure::Raises { class, .. }) => vec![("raises", class.to_owned())],
    }
}

#[test]
fn every_recorded_text_has_its_recorded_outcome() {
    let cases = include_str!("json/cases.jsonl");
    for (line, number) in cases.lines().zip(1..) {
        let case = loads(line).unwrap();
        let text = case.get("json").and_then(Value::as_str).unwrap();
        for (kind, found) in outcomes(text) {
            let recorded = case.get(kind).map(Value::to_str);
            assert_eq!(
                recorded.as_ref(),
                Some(&found),
                "case {number}: {text:?} has another outcome ({kind}): {line}"
            );
        }
    }
    assert!(cases.lines().count() > 100);
}
