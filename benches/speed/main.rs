//! How fast the program is, each thing against what else would do its work, in turns of one run.
//!
//! `cargo bench` prints every table, `cargo bench -- NAME` the rows of the groups that are named. Nothing
//! here asserts a time; what both sides compute has to be equal.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be taken ends the run"
)]

mod amounts;
#[path = "../../tests/bench/mod.rs"]
mod bench;
mod parts;
mod reference;
mod saves;
mod scale;
#[allow(dead_code, reason = "the measurements use a part of it")]
#[path = "../../tests/pty/session.rs"]
mod session;
mod start;
mod table;
mod texts;

use table::Row;

/// A group of measurements, by its name.
type Group = (&'static str, fn() -> Vec<Row>);

const GROUPS: [Group; 10] = [
    ("start", start::starts),
    ("save", saves::saves),
    ("recount", parts::recounts),
    ("count", parts::counts),
    ("draw", parts::draws),
    ("highlight", parts::highlights),
    ("reference", reference::references),
    ("bytes", amounts::bytes),
    ("memory", amounts::memories),
    ("size", amounts::sizes),
];

const HEAD: [&str; 5] = ["what", "here", "the other side", "in proportion", "target"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    match asked.first().map(String::as_str) {
        Some(start::BARE) => return start::bare(),
        Some(start::TOKENIZER) => return start::tokenizer(),
        _ => {}
    }
    let asked: Vec<String> = asked
        .into_iter()
        .filter(|it| !it.starts_with("--"))
        .collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|it| it == name);
    let mut rows = Vec::new();
    for (_, group) in GROUPS.iter().filter(|(name, _)| is_asked(name)) {
        rows.extend(group());
    }
    if !rows.is_empty() {
        table::print(HEAD, &rows).unwrap();
    }
    if is_asked("scale") {
        table::print(scale::HEAD, &scale::scale()).unwrap();
    }
}
