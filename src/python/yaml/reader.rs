//! The characters of a YAML text, where the reading stands, and what counts as a line end.

use super::YamlFailure;

/// A place in the text: line and column from 0, byte order marks not counted as columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub line: usize,
    pub column: usize,
}

impl Mark {
    /// Fails with what is a `YAMLError` in Python.
    pub fn reject<T>(self, problem: impl Into<String>) -> Result<T, YamlFailure> {
        Err(YamlFailure::Yaml {
            problem: problem.into(),
            line: self.line + 1,
            column: self.column + 1,
        })
    }

    /// Gives up on what takes more than this reader spends.
    pub fn give_up<T>(self, problem: impl Into<String>) -> Result<T, YamlFailure> {
        Err(YamlFailure::Beyond {
            problem: problem.into(),
            line: self.line + 1,
            column: self.column + 1,
        })
    }

    /// Fails with another exception.
    pub fn raise<T>(
        self,
        class: &'static str,
        message: impl Into<String>,
    ) -> Result<T, YamlFailure> {
        Err(YamlFailure::Raises {
            class,
            message: message.into(),
            line: self.line + 1,
            column: self.column + 1,
        })
    }
}

/// Tells whether a character ends a line.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Tells whether a character ends a line or the text.
pub(super) fn ends_line(c: char) -> bool {
    c == '\0' || is_break(c)
}

/// Tells whether a character is a space or ends the line: where tabs do not count.
pub(super) fn ends_word(c: char) -> bool {
    c == ' ' || ends_line(c)
}

/// Tells whether a character is blank or ends the line.
pub(super) fn ends_token(c: char) -> bool {
    c == '\t' || ends_word(c)
}

/// Tells whether an anchor, a tag handle or a directive may be named with a character.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// A text that is read from the front, a NUL standing for its end.
pub(super) struct Reader {
    chars: Vec<char>,
    at: usize,
    mark: Mark,
}

impl Reader {
    /// Takes a text, unless it holds a character that YAML does not allow.
    pub fn new(text: &str) -> Result<Self, YamlFailure> {
        let mut reader = Self {
            chars: text.chars().collect(),
            at: 0,
            mark: Mark { line: 0, column: 0 },
        };
        if let Some(at) = reader.chars.iter().position(|&c| !is_allowed(c)) {
            let code = reader.chars[at] as u32;
            reader.skip(at);
            return reader
                .mark
                .reject(format!("the character U+{code:04X} is not allowed"));
        }
        Ok(reader)
    }

    /// Gives the place of the next character.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Counts the characters read.
    pub fn index(&self) -> usize {
        self.at
    }

    /// Gives the next character.
    pub fn peek(&self) -> char {
        self.peek_at(0)
    }

    /// Gives a later character.
    pub fn peek_at(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    /// Moves over some characters.
    pub fn skip(&mut self, count: usize) {
        for _ in 0..count {
            let c = self.peek();
            self.at += 1;
            if is_break(c) && !(c == '\r' && self.peek() == '\n') {
                self.mark.line += 1;
                self.mark.column = 0;
            } else if c != '\u{feff}' {
                self.mark.column += 1;
            }
        }
    }

    /// Reads some characters.
    pub fn take(&mut self, count: usize) -> String {
        let end = (self.at + count).min(self.chars.len());
        let text = self.chars[self.at..end].iter().collect();
        self.skip(count);
        text
    }

    /// Reads all characters up to the first that is not wanted; the end never is.
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|&&c| wanted(c)).count();
        self.take(count)
    }

    /// Moves over spaces.
    pub fn skip_spaces(&mut self) {
        while self.peek() == ' ' {
            self.skip(1);
        }
    }

    /// Moves over a comment, if one begins here, up to the end of its line.
    pub fn skip_comment(&mut self) {
        if self.peek() == '#' {
            while !ends_line(self.peek()) {
                self.skip(1);
            }
        }
    }

    /// Reads a line end, if one stands here: as LF unless it is one of Unicode's separators.
    pub fn take_break(&mut self) -> Option<char> {
        let c = self.peek();
        if !is_break(c) {
            return None;
        }
        let pair = c == '\r' && self.peek_at(1) == '\n';
        self.skip(1 + usize::from(pair));
        Some(if matches!(c, '\u{2028}' | '\u{2029}') {
            c
        } else {
            '\n'
        })
    }

    /// Tells whether three characters stand here as a word of their own.
    pub fn at_word(&self, three: &str) -> bool {
        three.chars().zip(0..).all(|(c, at)| self.peek_at(at) == c) && ends_token(self.peek_at(3))
    }

    /// Tells whether the line begins with a mark between documents.
    pub fn at_document_mark(&self) -> bool {
        self.at_word("---") || self.at_word("...")
    }
}

fn is_allowed(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_printed_is_refused() {
        for (text, column) in [
            ("a\u{7}", 2),
            ("\u{0}", 1),
            ("\u{7f}", 1),
            ("é\u{9f}", 2),
            ("\u{fffe}", 1),
        ] {
            match Reader::new(text) {
                Err(YamlFailure::Yaml { column: at, .. }) => assert_eq!(at, column, "{text:?}"),
                _ => panic!("{text:?} is taken"),
            }
        }
        assert!(
            Reader::new("\t\n\r ~\u{85}\u{a0}\u{d7ff}\u{e000}\u{feff}\u{fffd}\u{10ffff}").is_ok()
        );
    }

    #[test]
    fn every_line_end_begins_a_line() {
        let mut reader = Reader::new("\u{feff}ab\nc\r\nd\re\u{85}f\u{2028}g\u{2029}h").unwrap();
        let mut marks = Vec::new();
        while reader.peek() != '\0' {
            let mark = reader.mark();
            marks.push((reader.peek(), mark.line, mark.column));
            reader.skip(1);
        }
        marks.retain(|(c, ..)| c.is_alphabetic());
        let expected = [('a', 0, 0), ('b', 0, 1), ('c', 1, 0), ('d', 2, 0)];
        assert_eq!(marks[..4], expected);
        let expected = [('e', 3, 0), ('f', 4, 0), ('g', 5, 0), ('h', 6, 0)];
        assert_eq!(marks[4..], expected);
    }

    #[test]
    fn line_ends_are_read_as_one_character() {
        let mut reader = Reader::new("\r\n\r\u{85}\n\u{2028}x").unwrap();
        let breaks: Vec<char> = std::iter::from_fn(|| reader.take_break()).collect();
        assert_eq!(breaks, ['\n', '\n', '\n', '\n', '\u{2028}']);
        assert_eq!(reader.peek(), 'x');
    }
}
