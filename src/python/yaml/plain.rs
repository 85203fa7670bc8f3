//! Texts without quotes.

use super::reader::{Reader, ends_token};

/// A text without quotes, as it was read.
pub(super) struct Plain {
    pub text: String,
    /// Whether the reading stopped at the beginning of a later line, where a key may stand.
    pub ends_at_new_line: bool,
}

/// Tells whether a text without quotes may begin at the next character.
pub(super) fn begins(reader: &Reader, in_flow: bool) -> bool {
    let c = reader.peek();
    let continued = !ends_token(reader.peek_at(1));
    match c {
        '-' => continued,
        '?' | ':' => continued && !in_flow,
        '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => false,
        _ => !ends_token(c) && !is_bracket(c),
    }
}

/// Reads a text without quotes; its later lines must stand at the column `least` or further in.
///
/// Inside brackets they may stand anywhere.
pub(super) fn scalar(reader: &mut Reader, least: usize, in_flow: bool) -> Plain {
    let mut plain = Plain {
        text: String::new(),
        ends_at_new_line: false,
    };
    let mut gap = String::new();
    while reader.peek() != '#' {
        let mut length = 0;
        while continues(reader, length, in_flow) {
            length += 1;
        }
        if length == 0 {
            break;
        }
        plain.text.push_str(&gap);
        plain.text.push_str(&reader.take(length));
        let line = reader.mark().line;
        let found = take_gap(reader);
        plain.ends_at_new_line = reader.mark().line != line;
        match found {
            Some(found) if in_flow || reader.mark().column >= least => gap = found,
            _ => break,
        }
    }
    plain
}

/// Tells whether a character belongs to the text, blanks aside.
fn continues(reader: &Reader, at: usize, in_flow: bool) -> bool {
    let c = reader.peek_at(at);
    let next = reader.peek_at(at + 1);
    let is_colon = c == ':' && (ends_token(next) || in_flow && is_bracket(next));
    let is_indicator = in_flow && (c == '?' || is_bracket(c));
    !ends_token(c) && !is_colon && !is_indicator
}

fn is_bracket(c: char) -> bool {
    matches!(c, ',' | '[' | ']' | '{' | '}')
}

/// Reads the blanks between two words: spaces as they are, line ends folded.
///
/// There is none where the text ends: at a mark between documents, at a tab, or where nothing
/// stands between.
fn take_gap(reader: &mut Reader) -> Option<String> {
    let spaces = reader.take_while(|c| c == ' ');
    let Some(first) = reader.take_break() else {
        return (!spaces.is_empty()).then_some(spaces);
    };
    let mut later = String::new();
    loop {
        if reader.at_document_mark() {
            return None;
        }
        // A mark counts only where its line begins, and not behind spaces.
        reader.skip_spaces();
        match reader.take_break() {
            Some(c) => later.push(c),
            None => return Some(folded(first, &later)),
        }
    }
}

/// Joins the line ends between two lines of text: a single LF becomes a space, and the first of
/// several vanishes.
pub(super) fn folded(first: char, later: &str) -> String {
    match first {
        '\n' if later.is_empty() => " ".into(),
        '\n' => later.into(),
        other => format!("{other}{later}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, least: usize, in_flow: bool) -> (String, bool, char) {
        let mut reader = Reader::new(text).unwrap();
        let plain = scalar(&mut reader, least, in_flow);
        (plain.text, plain.ends_at_new_line, reader.peek())
    }

    #[test]
    fn a_text_ends_where_it_must() {
        for (text, least, in_flow, expected, ends_at_new_line, next) in [
            ("a b  c", 0, false, "a b  c", false, '\0'),
            ("a # c", 0, false, "a", false, '#'),
            ("a# c", 0, false, "a# c", false, '\0'),
            ("a: b", 0, false, "a", false, ':'),
            ("a:b", 0, false, "a:b", false, '\0'),
            ("a\tb", 0, false, "a", false, '\t'),
            ("a, b]", 0, false, "a, b]", false, '\0'),
            ("a, b]", 0, true, "a", false, ','),
            ("a:]", 0, true, "a", false, ':'),
            ("a?b", 0, true, "a", false, '?'),
            ("a\n b\nc", 1, false, "a b", true, 'c'),
            ("a\n b\nc", 1, true, "a b c", false, '\0'),
            ("a\n\n\nb", 0, false, "a\n\nb", false, '\0'),
            ("a\u{2028}b\u{85}c", 0, false, "a\u{2028}b c", false, '\0'),
            ("a\n---\n", 0, false, "a", true, '-'),
            ("a\n ---\n", 0, false, "a ---", true, '\0'),
            ("a\n\n... ", 0, false, "a", true, '.'),
            ("a \n  # c", 0, false, "a", true, '#'),
        ] {
            let expected = (expected.to_owned(), ends_at_new_line, next);
            assert_eq!(read(text, least, in_flow), expected, "{text:?}");
        }
    }

    #[test]
    fn indicators_begin_no_text() {
        for (text, block, flow) in [
            ("a", true, true),
            ("-a", true, true),
            ("- a", false, false),
            ("?a", true, false),
            (":a", true, false),
            ("? ", false, false),
            ("@a", false, false),
            ("`a", false, false),
            ("%a", false, false),
            (",a", false, false),
            ("\ta", false, false),
            ("<a", true, true),
        ] {
            let reader = Reader::new(text).unwrap();
            assert_eq!(begins(&reader, false), block, "{text:?}");
            assert_eq!(begins(&reader, true), flow, "{text:?} in brackets");
        }
    }
}
