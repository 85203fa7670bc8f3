//! In a shell's pipelines: readers that leave, full disks, closed descriptors. Nothing panics, the exit codes
//! are those of the README, and the same again gives the same bytes.

use std::fs;

use super::support::{NOW, Run, World, finish};

/// A pipeline, in which `P` is the program and `AT` an instant, and the exit code of the program.
type Pipeline = (&'static str, i32);

/// The program's own exit code is written beside the pipeline; a shell tells that of the last command.
const LEAVES: [Pipeline; 12] = [
    ("P render workspace AT | head -1", 141),
    ("P render workspace AT --format json | head -1", 141),
    ("P render workspace AT --format messages | head -c 1", 141),
    ("P render workspace AT --section memory | head -1", 141),
    ("P render workspace AT --format json | true", 141),
    ("P history workspace --format json | head -1", 141),
    ("P render workspace AT --message hello | sed q", 141),
    (
        "P check workspace --encoding r50k_base --format json | head -c 1",
        141,
    ),
    ("P show large workspace | head -1", 141),
    ("(trap '' PIPE; P render workspace AT | head -1)", 141),
    ("P render workspace AT | cat | head -1", 141),
    ("P render workspace AT < /dev/null | tail -c 1", 0),
];

const ENDS: [Pipeline; 20] = [
    ("P render workspace AT >&-", 0),
    ("P render workspace AT 2>&-", 0),
    ("P render workspace AT <&- | tail -1", 0),
    ("P render workspace AT <&- >&- 2>&-", 0),
    ("P check workspace --encoding r50k_base >&-", 0),
    ("P render workspace AT > /dev/full", 2),
    ("P render workspace AT --format json > /dev/full", 2),
    ("P check workspace --encoding r50k_base > /dev/full", 2),
    ("P history workspace > /dev/full", 2),
    ("P matrix workspace AT --message hello > /dev/full", 2),
    ("P list workspace > /dev/full", 2),
    ("P man > /dev/full", 2),
    ("P completions bash > /dev/full", 2),
    ("P --help > /dev/full", 2),
    ("P --version > /dev/full", 2),
    ("P --print-config > /dev/full", 2),
    ("P render none 2> /dev/full", 2),
    ("P render none > /dev/full 2> /dev/full", 2),
    ("P --chanel 2> /dev/full", 2),
    ("P render workspace AT 2> /dev/full | tail -1", 0),
];

/// Runs a pipeline in a shell; gives the program's own exit code in place of the shell's.
fn piped(world: &World, pipeline: &str) -> Run {
    let program = format!("{{ '{}'", env!("CARGO_BIN_EXE_promptscope"));
    // What follows the program up to the first reader belongs to it.
    let (before, rest) = pipeline.split_once("P ").unwrap();
    let (own, readers) = match rest.split_once('|') {
        Some((own, readers)) => (own, format!("|{readers}")),
        None => (rest.trim_end_matches(')'), String::new()),
    };
    let own = own.replace("AT", &format!("--now {NOW}"));
    let script = format!("{before}{program} {own}; echo $? > code; }} {readers}");
    let run = finish(world.program("/bin/sh", &["-c", &script]));
    let code = fs::read_to_string(world.path("code")).unwrap();
    fs::remove_file(world.path("code")).unwrap();
    Run {
        code: Some(code.trim().parse().unwrap()),
        ..run
    }
}

fn each(pipelines: &[Pipeline]) {
    let mut world = World::small();
    world.set("PATH", "/usr/bin:/bin");
    // More than a pipe holds, so that a reader that leaves is noticed.
    let large = "A line of the memory, and a \"quoted\" word.\n".repeat(8_000);
    world.write("workspace/memory/MEMORY.md", &large);
    world.write("workspace/prompts/large.md", &large);
    let entry = r#"{"cursor": 1, "timestamp": "2026-06-18 10:00", "content": "did it"}"#;
    let entries = format!("{entry}\n").repeat(2_000);
    world.write("workspace/memory/history.jsonl", entries);
    let vague = "Act as appropriate, handle it properly and so on.\n\n".repeat(1_000);
    world.write("workspace/USER.md", vague);
    for (pipeline, code) in pipelines {
        let first = piped(&world, pipeline);
        assert_eq!(first.code, Some(*code), "{pipeline}: {}", first.err);
        assert!(!first.err.contains("panicked"), "{pipeline}: {}", first.err);
        if *code == 141 {
            let is_note = |line: &str| line.starts_with("note: ");
            assert!(first.err.lines().all(is_note), "{pipeline}: {}", first.err);
        }
        let again = piped(&world, pipeline);
        let said = |run: Run| (run.code, run.out, run.err);
        assert_eq!(said(first), said(again), "{pipeline}");
    }
}

#[test]
fn a_reader_that_leaves_early_ends_it_quietly() {
    each(&LEAVES);
}

#[test]
fn a_full_disk_and_closed_descriptors_panic_nothing() {
    each(&ENDS);
}

#[test]
fn an_escape_in_what_was_typed_is_not_said_again() {
    let world = World::small();
    let odd = "\u{1b}[31m\u{202e}x";
    world.write(&format!("workspace/skills/{odd}/SKILL.md"), b"\xff");
    for args in [
        &["render", odd][..],
        &["render", "workspace", "--section", odd],
        &[&format!("--{odd}")],
        &["render", "workspace"],
        &["check", odd],
        &["show", odd, "workspace"],
    ] {
        let run = world.run(args);
        assert_ne!(run.code, Some(0), "{args:?}");
        assert!(run.err.contains("⟨U+202E⟩x"), "{args:?}: {}", run.err);
        assert!(!run.err.contains(['\u{1b}', '\u{202e}']), "{args:?}");
    }
}
