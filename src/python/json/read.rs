//! Reading: `json.loads` over a `str`.

use super::JsonFailure;
use crate::python::number::{self, MAX_DIGITS};
use crate::python::{Dict, Value};

/// The most arrays and objects that may stand inside one another.
///
/// Python's own limit depends on the version and, in 3.11, on how deep the caller already is: 993
/// from a bare script, about 950 from inside the agent.
pub const MAX_DEPTH: usize = 950;

/// Reads a JSON text as `json.loads(text)` does.
///
/// The last value of a repeated key is kept, at the place of its first. The error is what Python
/// raises, at the place where Python sees it.
pub fn loads(text: &str) -> Result<Value, JsonFailure> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        return reader.fail(0, "the text starts with a byte order mark");
    }
    reader.skip_blanks();
    let value = reader.value()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        return reader.fail(reader.at, "the text goes on after the value");
    }
    Ok(value)
}

/// An array or an object that is being read.
///
/// Those around a value are kept in a list, since the stack of the program may be too small.
enum Container {
    Array(Vec<Value>),
    /// What was read, and the key of the value that follows.
    Object(Dict, String),
}

impl Container {
    /// Gives the bracket that closes it.
    fn bracket(&self) -> u8 {
        match self {
            Self::Array(_) => b']',
            Self::Object(..) => b'}',
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            Self::Array(items) => items.push(value),
            Self::Object(dict, key) => {
                dict.insert(Value::Str(std::mem::take(key)), value);
            }
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Array(items) => Value::List(items),
            Self::Object(dict, _) => Value::Dict(dict),
        }
    }
}

/// A position in the text, as a byte offset that is always at the edge of a character.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl Reader<'_> {
    /// Fails at a byte offset of the text.
    pub fn fail<T>(&self, at: usize, message: &str) -> Result<T, JsonFailure> {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Err(JsonFailure::Decode {
            message: message.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            offset: before.chars().count(),
        })
    }

    pub fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Reads a value with all that it holds.
    fn value(&mut self) -> Result<Value, JsonFailure> {
        let mut open = Vec::new();
        loop {
            if let Some(value) = self.begin(&mut open)?
                && let Some(whole) = self.end(value, &mut open)?
            {
                return Ok(whole);
            }
        }
    }

    /// Reads a value that holds no other, or opens one that does.
    fn begin(&mut self, open: &mut Vec<Container>) -> Result<Option<Value>, JsonFailure> {
        let container = match self.peek() {
            Some(b'"') => return Ok(Some(Value::Str(self.string()?))),
            Some(b'[') => Container::Array(Vec::new()),
            Some(b'{') => Container::Object(Dict::new(), String::new()),
            _ => return self.word_or_number().map(Some),
        };
        if open.len() == MAX_DEPTH {
            return Err(JsonFailure::Raises {
                class: "RecursionError",
                message: format!("more than {MAX_DEPTH} arrays and objects inside one another"),
            });
        }
        self.at += 1;
        self.skip_blanks();
        if self.take(container.bracket()) {
            return Ok(Some(container.value()));
        }
        open.push(container);
        self.key(open)?;
        Ok(None)
    }

    /// Adds a value to the container that it stands in, and closes those that end after it.
    ///
    /// It gives the outermost value once that is closed.
    fn end(
        &mut self,
        mut value: Value,
        open: &mut Vec<Container>,
    ) -> Result<Option<Value>, JsonFailure> {
        while let Some(mut container) = open.pop() {
            container.add(value);
            self.skip_blanks();
            if self.take(container.bracket()) {
                value = container.value();
                continue;
            }
            if !self.take(b',') {
                return self.fail(self.at, "a comma or the closing bracket is missing");
            }
            self.skip_blanks();
            open.push(container);
            self.key(open)?;
            return Ok(None);
        }
        Ok(Some(value))
    }

    /// Reads the key and the colon before a value, if that stands in an object.
    fn key(&mut self, open: &mut [Container]) -> Result<(), JsonFailure> {
        let Some(Container::Object(_, key)) = open.last_mut() else {
            return Ok(());
        };
        if self.peek() != Some(b'"') {
            return self.fail(self.at, "a key in double quotes is missing");
        }
        *key = self.string()?;
        self.skip_blanks();
        if !self.take(b':') {
            return self.fail(self.at, "the colon after a key is missing");
        }
        self.skip_blanks();
        Ok(())
    }

    fn word_or_number(&mut self) -> Result<Value, JsonFailure> {
        let words = [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        for (word, value) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let (length, is_float) = number_length(self.rest().as_bytes());
        if length == 0 {
            return self.fail(self.at, "a value is missing");
        }
        let text = &self.rest()[..length];
        let value = if is_float {
            text.parse().ok().map(Value::Float)
        } else {
            number::int(text).map(Value::Int)
        };
        let value = value.ok_or_else(|| JsonFailure::Raises {
            class: "ValueError",
            message: format!("a whole number has more than {MAX_DIGITS} digits"),
        })?;
        self.at += length;
        Ok(value)
    }
}

/// Measures the number that a text begins with: its length, zero if there is none, and whether
/// it is a float.
fn number_length(text: &[u8]) -> (usize, bool) {
    let digits = |from: usize| {
        text.get(from..).map_or(0, |rest| {
            rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        })
    };
    let sign = usize::from(text.first() == Some(&b'-'));
    let whole = if text.get(sign) == Some(&b'0') {
        1
    } else {
        digits(sign)
    };
    if whole == 0 {
        return (0, false);
    }
    let mut end = sign + whole;
    let mut is_float = false;
    if text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
        is_float = true;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
            is_float = true;
        }
    }
    (end, is_float)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repr(text: &str) -> String {
        loads(text).map_or_else(|failure| failure.to_string(), |value| value.repr())
    }

    #[test]
    fn values_are_read_as_python_reads_them() {
        for (text, expected) in [
            (" null\r\n\t", "None"),
            ("true", "True"),
            ("false", "False"),
            ("NaN", "nan"),
            ("Infinity", "inf"),
            ("-Infinity", "-inf"),
            ("0", "0"),
            ("-0", "0"),
            ("-12", "-12"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            ("1.5", "1.5"),
            ("-0.0", "-0.0"),
            ("1e3", "1000.0"),
            ("1E-7", "1e-07"),
            ("1e999", "inf"),
            ("[]", "[]"),
            ("[1, [2,\n3]]", "[1, [2, 3]]"),
            ("{ }", "{}"),
            (r#"{"b": 1, "a": 2, "b": 3}"#, "{'b': 3, 'a': 2}"),
        ] {
            assert_eq!(repr(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_json_fails_at_pythons_place() {
        for (text, offset) in [
            ("", 0),
            ("  ", 2),
            ("\u{feff}1", 0),
            ("\u{a0}1", 0),
            ("nul", 0),
            ("nulls", 4),
            ("1 2", 2),
            ("01", 1),
            ("-", 0),
            ("+1", 0),
            (".5", 0),
            ("1.", 1),
            ("1.e5", 1),
            ("1e", 1),
            ("-Infinit", 0),
            ("'a'", 0),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("[", 1),
            ("[1", 2),
            ("{", 1),
            ("{1: 2}", 1),
            (r#"{"a" 1}"#, 5),
            (r#"{"a": 1,}"#, 8),
            (r#"{"a": 1 "b": 2}"#, 8),
            (r#"{"a":"#, 5),
        ] {
            match loads(text) {
                Err(JsonFailure::Decode { offset: at, .. }) => assert_eq!(at, offset, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }

    #[test]
    fn limits_raise_what_is_no_decode_error() {
        let raised = |text: &str| match loads(text) {
            Err(JsonFailure::Raises { class, .. }) => class,
            other => panic!("{other:?}"),
        };
        assert_eq!(raised(&"9".repeat(MAX_DIGITS + 1)), "ValueError");
        assert_eq!(
            raised(&format!("[-{}", "9".repeat(MAX_DIGITS + 1))),
            "ValueError"
        );
        assert!(loads(&format!("-{}", "9".repeat(MAX_DIGITS))).is_ok());
        assert!(
            loads(&"0".repeat(MAX_DIGITS + 1))
                .is_err_and(|failure| matches!(failure, JsonFailure::Decode { offset: 1, .. }))
        );
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(loads(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(raised(&nested(MAX_DEPTH + 1)), "RecursionError");
        assert_eq!(raised(&r#"{"a":"#.repeat(1_000_000)), "RecursionError");
    }
}
