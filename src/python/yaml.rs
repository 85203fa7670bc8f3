//! YAML 1.1 as PyYAML reads it with `yaml.safe_load`.
//!
//! No YAML library for Rust decides as PyYAML does: what `on`, `017`, `12:30` or `=` is, which tab
//! is an error, which damaged text is still read. The agent drops all metadata of a file that PyYAML
//! rejects, so that this reader accepts and rejects exactly the same texts. It mirrors the loader
//! of PyYAML 6.0.4 that is written in Python, working on a `str`.
//!
//! A text goes through these steps: `reader` (characters and places), `scanner` with `plain`,
//! `quoted`, `block`, `properties` and `directive` (tokens), `composer` with `resolver` (nodes),
//! `constructor` with `merge`, `scalars` and `timestamp` (values), `expand` (aliases copied).
//!
//! # Limits
//!
//! - Nesting: PyYAML raises `RecursionError` at some 490 collections inside one another, less by
//!   half of the depth of its caller. Here the limit is always [`MAX_DEPTH`].
//! - Aliases: a Python value is shared by all aliases, a Rust value is copied. More copies than
//!   [`MAX_COPIES`] are [`YamlFailure::Beyond`] this reader, whatever Python would make of them; a
//!   text without aliases never is. Copies that stand inside one another deeper than
//!   [`MAX_VALUE_DEPTH`] raise `RecursionError`, as Python does when such a value is written.
//! - Recursion: `&a [*a]` is a list that holds itself. The inner one is represented by the text
//!   that Python's `repr` shows for it, `[...]` or `{...}`.

mod block;
mod composer;
mod constructor;
mod directive;
mod expand;
mod merge;
mod node;
mod plain;
mod properties;
mod quoted;
mod reader;
mod resolver;
mod scalars;
mod scanner;
mod timestamp;
mod token;

use super::Value;

/// The most lists and mappings that may stand inside one another in a text.
pub const MAX_DEPTH: usize = 470;

/// The most values that may stand inside one another once aliases are copied.
pub const MAX_VALUE_DEPTH: usize = 950;

/// The most values that aliases and merge keys may repeat; a long text counts for several.
pub const MAX_COPIES: usize = 100_000;

/// What Python raises when it cannot load a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlFailure {
    /// A `YAMLError`: the text is not the YAML that the safe loader takes.
    Yaml {
        /// What is wrong, in our words.
        problem: String,
        /// The line of the text, from 1.
        line: usize,
        /// The column, from 1, in code points.
        column: usize,
    },
    /// Another exception, which code that expects a `YAMLError` does not catch.
    Raises {
        /// The class of the exception.
        class: &'static str,
        /// What is wrong, in our words.
        message: String,
        /// The line of the text, from 1.
        line: usize,
        /// The column, from 1, in code points.
        column: usize,
    },
    /// Python may well load the text, and this reader will not: a few bytes would take all memory.
    Beyond {
        /// What there is too much of, in our words.
        problem: String,
        /// The line of the text, from 1.
        line: usize,
        /// The column, from 1, in code points.
        column: usize,
    },
}

impl std::fmt::Display for YamlFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Yaml {
                problem,
                line,
                column,
            }
            | Self::Beyond {
                problem,
                line,
                column,
            } => write!(f, "{problem} (line {line}, column {column})"),
            Self::Raises {
                class,
                message,
                line,
                column,
            } => write!(f, "{class}: {message} (line {line}, column {column})"),
        }
    }
}

impl std::error::Error for YamlFailure {}

/// Reads a YAML text as `yaml.safe_load(text)` does; an empty one is `None`.
///
/// The error is what Python raises, at the place where Python sees it.
pub fn safe_load(text: &str) -> Result<Value, YamlFailure> {
    let reader = reader::Reader::new(text)?;
    let scanner = scanner::Scanner::new(reader);
    match composer::Composer::new(scanner).document()? {
        Some((graph, root)) => constructor::Constructor::new(graph).document(root),
        None => Ok(Value::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_matter_is_read() {
        let text = "name: demo\ndescription: >\n  folded\n  text\nalways: on\nmode: 017\nat: 12:30\n\
                    on: 2026-01-02\ntags: [a, {b: 'it''s'}]\nempty:\n";
        assert_eq!(
            safe_load(text).unwrap().repr(),
            "{'name': 'demo', 'description': 'folded text\\n', 'always': True, 'mode': 15, \
             'at': 750, True: datetime.date(2026, 1, 2), 'tags': ['a', {'b': \"it's\"}], \
             'empty': None}"
        );
    }

    #[test]
    fn a_failure_tells_what_it_is_and_where() {
        let failure = safe_load("a: b\nc: d: e").unwrap_err();
        assert_eq!(
            failure.to_string(),
            "a value cannot begin here (line 2, column 5)"
        );
        let failure = safe_load("a: !!bool b").unwrap_err();
        assert_eq!(
            failure.to_string(),
            "KeyError: this is no truth value (line 1, column 4)"
        );
    }

    #[test]
    fn deep_nesting_raises_and_does_not_overflow() {
        let raises = |text: &str| {
            matches!(
                safe_load(text),
                Err(YamlFailure::Raises {
                    class: "RecursionError",
                    ..
                })
            )
        };
        assert!(raises(&"[".repeat(1_000_000)));
        assert!(raises(&"{a: ".repeat(300_000)));
        assert!(raises(&"- ".repeat(300_000)));
        assert!(raises(&"? ".repeat(300_000)));
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(safe_load(&nested(MAX_DEPTH)).is_ok());
        assert!(raises(&nested(MAX_DEPTH + 1)));
        assert!(safe_load(&("- ".repeat(MAX_DEPTH) + "x")).is_ok());
    }
}
