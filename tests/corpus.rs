//! The corpus of the fuzzers, replayed, with a bounded number of mutations of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

mod fuzz;

/// How many mutations of the corpus are tried for each target; `PROMPTSCOPE_FUZZ_CASES` says otherwise.
const CASES: u32 = 300;
/// How many where a case opens a workbench, or may grow to some megabytes.
const FEW_CASES: u32 = 40;

/// What a target is given, shown so that it can be added to the corpus.
struct Input(Vec<u8>);

impl std::fmt::Debug for Input {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "{}", self.0.escape_ascii())
    }
}

/// A change of some bytes.
#[derive(Debug, Clone)]
enum Mutation {
    Flip(Index, u8),
    Remove(Index, usize),
    Repeat(Index, usize),
    Insert(Index, Vec<u8>),
    Splice(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let piece = prop_oneof![
        vec(any::<u8>(), 1..4),
        prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
    ];
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        (any::<Index>(), 1..20_usize).prop_map(|(at, count)| Mutation::Remove(at, count)),
        (any::<Index>(), 1..40_usize).prop_map(|(at, count)| Mutation::Repeat(at, count)),
        (any::<Index>(), piece).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, other)| Mutation::Splice(at, other)),
    ]
}

/// What means something to one of the readers, or to a terminal.
const PIECES: &[&str] = &[
    "---",
    "\n---\n",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\u{1b}[31m",
    "\u{9b}",
    "\u{202e}",
    "\u{200b}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{e0041}",
    "👩",
    "漢",
    "e\u{301}",
    "\t",
    ": ",
    "- ",
    "? ",
    "&a ",
    "*a",
    "<<: ",
    "!!set ",
    "!!binary ",
    "|\n",
    ">-\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\\ud83d",
    "NaN",
    "1e999",
    "0x1F",
    "12:30",
    "2026-01-02",
    "null",
    "true",
    "<!-- INCLUDE ./b.md -->",
    "=== b.md\n",
    "```\n",
    "{{ x }}",
    "{\"cursor\": 1}",
    "{\"role\": \"tool\"}",
    "[host]\n",
    "message = ",
    "\"\"\"",
];

fn mutated(bytes: &[u8], other: &[u8], mutations: &[Mutation]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for mutation in mutations {
        let place = |at: &Index| at.index(bytes.len() + 1);
        match mutation {
            Mutation::Flip(at, bits) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bits;
                }
            }
            Mutation::Remove(at, count) => {
                let at = place(at);
                let end = (at + count).min(bytes.len());
                bytes.drain(at..end);
            }
            Mutation::Repeat(at, count) => {
                let at = place(at);
                let end = (at + count).min(bytes.len());
                let piece = bytes[at..end].repeat(3);
                bytes.splice(at..at, piece);
            }
            Mutation::Insert(at, piece) => {
                let at = place(at);
                bytes.splice(at..at, piece.iter().copied());
            }
            Mutation::Splice(at, from) => {
                let at = place(at);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
    }
    bytes
}

/// Reads the corpus of a target: names and bytes.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let entries = fs::read_dir(folder.join(target)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, Vec<u8>)> = paths
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn replay(target: &str) {
    let (_, run) = fuzz::TARGETS.iter().find(|it| it.0 == target).unwrap();
    let corpus = corpus(target);
    assert!(corpus.len() >= 20, "{target} has {} files", corpus.len());
    for (name, bytes) in &corpus {
        let done = catch_unwind(|| run(bytes));
        assert!(done.is_ok(), "fuzz/corpus/{target}/{name}");
    }
    let few = ["layout", "input", "include"].contains(&target);
    let given = std::env::var("PROMPTSCOPE_FUZZ_CASES");
    let given = given.ok().and_then(|cases| cases.parse().ok());
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig {
            cases: given.unwrap_or(if few { FEW_CASES } else { CASES }),
            failure_persistence: None,
            max_shrink_iters: 60,
            ..ProptestConfig::default()
        },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let strategy = (any::<Index>(), any::<Index>(), vec(mutation(), 1..6));
    let strategy = strategy.prop_map(|(at, other, mutations)| {
        let (bytes, other) = (&at.get(&corpus).1, &other.get(&corpus).1);
        Input(mutated(bytes, other, &mutations))
    });
    let tried = runner.run(&strategy, |Input(bytes)| {
        run(&bytes);
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{target}: {failure}");
    }
}

#[test]
fn front_matter() {
    replay("front_matter");
}

#[test]
fn history() {
    replay("history");
}

#[test]
fn session() {
    replay("session");
}

#[test]
fn include() {
    replay("include");
}

#[test]
fn sanitize() {
    replay("sanitize");
}

#[test]
fn layout() {
    replay("layout");
}

#[test]
fn input() {
    replay("input");
}

#[test]
fn scenario() {
    replay("scenario");
}

#[test]
fn every_target_has_a_fuzzer_and_every_fuzzer_a_target() {
    let manifest = include_str!("../fuzz/Cargo.toml");
    let fuzzers = manifest.lines().filter_map(|line| {
        let name = line.strip_prefix("path = \"fuzz_targets/")?;
        name.strip_suffix(".rs\"")
    });
    let mut fuzzers: Vec<&str> = fuzzers.collect();
    let mut targets: Vec<&str> = fuzz::TARGETS.iter().map(|it| it.0).collect();
    fuzzers.sort_unstable();
    targets.sort_unstable();
    assert_eq!(fuzzers, targets);
}
