//! `diff`, `history` and `matrix` through the binary.

use std::process::Command;

use promptscope::python::Value;

use super::support::{World, at, list, number, text};

fn git(world: &World, args: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args)
        .current_dir(world.path("workspace"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
}

fn committed() -> World {
    let world = World::empty();
    world.write(
        "workspace/AGENTS.md",
        "# Rules\n\nAnswer in one sentence.\n",
    );
    world.write(
        "workspace/skills/a/SKILL.md",
        "---\ndescription: D\n---\nB\n",
    );
    git(&world, &["init", "-q"]);
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-q", "-m", "first"]);
    world
}

#[test]
fn a_prompt_is_compared_with_a_revision_and_nothing_is_touched() {
    let world = committed();
    let same = world.run(&["diff", "workspace", "--stat"]).exits(0);
    assert!(
        !same.out.contains('+') && !same.out.contains("other text"),
        "{}",
        same.out
    );
    world.write(
        "workspace/AGENTS.md",
        "# Rules\n\nAnswer in one good sentence.\n",
    );
    let run = world.run(&["diff", "workspace", "HEAD"]).exits(0);
    assert!(run.out.contains("-Answer in one sentence."), "{}", run.out);
    assert!(
        run.out.contains("+Answer in one good sentence."),
        "{}",
        run.out
    );
    let report = world
        .run(&["diff", "workspace", "--format", "json"])
        .exits(0)
        .json();
    assert_eq!(text(&report, "revision.subject"), "first");
    let section = &list(&report, "sections")[1];
    assert_eq!(number(section, "now"), number(section, "before") + 1);
    assert_eq!(number(section, "change"), 1);
    assert_eq!(at(&list(&report, "sections")[0], "diff"), &Value::None);
    assert_eq!(number(&report, "system_prompt.change"), 1);
    let status = Command::new("git")
        .args(["status", "--short"])
        .current_dir(world.path("workspace"))
        .output();
    assert_eq!(status.unwrap().stdout, b" M AGENTS.md\n");
}

#[test]
fn an_agent_that_would_fail_is_no_saving() {
    let world = committed();
    world.write("workspace/AGENTS.md", b"\xff");
    let run = world.run(&["diff", "workspace"]).exits(1);
    assert!(
        run.err
            .contains("on the workspace the agent would fail with UnicodeDecodeError"),
        "{}",
        run.err
    );
    let run = world.run(&["matrix", "workspace"]).exits(1);
    assert!(run.err.contains("UnicodeDecodeError"), "{}", run.err);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let world = committed();
    let run = world
        .run(&["diff", "workspace", "no-such-revision"])
        .exits(2);
    assert!(
        run.err.contains("no revision \"no-such-revision\""),
        "{}",
        run.err
    );
    let world = World::small();
    let run = world.run(&["diff", "workspace"]).exits(2);
    assert!(run.err.contains("in no git repository"), "{}", run.err);
}

#[test]
fn every_line_of_the_history_has_its_fate() {
    let world = World::empty();
    let entry = |cursor: usize, key: &str, content: &str| {
        format!(
            "{{\"cursor\": {cursor}, \"timestamp\": \"2026-01-02 03:0{}\", \"content\": \"{content}\", \"session_key\": {key}}}\n",
            cursor % 10
        )
    };
    let mut history = entry(1, "null", "old") + &entry(2, "\"cli:a\"", "other") + "{\"cursor\": \n";
    for cursor in 3..60 {
        history += &entry(
            cursor,
            "\"cli:b\"",
            &"word ".repeat(if cursor == 58 { 9000 } else { 5 }),
        );
    }
    world.write("workspace/memory/history.jsonl", history);
    world.write("workspace/memory/.dream_cursor", "1");
    world.write(
        "workspace/sessions/cli_b.jsonl",
        "{\"_type\": \"metadata\", \"key\": \"cli:b\"}\n",
    );
    let args = [
        "history",
        "workspace",
        "--session",
        "cli:b",
        "--format",
        "json",
    ];
    let report = world.run(&args).exits(0).json();
    let entries = list(&report, "entries");
    let fates: Vec<&str> = entries.iter().map(|entry| text(entry, "fate")).collect();
    assert_eq!(
        fates[..4],
        [
            "before the cursor",
            "other session",
            "malformed",
            "over the count"
        ]
    );
    assert_eq!(fates.iter().filter(|fate| **fate == "in").count(), 48);
    assert_eq!(fates[fates.len() - 2..], ["cut in part", "cut"]);
    assert_eq!(number(&report, "cut.line"), 59);
    assert!(number(&report, "cut.characters") > 30_000);
    let heaviest = world
        .run(&["history", "workspace", "--session", "cli:b", "--heaviest"])
        .exits(0);
    assert!(
        heaviest
            .out
            .lines()
            .next()
            .unwrap()
            .trim_start()
            .starts_with("59 "),
        "{}",
        heaviest.out
    );
    assert!(
        heaviest.out.contains("cut in line 59 after"),
        "{}",
        heaviest.out
    );
}

#[test]
fn one_message_goes_over_every_channel() {
    let world = World::small();
    let report = world
        .run(&["matrix", "workspace", "--message", "hi", "--format", "json"])
        .exits(0)
        .json();
    let turns = list(&report, "turns");
    assert_eq!(turns.len(), 11);
    assert_eq!(list(&turns[0], "differs"), []);
    let email = turns
        .iter()
        .find(|turn| text(turn, "channel") == "email")
        .unwrap();
    let parts: Vec<&str> = list(email, "differs")
        .iter()
        .map(|part| text(part, "part"))
        .collect();
    assert!(parts.contains(&"Identity"), "{parts:?}");
    let named = [
        "matrix",
        "workspace",
        "--channels",
        "cli,email",
        "--senders",
        "a,b",
    ];
    let run = world.run(&named).exits(0);
    assert_eq!(run.out.lines().count(), 5, "{}", run.out);
}
