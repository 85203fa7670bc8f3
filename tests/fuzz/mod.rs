//! What must hold for any bytes: one function for each target, called by `tests/corpus.rs` with the committed
//! corpus and by the fuzzers in `fuzz/` with bytes of their own.

#![allow(dead_code, reason = "a fuzzer uses one of them")]

pub mod marks;
mod parsers;
pub mod screens;
mod texts;

pub use parsers::{front_matter, history, include, scenario, session};
pub use screens::{input, layout};
pub use texts::sanitize;

/// A target: its name, which is that of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 8] = [
    ("front_matter", front_matter),
    ("history", history),
    ("session", session),
    ("include", include),
    ("sanitize", sanitize),
    ("layout", layout),
    ("input", input),
    ("scenario", scenario),
];

/// Reads bytes as a file is read: the valid part of UTF-8, with line ends as LF.
fn read_as_text(bytes: &[u8]) -> String {
    promptscope::python::text::universal_newlines(String::from_utf8_lossy(bytes).into_owned())
}
