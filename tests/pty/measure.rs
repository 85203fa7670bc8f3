//! How fast it is; these runs assert nothing and are asked for by name.
//!
//! `cargo test --release --test pty measure -- --ignored --nocapture`

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use crate::session::{Start, is_settled};

const SAVES: usize = 50;

/// Says the median and the 95th of a hundred.
fn say(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    let _ = writeln!(
        io::stderr(),
        "{what}: median {:.1?}, p95 {:.1?}, longest {:.1?}",
        at(50),
        at(95),
        at(100)
    );
}

/// Saves one file again and again, with another line in its middle.
fn measure_saves(what: &str, start: Start, key: &str, name: &str, text: &str) {
    let mut session = start.ready();
    session.send(key);
    let path = session.path(name);
    let (first, second) = text.split_at(text[..text.len() / 2].rfind('\n').unwrap() + 1);
    let (mut seen, mut counted) = (Vec::new(), Vec::new());
    for turn in 0..SAVES {
        let beside = path.with_extension("tmp~");
        let line = format!("save number {turn:04}.");
        fs::write(&beside, format!("{first}{line}\n{second}")).unwrap();
        let saved = Instant::now();
        fs::rename(&beside, &path).unwrap();
        session.wait_for_text(&line);
        seen.push(saved.elapsed());
        session.wait_for("the counts", is_settled);
        counted.push(saved.elapsed());
    }
    say(&format!("{what}, rename to line"), seen);
    say(&format!("{what}, rename to counts"), counted);
}

#[test]
#[ignore = "it measures"]
fn measure_the_example() {
    let start = Start::at(120, 40);
    let text = fs::read_to_string(start.workspace().join("AGENTS.md")).unwrap();
    measure_saves("example", start, "2", "AGENTS.md", &text);
}

#[test]
#[ignore = "it measures"]
fn measure_a_megabyte_of_memory() {
    let start = Start::at(120, 40);
    let mut text = String::new();
    for number in 0.. {
        writeln!(
            text,
            "- {number}: Mr Ong's tandem got two new brake pads and a rear wheel for RM 148."
        )
        .unwrap();
        if text.len() > 1 << 20 {
            break;
        }
    }
    fs::write(start.workspace().join("memory/MEMORY.md"), &text).unwrap();
    measure_saves("1 MB memory", start, "4", "memory/MEMORY.md", &text);
}

#[test]
#[ignore = "it measures"]
fn measure_the_start() {
    let (mut first, mut counted) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let session = Start::at(120, 40).script(r#"exec "$@""#).ready();
        counted.push(session.started.elapsed());
        first.push(session.first_byte().unwrap() - session.started);
    }
    say("start to first byte", first);
    say("start to first counts", counted);
}
