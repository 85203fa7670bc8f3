//! JSON as Python's `json` module reads and writes it.
//!
//! Python accepts more than the standard: `NaN` and the infinities, whole numbers of any size and
//! lone surrogates; and it has limits of its own. What the agent loads is therefore decided here
//! and not by a stricter or laxer JSON library.

mod read;
mod string;
mod write;

pub use read::{MAX_DEPTH, loads};
pub use write::{dumps, dumps_pretty};

/// What Python raises when it cannot load a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonFailure {
    /// A `JSONDecodeError`: the text is not JSON.
    Decode {
        /// What is wrong, in our words.
        message: String,
        /// The line of the text, from 1.
        line: usize,
        /// The column, from 1, in code points.
        column: usize,
        /// The place in the text, from 0, in code points.
        offset: usize,
    },
    /// Another exception, which code that expects a `JSONDecodeError` does not catch.
    Raises {
        /// The class of the exception: `ValueError` or `RecursionError`.
        class: &'static str,
        /// What is wrong, in our words.
        message: String,
    },
}

impl std::fmt::Display for JsonFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Decode {
                message,
                line,
                column,
                ..
            } => write!(f, "{message} (line {line}, column {column})"),
            Self::Raises { class, message } => write!(f, "{class}: {message}"),
        }
    }
}

impl std::error::Error for JsonFailure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_tells_where_it_is() {
        let failure = loads("[1,\n2 3]").unwrap_err();
        assert_eq!(
            failure,
            JsonFailure::Decode {
                message: "a comma or the closing bracket is missing".into(),
                line: 2,
                column: 3,
                offset: 6,
            }
        );
        assert_eq!(
            failure.to_string(),
            "a comma or the closing bracket is missing (line 2, column 3)"
        );
        let failure = loads(&"9".repeat(4301)).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "ValueError: a whole number has more than 4300 digits"
        );
    }

    #[test]
    fn the_deepest_value_can_be_written() {
        let text = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
        let value = loads(&text).unwrap();
        assert_eq!(dumps(&value), text);
        assert_eq!(value.repr(), text);
        assert!(dumps_pretty(&value).len() > MAX_DEPTH * MAX_DEPTH);
        let text = r#"{"a":"#.repeat(MAX_DEPTH) + "1" + &"}".repeat(MAX_DEPTH);
        let value = loads(&text).unwrap();
        assert_eq!(dumps(&value).replace(": ", ":"), text);
        assert!(value.repr().starts_with("{'a': {'a': "));
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"{"a": [1, 2.5, "x\ny", null, true], "é": {}, "b": -0.0}"#;
        assert_eq!(dumps(&loads(text).unwrap()), text);
        let pretty = dumps_pretty(&loads(text).unwrap());
        assert_eq!(loads(&pretty).unwrap(), loads(text).unwrap());
    }
}
