//! The count of a long text that is kept, so that another one like it costs what differs.

use std::ops::Range;
use std::sync::Arc;

use super::blocks::Blocks;
use super::pieces::{is_exact_cut, pieces};
use super::{Encoding, count};

/// How much of a text tells what it may be an edit of.
const GLANCE: usize = 64;
/// Pieces of fewer bytes are taken together: to remember each costs more than to count a neighbour again.
///
/// In tests short texts are to have many pieces too.
const SMALL: usize = if cfg!(test) { 8 } else { 512 };

/// A part of a shared text.
#[derive(Debug, Clone)]
pub(super) struct Part {
    text: Arc<str>,
    range: Range<usize>,
}

impl Part {
    /// Takes a part of a text; `None` where there is no such part.
    pub fn new(text: &Arc<str>, range: Range<usize>) -> Option<Self> {
        text.get(range.clone())?;
        let text = text.clone();
        Some(Self { text, range })
    }

    fn as_str(&self) -> &str {
        // It was there when the part was made, and shared text never changes.
        self.text.get(self.range.clone()).unwrap_or_default()
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) && self.range == other.range
    }
}

/// A piece between two exact cuts.
#[derive(Debug, Clone, Copy)]
struct Piece {
    bytes: usize,
    tokens: usize,
}

/// A text with the counts of its pieces.
#[derive(Debug)]
pub(super) struct Tally {
    of: Part,
    blocks: Blocks,
    pieces: Vec<Piece>,
    tokens: usize,
    /// The round in which it was used last.
    pub round: u32,
}

/// How much a text looks like the one of a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Not at all.
    None,
    /// It ends alike.
    End,
    /// It begins alike.
    Start,
    /// It is the very same.
    Same,
}

impl Tally {
    /// Counts a text afresh.
    pub fn new(encoding: Encoding, of: Part, round: u32) -> Self {
        let pieces = counted(encoding, of.as_str());
        let tokens = pieces.iter().map(|piece| piece.tokens).sum();
        Self {
            blocks: Blocks::of(of.as_str().as_bytes()),
            of,
            pieces,
            tokens,
            round,
        }
    }

    /// Gives the count of the text.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Tells at a glance whether a text may be an edit of this one.
    pub fn likeness(&self, of: &Part) -> Likeness {
        if self.of.is_same(of) {
            return Likeness::Same;
        }
        let (before, after) = (self.of.as_str().as_bytes(), of.as_str().as_bytes());
        let glance = GLANCE.min(before.len()).min(after.len());
        if before[..glance] == after[..glance] {
            return Likeness::Start;
        }
        if before[before.len() - glance..] == after[after.len() - glance..] {
            return Likeness::End;
        }
        Likeness::None
    }

    /// Counts another text, of which only the pieces around what differs are counted anew.
    ///
    /// Whatever the two texts have in common, the count is exact: pieces are kept where both their
    /// ends are exact cuts of the new text too.
    pub fn recount(&self, encoding: Encoding, of: Part, round: u32) -> Self {
        let (old, new) = (self.of.as_str(), of.as_str());
        let shared = self.blocks.shared(new.as_bytes());
        let (same_start, same_end) = shared.bytes(old.as_bytes(), new.as_bytes());
        let mut front = 0;
        let mut kept_front = 0;
        for piece in &self.pieces {
            if front + piece.bytes > same_start {
                break;
            }
            front += piece.bytes;
            kept_front += 1;
        }
        // What follows a cut may decide it, so the last of them is looked at again; an earlier one
        // depends on nothing behind the line end before the next.
        while front > 0 && !is_cut(encoding, new, front) {
            kept_front -= 1;
            front -= self.pieces[kept_front].bytes;
        }
        let mut back = 0;
        let mut kept_back = 0;
        for piece in self.pieces[kept_front..].iter().rev() {
            // The line end before a cut must be common too.
            if back + piece.bytes >= same_end || front + back + piece.bytes > new.len() {
                break;
            }
            back += piece.bytes;
            kept_back += 1;
        }
        while back > 0 && !is_cut(encoding, new, new.len() - back) {
            kept_back -= 1;
            back -= self.pieces[self.pieces.len() - 1 - kept_back].bytes;
        }
        let between = counted(encoding, &new[front..new.len() - back]);
        let until = self.pieces.len() - kept_back;
        let sum = |pieces: &[Piece]| pieces.iter().map(|piece| piece.tokens).sum::<usize>();
        let tokens = self.tokens - sum(&self.pieces[kept_front..until]) + sum(&between);
        let pieces = [&self.pieces[..kept_front], &between, &self.pieces[until..]];
        Self {
            blocks: shared.blocks_of(&self.blocks, new.as_bytes()),
            pieces: pieces.concat(),
            tokens,
            of,
            round,
        }
    }
}

/// Counts a text in pieces that are as small as pays.
fn counted(encoding: Encoding, text: &str) -> Vec<Piece> {
    let mut counted = Vec::new();
    let (mut start, mut end) = (0, 0);
    for piece in pieces(encoding, text) {
        end += piece.len();
        if end - start >= SMALL || end == text.len() {
            counted.push(Piece {
                bytes: end - start,
                tokens: count(encoding, &text[start..end]),
            });
            start = end;
        }
    }
    counted
}

/// Tells whether a place in a text is a cut that can be kept; its end always is.
fn is_cut(encoding: Encoding, text: &str, at: usize) -> bool {
    at == text.len()
        || (text.is_char_boundary(at)
            && text.as_bytes()[at - 1] == b'\n'
            && is_exact_cut(encoding, text, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::surrogate;
    use proptest::prelude::*;

    fn part(text: &str) -> Part {
        Part::new(&text.into(), 0..text.len()).unwrap()
    }

    #[test]
    fn texts_are_told_apart_at_a_glance() {
        let body = "a line of the body\n".repeat(20);
        let tally = Tally::new(Encoding::O200kBase, part(&format!("one\n{body}")), 0);
        let of = tally.of.clone();
        assert_eq!(tally.likeness(&of), Likeness::Same);
        let likeness = |text: &str| tally.likeness(&part(text));
        assert_eq!(likeness(&format!("one\n{body}more\n")), Likeness::Start);
        assert_eq!(likeness(&format!("two\n{body}")), Likeness::End);
        assert_eq!(likeness("something else"), Likeness::None);
    }

    #[test]
    fn a_recount_keeps_all_but_the_pieces_around_the_edit() {
        let lines = (0..20_000).map(|n| format!("line {n} of the memory\n"));
        let text: String = lines.collect();
        let edited = text.replacen("line 7000 of", "line seven thousand of", 1);
        let before = Tally::new(Encoding::O200kBase, part(&text), 0);
        let after = before.recount(Encoding::O200kBase, part(&edited), 1);
        assert_eq!(after.tokens(), count(Encoding::O200kBase, &edited));
        let is_kept = |(a, b): (&Piece, &Piece)| a.bytes == b.bytes && a.tokens == b.tokens;
        let front = before.pieces.iter().zip(&after.pieces);
        let back = before.pieces.iter().rev().zip(after.pieces.iter().rev());
        let kept = front.take_while(|&it| is_kept(it)).count()
            + back.take_while(|&it| is_kept(it)).count();
        assert!(kept + 8 > before.pieces.len(), "{kept}");
    }

    /// What the counter of record counts.
    fn of_record(encoding: Encoding, text: &str) -> usize {
        let bpe = match encoding {
            Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Encoding::R50kBase => tiktoken_rs::r50k_base_singleton(),
            _ => tiktoken_rs::o200k_base_singleton(),
        };
        bpe.count_ordinary(&surrogate::replaced(text))
    }

    /// What decides where tokens end and where texts are cut.
    const WORDS: [&str; 32] = [
        "\n",
        "\n\n",
        " \n",
        "\n ",
        "\r\n",
        "\r",
        "\t",
        "  ",
        "/",
        "\n/",
        "//\n",
        "# h\n",
        "'s",
        "word ",
        "日本",
        "🦀",
        "e\u{301}",
        "123",
        "!?\n",
        "\u{85}",
        "\u{2028}",
        "\u{a0}\n",
        "---\n",
        "x\ny\n",
        "<|endoftext|>",
        "a",
        "The ",
        "ABC",
        "\n\n\n",
        "\n \n",
        "。",
        "ſ",
    ];

    fn words(most: usize) -> impl Strategy<Value = String> {
        let word = prop_oneof![
            8 => prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
        ];
        prop::collection::vec(word, 0..most).prop_map(|words| words.concat())
    }

    /// An edit: where in a text of 1000 parts it starts, how many parts go, and what comes.
    fn edits() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
        let small = (0..1000_usize, 0..4_usize, words(4));
        let large = (0..1000_usize, 0..400_usize, words(200));
        prop::collection::vec(prop_oneof![4 => small, 1 => large], 1..12)
    }

    fn floor(text: &str, parts: usize) -> usize {
        text.floor_char_boundary(text.len() * parts.min(1000) / 1000)
    }

    /// How many texts are tried, each with several edits; more where the environment asks for more.
    fn cases() -> u32 {
        let asked = std::env::var("PROMPTSCOPE_EDITS").ok();
        asked.and_then(|cases| cases.parse().ok()).unwrap_or(96)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

        #[test]
        fn a_recount_is_what_the_counter_of_record_counts(text in words(1500), edits in edits()) {
            for encoding in [Encoding::Cl100kBase, Encoding::O200kBase, Encoding::R50kBase] {
                let mut text = text.clone();
                let mut tally = Tally::new(encoding, part(&text), 0);
                prop_assert_eq!(tally.tokens(), of_record(encoding, &text));
                for (at, gone, come) in &edits {
                    let (from, to) = (floor(&text, *at), floor(&text, at + gone));
                    text.replace_range(from..to, come);
                    tally = tally.recount(encoding, part(&text), 0);
                    let wanted = of_record(encoding, &text);
                    prop_assert_eq!(tally.tokens(), wanted, "{} {:?}", encoding, text);
                    let bytes: usize = tally.pieces.iter().map(|piece| piece.bytes).sum();
                    prop_assert_eq!(bytes, text.len());
                }
            }
        }
    }
}
