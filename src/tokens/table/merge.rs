//! Byte-pair merging: a piece becomes tokens by joining, again and again, the pair of least rank.

use crate::tokens::table::vocabulary::{NO_RANK, Vocabulary};

mod long;
mod short;

use long::Long;
use short::Short;

/// Up to this many bytes a scan for the least rank is faster than a heap.
const SHORT: u8 = 128;

/// Splits pieces into tokens, and keeps its space from one piece to the next.
#[derive(Debug)]
pub struct Merger {
    short: Short,
    long: Long,
}

impl Merger {
    /// Makes a merger, whose space grows with the longest piece it meets.
    #[must_use]
    pub fn new() -> Self {
        Self {
            short: Short::new(),
            long: Long::new(),
        }
    }

    /// Splits the piece that begins a text, has so many bytes and is no token; calls for the length
    /// of each of its tokens, in order.
    ///
    /// It is split where no token reaches across, and merged in between.
    pub fn split(
        &mut self,
        vocabulary: Vocabulary,
        ahead: &[u8],
        length: usize,
        mut each: impl FnMut(usize),
    ) {
        let mut start = 0;
        while start < length {
            let Some(ahead) = ahead.get(start..) else {
                return;
            };
            let part = seam(vocabulary, ahead, length - start);
            start += part;
            // A part that is a token is what merging would make of it: there is no token that
            // merging does not arrive at. The whole piece is known to be none.
            if part < length && vocabulary.rank(ahead, part) != NO_RANK {
                each(part);
                continue;
            }
            match u8::try_from(part) {
                Ok(part) if part <= SHORT => self.short.split(vocabulary, ahead, part, &mut each),
                _ => self.long.split(vocabulary, ahead, part, &mut each),
            }
        }
    }
}

/// Gives the rank of two bytes of a piece.
#[inline]
fn pair_rank(vocabulary: Vocabulary, ahead: &[u8], start: usize, length: usize) -> i32 {
    let pair = ahead.get(start..length).and_then(<[u8]>::first_chunk);
    pair.map_or(NO_RANK, |&pair| vocabulary.pair_rank(pair))
}

/// Finds the first place in a piece that no token reaches across, or the piece's end.
#[inline]
fn seam(vocabulary: Vocabulary, ahead: &[u8], length: usize) -> usize {
    let piece = ahead.get(..length).unwrap_or_default();
    let mut windows = piece.windows(4);
    let first = windows.position(|window| {
        let around: Option<&[u8; 4]> = window.first_chunk();
        around.is_some_and(|&around| {
            around[2] >= 0xC0 && around[1] >= 0x80 && vocabulary.never_joins(around)
        })
    });
    first.map_or(length, |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::table::vocabulary::Which;

    fn lengths(which: Which, piece: &[u8]) -> Vec<usize> {
        let mut lengths = Vec::new();
        Merger::new().split(Vocabulary::of(which), piece, piece.len(), |length| {
            lengths.push(length);
        });
        lengths
    }

    #[test]
    fn merging_arrives_at_every_token() {
        for which in Which::ALL {
            let (vocabulary, bpe) = (Vocabulary::of(which), which.of_record());
            let mut merger = Merger::new();
            for rank in 0..210_000 {
                let token = bpe.decode_bytes(&[rank]).unwrap_or_default();
                if vocabulary.rank(&token, token.len()) == NO_RANK {
                    continue;
                }
                merger.split(vocabulary, &token, token.len(), |length| {
                    assert_eq!(length, token.len(), "{which:?} {token:?}");
                });
            }
        }
    }

    #[test]
    fn scan_and_heap_agree() {
        let vocabulary = Vocabulary::of(Which::O200k);
        let text = "internationalisierungskonferenz漢字かな混じり文🦀fooBarBaz    =====".as_bytes();
        let mut merger = Merger::new();
        for start in 0..text.len() {
            for length in 1..=text.len() - start {
                let Ok(short) = u8::try_from(length) else {
                    continue;
                };
                let (mut by_scan, mut by_heap) = (Vec::new(), Vec::new());
                let ahead = &text[start..];
                let scan = &mut merger.short;
                scan.split(vocabulary, ahead, short, |length| by_scan.push(length));
                merger
                    .long
                    .split(vocabulary, ahead, length, |length| by_heap.push(length));
                assert_eq!(by_scan, by_heap, "{start} {length}");
            }
        }
    }

    #[test]
    fn long_runs_are_split_to_their_end() {
        for which in Which::ALL {
            for byte in *b"a =" {
                let run = vec![byte; 100_000];
                assert_eq!(lengths(which, &run).into_iter().sum::<usize>(), run.len());
            }
            assert!(lengths(which, b"").is_empty());
        }
    }
}
