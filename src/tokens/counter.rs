//! Counting that costs what changed: pieces of texts are remembered, and long texts with all of theirs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::pieces::{LARGE, pieces};
use super::tally::{Likeness, Part, Tally};
use super::{Encoding, count};
use crate::python::surrogate;

/// More remembered pieces than this are cut back to the ones used last.
const REMEMBERED: usize = 200_000;
/// A long text that was not counted for so many rounds is forgotten.
const KEPT_ROUNDS: u32 = 16;

/// Counts texts in one encoding and remembers the counts of their pieces.
///
/// The count of a text is exactly [`count`]'s: pieces meet only where no token can reach across.
#[derive(Debug)]
pub struct Counter {
    encoding: Encoding,
    pieces: HashMap<u128, Piece>,
    texts: Vec<Tally>,
    round: u32,
}

#[derive(Debug)]
struct Piece {
    tokens: usize,
    round: u32,
}

impl Counter {
    /// Makes a counter that remembers nothing yet.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            pieces: HashMap::new(),
            texts: Vec::new(),
            round: 0,
        }
    }

    /// Gives the encoding that this counter counts in.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Counts the tokens of a text.
    pub fn count(&mut self, text: &str) -> usize {
        let text = surrogate::replaced(text);
        let encoding = self.encoding;
        let round = self.round;
        pieces(encoding, &text)
            .map(|piece| {
                let entry = self
                    .pieces
                    .entry(xxh3_128(piece.as_bytes()))
                    .or_insert_with(|| Piece {
                        tokens: count(encoding, piece),
                        round,
                    });
                entry.round = round;
                entry.tokens
            })
            .sum()
    }

    /// Counts the tokens of a part of a text that is shared; 0 where it has no such part.
    ///
    /// A long one is kept: where another begins or ends like it, only what differs is counted again.
    pub fn count_shared(&mut self, text: &Arc<str>, range: Range<usize>) -> usize {
        let Some(part) = Part::new(text, range.clone()) else {
            return 0;
        };
        if range.len() < LARGE {
            return self.count(&text[range]);
        }
        let (encoding, round) = (self.encoding, self.round);
        // One of this round is another text of the same prompt, not what this one was before.
        let likeness = |tally: &Tally| (tally.likeness(&part), tally.round != round);
        let nearest = self.texts.iter_mut().max_by_key(|tally| likeness(tally));
        let tally = match nearest {
            Some(tally) => match tally.likeness(&part) {
                Likeness::Same => {
                    tally.round = round;
                    return tally.tokens();
                }
                Likeness::None => Tally::new(encoding, part, round),
                Likeness::Start | Likeness::End => {
                    let tally_now = tally.recount(encoding, part, round);
                    let tokens = tally_now.tokens();
                    if tally.round != round {
                        *tally = tally_now;
                        return tokens;
                    }
                    tally_now
                }
            },
            None => Tally::new(encoding, part, round),
        };
        let tokens = tally.tokens();
        self.texts.push(tally);
        tokens
    }

    /// Ends a round of counting: what was not used for long is forgotten.
    pub fn end_round(&mut self) {
        let round = self.round;
        if self.pieces.len() > REMEMBERED {
            self.pieces.retain(|_, piece| piece.round == round);
        }
        self.texts
            .retain(|tally| round.wrapping_sub(tally.round) < KEPT_ROUNDS);
        self.round = round.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_texts_are_counted_as_any_and_the_old_ones_forgotten() {
        let mut counter = Counter::new(Encoding::O200kBase);
        let lines = |n: usize| {
            let lines: Vec<String> = (0..n).map(|n| format!("line {n} of it\n")).collect();
            lines.concat()
        };
        let check = |counter: &mut Counter, text: &str| {
            let text: Arc<str> = text.into();
            for range in [
                0..text.len(),
                0..text.len() / 2,
                text.len() / 3..text.len(),
                3..9,
            ] {
                let wanted = count(Encoding::O200kBase, &text[range.clone()]);
                assert_eq!(counter.count_shared(&text, range.clone()), wanted);
                assert_eq!(
                    counter.count_shared(&text, range),
                    wanted,
                    "the second time"
                );
            }
            assert_eq!(counter.count_shared(&text, 0..text.len() + 1), 0);
            counter.end_round();
        };
        for n in [2000, 2001, 1990] {
            check(&mut counter, &lines(n));
            check(&mut counter, &(lines(n) + "end"));
        }
        // Eighteen were counted; most were edits of one before.
        assert!(counter.texts.len() < 12, "{}", counter.texts.len());
        for _ in 0..=KEPT_ROUNDS {
            counter.end_round();
        }
        assert!(counter.texts.is_empty());
    }
}
