//! The counts of pieces met before: names in prose, identifiers in code.

use crate::tokens::table::layout::Ends;

/// How many pieces are remembered at most.
const MOST_KNOWN: usize = 2048;
/// A piece is remembered for so many bytes of text, which makes the room for it no matter.
const BYTES_PER_KNOWN: usize = 128;

/// The pieces of a text that took merging last, and their counts: names return soon.
#[derive(Debug)]
pub struct Known<'a> {
    pieces: Vec<(&'a [u8], usize)>,
}

impl<'a> Known<'a> {
    /// Makes room in proportion to a text, within bounds.
    pub fn for_text(text: &str) -> Self {
        let room = (text.len() / BYTES_PER_KNOWN).next_power_of_two();
        Self {
            pieces: vec![(&[], 0); room.min(MOST_KNOWN)],
        }
    }

    /// Gives the count of the piece that begins a text, which is made only if it is not known.
    #[inline]
    pub fn tokens(
        &mut self,
        ahead: &'a [u8],
        length: usize,
        count: impl FnOnce() -> usize,
    ) -> usize {
        let piece = ahead.get(..length).unwrap_or_default();
        let hash = Ends::of(ahead, length).hash(ahead, length);
        let index = usize::try_from(hash).unwrap_or_default() & (self.pieces.len() - 1);
        let Some(known) = self.pieces.get_mut(index) else {
            return count();
        };
        if known.0 != piece {
            *known = (piece, count());
        }
        known.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_counted_once_and_another_in_its_place_afresh() {
        let text = "namename others";
        let mut known = Known::for_text(text);
        let ahead = text.as_bytes();
        assert_eq!(known.tokens(ahead, 4, || 2), 2);
        assert_eq!(known.tokens(&ahead[4..], 4, || 9), 2);
        // So short a text has room for one piece.
        assert_eq!(known.tokens(ahead, 3, || 3), 3);
        assert_eq!(known.tokens(ahead, 4, || 5), 5);
    }
}
