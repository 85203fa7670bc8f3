//! Merging of short pieces, by a scan of all parts for each pair that is joined.

use super::pair_rank;
use crate::tokens::table::vocabulary::{NO_RANK, Vocabulary};

/// The parts of a short piece, at the index where each starts: an index of one byte is always within.
#[derive(Debug)]
pub struct Short {
    /// The rank of the part joined with the one after it, and its start in the lowest byte, so that
    /// the least pair is the first of the least rank.
    pairs: [i32; 256],
    /// Where the part ends.
    ends: [u8; 256],
    /// Where the part before starts.
    befores: [u8; 256],
}

impl Short {
    /// Makes room for the parts of any short piece.
    pub fn new() -> Self {
        Self {
            pairs: [i32::MAX; 256],
            ends: [0; 256],
            befores: [0; 256],
        }
    }

    /// Splits the piece that begins a text and has so many bytes; calls for the length of each of
    /// its tokens, in order.
    #[inline]
    pub fn split(
        &mut self,
        vocabulary: Vocabulary,
        ahead: &[u8],
        length: u8,
        mut each: impl FnMut(usize),
    ) {
        let Self {
            pairs,
            ends,
            befores,
        } = self;
        for start in 0..length {
            let at = usize::from(start);
            pairs[at] = key(pair_rank(vocabulary, ahead, at, length.into()), start);
            ends[at] = start + 1;
            befores[at] = start.saturating_sub(1);
        }
        let join = |start: u8, end: u8| {
            let rank = ahead.get(usize::from(start)..).map_or(NO_RANK, |ahead| {
                vocabulary.rank(ahead, usize::from(end.saturating_sub(start)))
            });
            key(rank, start)
        };
        loop {
            let mut least = i32::MAX;
            let mut start = 0;
            while start < length {
                least = least.min(pairs[usize::from(start)]);
                start = ends[usize::from(start)];
            }
            if least >= key(NO_RANK, 0) {
                break;
            }
            let [start, ..] = least.to_le_bytes();
            let middle = ends[usize::from(start)];
            let end = ends[usize::from(middle)];
            pairs[usize::from(middle)] = i32::MAX;
            ends[usize::from(start)] = end;
            pairs[usize::from(start)] = if end < length {
                befores[usize::from(end)] = start;
                join(start, ends[usize::from(end)])
            } else {
                i32::MAX
            };
            if start > 0 {
                let before = befores[usize::from(start)];
                pairs[usize::from(before)] = join(before, end);
            }
        }
        let mut start = 0;
        while start < length {
            let end = ends[usize::from(start)];
            each(usize::from(end - start));
            start = end;
        }
    }
}

/// Gives a pair's rank with its start in the lowest byte.
#[inline]
fn key(rank: i32, start: u8) -> i32 {
    rank << 8 | i32::from(start)
}
