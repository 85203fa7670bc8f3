//! The ends of runs of characters of one class.

use crate::tokens::table::classes::{LINE_END, NUMBER, SPACE, class_at};

/// The bit in which small and capital letters of ASCII differ.
pub const CASE: u8 = b'a' ^ b'A';

/// Finds the end of a run of characters of a class, which has the small letters of ASCII, and the
/// capital ones if the bit of case does not count.
#[inline]
pub fn run_end(text: &[u8], start: usize, wanted: u8, case: u8) -> usize {
    let mut end = start;
    while let Some(&word) = text.get(end..).and_then(<[u8]>::first_chunk) {
        let letters = leading_letters(u64::from_le_bytes(word), case);
        end += letters;
        if letters < size_of_val(&word) {
            break;
        }
    }
    loop {
        let (class, length) = class_at(text, end);
        if class & wanted == 0 {
            return end;
        }
        end += length;
    }
}

/// Counts the small letters of ASCII that lead a word, which is read from its lowest byte on.
///
/// All bytes are compared at once, since the end of each word of a text is hard to foresee.
#[inline]
fn leading_letters(word: u64, case: u8) -> usize {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    let ascii = each(0x7F);
    let bytes = (word | each(case)) & ascii;
    // The highest bit of each byte tells, since no sum reaches into the next one.
    let from_a = bytes + each(0x80 - b'a');
    let beyond_z = bytes + each(0x7F - b'z');
    let others = !from_a | beyond_z | word;
    (others & !ascii).trailing_zeros() as usize / 8
}

/// Finds the end of a number, of which a piece holds three characters at most.
pub fn number_end(text: &[u8], first: usize) -> usize {
    let mut end = first;
    for _ in 0..2 {
        let (class, length) = class_at(text, end);
        if class & NUMBER == 0 {
            break;
        }
        end += length;
    }
    end
}

/// The white space at the start of a text, and where it may be cut.
pub struct Blanks {
    /// Where it ends.
    pub end: usize,
    /// Where its last line end ends.
    pub after_line_end: Option<usize>,
    /// Where its last character begins, which goes with the text that follows; its end if it has
    /// but one.
    pub before_text: usize,
}

impl Blanks {
    /// Finds the white space that a text begins with.
    pub fn of(text: &[u8]) -> Self {
        let mut blanks = Self {
            end: 0,
            after_line_end: None,
            before_text: 0,
        };
        loop {
            let (class, length) = class_at(text, blanks.end);
            if class & SPACE == 0 {
                break;
            }
            blanks.before_text = blanks.end;
            blanks.end += length;
            if class & LINE_END != 0 {
                blanks.after_line_end = Some(blanks.end);
            }
        }
        if blanks.before_text == 0 {
            blanks.before_text = blanks.end;
        }
        blanks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_are_counted_from_the_front() {
        let count = |word: &[u8; 8], case| leading_letters(u64::from_le_bytes(*word), case);
        assert_eq!(count(b"abcxyz z", 0), 6);
        assert_eq!(count(b"abcdefgh", 0), 8);
        assert_eq!(count(b"aBcdefgh", 0), 1);
        assert_eq!(count(b"aBcdefg_", CASE), 7);
        for other in [b'`', b'{', b'@', b'[', 0, 0x7F, 0x80, 0xE1, 0xFA, 0xFF] {
            assert_eq!(
                count(&[b'z', other, b'a', 0, 0, 0, 0, 0], CASE),
                1,
                "{other}"
            );
        }
    }
}
