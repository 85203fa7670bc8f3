//! How time and memory grow with the workspace.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::amounts::{megabytes, memory};
use super::session::{Session, Start, is_settled, save_by_rename};
use super::table::{median, time};
use super::texts::{ENGLISH, MEGABYTE, text_of};

const SAVES: usize = 7;
const PATIENCE: Duration = Duration::from_mins(2);

/// The heads of the columns.
pub const HEAD: [&str; 6] = [
    "workspace",
    "first counts",
    "per unit",
    "save to screen",
    "save to counts",
    "memory at most",
];

/// Opens workspaces of growing size; the example with more of one thing.
pub fn scale() -> Vec<[String; 6]> {
    let mut rows = Vec::new();
    for count in [10, 100, 1_000, 10_000] {
        rows.push(measured(&format!("{count} skills"), count, |folder| {
            skills(folder, count);
        }));
    }
    for size in [1, 10, 100] {
        rows.push(measured(&format!("{size} MB of history"), size, |folder| {
            history(&folder.join("memory/history.jsonl"), size * MEGABYTE);
        }));
    }
    for size in [1, 10] {
        let what = format!("{size} MB of bootstrap files");
        rows.push(measured(&what, size, |folder| {
            let text = text_of(ENGLISH, size * MEGABYTE);
            fs::write(folder.join("SOUL.md"), text).unwrap();
        }));
    }
    rows
}

fn skills(folder: &Path, count: usize) {
    for number in 0..count {
        let skill = folder.join(format!("skills/tandem-{number}"));
        fs::create_dir_all(&skill).unwrap();
        let text = format!(
            "---\nname: tandem-{number}\ndescription: What to do with tandem {number}.\n---\n\n{}",
            ENGLISH.replace("{}", "Step")
        );
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
}

fn history(file: &Path, size: usize) {
    let mut text = String::new();
    for cursor in 1.. {
        if text.len() >= size {
            break;
        }
        writeln!(
            text,
            r#"{{"cursor": {cursor}, "timestamp": "2026-06-18 10:00", "content": "Mr Ong asked for brake pads, for the {cursor}th time, and paid RM 148."}}"#
        )
        .unwrap();
    }
    fs::write(file, text).unwrap();
}

/// Waits, longer than a test would, until the screen shows what is asked for.
fn wait(session: &Session, holds: impl Fn(&vt100::Screen) -> bool) {
    let end = Instant::now() + PATIENCE;
    while !session.glance(&holds) {
        assert!(Instant::now() < end, "waited in vain:\n{}", session.text());
        thread::sleep(Duration::from_millis(1));
    }
}

/// Opens one workspace and saves a file in it some times.
fn measured(what: &str, units: usize, fill: impl FnOnce(&Path)) -> [String; 6] {
    let start = Start::at(120, 40).directly(env!("CARGO_BIN_EXE_promptscope"));
    fill(&start.workspace());
    let mut session = start.open();
    wait(&session, is_settled);
    let first = session.started.elapsed();
    session.send("2");
    let agents = session.path("AGENTS.md");
    let text = fs::read_to_string(&agents).unwrap();
    let (mut shown, mut counted) = (Vec::new(), Vec::new());
    for round in 0..SAVES {
        let line = format!("Save number {round:04}.");
        let saved = Instant::now();
        save_by_rename(&agents, format!("{line}\n\n{text}"));
        wait(&session, |screen| {
            super::session::text(screen).contains(&line)
        });
        shown.push(saved.elapsed());
        wait(&session, is_settled);
        counted.push(saved.elapsed());
    }
    [
        what.into(),
        time(first),
        time(first / u32::try_from(units).unwrap()),
        time(median(&shown)),
        time(median(&counted)),
        megabytes(memory(&session).1),
    ]
}
