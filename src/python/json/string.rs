//! Strings: what stands between quotes in a JSON text.

use super::JsonFailure;
use super::read::Reader;
use crate::python::surrogate::stand_in;

impl Reader<'_> {
    /// Reads a string from its opening quote on.
    pub(super) fn string(&mut self) -> Result<String, JsonFailure> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let special = |c| c == '"' || c == '\\' || c < ' ';
            let Some(length) = self.rest().find(special) else {
                return self.fail(start, "a string is not closed");
            };
            out.push_str(&self.text[self.at..self.at + length]);
            self.at += length;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') if self.at + 1 == self.text.len() => {
                    return self.fail(start, "a string is not closed");
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return self.fail(self.at, "a control character stands in a string"),
            }
        }
    }

    /// Reads an escape from its backslash on, both halves of a surrogate pair together.
    fn escape(&mut self) -> Result<char, JsonFailure> {
        let start = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes()[start + 1] {
            c @ (b'"' | b'\\' | b'/') => char::from(c),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = self.code_unit()?;
                let low = self.low_surrogate(high)?;
                joined(high, low)
            }
            _ => return self.fail(start, "an unknown escape stands in a string"),
        })
    }

    /// Reads the second half of a pair; `None`, and nothing read, if none follows the first.
    fn low_surrogate(&mut self, high: u32) -> Result<Option<u32>, JsonFailure> {
        // Python looks for a pair only where something follows it, be it the closing quote.
        let room = self.rest().chars().nth(6).is_some();
        if !(0xD800..0xDC00).contains(&high) || !room || !self.rest().starts_with("\\u") {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        let unit = self.code_unit()?;
        if (0xDC00..0xE000).contains(&unit) {
            return Ok(Some(unit));
        }
        self.at = before;
        Ok(None)
    }

    /// Reads the four digits of a `\u` escape.
    fn code_unit(&mut self) -> Result<u32, JsonFailure> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let unit = digits.and_then(|digits| {
            digits.iter().try_fold(0, |unit, &digit| {
                char::from(digit)
                    .to_digit(16)
                    .map(|value| unit * 16 + value)
            })
        });
        match unit {
            // A text that ends right after the digits leaves the string open, but Python
            // complains about the escape first.
            Some(unit) if self.at + 4 < self.text.len() => {
                self.at += 4;
                Ok(unit)
            }
            _ => self.fail(self.at - 1, "four hexadecimal digits must follow \\u"),
        }
    }
}

/// Makes a character of one or two UTF-16 code units, a stand-in of a lone surrogate.
fn joined(high: u32, low: Option<u32>) -> char {
    let code = low.map_or(high, |low| {
        0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)
    });
    char::from_u32(code)
        .or_else(|| stand_in(code))
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use crate::python::json::{JsonFailure, loads};

    #[test]
    fn strings_are_read_as_python_reads_them() {
        for (text, expected) in [
            (r#""a\"\\\/\b\f\n\r\t\u00e9""#, r#"'a"\\/\x08\x0c\n\r\té'"#),
            (r#""\ud83e\udd80""#, "'🦀'"),
            (r#""\ud83e""#, r"'\ud83e'"),
            (r#""\udd80\ud83e""#, r"'\udd80\ud83e'"),
            (r#""\ud83e\u0041""#, r"'\ud83eA'"),
            (r#""\ud83e\ud83e\udd80""#, r"'\ud83e🦀'"),
            ("\"\u{7f}\u{2028}\"", r"'\x7f\u2028'"),
        ] {
            assert_eq!(loads(text).unwrap().repr(), expected, "{text:?}");
        }
    }

    #[test]
    fn broken_strings_fail_at_pythons_place() {
        for (text, offset) in [
            (r#""é"#, 0),
            (r#""é\x""#, 2),
            (r#""\u12""#, 2),
            (r#""\u12g4""#, 2),
            (r#""\u1234"#, 2),
            (r#""\ud83e\u12""#, 8),
            (r#""\ud83e\u12g4""#, 8),
            (r#""\u１234""#, 2),
            ("\"é\n\"", 2),
            (r#"["\"#, 1),
        ] {
            match loads(text) {
                Err(JsonFailure::Decode { offset: at, .. }) => assert_eq!(at, offset, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}
