//! The front matter of prompt sources: what cannot be read, and what is declared so that it says nothing.

use super::templates::{is_in_span, outside_code};
use super::{Finding, Place, Subject, finding};
use crate::error::nearest;
use crate::library::is_name;
use crate::python::{Dict, Value};
use crate::workspace::front_matter::{self as front, FrontMatter};
use crate::workspace::survey::FileKind;

/// What a prompt may declare.
const KEYS: [&str; 3] = ["description", "budget", "variables"];
/// What may be said of a variable.
const ABOUT_A_VARIABLE: [&str; 2] = ["default", "required"];

/// Checks the front matter of every prompt source.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for (path, text) in subject.survey.of(FileKind::Prompt) {
        let invalid = |problem: &str, place: Place| {
            let message = format!("the front matter declares nothing: {problem}");
            let fix = "mend it, or take the two lines of dashes out";
            finding("front-matter-invalid", message, fix).at(path, place)
        };
        leftovers(path, text, found);
        match FrontMatter::read(text) {
            FrontMatter::Mapping(fields) => declared(path, text, &fields, found),
            FrontMatter::None if front::find(text).is_some_and(|parts| has_words(text, &parts)) => {
                let problem = "it is no mapping of keys";
                found.push(invalid(problem, Place { line: 1, column: 1 }));
            }
            FrontMatter::None if text.starts_with("---\n") && front::find(text).is_none() => {
                let problem = "it begins with --- and no line of --- ends it, so it is text";
                found.push(invalid(problem, Place { line: 1, column: 1 }));
            }
            // What cannot be read is a fault of the prompt itself.
            _ => {}
        }
    }
}

/// Finds what looks like a variable and can be none: it stays as it stands.
fn leftovers(path: &str, text: &str, found: &mut Vec<Finding>) {
    for (start, line) in outside_code(text) {
        for (at, _) in line.match_indices("{{") {
            let Some((inner, _)) = line[at + 2..].split_once("}}") else {
                continue;
            };
            let is_code = is_in_span(line, at) || line[..at].ends_with(['$', '\\', '{']);
            if !is_code && !inner.contains("{{") && !is_name(inner.trim()) {
                let message =
                    format!("{{{{{inner}}}}} is no variable's name, and stays as it stands");
                let fix = "a name has letters, digits, `_` and dots";
                let place = Place::of(text, start + at);
                found.push(finding("template-syntax", message, fix).at(path, place));
            }
        }
    }
}

fn has_words(text: &str, parts: &front::Parts) -> bool {
    let lines = text[..parts.body.start].lines();
    let inner = lines.filter(|line| !line.trim().is_empty() && !line.starts_with("---"));
    inner.count() > 0
}

fn declared(path: &str, text: &str, fields: &Dict, found: &mut Vec<Finding>) {
    let mut unread = |key: &str, message: String, fix: &str| {
        let line = line_of(text, key);
        found.push(finding("declaration-unread", message, fix).on_line(path, line));
    };
    for (key, value) in fields {
        let name = key.to_str();
        match (name.as_str(), value) {
            ("budget", Value::Int(budget)) if usize::try_from(budget).is_ok() => {}
            ("variables", Value::Dict(_)) | ("description", _) => {}
            ("budget", _) => {
                let message = format!("the budget {} is no number of tokens", value.repr());
                unread("budget", message, "write a whole number");
            }
            ("variables", _) => {
                let message = "`variables` is no mapping of names".to_owned();
                unread("variables", message, "write `name: {default: …}` below it");
            }
            (other, _) => {
                // Keys of other programs are theirs; a slip of the pen is not.
                if let Some(meant) = nearest(other, KEYS) {
                    let message = format!("the key {other:?} means nothing here");
                    unread(other, message, &format!("write {meant:?}"));
                }
            }
        }
    }
    let variables = fields.get(&Value::str("variables"));
    for (name, about) in variables.and_then(Value::as_dict).into_iter().flatten() {
        let keys = about.as_dict().into_iter().flatten();
        for (key, _) in keys {
            let key = key.to_str();
            if !ABOUT_A_VARIABLE.contains(&key.as_str()) {
                let name = name.to_str();
                let message = format!("{key:?} says nothing of the variable {name:?}");
                unread(&name, message, "there are `default` and `required`");
            }
        }
    }
}

/// Finds the line of the front matter that a key stands on.
fn line_of(text: &str, key: &str) -> usize {
    let is_key = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        line.starts_with(key)
    };
    text.lines().position(is_key).map_or(1, |at| at + 1)
}
