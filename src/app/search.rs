//! A search in a text: what is searched for, and where it is found.

use std::ops::Range;

/// A query and its matches.
///
/// Letters match in either case unless the query has a capital one. It is searched for as it
/// stands: there are no signs of a special meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// What is searched for; empty for nothing.
    pub query: String,
    /// The bytes of every match, in order.
    pub matches: Vec<Range<usize>>,
    /// The match that one is at.
    pub current: Option<usize>,
}

impl Search {
    /// Searches for something else.
    pub fn set(&mut self, query: &str, text: &str) {
        query.clone_into(&mut self.query);
        self.run(text);
    }

    /// Searches another text for the same.
    pub fn run(&mut self, text: &str) {
        self.current = None;
        self.matches = found(text, &self.query);
    }

    /// Goes to the next match from a byte on, or to the previous one, round at the ends.
    pub fn step(&mut self, at: usize, by: isize) -> Option<Range<usize>> {
        let count = self.matches.len();
        if count == 0 {
            return None;
        }
        let next = match self.current {
            Some(now) => now.wrapping_add_signed(by).wrapping_add(count) % count,
            None if by > 0 => self.matches.partition_point(|it| it.start < at) % count,
            None => (self.matches.partition_point(|it| it.start < at) + count - 1) % count,
        };
        self.current = Some(next);
        self.matches.get(next).cloned()
    }

    /// Gives the matches that touch a range of bytes.
    #[must_use]
    pub fn within(&self, range: &Range<usize>) -> &[Range<usize>] {
        let first = self.matches.partition_point(|it| it.end <= range.start);
        let end = self.matches.partition_point(|it| it.start < range.end);
        self.matches.get(first..end).unwrap_or_default()
    }
}

fn found(text: &str, query: &str) -> Vec<Range<usize>> {
    if query.is_empty() {
        return Vec::new();
    }
    if query.chars().any(char::is_uppercase) {
        let matches = text.match_indices(query);
        return matches.map(|(at, it)| at..at + it.len()).collect();
    }
    let wanted: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    let mut matches = Vec::new();
    let mut rest = 0;
    for (at, _) in text.char_indices() {
        if at >= rest
            && let Some(length) = starts_with(&text[at..], &wanted)
        {
            rest = at + length;
            matches.push(at..rest);
        }
    }
    matches
}

/// Gives how many bytes at the start of a text are the wanted letters in either case.
fn starts_with(text: &str, wanted: &[char]) -> Option<usize> {
    let mut left = wanted.iter();
    for (at, letter) in text.char_indices() {
        for lower in letter.to_lowercase() {
            if *left.next()? != lower {
                return None;
            }
        }
        if left.as_slice().is_empty() {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_only_where_the_query_has_a_capital() {
        assert_eq!(found("Tea tea TEA", "tea"), [0..3, 4..7, 8..11]);
        assert_eq!(found("Tea Tea", "Tea"), [0..3, 4..7]);
        assert_eq!(found("aaaa", "aa"), [0..2, 2..4]);
        assert_eq!(found("ÄRGER ärger", "ärger"), [0..6, 7..13]);
        assert_eq!(found("日本 日本", "日"), [0..3, 7..10]);
        assert_eq!(found("a.c abc a.c", "a.c"), [0..3, 8..11]);
        assert!(found("text", "").is_empty());
    }

    #[test]
    fn steps_begin_at_the_cursor_and_go_round() {
        let mut search = Search::default();
        search.set("x", "x..x..x");
        assert_eq!(search.step(2, 1), Some(3..4));
        assert_eq!(search.step(2, 1), Some(6..7));
        assert_eq!(search.step(2, 1), Some(0..1));
        search.run("x..x..x");
        assert_eq!(search.step(2, -1), Some(0..1));
        assert_eq!(search.step(2, -1), Some(6..7));
        assert_eq!(search.within(&(1..6)), &search.matches[1..2]);
        search.set("y", "x");
        assert_eq!(search.step(0, 1), None);
    }
}
