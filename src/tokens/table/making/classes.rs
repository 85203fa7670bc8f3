//! Makes the table of code point classes, from the regex engine's own Unicode tables.

use std::error::Error;

use regex_syntax::hir::{Class, HirKind};

/// The classes, in the order of their bits.
const CLASSES: [&str; 6] = [
    r"\p{L}",
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
    r"\p{N}",
    r"\s",
    r"[\r\n]",
];
const CODE_POINTS: usize = 0x11_0000;
/// How many code points share an entry of the first stage.
const BLOCK: usize = 128;

/// Makes the two-stage table: the number of each block of code points, then the blocks' classes.
pub fn table() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut classes = vec![0_u8; CODE_POINTS];
    for (bit, pattern) in CLASSES.into_iter().enumerate() {
        let hir = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            return Err(format!("{pattern} is not a class").into());
        };
        for range in class.ranges() {
            let span = usize::try_from(u32::from(range.start()))?
                ..=usize::try_from(u32::from(range.end()))?;
            for class in &mut classes[span] {
                *class |= 1 << bit;
            }
        }
    }
    let mut numbers = Vec::new();
    let mut blocks: Vec<&[u8]> = Vec::new();
    for block in classes.chunks(BLOCK) {
        let number = blocks.iter().position(|&known| known == block);
        if number.is_none() {
            blocks.push(block);
        }
        numbers.push(u8::try_from(number.unwrap_or(blocks.len() - 1))?);
    }
    numbers.extend(blocks.concat());
    Ok(numbers)
}
