//! Exact counts from tables that are made when the program is built: nothing is loaded, and tests hold
//! every count to the counter of record.

mod classes;
mod known;
mod layout;
mod merge;
mod pretokens;
mod runs;
mod vocabulary;

use known::Known;
use merge::Merger;
use pretokens::Pretokens;
pub use vocabulary::Which;
use vocabulary::{NO_RANK, Vocabulary};

/// How many pieces are looked up side by side, so that the waits for memory fall together.
const BATCH: usize = 32;

/// Counts the tokens of a text, special tokens in it taken as ordinary text.
#[must_use]
pub fn count(which: Which, text: &str) -> usize {
    let vocabulary = Vocabulary::of(which);
    let mut merger = Merger::new();
    let mut known = Known::for_text(text);
    let mut tokens = 0;
    for_each_piece(which, text, |ahead, length, is_token| {
        tokens += if is_token {
            1
        } else {
            known.tokens(ahead, length, || {
                let mut tokens = 0;
                merger.split(vocabulary, ahead, length, |_| tokens += 1);
                tokens
            })
        };
        true
    });
    tokens
}

/// Finds the bytes at which the first tokens of a text end, so many at most.
///
/// A token may end inside a character.
#[must_use]
pub fn token_ends(which: Which, text: &str, at_most: usize) -> Vec<usize> {
    let vocabulary = Vocabulary::of(which);
    let mut merger = Merger::new();
    let mut ends = Vec::new();
    let mut end = 0;
    for_each_piece(which, text, |ahead, length, is_token| {
        let mut each = |length| {
            end += length;
            ends.push(end);
        };
        if is_token {
            each(length);
        } else {
            merger.split(vocabulary, ahead, length, each);
        }
        ends.len() < at_most
    });
    ends.truncate(at_most);
    ends
}

/// Calls for each piece of a text, with the text from its start on, its length, and whether it is a
/// token; until told to stop.
#[inline]
fn for_each_piece<'a>(
    which: Which,
    text: &'a str,
    mut goes_on: impl FnMut(&'a [u8], usize, bool) -> bool,
) {
    let vocabulary = Vocabulary::of(which);
    let mut pretokens = Pretokens::new(which, text);
    let mut pieces: [(&[u8], usize); BATCH] = [(&[], 0); BATCH];
    let mut records = [None; BATCH];
    loop {
        let mut found = 0;
        for (piece, next) in pieces.iter_mut().zip(&mut pretokens) {
            *piece = next;
            found += 1;
        }
        for (record, (ahead, length)) in records.iter_mut().zip(pieces) {
            *record = vocabulary.record(ahead, length);
        }
        for (record, (ahead, length)) in records.into_iter().zip(pieces).take(found) {
            let rank = record.map_or(NO_RANK, |record| vocabulary.rank_in(record, ahead, length));
            if !goes_on(ahead, length, rank != NO_RANK) {
                return;
            }
        }
        if found < BATCH {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What decides where tokens end: blanks, line ends, contractions, marks, cases, scripts.
    const HARD: [&str; 96] = [
        " ",
        "  ",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "/",
        "\n/",
        "'",
        "'s",
        "'S",
        "'ſ",
        "'t",
        "'RE",
        "'ve",
        "'vE",
        "'m",
        "'LL",
        "'lL",
        "'d",
        "'x",
        "'l",
        "ſ",
        "0",
        "12",
        "1234",
        "٣",
        "५",
        "½",
        "²",
        "Ⅷ",
        "〇",
        "漢",
        "日本語",
        "中国",
        "ひらがな",
        "ー",
        "ภาษา",
        "العربية",
        "عَرَبِيّ",
        "한국어",
        "é",
        "e\u{301}",
        "\u{301}",
        "\u{20DD}",
        "\u{903}",
        "ǅ",
        "ᾈ",
        "ʰ",
        "ª",
        "ß",
        "İ",
        "ı",
        "🦀",
        "👨\u{200D}👩\u{200D}👧",
        "👍🏽",
        "\u{FE0F}",
        "\u{200B}",
        "\u{85}",
        "\u{2028}",
        "\u{A0}",
        "\u{3000}",
        "\u{E000}",
        "\u{D7FF}",
        "\u{FFFD}",
        "\u{10FFFF}",
        "\u{378}",
        "<|endoftext|>",
        "a",
        "B",
        "The",
        "HELLO",
        "camelCase",
        "XMLHttp",
        "snake_case",
        "tokenization",
        "_",
        "---",
        "==",
        "...",
        "!?",
        "()",
        "{",
        "\"",
        "```",
        "#",
        "**",
        "$",
        "€",
        "。",
        "，",
        "「",
        "\0",
        "Привет",
        "Ⴀ",
        "𐐀𐐨",
    ];

    fn hard_text() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => prop::sample::select(HARD.to_vec()).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
            1 => "[a-zA-Z]{1,12}",
        ];
        prop::collection::vec(word, 0..80).prop_map(|words| words.concat())
    }

    /// Where tiktoken-rs ends the tokens of a text.
    fn expected_ends(which: Which, text: &str) -> Vec<usize> {
        let bpe = which.of_record();
        let mut end = 0;
        let length = |token: u32| bpe.decode_bytes(&[token]).unwrap().len();
        let tokens = bpe.encode_ordinary(text).into_iter();
        tokens
            .map(|token| {
                end += length(token);
                end
            })
            .collect()
    }

    fn check(text: &str) {
        for which in Which::ALL {
            let expected = expected_ends(which, text);
            assert_eq!(count(which, text), expected.len(), "{which:?} {text:?}");
            let all = token_ends(which, text, usize::MAX);
            assert_eq!(all, expected, "{which:?} {text:?}");
            let half = expected.len() / 2;
            let first = token_ends(which, text, half);
            assert_eq!(first, expected[..half], "{which:?} {text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn tokens_end_where_the_counter_of_record_ends_them(text in hard_text()) {
            check(&text);
        }
    }

    #[test]
    fn code_points_are_counted_alone_and_among_others() {
        // A prime step meets every block; all code points at every test would take too long.
        for c in ('\0'..=char::MAX).step_by(23).chain('\0'..='\u{5FF}') {
            check(&format!("{c}a{c}b {c} B{c}'{c}{c}\n{c}/"));
        }
    }

    #[test]
    fn short_ascii_texts_are_counted() {
        for first in '\0'..='\x7F' {
            for second in '\0'..='\x7F' {
                check(&format!("{first}{second}x{second} {first}"));
            }
        }
    }

    #[test]
    fn runs_of_every_length_are_counted() {
        for length in (1..40).chain(120..136).chain([1000, 5001]) {
            for unit in [
                "a",
                " ",
                "=",
                "aB",
                "\n",
                "漢",
                "漢字かな",
                "🦀",
                "\u{301}",
                "1",
            ] {
                check(&unit.repeat(length));
            }
        }
    }

    #[test]
    fn this_repository_is_counted() {
        for text in [include_str!("table.rs"), include_str!("table/pretokens.rs")] {
            check(text);
        }
    }
}
