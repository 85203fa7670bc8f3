//! The texts that the rules about characters and secrets look through: a Markdown file as it stands, and
//! every string of a line of JSON as the agent reads it, whatever it is escaped as.

use std::borrow::Cow;

use super::Place;
use crate::python::{Value, json};
use crate::workspace::survey::{FileKind, RawFile};

/// A text to look through, and where it stands.
pub(super) struct Scanned<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The line of JSON that it is a string of, with its number from 1.
    line: Option<(usize, &'a str)>,
}

/// The most findings of one rule in one file: more say nothing new.
pub(super) const MOST: usize = 50;

/// By how many letters a text is found again in its line of JSON.
const LETTERS: usize = 12;

/// Goes through the texts of a file.
pub(super) fn texts(file: &RawFile) -> impl Iterator<Item = Scanned<'_>> {
    let is_json = matches!(file.kind, FileKind::History | FileKind::Session);
    let whole = file.text().filter(|_| !is_json).map(|text| Scanned {
        text: Cow::Borrowed(text),
        line: None,
    });
    let lines = file.text().filter(|_| is_json).into_iter();
    let lines = lines.flat_map(|text| text.split('\n').enumerate());
    whole
        .into_iter()
        .chain(lines.flat_map(|(index, raw)| of_line(index + 1, raw)))
}

/// Lists the strings of a line of JSON; one that is none is a text itself.
fn of_line(number: usize, raw: &str) -> Vec<Scanned<'_>> {
    let line = Some((number, raw));
    let Ok(value) = json::loads(raw.trim()) else {
        let text = Cow::Borrowed(raw);
        let is_empty = raw.trim().is_empty();
        return (!is_empty)
            .then_some(Scanned { text, line })
            .into_iter()
            .collect();
    };
    let mut all = Vec::new();
    strings(&value, &mut |text| {
        let text = Cow::Owned(text.to_owned());
        all.push(Scanned { text, line });
    });
    all
}

fn strings(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Str(text) => found(text),
        Value::List(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Dict(fields) => fields.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}

impl Scanned<'_> {
    /// Finds the place of a byte of the text. In a line of JSON it is where the letters stand as they are,
    /// else the line's start: what is escaped has no place of its own.
    pub fn place(&self, byte: usize) -> Place {
        let Some((line, raw)) = self.line else {
            return Place::of(&self.text, byte);
        };
        let letters: String = self.text[byte..].chars().take(LETTERS).collect();
        let at = raw.find(&letters).filter(|_| !letters.is_empty());
        let column = at.map_or(1, |at| raw[..at].chars().count() + 1);
        Place { line, column }
    }
}
