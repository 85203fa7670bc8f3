//! Typed reading of a scenario's fields, with errors that name the key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;

use crate::error::{Error, Kind, Result, nearest};
use crate::python::{Dict, Value};
use crate::workspace::read::FolderOrder;

/// Where the fields stand, for errors and for relative paths.
pub(super) struct Reader<'a> {
    file: &'a Path,
    folder: &'a Path,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a Path, folder: &'a Path) -> Self {
        Self { file, folder }
    }
}

/// The fields of one table; each is taken once, and what is left at the end is not known.
pub(super) struct Fields<'a> {
    reader: &'a Reader<'a>,
    prefix: String,
    given: Dict,
    known: Vec<String>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(reader: &'a Reader<'a>, prefix: &str, fields: Dict) -> Self {
        Self {
            reader,
            prefix: prefix.to_owned(),
            given: fields,
            known: Vec::new(),
        }
    }

    /// Makes the error about a key of this table.
    pub(super) fn error(&self, key: &str, problem: &str) -> Error {
        let name = format!("{}{key}", self.prefix);
        let message = format!(
            "scenario {}: `{name}` {problem}",
            self.reader.file.display()
        );
        Error::new(Kind::Scenario, message)
    }

    /// Takes a field; null counts as not given.
    fn take(&mut self, key: &str) -> Option<Value> {
        self.known.push(key.to_owned());
        let value = self.given.shift_remove(&Value::str(key));
        value.filter(|value| !matches!(value, Value::None))
    }

    pub(super) fn given(&self, key: &str) -> bool {
        let value = self.given.get(&Value::str(key));
        value.is_some_and(|value| !matches!(value, Value::None))
    }

    pub(super) fn is_false(&self, key: &str) -> bool {
        matches!(self.given.get(&Value::str(key)), Some(Value::Bool(false)))
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Str(text)) => Ok(Some(text)),
            Some(other) => Err(self.unlike(key, "text", &other)),
        }
    }

    pub(super) fn truth(&mut self, key: &str) -> Result<Option<bool>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(truth)),
            Some(other) => Err(self.unlike(key, "true or false", &other)),
        }
    }

    pub(super) fn count(&mut self, key: &str) -> Result<Option<usize>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Int(number)) => usize::try_from(number)
                .map(Some)
                .map_err(|_| self.error(key, "must be a whole number of 0 or more")),
            Some(other) => Err(self.unlike(key, "a whole number", &other)),
        }
    }

    pub(super) fn list(&mut self, key: &str) -> Result<Option<Vec<Value>>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::List(items)) => Ok(Some(items)),
            Some(other) => Err(self.unlike(key, "a list", &other)),
        }
    }

    pub(super) fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>> {
        let Some(items) = self.list(key)? else {
            return Ok(None);
        };
        let texts = items.into_iter().map(|item| match item {
            Value::Str(text) => Ok(text),
            other => Err(self.unlike(key, "a list of text", &other)),
        });
        texts.collect::<Result<_>>().map(Some)
    }

    pub(super) fn mapping(&mut self, key: &str) -> Result<Option<Dict>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Dict(fields)) => Ok(Some(fields)),
            Some(other) => Err(self.unlike(key, "a table of keys", &other)),
        }
    }

    /// Takes a mapping of plain values; nested ones are named by dots.
    pub(super) fn values(&mut self, key: &str) -> Result<BTreeMap<String, String>> {
        let mut found = BTreeMap::new();
        let mapping = self.mapping(key)?.unwrap_or_default();
        let mut open: Vec<(String, Dict)> = vec![(String::new(), mapping)];
        while let Some((prefix, mapping)) = open.pop() {
            for (name, value) in mapping {
                let name = prefix.clone() + &name.to_str();
                match value {
                    Value::Dict(inner) => open.push((name + ".", inner)),
                    Value::List(_) | Value::None => {
                        let problem = "must be text, a number or a truth";
                        return Err(self.error(&format!("{key}.{name}"), problem));
                    }
                    Value::Bool(truth) => {
                        found.insert(name, truth.to_string());
                    }
                    plain => {
                        found.insert(name, plain.to_str());
                    }
                }
            }
        }
        Ok(found)
    }

    pub(super) fn below(&mut self, key: &str) -> Result<Option<Fields<'a>>> {
        let prefix = format!("{}{key}.", self.prefix);
        let fields = self.mapping(key)?;
        Ok(fields.map(|fields| Fields::new(self.reader, &prefix, fields)))
    }

    pub(super) fn path(&mut self, key: &str) -> Result<Option<PathBuf>> {
        let text = self.text(key)?;
        Ok(text.map(|text| self.reader.folder.join(text)))
    }

    pub(super) fn paths(&mut self, key: &str) -> Result<Vec<PathBuf>> {
        let texts = self.texts(key)?.unwrap_or_default();
        Ok(texts
            .into_iter()
            .map(|text| self.reader.folder.join(text))
            .collect())
    }

    pub(super) fn instant(&mut self, key: &str) -> Result<Option<DateTime<Utc>>> {
        let text = self.text(key)?;
        text.map(|text| instant(&text).map_err(|problem| self.error(key, &problem)))
            .transpose()
    }

    pub(super) fn zone(&mut self, key: &str) -> Result<Option<Tz>> {
        let text = self.text(key)?;
        text.map(|text| zone(&text).map_err(|problem| self.error(key, &problem)))
            .transpose()
    }

    pub(super) fn skill_order(&mut self) -> Result<Option<FolderOrder>> {
        const KEY: &str = "skill_order";
        match self.text(KEY)?.as_deref() {
            None => Ok(None),
            Some("directory") => Ok(Some(FolderOrder::Directory)),
            Some("name") => Ok(Some(FolderOrder::Name)),
            Some(_) => Err(self.error(KEY, "must be \"directory\" or \"name\"")),
        }
    }

    /// Fails on the first field that nobody asked for.
    pub(super) fn finish(self) -> Result<()> {
        let Some(key) = self.given.keys().next().map(Value::to_str) else {
            return Ok(());
        };
        let error = self.error(&key, "is no key of a scenario");
        let known = self.known.iter().map(String::as_str);
        Err(match nearest(&key, known) {
            Some(meant) => error.hint(format!("did you mean `{}{meant}`?", self.prefix)),
            None => error.hint(format!("the keys here are: {}", self.known.join(", "))),
        })
    }

    fn unlike(&self, key: &str, wanted: &str, got: &Value) -> Error {
        self.error(key, &format!("must be {wanted}, not {}", kind(got)))
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::None => "null",
        Value::Bool(_) => "true or false",
        Value::Int(_) | Value::Float(_) => "a number",
        Value::List(_) => "a list",
        Value::Dict(_) => "a table",
        _ => "text",
    }
}

/// Reads an instant: a date and time with its offset; without one it is UTC.
pub fn instant(text: &str) -> std::result::Result<DateTime<Utc>, String> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Ok(at.to_utc());
    }
    [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
    ]
    .iter()
    .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
    .map(|at| at.and_utc())
    .ok_or_else(|| format!("is no instant such as 2026-06-19T02:30:00+00:00: {text:?}"))
}

/// Reads the name of a time zone of the IANA database.
pub fn zone(name: &str) -> std::result::Result<Tz, String> {
    name.parse()
        .map_err(|_| format!("is no time zone such as Asia/Shanghai: {name:?}"))
}
