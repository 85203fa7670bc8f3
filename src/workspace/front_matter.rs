//! The YAML block at the top of a SKILL.md: where it stands and what it holds.
//!
//! Mirrors the expression `^---\s*\r?\n(.*?)\r?\n---\s*\r?\n?` (dot matches all) by which the
//! reference finds it, and its use of PyYAML's safe loader, which has no limits. Ours has: front
//! matter of more than [`MAX_BYTES`], or whose aliases repeat too much, is [`FrontMatter::Unread`].

use std::ops::Range;

use crate::python::text::{is_space, strip};
use crate::python::yaml::{self, YamlFailure};
use crate::python::{Dict, Value};

/// The most bytes of front matter that are read.
pub const MAX_BYTES: usize = 64 * 1024;

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
    // fence follows it, in which case an earlier one is tried. That helps only where the closing
    // fence begins with the last of them, so that no more than two are worth a try.
    let ends = rest[..blank].rmatch_indices('\n').take(2);
    ends.into_iter().find_map(|(at, _)| {
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

/// Finds a skill's text without its front matter, stripped; a text that has none is all of it.
#[must_use]
pub fn body(text: &str) -> Range<usize> {
    let Some(parts) = find(text) else {
        return 0..text.len();
    };
    let rest = &text[parts.body.clone()];
    let blank = rest.len() - rest.trim_start_matches(is_space).len();
    let start = parts.body.start + blank;
    start..start + strip(rest).len()
}

/// Finds the line of the text, from 1, on which a key of the front matter stands: the last one where
/// it is given twice, the first line where it cannot be told.
#[must_use]
pub fn line_of(text: &str, key: &str) -> usize {
    let Some(parts) = find(text) else {
        return 1;
    };
    let is_key = |line: &str| {
        let line = line.trim_start_matches(['"', '\'']);
        let rest = line.strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ']).starts_with(':'))
    };
    let before = text[..parts.yaml.start].matches('\n').count();
    let lines = text[parts.yaml].lines().enumerate();
    let found = lines.filter(|(_, line)| is_key(line)).last();
    found.map_or(1, |(index, _)| before + index + 1)
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
    /// More than is read here: what the agent takes from it is not known.
    Unread {
        /// What there is too much of, in our words.
        problem: String,
        /// The line of the file, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
}

impl FrontMatter {
    /// Reads the front matter of a text whose line ends are LF.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let Some(parts) = find(text) else {
            return Self::None;
        };
        let yaml = &text[parts.yaml.clone()];
        let lines_before = text[..parts.yaml.start].matches('\n').count();
        let in_file = |line, column| {
            let (line, column) = place(yaml, line, column);
            (lines_before + line, column)
        };
        if yaml.len() > MAX_BYTES {
            let (line, column) = in_file(1, 1);
            return Self::Unread {
                problem: format!(
                    "it has {} bytes, and no more than {MAX_BYTES} are read",
                    yaml.len()
                ),
                line,
                column,
            };
        }
        match yaml::safe_load(yaml) {
            Ok(Value::Dict(dict)) => Self::Mapping(with_text_keys(dict)),
            Ok(_) => Self::None,
            Err(YamlFailure::Yaml {
                problem,
                line,
                column,
            }) => {
                let (line, column) = in_file(line, column);
                Self::Rejected {
                    problem,
                    line,
                    column,
                }
            }
            Err(YamlFailure::Raises {
                class,
                message,
                line,
                column,
            }) => Self::Raises {
                class,
                message,
                line: in_file(line, column).0,
            },
            Err(YamlFailure::Beyond {
                problem,
                line,
                column,
            }) => {
                let (line, column) = in_file(line, column);
                Self::Unread {
                    problem,
                    line,
                    column,
                }
            }
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

/// Turns a place among the lines of YAML, which end at Unicode's separators too, into one among those of
/// a file.
fn place(yaml: &str, line: usize, column: usize) -> (usize, usize) {
    let ends = yaml.match_indices(['\n', '\u{85}', '\u{2028}', '\u{2029}']);
    let starts = ends.map(|(at, end)| at + end.len());
    let start = std::iter::once(0).chain(starts).nth(line - 1);
    let before = &yaml[..start.unwrap_or(yaml.len())];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before[line_start..].chars().count() + column;
    (before.matches('\n').count() + 1, column)
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
            assert_eq!(body(text), 0..text.len());
        }
    }

    #[test]
    fn the_body_is_stripped_and_a_key_has_its_line() {
        let text = "---\nname: s\n\"description\" : one\ndescription: two\n---\n\n  B \n";
        assert_eq!(&text[body(text)], "B");
        assert_eq!(body("---\na: 1\n---\n \n"), 15..15);
        assert_eq!(line_of(text, "name"), 2);
        assert_eq!(line_of(text, "description"), 4);
        assert_eq!(line_of(text, "always"), 1);
        assert_eq!(line_of("no front matter", "name"), 1);
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
        // YAML ends lines where no editor does.
        let front = FrontMatter::read("---\na: x\u{2028}b: y\u{85}\nc: d: e\n---\n");
        assert!(
            matches!(
                front,
                FrontMatter::Rejected {
                    line: 3,
                    column: 5,
                    ..
                }
            ),
            "{front:?}"
        );
    }

    #[test]
    fn what_is_too_much_is_unread_and_has_its_place() {
        let of_size = |size: usize| {
            let value = "x".repeat(size - "name: ".len());
            FrontMatter::read(&format!("---\n\nname: {value}\n---\n"))
        };
        assert!(of_size(MAX_BYTES).get("name").is_some());
        let large = of_size(MAX_BYTES + 1);
        let problem = "it has 65537 bytes, and no more than 65536 are read".to_owned();
        let (line, column) = (3, 1);
        assert_eq!(
            large,
            FrontMatter::Unread {
                problem,
                line,
                column
            }
        );
        let mut bomb = String::from("---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for at in 1..8 {
            let aliases = format!("*a{}, ", at - 1).repeat(10);
            bomb = format!("{bomb}a{at}: &a{at} [{aliases}]\n");
        }
        let bomb = FrontMatter::read(&(bomb + "---\n"));
        assert!(
            matches!(&bomb, FrontMatter::Unread { line: 2, problem, .. } if problem.contains("aliases")),
            "{bomb:?}"
        );
    }

    #[test]
    fn blank_lines_without_an_end_are_looked_through_once() {
        let blank = format!("---{}", "\n".repeat(1_000_000));
        assert_eq!(find(&blank), None);
        let closed = blank.clone() + "---\nB";
        assert_eq!(parts(&closed).map(|(_, body)| body), Some("B"));
        assert_eq!(
            parts(&(blank + " \n---\nB")).map(|(yaml, _)| yaml),
            Some(" ")
        );
    }
}
