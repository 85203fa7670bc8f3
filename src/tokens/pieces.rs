//! Where a text may be cut so that the counts of the pieces add up to the count of the whole.

use memchr::memchr;

use super::Encoding;

/// A piece is not cut before it has this many bytes: below it, bookkeeping costs more than counting.
const SMALL: usize = 512;
/// From this many bytes on, a piece ends at the next line that allows it.
pub(super) const LARGE: usize = 8 * 1024;

/// Cuts a text into pieces whose counts add up to the count of the whole.
///
/// Where a piece ends depends on the text around the cut alone, so that after an edit the pieces
/// fall into step again a few lines further on.
pub(super) fn pieces(encoding: Encoding, text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = next_cut(encoding, rest).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn next_cut(encoding: Encoding, text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = SMALL;
    loop {
        let at = from + memchr(b'\n', bytes.get(from..)?)? + 1;
        if (at >= LARGE || is_landmark(&bytes[at..])) && is_exact_cut(encoding, text, at) {
            return Some(at);
        }
        from = at;
    }
}

/// Picks about one line start in four, by its first bytes, and every heading.
fn is_landmark(line: &[u8]) -> bool {
    let head = &line[..line.len().min(8)];
    line.first() == Some(&b'#')
        || head
            .iter()
            .fold(0u8, |sum, &b| sum.wrapping_mul(31).wrapping_add(b))
            % 4
            == 0
}

/// Tells whether tokens never reach across a byte position that follows a line feed.
///
/// For `cl100k_base` and `o200k_base`: what follows, white space skipped, is something other than a
/// line end, so the run of line ends before the cut is whole; and for `o200k_base` no slash, which
/// its punctuation takes in after a line end. The older encodings let a run of any white space
/// depend on what follows it, so both neighbours of the line feed must be something else.
pub(super) fn is_exact_cut(encoding: Encoding, text: &str, at: usize) -> bool {
    let after = &text[at..];
    match encoding {
        Encoding::Cl100kBase | Encoding::O200kBase | Encoding::O200kHarmony => {
            if after.starts_with('/') {
                return false;
            }
            after
                .chars()
                .find(|&c| !c.is_whitespace() || c == '\n' || c == '\r')
                .is_none_or(|c| c != '\n' && c != '\r')
        }
        Encoding::P50kBase | Encoding::P50kEdit | Encoding::R50kBase => {
            let before = text[..at - 1].chars().next_back();
            before.is_some_and(|c| !c.is_whitespace())
                && after.chars().next().is_some_and(|c| !c.is_whitespace())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Counter, count};
    use super::*;
    use proptest::prelude::*;

    /// Text from the pieces that decide where tokens end: blanks, line ends, slashes, scripts.
    fn hard_text() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            Just("\n"),
            Just("\n\n"),
            Just(" \n"),
            Just("\n "),
            Just("\r\n"),
            Just("\t"),
            Just("  "),
            Just("/"),
            Just("\n/"),
            Just("//\n"),
            Just("# h\n"),
            Just("'s"),
            Just("word "),
            Just("日本"),
            Just("🦀"),
            Just("e\u{301}"),
            Just("123"),
            Just("!?\n"),
            Just("\u{85}"),
            Just("\u{2028}"),
            Just("\u{a0}\n"),
            Just("<|endoftext|>"),
            Just("---\n"),
            Just("x\ny\n"),
        ];
        prop::collection::vec(word, 0..900).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

        #[test]
        fn pieces_add_up_to_the_whole(text in hard_text()) {
            for encoding in Encoding::ALL {
                let mut counter = Counter::new(encoding);
                prop_assert_eq!(counter.count(&text), count(encoding, &text), "{}", encoding);
            }
        }

        #[test]
        fn every_cut_that_is_called_exact_is_exact(text in hard_text()) {
            for encoding in [Encoding::Cl100kBase, Encoding::O200kBase, Encoding::R50kBase] {
                let whole = count(encoding, &text);
                let cuts = text.match_indices('\n').map(|(at, _)| at + 1);
                for at in cuts.filter(|&at| is_exact_cut(encoding, &text, at)).take(25) {
                    let (left, right) = text.split_at(at);
                    prop_assert_eq!(
                        count(encoding, left) + count(encoding, right),
                        whole, "{} at {}", encoding, at
                    );
                }
            }
        }
    }

    #[test]
    fn an_edit_leaves_most_pieces_as_they_were() {
        let lines: Vec<String> = (0..20_000)
            .map(|n| format!("line {n} of the memory\n"))
            .collect();
        let text = lines.concat();
        let edited = text.replacen("line 7000 of", "line seven thousand of", 1);
        let all: std::collections::HashSet<&str> = pieces(Encoding::O200kBase, &text).collect();
        let new = pieces(Encoding::O200kBase, &edited).filter(|piece| !all.contains(piece));
        let bytes: usize = new.map(str::len).sum();
        assert!(
            all.len() > 100,
            "the text is cut into pieces at all: {}",
            all.len()
        );
        assert!(
            bytes < 4 * LARGE,
            "{bytes} bytes are counted again after a one-line edit"
        );
    }

    #[test]
    fn a_text_without_line_ends_is_one_piece() {
        let text = "a".repeat(100_000);
        assert_eq!(
            Counter::new(Encoding::O200kBase).count(&text),
            count(Encoding::O200kBase, &text)
        );
    }
}
