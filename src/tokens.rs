//! Exact token counts, and the cut to a number of tokens that the agent itself makes.
//!
//! The counter of record is tiktoken-rs: the tables that are counted by are made from its vocabularies, and
//! tests hold them to its counts. Text is counted as ordinary text: `<|endoftext|>` written in a file is
//! seven letters and some marks, not a special token.

use std::fmt;

use tiktoken_rs::tokenizer::{Tokenizer, get_tokenizer};

use crate::python::surrogate;

mod blocks;
mod counter;
mod cut;
mod estimate;
mod pieces;
mod table;
mod tally;

pub use counter::Counter;
pub use cut::{Cut, cut_to_tokens};
pub use estimate::Estimate;
use table::Which;

/// An encoding of text into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// `cl100k_base`, by which the agent itself counts.
    Cl100kBase,
    /// `o200k_base`.
    O200kBase,
    /// `o200k_harmony`.
    O200kHarmony,
    /// `p50k_base`.
    P50kBase,
    /// `p50k_edit`.
    P50kEdit,
    /// `r50k_base`, which is also `gpt2`.
    R50kBase,
}

impl Encoding {
    /// Every encoding, the current ones first.
    pub const ALL: [Self; 6] = [
        Self::Cl100kBase,
        Self::O200kBase,
        Self::O200kHarmony,
        Self::P50kBase,
        Self::P50kEdit,
        Self::R50kBase,
    ];

    /// Gives the encoding's public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cl100kBase => "cl100k_base",
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::P50kBase => "p50k_base",
            Self::P50kEdit => "p50k_edit",
            Self::R50kBase => "r50k_base",
        }
    }

    /// Finds an encoding by its public name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "gpt2" {
            return Some(Self::R50kBase);
        }
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }

    /// Finds the encoding of a model; `None` where its vocabulary is not public.
    ///
    /// A provider's name in front (`openai/gpt-4o`) is passed over.
    #[must_use]
    pub fn for_model(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model);
        get_tokenizer(name).map(|tokenizer| match tokenizer {
            Tokenizer::Cl100kBase => Self::Cl100kBase,
            Tokenizer::O200kBase => Self::O200kBase,
            Tokenizer::O200kHarmony => Self::O200kHarmony,
            Tokenizer::P50kBase => Self::P50kBase,
            Tokenizer::P50kEdit => Self::P50kEdit,
            Tokenizer::R50kBase | Tokenizer::Gpt2 => Self::R50kBase,
        })
    }

    /// Gives the table that counts in this encoding; some differ in special tokens alone, which are counted
    /// as text.
    fn table(self) -> Which {
        match self {
            Self::Cl100kBase => Which::Cl100k,
            Self::O200kBase | Self::O200kHarmony => Which::O200k,
            Self::P50kBase | Self::P50kEdit => Which::P50k,
            Self::R50kBase => Which::R50k,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Counts the tokens of a text, whole and afresh.
///
/// Takes as long as the text is: never call it where a person waits for a key to answer.
#[must_use]
pub fn count(encoding: Encoding, text: &str) -> usize {
    table::count(encoding.table(), &surrogate::replaced(text))
}

/// Tells whether a text holds a special token of `cl100k_base`, at which the agent's encoder raises.
#[must_use]
pub fn holds_special_token(text: &str) -> bool {
    const SPECIAL: [&str; 5] = [
        "<|endoftext|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<|endofprompt|>",
    ];
    SPECIAL.iter().any(|token| text.contains(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_models_lead_to_encodings() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
        }
        assert_eq!(Encoding::from_name("gpt2"), Some(Encoding::R50kBase));
        assert_eq!(Encoding::from_name("o200k"), None);
        assert_eq!(Encoding::for_model("gpt-4o"), Some(Encoding::O200kBase));
        assert_eq!(
            Encoding::for_model("openai/gpt-4-0314"),
            Some(Encoding::Cl100kBase)
        );
        assert_eq!(Encoding::for_model("claude-opus-4"), None);
    }

    #[test]
    fn special_tokens_are_counted_as_text() {
        assert_eq!(count(Encoding::Cl100kBase, "<|endoftext|>"), 7);
        assert!(holds_special_token("a <|fim_middle|> b"));
        assert!(!holds_special_token("<|im_start|>"));
    }

    #[test]
    fn encodings_that_differ_in_special_tokens_alone_count_alike() {
        let text = "Don't count <|endoftext|>, <|start|> or\t 12345 \u{6f22}\u{5b57}!\n\n  x";
        for (encoding, bpe) in [
            (
                Encoding::O200kHarmony,
                tiktoken_rs::o200k_harmony_singleton(),
            ),
            (Encoding::P50kEdit, tiktoken_rs::p50k_edit_singleton()),
        ] {
            assert_eq!(
                count(encoding, text),
                bpe.count_ordinary(text),
                "{encoding}"
            );
        }
    }

    #[test]
    fn lone_surrogates_are_counted_as_the_replacement_character() {
        let c = surrogate::stand_in(0xD83D).unwrap();
        assert_eq!(
            count(Encoding::Cl100kBase, &format!("a{c}b")),
            count(Encoding::Cl100kBase, "a\u{FFFD}b")
        );
    }
}
