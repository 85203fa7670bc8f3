//! Texts in single or double quotes.

use super::YamlFailure;
use super::plain::folded;
use super::reader::{Mark, Reader, is_break};
use crate::python::surrogate::stand_in;

/// Reads a text from its opening quote to its closing one.
pub(super) fn scalar(reader: &mut Reader) -> Result<String, YamlFailure> {
    let quote = reader.peek();
    reader.skip(1);
    let mut text = String::new();
    loop {
        match reader.peek() {
            c if c == quote => {
                reader.skip(1);
                if quote == '"' || reader.peek() != quote {
                    return Ok(text);
                }
                // A doubled single quote stands for one.
                reader.skip(1);
                text.push(quote);
            }
            '\\' if quote == '"' => escape(reader, &mut text)?,
            '\0' => return reader.mark().reject("a quote is not closed"),
            c if is_blank(c) || is_break(c) => text.push_str(&take_gap(reader)?),
            c => {
                reader.skip(1);
                text.push(c);
            }
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Reads the blanks between two words, with the line ends among them folded.
fn take_gap(reader: &mut Reader) -> Result<String, YamlFailure> {
    let blanks = reader.take_while(is_blank);
    match reader.take_break() {
        Some(first) => Ok(folded(first, &later_breaks(reader)?)),
        None => Ok(blanks),
    }
}

/// Reads the empty lines after a line end, and the blanks that the next line begins with.
fn later_breaks(reader: &mut Reader) -> Result<String, YamlFailure> {
    let mut breaks = String::new();
    loop {
        if reader.at_document_mark() {
            return reader
                .mark()
                .reject("a mark between documents stands inside quotes");
        }
        reader.take_while(is_blank);
        match reader.take_break() {
            Some(c) => breaks.push(c),
            None => return Ok(breaks),
        }
    }
}

/// Reads an escape from its backslash on.
fn escape(reader: &mut Reader, text: &mut String) -> Result<(), YamlFailure> {
    reader.skip(1);
    let c = reader.peek();
    let mark = reader.mark();
    let plain = match c {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '\\' | '/' => c,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return code(reader, 2, text),
        'u' => return code(reader, 4, text),
        'U' => return code(reader, 8, text),
        _ if is_break(c) => {
            reader.take_break();
            text.push_str(&later_breaks(reader)?);
            return Ok(());
        }
        _ => return mark.reject(format!("the escape \\{} is unknown", c.escape_debug())),
    };
    reader.skip(1);
    text.push(plain);
    Ok(())
}

/// Reads the code of a character in so many hexadecimal digits, from the escape's letter on.
fn code(reader: &mut Reader, digits: usize, text: &mut String) -> Result<(), YamlFailure> {
    reader.skip(1);
    let mark = reader.mark();
    let value = (0..digits).try_fold(0, |value, at| {
        let digit = reader.peek_at(at).to_digit(16)?;
        Some(value << 4 | digit)
    });
    let Some(value) = value else {
        return mark.reject(format!("the escape needs {digits} hexadecimal digits"));
    };
    text.push(character(value, mark)?);
    reader.skip(digits);
    Ok(())
}

fn character(code: u32, mark: Mark) -> Result<char, YamlFailure> {
    match char::from_u32(code).or_else(|| stand_in(code)) {
        Some(c) => Ok(c),
        None if i32::try_from(code).is_ok() => {
            mark.raise("ValueError", format!("U+{code:X} is no character"))
        }
        None => mark.raise("OverflowError", format!("U+{code:X} is no character")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, YamlFailure> {
        scalar(&mut Reader::new(text).unwrap())
    }

    #[test]
    fn quotes_and_escapes_are_resolved() {
        for (text, expected) in [
            ("''", ""),
            ("'it''s'", "it's"),
            (r#"'a\n"b'"#, r#"a\n"b"#),
            (r#""it's""#, "it's"),
            (
                r#""\0\a\b\t\n\v\f\r\e\ \"\\\/\N\_\L\P""#,
                "\0\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b} \"\\/\u{85}\u{a0}\u{2028}\u{2029}",
            ),
            ("\"\\\t\"", "\t"),
            (r#""\x41\u00e9\U0001F980""#, "Aé🦀"),
            (r#""\ud83e""#, "\u{10f83e}"),
            (r#""\ud83e\udd80""#, "\u{10f83e}\u{10fd80}"),
            ("\" a \t b \"", " a \t b "),
            ("'a  \n  b'", "a b"),
            ("'a\n\n \n b'", "a\n\nb"),
            ("'a\u{2028}b'", "a\u{2028}b"),
            ("\"a \\\n   b\"", "a b"),
            ("\"a\\\n\n b\"", "a\nb"),
            ("\"\n ---\"", " ---"),
            ("'a\n\n...'x", "a\n..."),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_inside_quotes_fails() {
        for (text, line, column) in [
            ("'a", 1, 3),
            ("'a  ", 1, 5),
            ("\"a\n---\n\"", 2, 1),
            (r#""\q""#, 1, 3),
            (r#""\x4""#, 1, 4),
            ("\"\\", 1, 3),
        ] {
            match read(text) {
                Err(YamlFailure::Yaml {
                    line: l, column: c, ..
                }) => assert_eq!((l, c), (line, column), "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }

    #[test]
    fn codes_beyond_unicode_raise_what_chr_raises() {
        for (text, expected) in [
            (r#""\U00110000""#, "ValueError"),
            (r#""\U7fffffff""#, "ValueError"),
            (r#""\U80000000""#, "OverflowError"),
        ] {
            match read(text) {
                Err(YamlFailure::Raises { class, .. }) => assert_eq!(class, expected),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}
