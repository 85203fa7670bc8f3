//! The program's own signs, in ASCII where nothing else may be drawn.

use std::borrow::Cow;

use super::sanitize::Symbols;

/// The signs, each with what stands for it in ASCII.
const SIGNS: [(char, &str); 13] = [
    ('…', "..."),
    ('·', "|"),
    ('−', "-"),
    ('±', ""),
    ('–', "-"),
    ('▸', ">"),
    ('•', "*"),
    ('│', "|"),
    ('─', "-"),
    ('↑', "Up"),
    ('↓', "Down"),
    ('←', "Left"),
    ('→', "Right"),
];

impl Symbols {
    /// Spells a text of the program's own with these symbols; what comes from a workspace is none.
    #[must_use]
    pub fn spell(self, text: &str) -> Cow<'_, str> {
        if self == Self::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let spelled = text.chars().fold(String::new(), |mut spelled, letter| {
            match SIGNS.iter().find(|(sign, _)| *sign == letter) {
                Some((_, ascii)) => spelled.push_str(ascii),
                None => spelled.push(letter),
            }
            spelled
        });
        Cow::Owned(spelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_signs_have_a_form_in_ascii() {
        assert_eq!(
            Symbols::Ascii.spell("reading… −5 · ↓"),
            "reading... -5 | Down"
        );
        assert_eq!(Symbols::Unicode.spell("reading…"), "reading…");
        assert!(SIGNS.iter().all(|(_, ascii)| ascii.is_ascii()));
    }
}
