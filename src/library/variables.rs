//! Variables: `{{ name }}`, with blanks or without, dots reaching into tables.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::loader::fault;
use super::{Built, FaultKind};

/// The values, by their dotted names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variables {
    values: BTreeMap<String, String>,
}

/// A placeholder of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The variable's name.
    pub name: String,
    /// The file below the folder of prompts.
    pub path: Arc<str>,
    /// The line of the file, from 1.
    pub line: usize,
    /// The value that was put in; `None` where there is none.
    pub value: Option<String>,
}

impl Variables {
    /// Sets a value by its dotted name; what was set before is replaced.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// Gives a value by its dotted name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Lists the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Puts the values into a text, in one pass: what a value holds stands as it is. A placeholder without
    /// a value stays.
    pub(super) fn fill(&self, built: &mut Built) {
        let declared = built.declared.clone();
        let default = |name: &str| {
            let own = declared.variables.iter().find(|it| it.name == name);
            own.and_then(|own| own.default.clone())
        };
        let mut uses = Vec::new();
        let mut faults = Vec::new();
        for line in &mut built.lines {
            let found = placeholders(&line.text);
            if found.is_empty() {
                continue;
            }
            let mut text = String::new();
            let mut end = 0;
            for (range, name) in found {
                let value = self
                    .get(&name)
                    .map(str::to_owned)
                    .or_else(|| default(&name));
                text.push_str(&line.text[end..range.start]);
                text.push_str(value.as_deref().unwrap_or(&line.text[range.clone()]));
                end = range.end;
                if value.is_none() {
                    let own = declared.variables.iter().find(|it| it.name == name);
                    let kind = if own.is_some_and(|own| own.is_required) {
                        FaultKind::Required(name.clone())
                    } else {
                        FaultKind::Undefined(name.clone())
                    };
                    let is_component =
                        name.starts_with("component_") || name.starts_with("component.");
                    if !is_component {
                        faults.push(fault(kind, line));
                    }
                }
                uses.push(Use {
                    name,
                    path: line.path.clone(),
                    line: line.line,
                    value,
                });
            }
            text.push_str(&line.text[end..]);
            line.text = text;
        }
        built.uses = uses;
        built.faults.append(&mut faults);
        // A value of several lines makes several lines of one.
        let lines = std::mem::take(&mut built.lines).into_iter();
        built.lines = lines
            .flat_map(|line| {
                let parts: Vec<String> = line.text.split('\n').map(str::to_owned).collect();
                parts.into_iter().map(move |text| super::BuiltLine {
                    text,
                    path: line.path.clone(),
                    line: line.line,
                })
            })
            .collect();
    }
}

/// Finds the placeholders of a line: `{{`, blanks, a name of letters, digits, `_` and dots, blanks, `}}`.
pub(super) fn placeholders(line: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find("{{").map(|start| at + start) {
        let inner = &line[start + 2..];
        let Some(length) = inner.find("}}") else {
            break;
        };
        let name = inner[..length].trim();
        let is_name = name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
            && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !name.ends_with('.');
        if is_name {
            let end = start + 2 + length + 2;
            found.push((start..end, name.to_owned()));
            at = end;
        } else {
            at = start + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Prompt;

    fn filled(text: &str, values: &[(&str, &str)]) -> Built {
        let mut variables = Variables::default();
        for (name, value) in values {
            variables.set(name, value);
        }
        let prompt = Prompt::read("p.md", text);
        let mut built = Built {
            lines: prompt.lines,
            declared: prompt.declared,
            ..Built::default()
        };
        variables.fill(&mut built);
        built
    }

    #[test]
    fn values_are_put_in_once_and_verbatim() {
        for (text, wanted) in [
            ("Hi {{name}}!", "Hi Mei!\n"),
            ("{{ name }}{{name}}", "MeiMei\n"),
            ("{{ user.name }}", "Ann\n"),
            ("{{ unknown }}", "{{ unknown }}\n"),
            ("{{ not a name }} {{", "{{ not a name }} {{\n"),
            ("{{{name}}}", "{Mei}\n"),
            ("Say {{x}}", "Say {# {{name}} <b> <!-- INCLUDE a.md -->\n"),
            ("{{lines}}.", "one\ntwo.\n"),
        ] {
            let values = [
                ("name", "Mei"),
                ("user.name", "Ann"),
                ("x", "{# {{name}} <b> <!-- INCLUDE a.md -->"),
                ("lines", "one\ntwo"),
            ];
            assert_eq!(filled(text, &values).text(), wanted, "{text}");
        }
    }

    #[test]
    fn defaults_and_what_is_required() {
        let text =
            "---\nvariables: {a: {default: x}, b: {required: true}}\n---\n{{a}} {{b}} {{c}}\n";
        let built = filled(text, &[]);
        assert_eq!(built.text(), "x {{b}} {{c}}\n");
        let faults: Vec<String> = built.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 2);
        assert!(
            faults[0].starts_with("p.md:4: the variable \"b\" is required"),
            "{faults:?}"
        );
        assert!(!built.is_whole());
        assert!(filled(text, &[("b", "y")]).is_whole());
        assert_eq!(
            filled(text, &[("a", "z"), ("b", "y")]).text(),
            "z y {{c}}\n"
        );
    }
}
