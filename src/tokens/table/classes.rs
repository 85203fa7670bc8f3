//! Classes of code points, as the regex engine behind tiktoken-rs sees them.

/// A letter, `\p{L}`.
pub const LETTER: u8 = 1;
/// What the upper part of a word may hold: `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
pub const UPPER: u8 = 1 << 1;
/// What the lower part of a word may hold: `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
pub const LOWER: u8 = 1 << 2;
/// A number, `\p{N}`.
pub const NUMBER: u8 = 1 << 3;
/// White space, `\s`.
pub const SPACE: u8 = 1 << 4;
/// A carriage return or a line feed.
pub const LINE_END: u8 = 1 << 5;
/// No character at all: the end of the text, which ends every run.
pub const END: u8 = 1 << 6;
/// The mark of bytes that begin a longer character, whose class [`TABLE`] knows.
const WIDE: u8 = 1 << 7;

/// The number of each block of 128 code points, then the classes of each block.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.bin"));
/// How many block numbers there are.
const BLOCKS: usize = 0x11_0000 / 128;

/// The classes of ASCII, so that most text needs one look-up a byte.
static ASCII: [u8; 256] = {
    let mut classes = [WIDE; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = TABLE[BLOCKS + byte];
        byte += 1;
    }
    classes
};

/// Gives the class of the character that begins at a byte, and how many bytes it has.
///
/// The bytes must be UTF-8, and the position the start of a character or their end.
#[inline]
#[must_use]
pub fn class_at(bytes: &[u8], at: usize) -> (u8, usize) {
    let Some(&byte) = bytes.get(at) else {
        return (END, 0);
    };
    let class = ASCII[usize::from(byte)];
    if class == WIDE {
        wide_class_at(bytes, at)
    } else {
        (class, 1)
    }
}

fn wide_class_at(bytes: &[u8], at: usize) -> (u8, usize) {
    let tail = |byte: u8| usize::from(byte & 0x3F);
    let (code_point, length) = match *bytes.get(at..).unwrap_or_default() {
        [a, b, ..] if a < 0xE0 => (usize::from(a & 0x1F) << 6 | tail(b), 2),
        [a, b, c, ..] if a < 0xF0 => (usize::from(a & 0x0F) << 12 | tail(b) << 6 | tail(c), 3),
        [a, b, c, d, ..] => (
            usize::from(a & 0x07) << 18 | tail(b) << 12 | tail(c) << 6 | tail(d),
            4,
        ),
        _ => return (0, 1),
    };
    let block = TABLE.get(code_point / 128).copied().map_or(0, usize::from);
    let class = TABLE.get(BLOCKS + block * 128 + code_point % 128);
    (class.copied().unwrap_or_default(), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_classes() {
        let classes = [
            ('a', LETTER | LOWER),
            ('Z', LETTER | UPPER),
            ('ß', LETTER | LOWER),
            ('ǅ', LETTER | UPPER),
            ('ʰ', LETTER | UPPER | LOWER),
            ('漢', LETTER | UPPER | LOWER),
            ('𐐨', LETTER | LOWER),
            ('\u{301}', UPPER | LOWER),
            ('7', NUMBER),
            ('½', NUMBER),
            ('Ⅷ', NUMBER),
            (' ', SPACE),
            ('\u{85}', SPACE),
            ('\u{3000}', SPACE),
            ('\n', SPACE | LINE_END),
            ('\r', SPACE | LINE_END),
            ('\u{2028}', SPACE),
            ('\u{200B}', 0),
            ('!', 0),
            ('🦀', 0),
            ('\u{378}', 0),
            (char::MAX, 0),
        ];
        for (c, class) in classes {
            let text = format!("x{c}");
            let expected = (class, c.len_utf8());
            assert_eq!(class_at(text.as_bytes(), 1), expected, "{c:?}");
            assert_eq!(class_at(text.as_bytes(), text.len()), (END, 0));
        }
    }

    #[test]
    fn bytes_that_are_no_text_have_no_class() {
        for bytes in [&[0xC3][..], &[0xE6, 0xBC], &[0xF0], &[0xFF; 4]] {
            assert_eq!(class_at(bytes, 0).0, 0, "{bytes:?}");
        }
    }
}
