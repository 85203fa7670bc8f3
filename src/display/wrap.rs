//! Soft wrapping: where the rows of a text begin and end at a width in columns.
//!
//! Rows are byte ranges, so that a pane draws only those that it shows. Widths are the ones that
//! [`sanitize`](super::sanitize) draws: a marked character counts with its whole mark.

use std::ops::Range;

use super::sanitize::{Cluster, Kind, Symbols, first_cluster, is_printable_ascii};

/// Is one row of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line of the text that the row belongs to, counted from 0.
    pub line: usize,
    /// The bytes of the row in the whole text, without the newline.
    pub range: Range<usize>,
    /// Whether the row is the first of its line.
    pub first: bool,
}

/// Wraps a whole text; see [`rows`].
#[must_use]
pub fn wrap(text: &str, width: usize, symbols: Symbols) -> Vec<Row> {
    rows(text, width, symbols).collect()
}

/// Wraps a text row by row, as far as the caller asks.
///
/// A row ends after a blank, between two wide characters or beside a marker, else where it is full;
/// it is wider than `width` only if it holds a single cluster. A width of 0 counts as 1. An empty
/// line has one row, a final newline begins no further line, and empty text has no row.
#[must_use]
pub fn rows(text: &str, width: usize, symbols: Symbols) -> Rows<'_> {
    Rows {
        text,
        width: width.max(1),
        symbols,
        line: 0,
        left: None,
        next_line: 0,
        ascii: false,
    }
}

/// Walks over the rows of a text; made by [`rows`].
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    text: &'a str,
    width: usize,
    symbols: Symbols,
    /// The line that is being wrapped, or the next one if `left` is `None`.
    line: usize,
    /// What is left of the line that is being wrapped.
    left: Option<Range<usize>>,
    next_line: usize,
    /// Whether the line is made of characters of one byte and one column.
    ascii: bool,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let first = self.left.is_none();
        let left = match self.left.take() {
            Some(left) => left,
            None => self.begin_line()?,
        };
        let rest = &self.text[left.clone()];
        let len = if self.ascii {
            ascii_row(rest.as_bytes(), self.width)
        } else {
            row(rest, self.width, self.symbols)
        };
        let line = self.line;
        let range = left.start..left.start + len;
        if range.end < left.end {
            self.left = Some(range.end..left.end);
        } else {
            self.line += 1;
        }
        Some(Row { line, range, first })
    }
}

impl Rows<'_> {
    fn begin_line(&mut self) -> Option<Range<usize>> {
        let start = self.next_line;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let len = rest.find('\n').unwrap_or(rest.len());
        self.next_line = start + len + 1;
        self.ascii = is_printable_ascii(&rest[..len]);
        Some(start..start + len)
    }
}

fn ascii_row(rest: &[u8], width: usize) -> usize {
    if rest.len() <= width {
        return rest.len();
    }
    let blank = rest[..width].iter().rposition(|&b| b == b' ');
    blank.map_or(width, |at| at + 1)
}

fn row(rest: &str, width: usize, symbols: Symbols) -> usize {
    let (mut end, mut columns, mut last_break) = (0, 0, 0);
    let mut before = Class::Word;
    while let Some(cluster) = first_cluster(&rest[end..], symbols) {
        let here = Class::of(&rest[end..], cluster);
        if may_break(before, here, rest, end) {
            last_break = end;
        }
        columns += cluster.width;
        if columns > width && end > 0 {
            return if last_break > 0 { last_break } else { end };
        }
        end += cluster.len;
        before = here;
    }
    end
}

/// Says how a cluster behaves at the end of a row.
#[derive(Clone, Copy)]
enum Class {
    Blank,
    Word,
    Wide,
    Marker,
}

impl Class {
    fn of(rest: &str, cluster: Cluster) -> Self {
        match cluster.kind {
            Kind::Tab => Class::Blank,
            Kind::Marker => Class::Marker,
            Kind::Text if rest.starts_with([' ', '\u{3000}']) => Class::Blank,
            Kind::Text if cluster.width > 1 => Class::Wide,
            Kind::Text => Class::Word,
        }
    }
}

fn may_break(before: Class, after: Class, rest: &str, at: usize) -> bool {
    match (before, after) {
        (Class::Blank, _) => true,
        (_, Class::Blank) | (Class::Word, Class::Word) => false,
        (Class::Marker, _) | (_, Class::Marker) => true,
        // Chinese and Japanese rows neither end with an opening mark nor begin with a closing one.
        (Class::Wide, _) | (_, Class::Wide) => {
            !rest[..at].ends_with(opens) && !rest[at..].starts_with(closes)
        }
    }
}

fn opens(c: char) -> bool {
    matches!(
        c,
        '(' | '[' | '{' | '“' | '‘' | '（' | '〔' | '［' | '｛' | '〈' | '《' | '「' | '『' | '【'
    )
}

fn closes(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | ','
            | '.'
            | ':'
            | ';'
            | '!'
            | '?'
            | '%'
            | '”'
            | '’'
            | '…'
            | '）'
            | '〕'
            | '］'
            | '｝'
            | '〉'
            | '》'
            | '」'
            | '』'
            | '】'
            | '、'
            | '。'
            | '，'
            | '．'
            | '：'
            | '；'
            | '！'
            | '？'
            | '％'
            | 'ー'
            | '々'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::display::sanitize;

    fn wrapped(text: &str, width: usize) -> Vec<&str> {
        wrap(text, width, Symbols::Unicode)
            .into_iter()
            .map(|row| &text[row.range])
            .collect()
    }

    #[test]
    fn rows_end_where_a_reader_expects() {
        for (text, width, rows) in [
            ("", 5, &[][..]),
            ("\n", 5, &[""]),
            ("a\n", 5, &["a"]),
            ("a\n\nb", 5, &["a", "", "b"]),
            ("one two three", 8, &["one two ", "three"]),
            ("one two", 7, &["one two"]),
            ("one two ", 7, &["one ", "two "]),
            ("abcdefgh ij", 4, &["abcd", "efgh", " ij"]),
            ("éne two three", 8, &["éne two ", "three"]),
            ("ébcdefgh ij", 4, &["ébcd", "efgh", " ij"]),
            ("abc", 0, &["a", "b", "c"]),
            ("漢字漢字", 5, &["漢字", "漢字"]),
            ("漢字", 1, &["漢", "字"]),
            ("漢字。漢", 4, &["漢", "字。", "漢"]),
            ("a漢「字」", 5, &["a漢", "「字", "」"]),
            ("ab\u{200B}cd", 9, &["ab", "\u{200B}", "cd"]),
            ("a\tb c", 5, &["a\t", "b c"]),
            (
                "e\u{301}e\u{301}e\u{301}",
                2,
                &["e\u{301}e\u{301}", "e\u{301}"],
            ),
        ] {
            assert_eq!(wrapped(text, width), rows, "{text:?} at {width}");
        }
    }

    #[test]
    fn rows_know_their_line() {
        let rows = wrap("one two\n\nx", 4, Symbols::Ascii);
        let facts = rows
            .iter()
            .map(|row| (row.line, row.first))
            .collect::<Vec<_>>();
        assert_eq!(facts, [(0, true), (0, false), (1, true), (2, true)]);
    }

    #[test]
    fn the_first_rows_need_no_more_of_the_text() {
        let text = "word ".repeat(1000);
        let few = rows(&text, 20, Symbols::Ascii).take(3).collect::<Vec<_>>();
        assert_eq!(few, wrap(&text, 20, Symbols::Ascii)[..3]);
    }

    proptest! {
        #[test]
        fn rows_cover_the_text_and_fit(
            text in "([ a-c\n\t]|[漢字。「」é👩\u{200D}\u{301}\u{200B}\u{E0061}]|\\PC|\\p{Cf}){0,80}",
            width in 0_usize..12,
            symbols in prop_oneof![Just(Symbols::Unicode), Just(Symbols::Ascii)],
        ) {
            let (mut at, mut line) = (0, 0);
            for row in wrap(&text, width, symbols) {
                if row.first && row.line > 0 {
                    prop_assert_eq!(&text[at..=at], "\n");
                    at += 1;
                    line += 1;
                }
                prop_assert_eq!((row.line, row.range.start), (line, at));
                at = row.range.end;
                let shown = &text[row.range];
                prop_assert!(!shown.contains('\n'));
                let columns = sanitize::width(shown, symbols);
                let single = first_cluster(shown, symbols).is_none_or(|one| one.len == shown.len());
                prop_assert!(columns <= width.max(1) || single, "{shown:?}");
            }
            prop_assert!(matches!(&text[at..], "" | "\n"));
        }
    }
}
