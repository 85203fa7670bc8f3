//! Lone surrogates, which a Python string can hold and a Rust string cannot.
//!
//! JSON text such as `"\ud83d"` is accepted by Python. So that nothing is lost, such a code unit
//! travels through the core as one of the 2,048 last code points of the private planes
//! (U+10F800 to U+10FFFF) and is turned back where text leaves the program. A workspace that holds
//! those private characters themselves would see them as surrogates; no font and no known text
//! uses them.

const FIRST: u32 = 0x0010_F800;
const LAST: u32 = 0x0010_FFFF;

/// Makes the stand-in for a lone surrogate; `None` if `unit` is not one (U+D800 to U+DFFF).
#[must_use]
pub fn stand_in(unit: u32) -> Option<char> {
    (0xD800..=0xDFFF)
        .contains(&unit)
        .then(|| char::from_u32(FIRST + (unit - 0xD800)))
        .flatten()
}

/// Gives the surrogate that a character stands for, if it is a stand-in.
#[must_use]
pub fn surrogate(c: char) -> Option<u32> {
    let code = c as u32;
    (FIRST..=LAST)
        .contains(&code)
        .then(|| code - FIRST + 0xD800)
}

/// Replaces stand-ins as Python's tokenizer does before it counts: a pair of surrogates becomes the
/// character that it makes, any other one U+FFFD.
#[must_use]
pub fn replaced(text: &str) -> std::borrow::Cow<'_, str> {
    // Stand-ins are four bytes long and begin with 0xF4: most text has none of these.
    if text.bytes().any(|b| b == 0xF4) && text.chars().any(|c| surrogate(c).is_some()) {
        let mut pair = [0; 2];
        let units = text.chars().flat_map(|c| match surrogate(c) {
            Some(unit) => vec![u16::try_from(unit).unwrap_or_default()],
            None => c.encode_utf16(&mut pair).to_vec(),
        });
        let whole = char::decode_utf16(units);
        let or_mark = |c: Result<_, _>| c.unwrap_or(char::REPLACEMENT_CHARACTER);
        std::borrow::Cow::Owned(whole.map(or_mark).collect())
    } else {
        std::borrow::Cow::Borrowed(text)
    }
}

/// Writes stand-ins in JSON text as the `\udXXX` escapes that they came from.
///
/// In JSON, characters above U+007F occur only inside strings, where the escape is legal.
#[must_use]
pub fn escaped_in_json(json: &str) -> std::borrow::Cow<'_, str> {
    use std::fmt::Write as _;
    if !json.bytes().any(|b| b == 0xF4) {
        return std::borrow::Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if let Some(unit) = surrogate(c) {
            // Writing into a String cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        } else {
            out.push(c);
        }
    }
    std::borrow::Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_surrogate_comes_back() {
        for unit in 0xD800..=0xDFFF {
            let c = stand_in(unit).unwrap();
            assert_eq!(surrogate(c), Some(unit));
        }
        assert_eq!(stand_in(0xD7FF), None);
        assert_eq!(surrogate('\u{10F7FF}'), None);
        assert_eq!(surrogate('a'), None);
    }

    #[test]
    fn stand_ins_leave_as_replacement_or_as_escape() {
        let c = stand_in(0xD83D).unwrap();
        let text = format!("a{c}\u{10000}");
        assert_eq!(replaced(&text), "a\u{FFFD}\u{10000}");
        assert_eq!(escaped_in_json(&text), "a\\ud83d\u{10000}");
        let [high, low] = [0xD83E, 0xDD80].map(|unit| stand_in(unit).unwrap());
        let text = format!("{low}{high}{high}{low}{high}");
        assert_eq!(replaced(&text), "\u{FFFD}\u{FFFD}🦀\u{FFFD}");
        assert!(matches!(replaced("plain é"), std::borrow::Cow::Borrowed(_)));
    }
}
