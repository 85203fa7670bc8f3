//! Parts of the program against what else would do their work, in one process.

use std::fs;
use std::sync::Arc;

use promptscope::display::highlight::{Highlighter, Language, Outline};
use promptscope::tokens::{Counter, Encoding};
use tiktoken_rs::CoreBPE;

use super::bench::{self, Bench};
use super::table::{Pair, Row, timed};
use super::texts::{CHINESE, CODE, ENGLISH, KILOBYTE, MEGABYTE, copy, halves, text_of};

const ROUNDS: usize = 21;

/// The two encodings that have tables of their own, each with the tokenizer to compare with.
fn encodings() -> [(Encoding, &'static CoreBPE); 2] {
    [
        (Encoding::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
        (Encoding::O200kBase, tiktoken_rs::o200k_base_singleton()),
    ]
}

/// Counts a text again in which one line is another than before, against a full count: save upon save, and
/// where other work has filled the caches in between.
pub fn recounts() -> Vec<Row> {
    let encodings = encodings().into_iter();
    encodings
        .flat_map(|it| [recount(it, false), recount(it, true)])
        .collect()
}

fn recount((encoding, tokenizer): (Encoding, &CoreBPE), is_cold: bool) -> Row {
    let text = text_of(ENGLISH, MEGABYTE);
    let (before, after) = halves(&text);
    let edited = |round: usize| -> Arc<str> {
        format!("{before}An edit, the {round}th of its kind.\n{after}").into()
    };
    let mut counter = Counter::new(encoding);
    counter.count_shared(&edited(ROUNDS), 0..edited(ROUNDS).len());
    let mut counts = Vec::new();
    // What was shown before is shown until the new one is there.
    let mut shown = Vec::new();
    let ours = |round| {
        let text = edited(round);
        shown.push(text.clone());
        counter.end_round();
        timed(|| counts.push(counter.count_shared(&text, 0..text.len())))
    };
    let theirs = |round| {
        let text = edited(round);
        timed(|| tokenizer.encode_ordinary(&text))
    };
    let (pair, when) = if is_cold {
        (Pair::told(ROUNDS, ours, theirs), ", after other work")
    } else {
        (Pair::apart(ROUNDS, ours, theirs), "")
    };
    for (round, count) in counts.into_iter().enumerate() {
        let full = tokenizer.encode_ordinary(&edited(round)).len();
        assert_eq!(count, full, "the counts differ");
    }
    let what = format!("count again after an edit of a line in 1 MB, {encoding}{when}");
    let target = if is_cold { "–" } else { "≥ 500×" };
    pair.faster(what, "tiktoken-rs, all of it", target)
}

/// Counts whole texts that were never seen.
pub fn counts() -> Vec<Row> {
    let mut rows = Vec::new();
    for (encoding, tokenizer) in encodings() {
        for (name, line) in [("English", ENGLISH), ("Chinese", CHINESE), ("code", CODE)] {
            let text = text_of(line, MEGABYTE);
            let full = tokenizer.encode_ordinary(&text).len();
            let pair = Pair::measured(
                ROUNDS,
                |_| assert_eq!(Counter::new(encoding).count(&text), full),
                |_| tokenizer.encode_ordinary(&text),
            );
            let what = format!("count 1 MB of {name} for the first time, {encoding}");
            rows.push(pair.faster(what, "tiktoken-rs", "–"));
        }
    }
    rows
}

/// Draws the middle and the end of a long section, against its top.
pub fn draws() -> Vec<Row> {
    const SIZE: usize = 200 * KILOBYTE;
    let folder = tempfile::tempdir().unwrap();
    copy(&bench::example(), folder.path());
    fs::write(folder.path().join("AGENTS.md"), text_of(ENGLISH, SIZE)).unwrap();
    let open = |share: usize| {
        let mut bench = Bench::open_on(folder.path().to_path_buf(), (120, 40));
        bench.keys(&["2"]);
        bench.buffer();
        for _ in 0..SIZE / ENGLISH.len() * share / 100 / 30 {
            bench.keys(&["PgDn"]);
        }
        bench.buffer();
        bench
    };
    let row = |(name, share)| {
        let (mut there, mut top) = (open(share), open(0));
        let pair = Pair::measured(ROUNDS * 5, |_| there.buffer(), |_| top.buffer());
        let what = format!("draw the {name} of a section of 200 KB at 120×40");
        pair.longer(what, "its top", "≤ 1×, within the noise")
    };
    [("middle", 50), ("end", 100)].map(row).into()
}

/// Colours Markdown, against a pass of a parser of Markdown that colours nothing.
pub fn highlights() -> Vec<Row> {
    let text = text_of(ENGLISH, 100 * KILOBYTE);
    let highlighter = Highlighter::new();
    let outline = Outline::new(&text, Language::Markdown);
    assert_eq!(highlighter.lines(&text, &outline, 0..1).len(), 1);
    let lines = outline.line_count();
    let parse = |_| pulldown_cmark::Parser::new(&text).count();
    let all = Pair::measured(
        ROUNDS,
        |_| {
            let outline = Outline::new(&text, Language::Markdown);
            highlighter.lines(&text, &outline, 0..lines)
        },
        parse,
    );
    let window = Pair::measured(
        ROUNDS,
        |_| {
            let outline = Outline::new(&text, Language::Markdown);
            highlighter.lines(&text, &outline, lines / 2..lines / 2 + 60)
        },
        parse,
    );
    let other = "a pass of pulldown-cmark";
    vec![
        all.longer("colour all of 100 KB of Markdown", other, "–"),
        window.longer(
            "outline 100 KB of Markdown and colour 60 lines of it",
            other,
            "–",
        ),
    ]
}
