//! Things break while it runs, are told, and get well again.

use std::fs;

use crate::session::{Start, is_settled, save_by_rename, text};

#[test]
fn a_workspace_that_is_gone_is_stale_and_comes_back() {
    let mut session = Start::at(80, 24).ready();
    session.send("2");
    session.wait_for_text("How you work");
    let workspace = session.path("");
    let away = session.home.path().join("away");
    fs::rename(&workspace, &away).unwrap();
    session.wait_for_text("Stale:");
    assert!(session.text().contains("How you work"));

    save_by_rename(&away.join("AGENTS.md"), "Changed while it was away.\n");
    fs::rename(&away, &workspace).unwrap();
    session.wait_for_text("Changed while it was away.");
    session.wait_for("fresh numbers", |screen| {
        is_settled(screen) && !text(screen).contains("tale")
    });
    save_by_rename(&session.path("AGENTS.md"), "Changed at home.\n");
    session.wait_for_text("Changed at home.");
}

#[test]
fn broken_settings_are_told_until_they_are_repaired() {
    let session = Start::at(80, 24).ready();
    let path = session.path("promptscope.toml");
    let settings = fs::read_to_string(&path).unwrap();
    let before = session.text();
    save_by_rename(&path, format!("{settings}\n[ui\n"));
    session.wait_for("the problem", |screen| {
        text(screen)
            .lines()
            .last()
            .is_some_and(|footer| footer.contains("promptscope.toml"))
    });
    let body = |shown: &str| shown.lines().take(23).collect::<Vec<_>>().join("\n");
    session.wait_for("the rest as before", |screen| {
        body(&text(screen)) == body(&before)
    });
    save_by_rename(&path, &settings);
    session.wait_for("all as before", |screen| text(screen) == before);
}

#[test]
fn a_file_that_is_no_text_is_told_until_it_is_repaired() {
    let session = Start::at(80, 24).ready();
    let path = session.path("AGENTS.md");
    let before = fs::read(&path).unwrap();
    save_by_rename(&path, b"caf\xe9\n");
    session.wait_for_text("agent fails: UnicodeDecodeError");
    session.wait_for_text("AGENTS.md");
    for other in ["## Runtime", "## Long-term Memory", "# Active Skills"] {
        assert!(session.text().contains(other), "{other}");
    }
    save_by_rename(&path, before);
    session.wait_for("its text", |screen| {
        let shown = text(screen);
        shown.contains("# How you work") && !shown.contains("UnicodeDecodeError")
    });
}

#[cfg(debug_assertions)]
#[test]
fn a_count_that_fails_is_told_and_the_next_save_is_counted() {
    let start = Start::at(100, 24);
    let fault = start.workspace().parent().unwrap().join("fault");
    let session = start
        .env("PROMPTSCOPE_FAULT", fault.to_str().unwrap())
        .ready();
    fs::write(&fault, "panic count").unwrap();
    save_by_rename(&session.path("AGENTS.md"), "Never counted.\n");
    session.wait_for_text("promptscope itself failed to count this");
    fs::remove_file(&fault).unwrap();
    save_by_rename(&session.path("AGENTS.md"), "Counted again.\n");
    session.wait_for("the counts", is_settled);
}
