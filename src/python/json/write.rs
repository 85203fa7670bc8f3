//! Writing: `json.dumps` with `ensure_ascii=False`.

use std::fmt::Write as _;

use crate::python::Value;
use crate::python::number::float_repr;

/// Writes a value on one line, as `json.dumps(value, ensure_ascii=False)` does.
///
/// Stand-ins of lone surrogates stay as they are. What Python refuses to write (bytes, dates and
/// sets) is written as the string that `str()` makes of it.
#[must_use]
pub fn dumps(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, None);
    out
}

/// Writes a value over several lines, as `json.dumps(value, ensure_ascii=False, indent=2)` does.
#[must_use]
pub fn dumps_pretty(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, Some(0));
    out
}

/// Writes a value; `level` is how far it is indented, or `None` on one line.
fn write(out: &mut String, value: &Value, level: Option<usize>) {
    let inner = level.map(|level| level + 1);
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            out.push_str(&plain(value));
        }
        Value::List(items) | Value::Tuple(items) if items.is_empty() => out.push_str("[]"),
        Value::List(items) | Value::Tuple(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(out, at, inner);
                write(out, item, inner);
            }
            break_line(out, level);
            out.push(']');
        }
        Value::Dict(dict) if dict.is_empty() => out.push_str("{}"),
        Value::Dict(dict) => {
            out.push('{');
            for (at, (key, item)) in dict.iter().enumerate() {
                separate(out, at, inner);
                quote(out, &plain(key));
                out.push_str(": ");
                write(out, item, inner);
            }
            break_line(out, level);
            out.push('}');
        }
        Value::Str(_) | Value::Bytes(_) | Value::Set(_) | Value::Date(_) | Value::DateTime(..) => {
            quote(out, &plain(value));
        }
    }
}

fn separate(out: &mut String, at: usize, level: Option<usize>) {
    if at > 0 {
        out.push_str(if level.is_some() { "," } else { ", " });
    }
    break_line(out, level);
}

fn break_line(out: &mut String, level: Option<usize>) {
    if let Some(level) = level {
        out.push('\n');
        out.push_str(&"  ".repeat(level));
    }
}

/// Gives the text of a value that is a key or stands for itself.
fn plain(value: &Value) -> String {
    match value {
        Value::None => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "NaN".into(),
        Value::Float(value) if value.is_infinite() => if *value > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .into(),
        Value::Float(value) => float_repr(*value),
        other => other.to_str(),
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ if c < ' ' => {
                // Writing into a String cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::python::Dict;
    use crate::python::surrogate::stand_in;

    #[test]
    fn values_are_written_as_python_writes_them() {
        let text = format!(
            "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}é\u{2028}{}",
            stand_in(0xD800).unwrap()
        );
        for (value, json) in [
            (Value::None, "null".into()),
            (Value::Bool(true), "true".into()),
            (
                Value::Int("-12345678901234567890".parse().unwrap()),
                "-12345678901234567890".into(),
            ),
            (Value::Float(1.0), "1.0".into()),
            (Value::Float(1e16), "1e+16".into()),
            (Value::Float(f64::NAN), "NaN".into()),
            (Value::Float(f64::NEG_INFINITY), "-Infinity".into()),
            (
                Value::Str(text.clone()),
                format!(r#""\"\\/\b\f\n\r\t\u0001{}""#, &text[9..]),
            ),
            (Value::List(vec![]), "[]".into()),
            (
                Value::Tuple(vec![Value::None, Value::Dict(Dict::new())]),
                "[null, {}]".into(),
            ),
            (
                Value::Date(NaiveDate::from_ymd_opt(2026, 1, 2).unwrap()),
                r#""2026-01-02""#.into(),
            ),
        ] {
            assert_eq!(dumps(&value), json);
        }
    }

    #[test]
    fn keys_become_text() {
        let mut dict = Dict::new();
        for key in [
            Value::None,
            Value::Bool(true),
            Value::Int(7.into()),
            Value::Float(1.5),
            Value::Float(f64::INFINITY),
            Value::str("k"),
        ] {
            dict.insert(key, Value::Int(0.into()));
        }
        assert_eq!(
            dumps(&Value::Dict(dict)),
            r#"{"null": 0, "true": 0, "7": 0, "1.5": 0, "Infinity": 0, "k": 0}"#
        );
    }

    #[test]
    fn the_indented_form_breaks_after_every_item() {
        let inner = Value::Dict(Dict::from_iter([(Value::str("b"), Value::List(vec![]))]));
        let dict = Dict::from_iter([
            (Value::str("a"), Value::List(vec![Value::None, inner])),
            (Value::str("c"), Value::Dict(Dict::new())),
        ]);
        assert_eq!(
            dumps_pretty(&Value::Dict(dict)),
            "{\n  \"a\": [\n    null,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
        );
    }
}
