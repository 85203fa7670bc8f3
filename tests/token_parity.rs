//! Counts and cuts of hard texts are those that Python was recorded to make.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::fmt::Write as _;

use promptscope::python::{Value, json, surrogate};
use promptscope::tokens::{Counter, Encoding, count, cut_to_tokens};
use sha2::{Digest as _, Sha256};

const ENCODINGS: [Encoding; 2] = [Encoding::Cl100kBase, Encoding::O200kBase];

/// A text with what Python makes of it.
struct Record {
    name: String,
    text: String,
    counts: [usize; 2],
    /// Caps, each with the characters and the sum of what is left.
    cuts: Vec<(usize, usize, String)>,
}

fn records() -> Vec<Record> {
    include_str!("oracle/cases/tokens.jsonl")
        .lines()
        .map(|line| {
            let record = json::loads(line).expect("a record is JSON");
            let field = |key: &str| record.get(key).unwrap();
            let mut text = String::new();
            build(field("text"), &mut text);
            let name = field("name").to_str();
            assert_eq!(text.chars().count(), number(field("chars")), "{name}");
            Record {
                counts: ENCODINGS.map(|encoding| number(field(encoding.name()))),
                cuts: items(field("cuts"))
                    .iter()
                    .map(|cut| match items(cut) {
                        [cap, chars, sum] => (number(cap), number(chars), sum.to_str()),
                        other => panic!("a cut is {other:?}"),
                    })
                    .collect(),
                name,
                text,
            }
        })
        .collect()
}

fn number(value: &Value) -> usize {
    value.to_str().parse().expect("a whole number")
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("no list: {other:?}"),
    }
}

/// Builds a text from its recipe, as `gen_token_counts.py` does.
fn build(recipe: &Value, out: &mut String) {
    if let Value::Str(text) = recipe {
        out.push_str(text);
    } else if let Value::List(parts) = recipe {
        for part in parts {
            build(part, out);
        }
    } else {
        let times = number(recipe.get("times").unwrap());
        if let Some(part) = recipe.get("repeat") {
            let mut once = String::new();
            build(part, &mut once);
            out.push_str(&once.repeat(times));
            return;
        }
        let words = items(recipe.get("mix").unwrap());
        let mut state: u64 = recipe.get("seed").unwrap().to_str().parse().unwrap();
        for _ in 0..times {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(state >> 33).unwrap() % words.len();
            build(&words[index], out);
        }
    }
}

/// Sums a text up over its UTF-16, in which lone surrogates can be written.
fn sum(text: &str) -> String {
    let mut hasher = Sha256::new();
    for c in text.chars() {
        match surrogate::surrogate(c) {
            Some(unit) => hasher.update(u16::try_from(unit).unwrap().to_le_bytes()),
            None => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    hasher.update(unit.to_le_bytes());
                }
            }
        }
    }
    let mut hex = String::new();
    for byte in &hasher.finalize()[..12] {
        write!(hex, "{byte:02x}").unwrap();
    }
    hex
}

/// Puts a few words into the middle of a text.
fn edited(text: &str) -> String {
    let (front, back) = text.split_at(text.floor_char_boundary(text.len() / 2));
    format!("{front} an edit\nhere {back}")
}

/// Counts every text whole and in pieces, again after an edit, and once more without it.
fn counts_are_those_of_python(index: usize) {
    let encoding = ENCODINGS[index];
    let mut counter = Counter::new(encoding);
    let records = records();
    for Record {
        name, text, counts, ..
    } in &records
    {
        let wanted = counts[index];
        assert_eq!(count(encoding, text), wanted, "{name}");
        assert_eq!(counter.count(text), wanted, "{name}, in pieces");
        let edited = edited(text);
        let whole = count(encoding, &edited);
        assert_eq!(counter.count(&edited), whole, "{name}, edited");
        assert_eq!(counter.count(text), wanted, "{name}, again");
    }
    assert!(records.len() > 700, "the file holds its records");
}

#[test]
fn counts_in_cl100k_base() {
    counts_are_those_of_python(0);
}

#[test]
fn counts_in_o200k_base() {
    counts_are_those_of_python(1);
}

#[test]
fn cuts_are_those_of_the_agent() {
    for Record {
        name, text, cuts, ..
    } in records()
    {
        for (cap, chars, wanted) in cuts {
            let cut = cut_to_tokens(&text, cap).text;
            assert_eq!(cut.chars().count(), chars, "{name} cut to {cap}");
            assert_eq!(sum(&cut), wanted, "{name} cut to {cap}");
        }
    }
}
