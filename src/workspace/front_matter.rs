//! The YAML block at the top of a SKILL.md: where it stands and what it holds.
//!
//! Mirrors the expression `^---\s*\r?\n(.*?)\r?\n---\s*\r?\n?` (dot matches all) by which the
//! reference finds it, and its use of PyYAML's safe loader.

use std::ops::Range;

use crate::python::text::{is_space, strip};
use crate::python::yaml::{self, YamlFailure};
use crate::python::{Dict, Value};

/// Where the parts of a file with front matter stand, as byte ranges of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The YAML between the fences.
    pub yaml: Range<usize>,
    /// All that comes after the closing fence and its white space.
    pub body: Range<usize>,
}

/// Finds the front matter of a text whose line ends are LF; `None` if it has none.
///
/// The opening fence may be followed by white space, blank lines included; the closing one is the
/// first later line that begins with `---`, whatever else stands on it.
#[must_use]
pub fn find(text: &str) -> Option<Parts> {
    let rest = text.strip_prefix("---")?;
    let blank = rest.len() - rest.trim_start_matches(is_space).len();
    // `\s*` is greedy: the last line end of the white space opens the block, unless no closing
    // fence follows it, in which case an earlier one is tried.
    rest[..blank].rmatch_indices('\n').find_map(|(at, _)| {
        let start = 3 + at + 1;
        let end = start + text[start..].find("\n---")?;
        let after = &text[end + 4..];
        let body = text.len() - after.trim_start_matches(is_space).len();
        Some(Parts {
            yaml: start..end,
            body: body..text.len(),
        })
    })
}

/// Gives a skill's text without its front matter, stripped; a text that has none as it is.
#[must_use]
pub fn without(text: &str) -> &str {
    find(text).map_or(text, |parts| strip(&text[parts.body]))
}

/// What the front matter of a file says.
#[derive(Debug, Clone, PartialEq)]
pub enum FrontMatter {
    /// There is none, or it holds something other than a mapping.
    None,
    /// A mapping, its keys turned into text.
    Mapping(Dict),
    /// YAML that PyYAML rejects: the agent takes it for no metadata at all.
    Rejected {
        /// What is wrong, in our words.
        problem: String,
        /// The line of the file, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// YAML on which PyYAML lets another exception out: the agent fails.
    Raises {
        /// The class of the exception.
        class: &'static str,
        /// What is wrong, in our words.
        message: String,
        /// The line of the file, from 1.
        line: usize,
    },
}

impl FrontMatter {
    /// Reads the front matter of a text whose line ends are LF.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let Some(parts) = find(text) else {
            return Self::None;
        };
        let lines_before = text[..parts.yaml.start].matches('\n').count();
        match yaml::safe_load(&text[parts.yaml]) {
            Ok(Value::Dict(dict)) => Self::Mapping(with_text_keys(dict)),
            Ok(_) => Self::None,
            Err(YamlFailure::Yaml {
                problem,
                line,
                column,
            }) => Self::Rejected {
                problem,
                line: lines_before + line,
                column,
            },
            Err(YamlFailure::Raises {
                class,
                message,
                line,
                ..
            }) => Self::Raises {
                class,
                message,
                line: lines_before + line,
            },
        }
    }

    /// Looks up a key; `None` also where there is no mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Mapping(dict) => dict.get(&Value::str(key)),
            _ => None,
        }
    }
}

fn with_text_keys(dict: Dict) -> Dict {
    dict.into_iter()
        .map(|(key, value)| (Value::Str(key.to_str()), value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, &str)> {
        find(text).map(|parts| (&text[parts.yaml], &text[parts.body]))
    }

    #[test]
    fn fences_are_found_as_the_reference_finds_them() {
        assert_eq!(parts("---\na: 1\n---\nB\n"), Some(("a: 1", "B\n")));
        assert_eq!(
            parts("--- \t\na: 1\n--- and more\nB"),
            Some(("a: 1", "and more\nB"))
        );
        assert_eq!(parts("---\n\n---\nB"), Some(("", "B")));
        assert_eq!(parts("---\n\n\na: 1\n---"), Some(("a: 1", "")));
        assert_eq!(parts("---\na: 1\n----\nB"), Some(("a: 1", "-\nB")));
        assert_eq!(parts("---\u{1f}\na\n---\n\u{1c}\nB"), Some(("a", "B")));
    }

    #[test]
    fn a_text_without_both_fences_has_none() {
        for text in [
            "",
            "---",
            "---\n---\nBody\n",
            "----\na: 1\n----\nB",
            "\u{feff}---\na: 1\n---\n",
            "\n---\na: 1\n---\n",
            "---\na: 1\n...\nB",
            "---\na: 1\n ---\n",
        ] {
            assert_eq!(parts(text), None, "{text:?}");
            assert_eq!(without(text), text);
        }
    }

    #[test]
    fn keys_become_text_and_rejected_yaml_keeps_its_place() {
        let front = FrontMatter::read("---\n1: a\nnull: b\n---\n");
        assert_eq!(front.get("1"), Some(&Value::str("a")));
        assert_eq!(front.get("None"), Some(&Value::str("b")));
        let front = FrontMatter::read("---\nname: s\ndescription: a: b\n---\n");
        assert!(
            matches!(front, FrontMatter::Rejected { line: 3, .. }),
            "{front:?}"
        );
        assert_eq!(FrontMatter::read("---\n- a\n---\n"), FrontMatter::None);
    }
}
