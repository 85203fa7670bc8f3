//! The cut of a text into the pieces that tokens never reach across.
//!
//! Each encoding has a pattern of alternatives, of which the first that matches wins. What the
//! patterns match is written out here by hand, so that no engine must try and take back.

use crate::tokens::table::classes::{END, LETTER, LINE_END, LOWER, NUMBER, SPACE, UPPER, class_at};
use crate::tokens::table::runs::{Blanks, CASE, number_end, run_end};
use crate::tokens::table::vocabulary::Which;

/// The pieces of a text, in order and without gaps.
#[derive(Debug, Clone)]
pub struct Pretokens<'a> {
    which: Which,
    rest: &'a [u8],
}

impl<'a> Pretokens<'a> {
    /// Starts to cut a text as an encoding does.
    #[must_use]
    pub fn new(which: Which, text: &'a str) -> Self {
        Self {
            which,
            rest: text.as_bytes(),
        }
    }
}

impl<'a> Iterator for Pretokens<'a> {
    /// The text from the start of a piece on, and the piece's length.
    type Item = (&'a [u8], usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let ahead = self.rest;
        let end = piece_end(self.which, ahead)?;
        self.rest = ahead.get(end..)?;
        Some((ahead, end))
    }
}

/// Finds the end of the first piece; `None` at the end of the text.
#[inline]
fn piece_end(which: Which, text: &[u8]) -> Option<usize> {
    let (class, length) = class_at(text, 0);
    if class == END {
        return None;
    }
    Some(match which {
        Which::Cl100k => cl100k_end(text, class, length),
        Which::O200k => o200k_end(text, class, length),
        Which::P50k | Which::R50k => older_end(text, class, length),
    })
}

/// Finds the end of the first piece as `p50k_base` and `r50k_base` cut, given the class and size of its first
/// character.
fn older_end(text: &[u8], class: u8, length: usize) -> usize {
    let is_small = |end: &usize| {
        let letters = text.get(1..*end).unwrap_or_default();
        letters.iter().all(u8::is_ascii_lowercase)
    };
    if let Some(end) = contraction_end(text, 0).filter(is_small) {
        return end;
    }
    let (next, next_length) = class_at(text, length);
    let (kind, start) = if text.first() == Some(&b' ') && next & (LETTER | NUMBER) != 0 {
        (next, length + next_length)
    } else {
        (class, length)
    };
    if kind & LETTER != 0 {
        return run_end(text, start, LETTER, CASE);
    }
    if kind & NUMBER != 0 {
        return numbers_end(text, start);
    }
    if let Some(end) = symbols_end(text, class, next) {
        return end;
    }
    let blanks = Blanks::of(text);
    if blanks.end == text.len() {
        blanks.end
    } else {
        blanks.before_text
    }
}

/// Finds the end of a run of numbers.
fn numbers_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let (class, length) = class_at(text, end);
        if class & NUMBER == 0 {
            return end;
        }
        end += length;
    }
}

/// Finds the end of the first piece as `cl100k_base` cuts, given the class and size of its first
/// character.
#[inline]
fn cl100k_end(text: &[u8], class: u8, length: usize) -> usize {
    if class & LETTER != 0 {
        return run_end(text, length, LETTER, CASE);
    }
    if class & NUMBER != 0 {
        return number_end(text, length);
    }
    if let Some(end) = contraction_end(text, 0) {
        return end;
    }
    let (next, next_length) = class_at(text, length);
    if next & LETTER != 0 && class & LINE_END == 0 {
        return run_end(text, length + next_length, LETTER, CASE);
    }
    if let Some(end) = symbols_end(text, class, next) {
        return line_ends_end(text, end, false);
    }
    let blanks = Blanks::of(text);
    if blanks.end == text.len() {
        return blanks.end;
    }
    blanks.after_line_end.unwrap_or(blanks.before_text)
}

/// Finds the end of the first piece as `o200k_base` cuts, given the class and size of its first
/// character.
#[inline]
fn o200k_end(text: &[u8], class: u8, length: usize) -> usize {
    // A mark could stand before a word as any sign may, but the word is the same with it inside.
    if class & (UPPER | LOWER) != 0 {
        return word_end(text, 0);
    }
    if class & NUMBER != 0 {
        return number_end(text, length);
    }
    let (next, _) = class_at(text, length);
    if next & (UPPER | LOWER) != 0 && class & LINE_END == 0 {
        return word_end(text, length);
    }
    if let Some(end) = symbols_end(text, class, next) {
        return line_ends_end(text, end, true);
    }
    let blanks = Blanks::of(text);
    if let Some(end) = blanks.after_line_end {
        return end;
    }
    if blanks.end == text.len() {
        return blanks.end;
    }
    blanks.before_text
}

/// Finds the end of a word: its upper part, its lower part, a contraction.
///
/// A lower part needs one character at least. Where none follows the upper part, the upper part
/// gives back as much as lets its last character of both kinds be one; where it has none of both
/// kinds, the word is the upper part alone.
#[inline]
fn word_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    let mut after_both = None;
    let end = loop {
        let (class, length) = class_at(text, end);
        if class & UPPER == 0 {
            break if class & LOWER == 0 {
                after_both.unwrap_or(end)
            } else {
                run_end(text, end + length, LOWER, 0)
            };
        }
        end += length;
        if class & LOWER != 0 {
            after_both = Some(end);
        }
    };
    contraction_end(text, end).unwrap_or(end)
}

/// Finds the end of a run of symbols, a blank before it included, given the first two classes.
#[inline]
fn symbols_end(text: &[u8], class: u8, next: u8) -> Option<usize> {
    const OTHERS: u8 = SPACE | LETTER | NUMBER | END;
    let spaced = text.first() == Some(&b' ') && next & OTHERS == 0;
    if class & OTHERS != 0 && !spaced {
        return None;
    }
    let mut end = usize::from(spaced);
    loop {
        let (class, length) = class_at(text, end);
        if class & OTHERS != 0 {
            return Some(end);
        }
        end += length;
    }
}

/// Finds the end of the line ends (and slashes, if they count) at a position.
#[inline]
fn line_ends_end(text: &[u8], start: usize, slashes: bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let ends = |&&byte: &&u8| matches!(byte, b'\r' | b'\n') || slashes && byte == b'/';
    start + rest.iter().take_while(ends).count()
}

/// Finds the end of a contraction, such as `'s` or `'LL`.
///
/// Without regard to case an `s` is also a long one, U+017F.
#[inline]
fn contraction_end(text: &[u8], start: usize) -> Option<usize> {
    if text.get(start) != Some(&b'\'') {
        return None;
    }
    let length = match *text.get(start + 1..)? {
        [b's' | b'S' | b'd' | b'D' | b'm' | b'M' | b't' | b'T', ..] => 2,
        [b'l' | b'L', b'l' | b'L', ..]
        | [b'v' | b'V' | b'r' | b'R', b'e' | b'E', ..]
        | [0xC5, 0xBF, ..] => 3,
        _ => return None,
    };
    Some(start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(which: Which, text: &str) -> Vec<&str> {
        Pretokens::new(which, text)
            .map(|(ahead, length)| str::from_utf8(&ahead[..length]).unwrap())
            .collect()
    }

    #[test]
    fn words_end_as_each_encoding_has_it() {
        let both: [(&str, &[&str], &[&str]); 9] = [
            ("fooBar", &["fooBar"], &["foo", "Bar"]),
            ("XMLHttp", &["XMLHttp"], &["XMLHttp"]),
            ("漢字ABc", &["漢字ABc"], &["漢字ABc"]),
            ("漢字AB ", &["漢字AB", " "], &["漢字", "AB", " "]),
            ("don't", &["don", "'t"], &["don't"]),
            (
                "IT'\u{17F}x",
                &["IT", "'\u{17F}", "x"],
                &["IT'\u{17F}", "x"],
            ),
            ("'llama", &["'ll", "ama"], &["'llama"]),
            ("e\u{301}a", &["e", "\u{301}a"], &["e\u{301}a"]),
            ("(word)", &["(word", ")"], &["(word", ")"]),
        ];
        for (text, cl100k, o200k) in both {
            assert_eq!(pieces(Which::Cl100k, text), cl100k);
            assert_eq!(pieces(Which::O200k, text), o200k);
        }
    }

    #[test]
    fn older_encodings_cut_by_kind_with_a_blank_before_each() {
        let cases: [(&str, &[&str]); 8] = [
            ("don't", &["don", "'t"]),
            ("DON'T", &["DON", "'", "T"]),
            ("a 1234567 b", &["a", " 1234567", " b"]),
            (" ... x", &[" ...", " x"]),
            ("\tx\n\ny", &["\t", "x", "\n", "\n", "y"]),
            ("a   b", &["a", "  ", " b"]),
            ("a \n ", &["a", " \n "]),
            ("'ſ'll", &["'", "ſ", "'ll"]),
        ];
        for (text, wanted) in cases {
            assert_eq!(pieces(Which::P50k, text), wanted);
            assert_eq!(pieces(Which::R50k, text), wanted);
        }
    }

    #[test]
    fn blanks_numbers_and_symbols_end_as_each_encoding_has_it() {
        let both: [(&str, &[&str], &[&str]); 8] = [
            ("a   b", &["a", "  ", " b"], &["a", "  ", " b"]),
            (
                "a \n  b",
                &["a", " \n", " ", " b"],
                &["a", " \n", " ", " b"],
            ),
            ("a \n  ", &["a", " \n  "], &["a", " \n", "  "]),
            ("\t7\r\n", &["\t", "7", "\r\n"], &["\t", "7", "\r\n"]),
            ("12345²", &["123", "45²"], &["123", "45²"]),
            (" //\n/x", &[" //\n", "/x"], &[" //\n/", "x"]),
            (
                "\u{3000}!\u{301}",
                &["\u{3000}", "!\u{301}"],
                &["\u{3000}", "!\u{301}"],
            ),
            ("", &[], &[]),
        ];
        for (text, cl100k, o200k) in both {
            assert_eq!(pieces(Which::Cl100k, text), cl100k);
            assert_eq!(pieces(Which::O200k, text), o200k);
        }
    }
}
