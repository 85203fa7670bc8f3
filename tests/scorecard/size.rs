//! Size and time: files that are far too long, and saves without end.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::Process;
use crate::row::{Outcome, Row, Scale, percentile, tried};
use crate::session::{NOW, Session, Start, is_settled, save_by_rename, text};

/// The rows of this group.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            id: "S16",
            measure: "size: a memory file, a history",
            target: "a key within 100 ms (p95); in full 500 MB and 250 MB, else 120 MB and 14 times the file",
            run: sizes,
            is_brief: false,
        },
        Row {
            id: "S17",
            measure: "soak: saves without end",
            target: "at most 10 MB grown after the first fifth; descriptors, threads, watches flat",
            run: soak,
            is_brief: false,
        },
    ]
}

const MEGABYTE: usize = 1 << 20;

/// Fills a file with lines, as long as it is to be.
fn fill(path: &Path, megabytes: usize, line: impl Fn(usize) -> String) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for number in 0.. {
        let line = line(number);
        writeln!(file, "{line}").unwrap();
        written += line.len() + 1;
        if written > megabytes * MEGABYTE {
            break;
        }
    }
    file.flush().unwrap();
}

/// What one long file did.
struct Reached {
    latencies: Vec<Duration>,
    highest: u64,
    settled: Option<Duration>,
}

/// Opens a workspace with one long file, and presses keys until every count is there or time is up.
fn press_keys(file: &str, megabytes: usize, line: impl Fn(usize) -> String) -> Reached {
    let start = Start::at(100, 30).with(&NOW);
    fill(&start.workspace().join(file), megabytes, line);
    let mut session = start.open();
    session.wait_for_text("promptscope");
    let process = Process(session.pid());
    let end = Instant::now() + Duration::from_mins(2);
    let mut latencies = Vec::new();
    let mut settled = None;
    while Instant::now() < end && (settled.is_none() || latencies.len() < 20) {
        latencies.push(press(&mut session, "?", true));
        latencies.push(press(&mut session, "\x1b", false));
        if settled.is_none() && session.glance(is_settled) {
            settled = Some(session.started.elapsed());
        }
        session.bytes_within(Duration::from_millis(50));
    }
    let highest = process.kilobytes("VmHWM:") / 1024;
    session.signal("TERM");
    session.ends_with(143);
    Reached {
        latencies,
        highest,
        settled,
    }
}

/// Presses a key; gives how long the help took to come or go.
fn press(session: &mut Session, key: &str, opens: bool) -> Duration {
    let pressed = Instant::now();
    session.send(key);
    session.wait_for("the help", |screen| {
        text(screen).contains("Overview and section") == opens
    });
    pressed.elapsed()
}

fn sizes(scale: Scale) -> Outcome {
    let (memory, history) = (scale.of(1, 10, 100), scale.of(1, 10, 1024));
    let mut figures = Vec::new();
    let mut faults = Vec::new();
    for (name, file, size, most) in [
        ("memory", "memory/MEMORY.md", memory, 500),
        ("history", "memory/history.jsonl", history, 250),
    ] {
        let bound = match scale {
            Scale::Full => most,
            // The other variant of the example is assembled as well, which takes the file once more.
            _ => 120 + 14 * size as u64,
        };
        faults.extend(tried(name, || {
            let mut reached = press_keys(file, size, |number| {
                let fact = format!("- {number}: Mr Ong's tandem got two new brake pads for RM 148.");
                match name {
                    "memory" => fact,
                    _ => format!(
                        r#"{{"cursor": {number}, "timestamp": "2026-06-19 09:00", "content": "{fact}"}}"#
                    ),
                }
            });
            let count = reached.latencies.len();
            let p95 = percentile(&mut reached.latencies, 95);
            let longest = percentile(&mut reached.latencies, 100);
            figures.push(format!(
                "{name} of {size} MB: {count} keys, p95 {} ms, longest {} ms, {} MB at most, counts after {:.1?}",
                p95.as_millis(),
                longest.as_millis(),
                reached.highest,
                reached.settled,
            ));
            let slack = Duration::from_millis(100) * scale.slack();
            assert!(p95 <= slack, "a key took {p95:?}");
            assert!(reached.highest <= bound, "{} MB are over {bound}", reached.highest);
        }));
    }
    Outcome::new(figures.join("; "), faults)
}

/// What the process holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    descriptors: usize,
    threads: usize,
    watches: usize,
}

fn soak(scale: Scale) -> Outcome {
    let count = scale.of(100, 1_000, 50_000);
    let mut session = Start::at(100, 30).with(&NOW).ready();
    session.send("2");
    session.wait_for_text("How you work");
    let process = Process(session.pid());
    let files = ["AGENTS.md", "SOUL.md", "USER.md"];
    let held = |session: &Session| {
        session.wait_for("the counts", is_settled);
        Held {
            descriptors: process.descriptors(),
            threads: process.threads(),
            watches: process.watches(),
        }
    };
    let (mut first, mut grown_from) = (None, 0);
    for turn in 0..count {
        let path = session.path(files[turn % files.len()]);
        let line = format!("Save number {turn:05} of many.");
        if turn % 2 == 0 {
            save_by_rename(&path, &line);
        } else {
            fs::write(&path, &line).unwrap();
        }
        // Some are waited for; those between come as fast as they can be taken in.
        if turn % 5 == 4 {
            session.wait_for_text(&line);
        }
        if turn + 1 == count / 5 {
            first = Some(held(&session));
            grown_from = process.kilobytes("VmRSS:");
        }
    }
    let last = held(&session);
    let grown = process.kilobytes("VmRSS:").saturating_sub(grown_from) / 1024;
    session.send("q");
    session.ends_with(0);
    let mut faults = Vec::new();
    if first != Some(last) {
        faults.push(format!("{first:?} became {last:?}"));
    }
    if grown > 10 {
        faults.push(format!("it grew by {grown} MB"));
    }
    Outcome::new(format!("{count} saves: {grown} MB grown, {last:?}"), faults)
}
