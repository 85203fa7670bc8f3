//! Every screen and overlay at every size that is too small, and at those just large enough.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

mod fuzz;

use fuzz::screens::{WAYS, is_clean, open};

/// Something of everything: wide letters, emoji, accents, marks, a table and code.
const TEXT: &str = "# 标题 🦀\n\nplain words\te\u{301} 👩\u{200d}🚀 \u{202e}\u{1b}[31m\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n";

/// Demands that no size panics, and that none leaves anything behind.
fn at_every_size(ways: &[&[&str]]) {
    for keys in ways {
        let mut bench = open(TEXT, (100, 30));
        bench.keys(keys);
        for width in 0..=60 {
            for height in 0..=30 {
                bench.resize(width, height);
                bench.buffer();
            }
        }
        is_clean(&mut bench);
        bench.resize(100, 30);
        is_clean(&mut bench);
    }
}

#[test]
fn first_half() {
    at_every_size(&WAYS[..WAYS.len() / 2]);
}

#[test]
fn second_half() {
    at_every_size(&WAYS[WAYS.len() / 2..]);
}
