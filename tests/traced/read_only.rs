//! Whatever is run, nothing in the workspace is changed, and nothing is tried that would change it.

use std::fs;
use std::process::Command;

use super::session::{Start, copy_folder, example};
use super::trace::{CALLS, Traced, World, calls, changes, is_there};

/// Makes a world with a copy of the example, committed to git.
fn world() -> World {
    let world = World::new();
    let workspace = world.path("workspace");
    copy_folder(&example(), &workspace);
    fs::write(workspace.join(".gitignore"), "memory/history.jsonl\n").unwrap();
    for args in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["commit", "-q", "-m", "first"],
    ] {
        let who = ["-c", "user.name=Mei", "-c", "user.email=mei@example.org"];
        let status = Command::new("git")
            .args(who)
            .args(args)
            .current_dir(&workspace)
            .env("HOME", world.path("home"))
            .status();
        assert!(status.unwrap().success(), "{args:?}");
    }
    world
}

fn leaves_it(world: &World, run: &Traced, args: &[&str]) {
    let changes = changes(&run.calls, &world.path("workspace"));
    assert!(changes.is_empty(), "{args:?}: {changes:#?}");
    let reads = run
        .calls
        .iter()
        .any(|call| call.is_in(&world.path("workspace")));
    let needs_none = ["completions", "man", "--print-config"].contains(&args[0]);
    assert!(
        reads || needs_none || args.contains(&"--rules"),
        "{args:?} read nothing: {}",
        run.err
    );
}

#[test]
fn no_command_changes_anything_in_a_workspace() {
    if !is_there() {
        return;
    }
    let world = world();
    for (args, code) in [
        (&["render", "workspace"][..], 0),
        (&["render", "workspace", "--format", "json"], 0),
        (&["render", "workspace", "--format", "messages"], 0),
        (&["render", "workspace", "--section", "memory"], 0),
        (
            &[
                "render",
                "workspace",
                "--session",
                "new:one",
                "--message",
                "hi",
            ],
            0,
        ),
        (
            &[
                "render",
                "workspace",
                "--scenario",
                "workspace/scenarios/email-order.toml",
            ],
            0,
        ),
        (&["check", "workspace"], 1),
        (
            &[
                "check",
                "workspace",
                "--format",
                "json",
                "--cache",
                "--advise",
            ],
            1,
        ),
        (&["check", "workspace", "--format", "sarif"], 1),
        (&["check", "workspace", "--format", "junit"], 1),
        (&["check", "workspace", "--format", "github"], 1),
        (&["check", "--rules"], 0),
        (&["diff", "workspace"], 0),
        (&["diff", "workspace", "HEAD", "--format", "json"], 0),
        (&["history", "workspace", "--heaviest"], 0),
        (&["matrix", "workspace", "--message", "hi"], 0),
        (&["verify", "workspace"], 2),
        (&["list", "workspace"], 0),
        (&["show", "agents-file", "workspace"], 0),
        (&["assign", "tone", "user_1", "--workspace", "workspace"], 0),
        (&["compile", "workspace", "--dry-run"], 0),
        (&["compile", "workspace", "--check"], 0),
        (&["compile", "workspace", "--dry-run", "--rev", "HEAD"], 0),
        (&["compile", "workspace"], 0),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&["--print-config"], 0),
    ] {
        let run = world.run(args);
        assert_eq!(run.code, Some(code), "{args:?}: {}{}", run.out, run.err);
        leaves_it(&world, &run, args);
    }
}

#[test]
fn what_is_asked_to_write_writes_what_it_says_and_no_more() {
    if !is_there() {
        return;
    }
    let world = world();
    world.write("workspace/prompts/soul-warm.md", "Be warm.\n");
    let allowed = |args: &[&str], files: &[&str]| {
        let run = world.run(args);
        let workspace = world.path("workspace");
        let changed = run
            .calls
            .iter()
            .filter(|call| call.is_mutating() && call.is_in(&workspace));
        let mut put_in_place = Vec::new();
        for call in changed {
            let names: Vec<String> = call
                .paths
                .iter()
                .filter_map(|path| path.strip_prefix(&workspace).ok())
                .map(|path| path.display().to_string())
                .collect();
            for name in names {
                let is_beside = name.starts_with(".promptscope-");
                let is_allowed = files.contains(&name.as_str());
                assert!(name.is_empty() || is_beside || is_allowed, "{}", call.line);
                if call.name.starts_with("rename") && is_allowed {
                    put_in_place.push(name);
                }
            }
        }
        put_in_place.sort();
        assert_eq!(put_in_place, files, "{args:?}: {}{}", run.out, run.err);
    };
    allowed(
        &["compile", "workspace"],
        &["SOUL.md", "promptscope-manifest.json"],
    );
    allowed(
        &["check", "workspace", "--update-baseline"],
        &["promptscope-baseline.json"],
    );
}

/// Notes what the program does on its terminal.
const TRACED: &str = r#"
mkdir "$HOME/traces"
exec strace -ff -y --seccomp-bpf -s 4096 -e "$CALLS" -o "$HOME/traces/t" "$@"
"#;

#[test]
fn the_workbench_changes_nothing_in_a_workspace() {
    if !is_there() {
        return;
    }
    let start = Start::at(120, 40).script(TRACED).env("CALLS", CALLS);
    let mut session = start.ready();
    for (keys, shown) in [
        ("2", "Bootstrap Files"),
        ("d", "no git repository"),
        ("\x7f", "Message"),
        ("f", "ndings"),
        ("q", "Message"),
        ("a", "istory"),
        ("q", "Message"),
        ("w ", "skill"),
        ("q", "Message"),
        ("s", "telegram:12345"),
        ("q", "Message"),
        ("S", "email-order"),
        ("q", "Message"),
        ("mhello", "hello"),
    ] {
        session.send(keys);
        session.wait_for_text(shown);
    }
    session.send("\x03");
    assert_eq!(session.wait_exit(), 0, "{}", session.text());
    let home = fs::canonicalize(session.home.path()).unwrap();
    let found = changes(&calls(&home.join("traces"), &home), &home.join("workspace"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_line_mode_changes_nothing_in_a_workspace() {
    if !is_there() {
        return;
    }
    let start = Start::at(120, 40).script(TRACED).env("CALLS", CALLS);
    let mut session = start.with(&["--plain"]).open();
    session.wait_for_text("request");
    session.send("\x03");
    session.wait_exit();
    let home = fs::canonicalize(session.home.path()).unwrap();
    let found = changes(&calls(&home.join("traces"), &home), &home.join("workspace"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_demo_writes_its_copy_alone() {
    if !is_there() {
        return;
    }
    let start = Start::at(120, 40).script(TRACED).env("CALLS", CALLS);
    let mut session = start.with_only(&["--demo"]).ready();
    session.send("\x03");
    assert_eq!(session.wait_exit(), 0, "{}", session.text());
    let home = fs::canonicalize(session.home.path()).unwrap();
    let calls = calls(&home.join("traces"), &home);
    let found = changes(&calls, &home.join("workspace"));
    assert!(found.is_empty(), "{found:#?}");
    // What it wrote is gone again, and stood nowhere but in a folder for such things.
    let elsewhere: Vec<&str> = calls
        .iter()
        .filter(|call| call.is_mutating())
        .filter(|call| !call.is_in(&std::env::temp_dir()) && !call.is_in("/dev".as_ref()))
        .map(|call| call.line.as_str())
        .collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
}
