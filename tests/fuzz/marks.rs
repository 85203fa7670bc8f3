//! Which characters may be drawn as they are, by Unicode's own classes and not by the tables of the program.

use std::sync::LazyLock;

use syntect::parsing::Regex;

/// The classes of a character that matter here.
#[derive(Clone, Copy, Default)]
struct Class {
    is_hidden: bool,
    is_pictograph: bool,
}

static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let regex = |class: &str| Regex::new(class.into());
    let hidden = regex(r"\p{Cf}|\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}");
    let pictograph = regex(r"\p{Extended_Pictographic}");
    let mut classes = vec![Class::default(); u32::from(char::MAX) as usize + 1];
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        classes[u32::from(c) as usize] = Class {
            is_hidden: hidden.is_match(&text),
            is_pictograph: pictograph.is_match(&text),
        };
    }
    classes
});

/// Tells whether a character has no shape of its own, or steers the terminal or the direction of text.
pub fn is_hidden(c: char) -> bool {
    CLASSES[u32::from(c) as usize].is_hidden
}

/// Finds the first character of a drawn text that hides something: all hidden ones but those that are a
/// part of an emoji.
pub fn first_hidden(text: &str) -> Option<char> {
    // Most text is plain.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return None;
    }
    let is_pictograph = |c: char| CLASSES[u32::from(c) as usize].is_pictograph;
    let chars: Vec<char> = text.chars().collect();
    // A skin tone and a selector may stand between a pictograph and its joiner.
    let base = |at: usize| {
        let before = chars[..at].iter().rev();
        let mut before = before.skip_while(|c| matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}'));
        before.next().copied()
    };
    let hidden = chars.iter().enumerate().find(|&(at, &c)| match c {
        _ if !is_hidden(c) => false,
        '\u{200D}' => {
            let after = chars.get(at + 1).copied();
            !(base(at).is_some_and(is_pictograph) && after.is_some_and(is_pictograph))
        }
        '\u{FE0E}' | '\u{FE0F}' => {
            let before = at.checked_sub(1).map(|at| chars[at]);
            !before.is_some_and(|c| matches!(c, '0'..='9' | '#' | '*') || is_pictograph(c))
        }
        _ => true,
    });
    hidden.map(|(_, c)| *c)
}
