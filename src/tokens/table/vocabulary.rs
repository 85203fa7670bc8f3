//! The tokens of an encoding and their ranks, read in place from the table the program carries.

use crate::tokens::table::layout::{self, Ends, GROUP_BYTES, Group, RANK_BYTES, Seam};

pub use crate::tokens::table::layout::NO_RANK;

/// An encoding that has a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// `cl100k_base`.
    Cl100k,
    /// `o200k_base`.
    O200k,
    /// `p50k_base`.
    P50k,
    /// `r50k_base`.
    R50k,
}

/// The tokens of an encoding.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    table: &'static [u8],
    /// Below which number the ranks are; tokens of others are those of another encoding.
    ranks: i32,
}

/// Where a token's record is in the table, if the bytes are a token.
#[derive(Debug, Clone, Copy)]
pub struct Record(usize);

static CL100K_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.bin"));
static O200K_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.bin"));
static P50K_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/p50k_base.bin"));

/// How many tokens `r50k_base` has; those that `p50k_base` has more are runs of blanks.
const R50K_RANKS: i32 = 50_256;

// A table shorter than its layout would be read as if it had no tokens.
const _: () = assert!(
    CL100K_BASE.len() > layout::GROUPS_AT
        && O200K_BASE.len() > layout::GROUPS_AT
        && P50K_BASE.len() > layout::GROUPS_AT,
    "the tables must be written by this layout"
);

impl Vocabulary {
    /// Gives the vocabulary of an encoding, at no cost.
    #[must_use]
    pub fn of(which: Which) -> Self {
        let (table, ranks) = match which {
            Which::Cl100k => (CL100K_BASE, NO_RANK),
            Which::O200k => (O200K_BASE, NO_RANK),
            Which::P50k => (P50K_BASE, NO_RANK),
            Which::R50k => (P50K_BASE, R50K_RANKS),
        };
        Self { table, ranks }
    }

    /// Finds the rank of the token that begins a text and has so many bytes; [`NO_RANK`] where
    /// these bytes are no token.
    ///
    /// It is fastest where more text follows.
    #[inline]
    #[must_use]
    pub fn rank(self, ahead: &[u8], length: usize) -> i32 {
        let hash = Ends::of(ahead, length).hash(ahead, length);
        // Most bytes that are no token leave no trace, and need no wait for what lies far off.
        if !self.has(layout::TRACES_AT, layout::trace(hash)) {
            return NO_RANK;
        }
        self.record_of(hash, length)
            .map_or(NO_RANK, |record| self.rank_in(record, ahead, length))
    }

    /// Finds the only record that can be a token's, the first step of [`Vocabulary::rank`].
    #[inline]
    #[must_use]
    pub fn record(self, ahead: &[u8], length: usize) -> Option<Record> {
        self.record_of(Ends::of(ahead, length).hash(ahead, length), length)
    }

    #[inline]
    fn record_of(self, hash: u64, length: usize) -> Option<Record> {
        let group = self.group(length)?;
        let bucket = layout::bucket(hash, group.buckets);
        let pilot = self.chunk(place(group.pilots_at, bucket, size_of::<u16>())?)?;
        let record = layout::record(hash, u16::from_le_bytes(*pilot), group.records);
        place(group.records_at, record, length + RANK_BYTES).map(Record)
    }

    /// Finds the rank of a token in its record, the second step of [`Vocabulary::rank`].
    #[inline]
    #[must_use]
    pub fn rank_in(self, record: Record, ahead: &[u8], length: usize) -> i32 {
        let Some(known) = self.table.get(record.0..) else {
            return NO_RANK;
        };
        // Numbers are compared faster than a call compares bytes, and most tokens are short.
        let same = Ends::of(known, length) == Ends::of(ahead, length)
            && (length <= 2 * layout::WORD || known.get(..length) == ahead.get(..length));
        // Read in any case, the rank is chosen without a branch that could not be foreseen.
        let rank = self.rank_at(record.0 + length);
        if same { rank } else { NO_RANK }
    }

    /// Finds the rank of a pair of bytes; [`NO_RANK`] where they are no token.
    #[inline]
    #[must_use]
    pub fn pair_rank(self, pair: [u8; 2]) -> i32 {
        let index = usize::from(u16::from_le_bytes(pair));
        self.rank_at(layout::PAIRS_AT + index * RANK_BYTES)
    }

    /// Tells that no token reaches across a seam, given the two bytes before and after it.
    ///
    /// A seam is where one character ends and the next begins, both beyond ASCII. Most seams that
    /// no token reaches across are known, not all.
    #[inline]
    #[must_use]
    pub fn never_joins(self, around: [u8; 4]) -> bool {
        let [_, before, after, _] = around;
        let without = |kind| !self.has(layout::SEAMS_AT, layout::seam(kind, around));
        without(Seam::Inside)
            && without(Seam::NearStart)
            && without(Seam::NearEnd)
            && self.pair_rank([before, after]) == NO_RANK
    }

    /// Gives the group of a length; `None` where no token has that length.
    #[inline]
    fn group(self, length: usize) -> Option<Group> {
        if length > layout::LONGEST {
            return None;
        }
        let at = length.checked_sub(1)? * GROUP_BYTES;
        let numbers: &[u8; GROUP_BYTES] = self.chunk(at)?;
        let (numbers, _) = numbers.as_chunks();
        let &[pilots_at, buckets, records_at, records] = numbers.first_chunk()?;
        let group = Group {
            pilots_at: u32::from_le_bytes(pilots_at),
            buckets: u32::from_le_bytes(buckets),
            records_at: u32::from_le_bytes(records_at),
            records: u32::from_le_bytes(records),
        };
        (group.records > 0).then_some(group)
    }

    /// Tells whether a bit of a set is there.
    #[inline]
    fn has(self, set_at: usize, (byte, bit): (usize, u8)) -> bool {
        let byte = self.table.get(set_at + byte);
        byte.is_some_and(|byte| byte & bit != 0)
    }

    #[inline]
    fn rank_at(self, at: usize) -> i32 {
        let rank = self
            .chunk::<RANK_BYTES>(at)
            .map_or(NO_RANK, |&[a, b, c]| i32::from_le_bytes([a, b, c, 0]));
        if rank < self.ranks { rank } else { NO_RANK }
    }

    #[inline]
    fn chunk<const N: usize>(self, at: usize) -> Option<&'static [u8; N]> {
        self.table.get(at..)?.first_chunk()
    }
}

/// Gives the place of an item in a row of items of one size.
#[inline]
fn place(start: u32, index: u64, size: usize) -> Option<usize> {
    let start = usize::try_from(start).ok()?;
    let index = usize::try_from(index).ok()?;
    Some(start + index * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Which {
        /// Every encoding that has a table.
        pub const ALL: [Self; 4] = [Self::Cl100k, Self::O200k, Self::P50k, Self::R50k];

        /// Gives the counter of record.
        pub fn of_record(self) -> &'static tiktoken_rs::CoreBPE {
            match self {
                Self::Cl100k => tiktoken_rs::cl100k_base_singleton(),
                Self::O200k => tiktoken_rs::o200k_base_singleton(),
                Self::P50k => tiktoken_rs::p50k_base_singleton(),
                Self::R50k => tiktoken_rs::r50k_base_singleton(),
            }
        }
    }

    #[test]
    fn every_token_has_its_rank() {
        for which in Which::ALL {
            let (vocabulary, bpe) = (Vocabulary::of(which), which.of_record());
            let special = bpe.special_tokens();
            let mut tokens = 0;
            for rank in 0..210_000_i32 {
                let Ok(token) = bpe.decode_bytes(&[rank.cast_unsigned()]) else {
                    continue;
                };
                let special = str::from_utf8(&token).is_ok_and(|token| special.contains(token));
                let expected = if special { NO_RANK } else { rank };
                assert_eq!(vocabulary.rank(&token, token.len()), expected, "{token:?}");
                let followed = [&token[..], b" and more"].concat();
                assert_eq!(vocabulary.rank(&followed, token.len()), expected);
                if let &[a, b] = &token[..] {
                    assert_eq!(vocabulary.pair_rank([a, b]), expected);
                }
                tokens += usize::from(!special);
            }
            assert!(tokens > 50_000, "{which:?} has {tokens} tokens");
        }
    }

    #[test]
    fn what_is_no_token_has_no_rank() {
        for which in Which::ALL {
            let vocabulary = Vocabulary::of(which);
            let long = [b'q'; 300];
            for length in [0, 40, 128, 129, 300] {
                assert_eq!(vocabulary.rank(&long, length), NO_RANK, "{length}");
            }
            for bytes in [
                &b"<|endoftext|>"[..],
                b"\xFF\xFF",
                b"\0\0\xF0\0",
                b"zqxjkvbp",
            ] {
                assert_eq!(vocabulary.rank(bytes, bytes.len()), NO_RANK, "{bytes:?}");
            }
        }
    }

    #[test]
    fn unrelated_characters_never_join_and_common_words_do() {
        let around = |text: &str| {
            let bytes = text.as_bytes();
            [bytes[1], bytes[2], bytes[3], bytes[4]]
        };
        let vocabulary = Vocabulary::of(Which::O200k);
        assert!(vocabulary.never_joins(around("\u{9FA0}\u{4E02}")));
        assert!(!vocabulary.never_joins(around("中国")));
    }
}
