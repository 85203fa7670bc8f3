//! Keys and passwords in what the headless commands print: dots on a terminal, exact in a pipe.

use std::fs;
use std::process::Command;

use super::session::Start;

/// Put together here, so that none stands here as a key.
fn key() -> String {
    format!("ghp_{}", "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1b2C")
}

fn planted(size: (u16, u16)) -> Start {
    let start = Start::at(size.0, size.1);
    fs::write(
        start.workspace().join("AGENTS.md"),
        format!("Use {}.\n", key()),
    )
    .unwrap();
    start
}

#[test]
fn a_terminal_gets_dots_unless_keys_are_asked_for_and_a_pipe_gets_all() {
    for (args, is_shown) in [
        (
            &["render", "workspace", "--section", "bootstrap_files"][..],
            false,
        ),
        (
            &[
                "render",
                "workspace",
                "--section",
                "bootstrap_files",
                "--show-secrets",
            ],
            true,
        ),
        (&["compile", "workspace", "--dry-run"], false),
    ] {
        let start = planted((120, 40));
        let mut session = start.with_only(args).open();
        session.wait_exit();
        let shown = String::from_utf8(session.raw()).unwrap();
        assert!(shown.contains("Use "), "{args:?}: {shown}");
        assert_eq!(shown.contains(&key()), is_shown, "{args:?}: {shown}");
        assert_eq!(shown.contains("Use ••••"), !is_shown, "{args:?}: {shown}");
        let piped = Command::new(env!("CARGO_BIN_EXE_promptscope"))
            .args(args)
            .current_dir(session.home.path())
            .output()
            .unwrap();
        let piped = String::from_utf8(piped.stdout).unwrap();
        assert!(piped.contains(&key()), "{args:?}: {piped}");
    }
}

#[test]
fn the_workbench_shows_keys_where_it_is_started_so() {
    let mut session = planted((120, 40)).ready();
    session.send("2");
    session.wait_for_text("Use ••••");
    assert!(!session.text().contains(&key()));
    session.send("K");
    session.wait_for_text(&key());
    session.send("q");
    session.ends_with(0);
    let mut session = planted((120, 40)).with(&["--show-secrets"]).ready();
    session.send("2");
    session.wait_for_text(&key());
    session.send("q");
    session.ends_with(0);
}
