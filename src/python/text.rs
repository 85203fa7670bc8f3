//! Python's white space, `strip`, `splitlines` and universal newlines.

/// Tells whether Python counts a character as white space (`str.isspace`, `strip`, `\s`).
///
/// It is Unicode's `White_Space` and the four information separators U+001C to U+001F, which
/// Rust's [`char::is_whitespace`] leaves out.
#[must_use]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Strips Python's white space from both ends, as `str.strip()` does.
#[must_use]
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Strips Python's white space from the end, as `str.rstrip()` does.
#[must_use]
pub fn rstrip(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// Turns CRLF and lone CR into LF, as Python does when it reads a file as text.
#[must_use]
pub fn universal_newlines(text: String) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    }
}

/// Splits text into lines, as `str.splitlines()` does.
///
/// Besides LF, CR and CRLF it ends a line at VT, FF, U+001C to U+001E, U+0085, U+2028 and U+2029.
/// A final line end gives no empty last line.
#[must_use]
pub fn splitlines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_line_end(c) {
            continue;
        }
        lines.push(&text[start..at]);
        start = at + c.len_utf8();
        if c == '\r' && chars.peek().is_some_and(|&(_, next)| next == '\n') {
            chars.next();
            start += 1;
        }
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Takes the first `count` code points of a text, as the slice `text[:count]` does.
#[must_use]
pub fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices()
        .nth(count)
        .map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_takes_the_information_separators_that_trim_leaves() {
        assert_eq!(strip("\u{1c}\u{3000} a \u{85}\u{1f}"), "a");
        assert_eq!("\u{1f}a".trim(), "\u{1f}a");
        assert_eq!(strip("\u{200b}a"), "\u{200b}a");
        assert_eq!(rstrip(" a \u{1d}\n"), " a");
    }

    #[test]
    fn universal_newlines_turns_every_kind_into_lf() {
        assert_eq!(
            universal_newlines("a\r\nb\rc\n\r\n\r".into()),
            "a\nb\nc\n\n\n"
        );
        assert_eq!(
            universal_newlines("\u{85}\u{2028}".into()),
            "\u{85}\u{2028}"
        );
    }

    #[test]
    fn splitlines_ends_lines_where_python_does() {
        assert_eq!(
            splitlines("a\u{b}b\u{c}c\u{1c}d\u{1e}e\u{85}f\u{2028}g\u{2029}h\r\ni\rj\n"),
            ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
        );
        assert_eq!(splitlines("a\n\nb"), ["a", "", "b"]);
        assert_eq!(splitlines("a\u{1f}b"), ["a\u{1f}b"]);
        assert!(splitlines("").is_empty());
        assert_eq!(splitlines("\n"), [""]);
    }

    #[test]
    fn first_chars_counts_code_points() {
        assert_eq!(first_chars("héé", 2), "hé");
        assert_eq!(first_chars("hé", 9), "hé");
    }
}
