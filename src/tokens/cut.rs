//! The agent's own cut of a text to a number of tokens.

use super::table::{Which, token_ends};
use super::{Encoding, count, holds_special_token};
use crate::python::surrogate;
use crate::python::text::first_chars;

/// What the agent puts where it cut a text.
const SUFFIX: &str = "\n... (truncated)";

/// A text within a number of tokens, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The text as it goes out.
    pub text: String,
    /// How many bytes of the original are kept, if anything was cut off.
    pub kept_bytes: Option<usize>,
    /// Where in `text` the original ends; its length if nothing was cut off.
    pub end: usize,
    /// Whether the cap counted four characters a token, since a special token makes the encoder raise.
    pub by_characters: bool,
}

/// Cuts a text to a number of `cl100k_base` tokens, keeping its front.
///
/// Mirrors the reference's `truncate_text_to_tokens`: the suffix counts, a cut inside a character
/// leaves U+FFFD, and text that holds a special token is cut at four characters a token.
#[must_use]
pub fn cut_to_tokens(text: &str, max_tokens: usize) -> Cut {
    if holds_special_token(text) {
        return cut_to_chars(text, max_tokens.saturating_mul(4));
    }
    let whole = |by_characters| Cut {
        text: text.to_owned(),
        kept_bytes: None,
        end: text.len(),
        by_characters,
    };
    // A token is at least one byte, so a short text needs no tokenizer.
    if text.len() <= max_tokens {
        return whole(false);
    }
    let counted = surrogate::replaced(text);
    // One token more than fits tells that something must go.
    let ends = token_ends(Which::Cl100k, &counted, max_tokens.saturating_add(1));
    if ends.len() <= max_tokens {
        return whole(false);
    }
    let decoded = |budget: usize| {
        let kept = budget.checked_sub(1).map_or(0, |last| ends[last]);
        let bytes = &counted.as_bytes()[..kept];
        (String::from_utf8_lossy(bytes).into_owned(), kept)
    };
    let body = max_tokens.saturating_sub(count(Encoding::Cl100kBase, SUFFIX));
    if body > 0 {
        for budget in (0..=body).rev() {
            let (front, kept) = decoded(budget);
            let end = front.len();
            let result = front + SUFFIX;
            if count(Encoding::Cl100kBase, &result) <= max_tokens {
                return Cut {
                    text: result,
                    kept_bytes: Some(kept),
                    end,
                    by_characters: false,
                };
            }
        }
    }
    let (front, kept) = decoded(max_tokens);
    Cut {
        end: front.len(),
        text: front,
        kept_bytes: Some(kept),
        by_characters: false,
    }
}

fn cut_to_chars(text: &str, max_chars: usize) -> Cut {
    let suffix_chars = SUFFIX.chars().count();
    let room = max_chars.saturating_sub(suffix_chars);
    let front = first_chars(text, if room == 0 { max_chars } else { room });
    let cut = front.len() < text.len();
    let suffix = if cut && room > 0 { SUFFIX } else { "" };
    Cut {
        text: format!("{front}{suffix}"),
        kept_bytes: cut.then_some(front.len()),
        end: front.len(),
        by_characters: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays_whole() {
        let cut = cut_to_tokens("a short text", 8000);
        assert_eq!((cut.text.as_str(), cut.kept_bytes), ("a short text", None));
        let words = "word ".repeat(100);
        assert_eq!(cut_to_tokens(&words, 101).kept_bytes, None);
    }

    #[test]
    fn long_text_keeps_its_front_and_says_so() {
        let cut = cut_to_tokens(&"word ".repeat(100), 50);
        assert!(cut.text.starts_with("word word"));
        assert!(cut.text.ends_with("word\n... (truncated)"));
        assert_eq!(count(Encoding::Cl100kBase, &cut.text), 50);
        assert!(cut.kept_bytes.is_some());
    }

    #[test]
    fn a_special_token_turns_the_cap_into_characters() {
        let text = format!("<|endoftext|>{}", "é".repeat(100));
        let cut = cut_to_tokens(&text, 10);
        assert!(cut.by_characters);
        assert_eq!(cut.text.chars().count(), 40);
        assert!(cut.text.ends_with(SUFFIX));
        let whole = cut_to_tokens("a <|endoftext|> b", 10);
        assert_eq!(
            (whole.text.as_str(), whole.kept_bytes),
            ("a <|endoftext|> b", None)
        );
    }

    #[test]
    fn a_cap_below_the_suffix_cuts_without_it() {
        let cut = cut_to_tokens("one two three four five six seven", 2);
        assert_eq!(cut.text, "one two");
    }
}
