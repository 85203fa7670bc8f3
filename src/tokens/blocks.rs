//! What two texts share at their starts and ends, found by reading the new one alone where they are alike.

use xxhash_rust::xxh3::xxh3_128;

/// Texts are compared in blocks of this many bytes, and byte by byte in those that differ.
///
/// Blocks are compared by their hashes: the new text was just read and is in the caches, the old one is not.
/// In tests short texts are to have many blocks too.
const BLOCK: usize = if cfg!(test) { 64 } else { 4096 };

/// The blocks of a text.
#[derive(Debug)]
pub(super) struct Blocks(Vec<Block>);

/// A stretch of a text, by its hash.
#[derive(Debug, Clone, Copy)]
struct Block {
    bytes: usize,
    hash: u128,
}

/// What two texts share in whole blocks at their starts, and at their ends behind that.
pub(super) struct Shared {
    first: usize,
    start: usize,
    last: usize,
    end: usize,
}

impl Blocks {
    /// Cuts a text into blocks.
    pub fn of(text: &[u8]) -> Self {
        let blocks = text.chunks(BLOCK).map(|block| Block {
            bytes: block.len(),
            hash: xxh3_128(block),
        });
        Self(blocks.collect())
    }

    /// Finds the blocks that another text begins and ends with.
    pub fn shared(&self, new: &[u8]) -> Shared {
        let (first, start) = same(self.0.iter(), |from, to| new.get(from..to));
        let rest = &new[start..];
        let (last, end) = same(self.0[first..].iter().rev(), |from, to| {
            rest.get(rest.len().checked_sub(to)?..rest.len() - from)
        });
        Shared {
            first,
            start,
            last,
            end,
        }
    }
}

impl Shared {
    /// Measures what the texts share, within the blocks that differ too: bytes at their starts, and at their
    /// ends behind that.
    pub fn bytes(&self, old: &[u8], new: &[u8]) -> (usize, usize) {
        let (start, end) = common(
            &old[self.start..old.len() - self.end],
            &new[self.start..new.len() - self.end],
        );
        (self.start + start, self.end + end)
    }

    /// Gives the blocks of the new text.
    pub fn blocks_of(&self, old: &Blocks, new: &[u8]) -> Blocks {
        let between = Blocks::of(&new[self.start..new.len() - self.end]);
        let (first, last) = (&old.0[..self.first], &old.0[old.0.len() - self.last..]);
        Blocks([first, &between.0, last].concat())
    }
}

/// Counts the blocks that stand one behind the other in a text, and their bytes; a stretch of the text is asked
/// for by its distances from where they begin.
fn same<'a>(
    blocks: impl Iterator<Item = &'a Block>,
    stretch: impl Fn(usize, usize) -> Option<&'a [u8]>,
) -> (usize, usize) {
    let (mut count, mut bytes) = (0, 0);
    for block in blocks {
        let to = bytes + block.bytes;
        if stretch(bytes, to).is_none_or(|new| xxh3_128(new) != block.hash) {
            break;
        }
        (count, bytes) = (count + 1, to);
    }
    (count, bytes)
}

/// Measures how many bytes two texts share at their starts, and at their ends behind that.
fn common(one: &[u8], other: &[u8]) -> (usize, usize) {
    let start = shared_bytes(one.chunks(BLOCK).zip(other.chunks(BLOCK)), |(a, b)| {
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    });
    let (one, other) = (&one[start..], &other[start..]);
    let end = shared_bytes(one.rchunks(BLOCK).zip(other.rchunks(BLOCK)), |(a, b)| {
        let pairs = a.iter().rev().zip(b.iter().rev());
        pairs.take_while(|(a, b)| a == b).count()
    });
    (start, end)
}

fn shared_bytes<'a>(
    blocks: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    in_block: impl Fn((&'a [u8], &'a [u8])) -> usize,
) -> usize {
    let mut bytes = 0;
    for (one, other) in blocks {
        if one != other {
            return bytes + in_block((one, other));
        }
        bytes += one.len();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_two_texts_share_is_measured_from_both_ends() {
        let long = "x".repeat(3 * BLOCK);
        for (one, other, wanted) in [
            ("", "", (0, 0)),
            ("same", "same", (4, 0)),
            ("abc", "axc", (1, 1)),
            ("aa", "aaa", (2, 0)),
            ("abab", "ab", (2, 0)),
            ("start", "end", (0, 0)),
        ] {
            assert_eq!(
                common(one.as_bytes(), other.as_bytes()),
                wanted,
                "{one} {other}"
            );
        }
        let (one, other) = (format!("{long}a{long}"), format!("{long}bc{long}"));
        let wanted = (long.len(), long.len());
        assert_eq!(common(one.as_bytes(), other.as_bytes()), wanted);
    }

    proptest! {
        #[test]
        fn blocks_change_nothing_of_what_is_shared(
            edits in prop::collection::vec((0..5_usize * BLOCK, 0..BLOCK, "[ab]{0,9}"), 1..6),
        ) {
            let mut old: Vec<u8> = (0..5 * BLOCK).map(|at| b"abcdefghijklmnopqrstuvw"[at * at % 23]).collect();
            let mut blocks = Blocks::of(&old);
            for (at, gone, come) in edits {
                let at = at.min(old.len());
                let mut new = old.clone();
                new.splice(at..(at + gone).min(old.len()), come.bytes());
                let shared = blocks.shared(&new);
                let (start, end) = shared.bytes(&old, &new);
                prop_assert_eq!(&old[..start], &new[..start]);
                prop_assert_eq!(&old[old.len() - end..], &new[new.len() - end..]);
                prop_assert!(start >= at && start + end <= old.len().min(new.len()));
                prop_assert!(end + start >= common(&old, &new).0);
                blocks = shared.blocks_of(&blocks, &new);
                let bytes: usize = blocks.0.iter().map(|block| block.bytes).sum();
                prop_assert_eq!(bytes, new.len());
                prop_assert_eq!(blocks.shared(&new).start, new.len(), "each has its hash");
                old = new;
            }
        }
    }
}
