//! Anchors, aliases and tags.

use super::YamlFailure;
use super::reader::{Mark, Reader, ends_token, ends_word, is_name};
use super::token::{RawTag, TokenKind};

/// Reads an anchor or an alias from its `&` or `*` on.
pub(super) fn anchor_or_alias(reader: &mut Reader) -> Result<TokenKind, YamlFailure> {
    let is_alias = reader.peek() == '*';
    reader.skip(1);
    let name = reader.take_while(is_name);
    let c = reader.peek();
    let ends = ends_token(c) || matches!(c, '?' | ':' | ',' | ']' | '}' | '%' | '@' | '`');
    if name.is_empty() || !ends {
        return reader.mark().reject(format!(
            "the name of an {} holds letters, digits, `-` and `_` only",
            if is_alias { "alias" } else { "anchor" }
        ));
    }
    Ok(if is_alias {
        TokenKind::Alias(name)
    } else {
        TokenKind::Anchor(name)
    })
}

/// Reads a tag from its `!` on.
pub(super) fn tag(reader: &mut Reader) -> Result<RawTag, YamlFailure> {
    let next = reader.peek_at(1);
    let tag = if next == '<' {
        reader.skip(2);
        let suffix = uri(reader)?;
        if reader.peek() != '>' {
            return reader.mark().reject("the `>` that closes a tag is missing");
        }
        reader.skip(1);
        RawTag {
            handle: None,
            suffix,
        }
    } else if ends_token(next) {
        reader.skip(1);
        RawTag {
            handle: None,
            suffix: "!".into(),
        }
    } else {
        let mut later = (1..).map(|at| reader.peek_at(at));
        let named = later.find(|&c| c == '!' || ends_word(c)) == Some('!');
        let handle = if named {
            handle(reader)?
        } else {
            reader.skip(1);
            "!".into()
        };
        RawTag {
            handle: Some(handle),
            suffix: uri(reader)?,
        }
    };
    if !ends_word(reader.peek()) {
        return reader.mark().reject("a space must follow a tag");
    }
    Ok(tag)
}

/// Reads the handle of a tag: `!`, `!!` or `!name!`.
pub(super) fn handle(reader: &mut Reader) -> Result<String, YamlFailure> {
    if reader.peek() != '!' {
        return reader.mark().reject("a `!` is missing");
    }
    if reader.peek_at(1) == ' ' {
        return Ok(reader.take(1));
    }
    let mut handle = reader.take(1);
    handle.push_str(&reader.take_while(is_name));
    if reader.peek() != '!' {
        return reader
            .mark()
            .reject("the `!` after the name of a tag is missing");
    }
    handle.push_str(&reader.take(1));
    Ok(handle)
}

/// Reads the part of a tag after its handle, escapes decoded.
pub(super) fn uri(reader: &mut Reader) -> Result<String, YamlFailure> {
    let mut uri = String::new();
    loop {
        if reader.peek() == '%' {
            uri.push_str(&escapes(reader)?);
        } else if is_uri(reader.peek()) {
            uri.push_str(&reader.take_while(is_uri));
        } else if uri.is_empty() {
            return reader.mark().reject("the name of a tag is missing");
        } else {
            return Ok(uri);
        }
    }
}

fn is_uri(c: char) -> bool {
    is_name(c)
        || matches!(
            c,
            ';' | '/' | '?' | ':' | '@' | '&' | '=' | '+' | '$' | ',' | '.' | '~' | '*' | '\''
        )
        || matches!(c, '!' | '(' | ')' | '[' | ']')
}

/// Reads escapes that follow one another and are UTF-8 together.
fn escapes(reader: &mut Reader) -> Result<String, YamlFailure> {
    let mark = reader.mark();
    let mut bytes = Vec::new();
    while reader.peek() == '%' {
        reader.skip(1);
        bytes.push(escaped_byte(reader, reader.mark())?);
        reader.skip(2);
    }
    String::from_utf8(bytes).or_else(|_| mark.reject("the escapes of a tag are not UTF-8"))
}

fn escaped_byte(reader: &Reader, mark: Mark) -> Result<u8, YamlFailure> {
    let digit = |at| reader.peek_at(at).to_digit(16);
    let byte = digit(0).and_then(|high| u8::try_from(high << 4 | digit(1)?).ok());
    byte.map_or_else(|| mark.reject("two hexadecimal digits must follow `%`"), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_split_at_their_handle() {
        for (text, handle, suffix) in [
            ("!", None, "!"),
            ("!!str x", Some("!!"), "str"),
            ("!e!a%C3%A9,b\n", Some("!e!"), "aé,b"),
            ("!local", Some("!"), "local"),
            ("!<tag:yaml.org,2002:int>", None, "tag:yaml.org,2002:int"),
            ("!<!>", None, "!"),
        ] {
            let mut reader = Reader::new(text).unwrap();
            let expected = RawTag {
                handle: handle.map(Into::into),
                suffix: suffix.into(),
            };
            assert_eq!(tag(&mut reader), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn wrong_tags_and_names_fail() {
        for (text, column) in [
            ("!\tx", 2),
            ("!<a", 4),
            ("!<>", 3),
            ("!! x", 3),
            ("!a#b", 3),
            ("!é", 2),
            ("!%4", 3),
            ("!%ff", 2),
            ("!a\"!b", 3),
        ] {
            match tag(&mut Reader::new(text).unwrap()) {
                Err(YamlFailure::Yaml { column: at, .. }) => assert_eq!(at, column, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
        for (text, column) in [("&", 2), ("& a", 2), ("*a.b", 3), ("&é", 2), ("*a[", 3)] {
            match anchor_or_alias(&mut Reader::new(text).unwrap()) {
                Err(YamlFailure::Yaml { column: at, .. }) => assert_eq!(at, column, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
        for text in ["&a-_1", "&a: ", "&a,", "&a]", "&a}", "&a%", "&a\t"] {
            assert!(
                anchor_or_alias(&mut Reader::new(text).unwrap()).is_ok(),
                "{text:?}"
            );
        }
    }
}
