//! TOML as the values that JSON yields.

use std::path::Path;

use crate::error::{Error, Kind, Result};
use crate::python::Value;

/// Reads TOML; dates become their text, as they would be written in JSON.
pub(super) fn parse(text: &str, file: &Path) -> Result<Value> {
    let table: toml::Table = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = error.message();
        Error::new(
            Kind::Scenario,
            format!("scenario {}:{line}:{column}: {message}", file.display()),
        )
        .hint("a scenario is a TOML file, or JSON")
    })?;
    Ok(value(toml::Value::Table(table)))
}

fn value(toml: toml::Value) -> Value {
    match toml {
        toml::Value::String(text) => Value::Str(text),
        toml::Value::Integer(number) => Value::Int(number.into()),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(at) => Value::Str(at.to_string()),
        toml::Value::Array(items) => Value::List(items.into_iter().map(value).collect()),
        toml::Value::Table(table) => {
            let pairs = table.into_iter();
            let pairs = pairs.map(|(key, item)| (Value::Str(key), value(item)));
            Value::Dict(pairs.collect())
        }
    }
}
