//! Bytes to the terminal, memory, and the size of the program.

use std::fs;
use std::time::Duration;

use super::session::{NOW, Session, Start, save_by_rename};
use super::table::{Row, alone};
use super::texts::{CHINESE, CODE, ENGLISH, KILOBYTE, text_of};

/// How many saves the memory is looked at over.
const SAVES: usize = 1_000;

/// The memory of the program in kilobytes: what it holds now, and the most that it ever held.
pub fn memory(session: &Session) -> (usize, usize) {
    let status = fs::read_to_string(format!("/proc/{}/status", session.leader())).unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let figure = line.and_then(|line| line.split_whitespace().next());
        figure.unwrap().parse().unwrap()
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Writes kilobytes as megabytes.
pub fn megabytes(kilobytes: usize) -> String {
    let tenths = kilobytes * 10 / 1024;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

fn start() -> Start {
    Start::at(120, 40)
        .with(&NOW)
        .directly(env!("CARGO_BIN_EXE_promptscope"))
}

/// Counts the bytes of frames at 120×40.
pub fn bytes() -> Vec<Row> {
    let session = start().ready();
    session.wait_for_text("1 error, 1 warning");
    let first = session.raw().len();
    let idle = session.bytes_within(Duration::from_secs(5));
    let mut session = start().ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.bytes_upon("a");
    let letter = session.bytes_upon("b");
    let mut rows = vec![
        alone(
            "bytes from the start to the first counts and findings",
            first.to_string(),
            "–",
        ),
        alone("bytes in five idle seconds", idle.to_string(), "0"),
        alone("bytes for a typed letter", letter.to_string(), "≤ 200"),
    ];
    for (name, line) in [("English", ENGLISH), ("Chinese", CHINESE), ("code", CODE)] {
        let start = start();
        let text = format!("# Counter\n\n{}", text_of(line, 20 * KILOBYTE));
        fs::write(start.workspace().join("AGENTS.md"), text).unwrap();
        let mut session = start.ready();
        session.send("2");
        session.wait_for_text("# Counter");
        session.bytes_upon(&"j".repeat(60));
        let line = session.bytes_upon("j");
        let what = format!("bytes for a scrolled line of {name}");
        rows.push(alone(what, line.to_string(), "≤ 4,096"));
    }
    rows
}

/// Looks at the memory, at first and over many saves.
pub fn memories() -> Vec<Row> {
    let mut session = start().ready();
    session.wait_for_text("1 error, 1 warning");
    let at_first = memory(&session).1;
    let file = session.path("AGENTS.md");
    let text = fs::read_to_string(&file).unwrap();
    session.send("2");
    let mut held = Vec::new();
    for number in 0..SAVES {
        let line = format!("Save number {number:04}.");
        save_by_rename(&file, format!("{line}\n\n{text}"));
        session.wait_for_text(&line);
        if number == SAVES / 10 || number == SAVES - 1 {
            held.push(memory(&session).0);
        }
    }
    let grown = format!("{} → {}", megabytes(held[0]), megabytes(held[1]));
    vec![
        alone(
            "memory at most, the example with one encoding",
            megabytes(at_first),
            "< 100 MB",
        ),
        alone(
            format!("memory held after {} and {SAVES} saves", SAVES / 10),
            grown,
            "flat",
        ),
    ]
}

/// Weighs the program.
pub fn sizes() -> Vec<Row> {
    let bytes = fs::metadata(env!("CARGO_BIN_EXE_promptscope"))
        .unwrap()
        .len();
    let size = format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10);
    vec![alone("the program, stripped", size, "< 15 MB")]
}
