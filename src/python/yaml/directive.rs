//! Directives: the lines that begin with `%`.

use super::YamlFailure;
use super::properties::{handle, uri};
use super::reader::{Reader, ends_line, ends_word, is_name};
use super::token::Directive;
use crate::python::number::MAX_DIGITS;

/// Reads a directive from its `%` to the end of its line.
pub(super) fn scan(reader: &mut Reader) -> Result<Directive, YamlFailure> {
    reader.skip(1);
    let name = reader.take_while(is_name);
    if name.is_empty() || !ends_word(reader.peek()) {
        return reader
            .mark()
            .reject("the name of a directive holds letters, digits, `-` and `_` only");
    }
    let directive = match name.as_str() {
        "YAML" => version(reader)?,
        "TAG" => tag(reader)?,
        _ => {
            reader.take_while(|c| !ends_line(c));
            Directive::Unknown
        }
    };
    reader.skip_spaces();
    reader.skip_comment();
    if !ends_line(reader.peek()) {
        return reader
            .mark()
            .reject("only a comment may follow on the line of a directive");
    }
    reader.take_break();
    Ok(directive)
}

fn version(reader: &mut Reader) -> Result<Directive, YamlFailure> {
    reader.skip_spaces();
    let major = number(reader)?;
    if reader.peek() != '.' {
        return reader.mark().reject("the version lacks a `.`");
    }
    reader.skip(1);
    number(reader)?;
    if !ends_word(reader.peek()) {
        return reader.mark().reject("the version is no number");
    }
    let is_one = major.trim_start_matches('0') == "1";
    Ok(Directive::Version { is_one })
}

fn number(reader: &mut Reader) -> Result<String, YamlFailure> {
    let mark = reader.mark();
    let digits = reader.take_while(|c| c.is_ascii_digit());
    match digits.len() {
        0 => mark.reject("the version is no number"),
        1..=MAX_DIGITS => Ok(digits),
        _ => mark.raise(
            "ValueError",
            format!("a number has more than {MAX_DIGITS} digits"),
        ),
    }
}

fn tag(reader: &mut Reader) -> Result<Directive, YamlFailure> {
    reader.skip_spaces();
    let handle = handle(reader)?;
    if reader.peek() != ' ' {
        return reader
            .mark()
            .reject("a space must follow the handle of a tag");
    }
    reader.skip_spaces();
    let prefix = uri(reader)?;
    if !ends_word(reader.peek()) {
        return reader
            .mark()
            .reject("a space must follow the prefix of a tag");
    }
    Ok(Directive::Tag { handle, prefix })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_told_apart() {
        for (text, expected) in [
            ("%YAML 1.1", Directive::Version { is_one: true }),
            ("%YAML   01.9 # c\n", Directive::Version { is_one: true }),
            ("%YAML 2.0\n", Directive::Version { is_one: false }),
            (
                "%TAG ! tag:x,1:  # c",
                Directive::Tag {
                    handle: "!".into(),
                    prefix: "tag:x,1:".into(),
                },
            ),
            (
                "%TAG !e! !f",
                Directive::Tag {
                    handle: "!e!".into(),
                    prefix: "!f".into(),
                },
            ),
            ("%FOO anything: [ at all", Directive::Unknown),
        ] {
            assert_eq!(
                scan(&mut Reader::new(text).unwrap()),
                Ok(expected),
                "{text:?}"
            );
        }
    }

    #[test]
    fn wrong_directives_fail() {
        for (text, column) in [
            ("%", 2),
            ("%é", 2),
            ("%A:", 3),
            ("%YAML", 6),
            ("%YAML 1", 8),
            ("%YAML 1.", 9),
            ("%YAML 1.1x", 10),
            ("%YAML 1.1 x", 11),
            ("%TAG x", 6),
            ("%TAG !e x", 8),
            ("%TAG !e!x y", 9),
            ("%TAG !", 7),
            ("%TAG ! ", 8),
            ("%TAG ! a\"", 9),
        ] {
            match scan(&mut Reader::new(text).unwrap()) {
                Err(YamlFailure::Yaml { column: at, .. }) => assert_eq!(at, column, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
        let long = format!("%YAML {}.1", "1".repeat(MAX_DIGITS + 1));
        let failure = scan(&mut Reader::new(&long).unwrap());
        assert!(matches!(
            failure,
            Err(YamlFailure::Raises {
                class: "ValueError",
                ..
            })
        ));
    }
}
