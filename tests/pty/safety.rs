//! What it must never do: write to the workspace, or let content reach the terminal raw.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::session::{Session, Start, is_settled, text};

/// Goes through the screens and ends.
fn visit_everything(session: &mut Session) {
    for (key, shown) in [
        ("2", "## AGENTS.md"),
        ("4", "# Memory"),
        ("6", "# Skills"),
        ("?", "Overview and section"),
        ("\x1b", "Esc back  1-8"),
        ("m", "Tab field"),
    ] {
        session.send(key);
        session.wait_for_text(shown);
    }
    session.send("Hello there");
    session.wait_for("the merged message", |screen| {
        text(screen).matches("Hello there").count() > 1 && is_settled(screen)
    });
    session.send("\x03");
    session.ends_with(0);
}

/// Each path below a folder, with its time and its bytes.
fn listing(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = if path.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            let time = fs::symlink_metadata(&path).unwrap().modified().unwrap();
            found.insert(path, (time, bytes));
        }
        let time = fs::metadata(&folder).unwrap().modified().unwrap();
        found.insert(folder, (time, Vec::new()));
    }
    found
}

#[test]
fn nothing_in_the_workspace_is_written() {
    let start = Start::at(80, 24);
    let workspace = start.workspace();
    let before = listing(&workspace);
    let mut session = start.ready();
    visit_everything(&mut session);
    assert!(listing(&workspace) == before);
}

/// The folders of demonstrations that are there.
fn demos(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn the_demo_is_a_private_copy_that_goes_away() {
    for end in ["q", "TERM"] {
        let temporary = tempfile::tempdir().unwrap();
        let mut session = Start::at(80, 24)
            .with_only(&["--demo"])
            .env("TMPDIR", temporary.path().to_str().unwrap())
            .ready();
        let copies = demos(temporary.path());
        assert_eq!(copies.len(), 1);
        session.send("2");
        session.wait_for_text("How you work");
        fs::write(copies[0].join("AGENTS.md"), "Only in the copy.\n").unwrap();
        session.wait_for_text("Only in the copy.");
        if end == "q" {
            session.send("q");
            session.ends_with(0);
        } else {
            session.signal(end);
            session.ends_with(143);
        }
        assert!(demos(temporary.path()).is_empty());
    }
}

/// The numbers of every style that was set.
fn styles(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let sequences = text.split("\x1b[").skip(1);
    sequences
        .filter_map(|rest| {
            let end = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
            rest[end..].starts_with('m').then(|| &rest[..end])
        })
        .flat_map(|numbers| numbers.split(';').map(str::to_owned))
        .collect()
}

#[test]
fn no_color_means_none() {
    let is_color = |number: &String| {
        let number = number.parse::<u8>().unwrap_or(0);
        matches!(number, 30..=38 | 40..=48 | 90..=97 | 100..=107)
    };
    let mut session = Start::at(80, 24).ready();
    visit_everything(&mut session);
    assert!(styles(&session.raw()).iter().any(is_color));

    let mut session = Start::at(80, 24).env("NO_COLOR", "1").ready();
    visit_everything(&mut session);
    let styles = styles(&session.raw());
    assert!(!styles.iter().any(is_color), "{styles:?}");
}

#[test]
fn a_dumb_terminal_gets_a_hint_and_no_escape() {
    let mut session = Start::at(80, 24).env("TERM", "dumb").open();
    assert_eq!(session.wait_exit(), 2);
    assert!(session.text().contains("hint:"), "{}", session.text());
    assert!(!session.raw().contains(&0x1b));
}

#[test]
fn escapes_in_content_never_reach_the_terminal() {
    let hostile =
        "\x1b]0;a title\x07 \u{9d}0;another\u{9c} \u{9b}31m \x1b[2J\x1bc \u{90}q \x0e \x05";
    let start = Start::at(80, 24);
    let workspace = start.workspace();
    for name in ["AGENTS.md", "memory/MEMORY.md"] {
        fs::write(workspace.join(name), format!("Before {hostile} after\n")).unwrap();
    }
    let skill = workspace.join("skills/bell\x1b]0;name\x07");
    fs::create_dir(&skill).unwrap();
    let header = "---\ndescription: \"Bells \\e]0;x\\a\"\n---\n";
    fs::write(skill.join("SKILL.md"), format!("{header}{hostile}\n")).unwrap();
    let mut session = start.ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.paste(&format!("Pasted {}", hostile.replace('\x1b', "\u{9b}")));
    session.wait_for_text("Pasted ");
    session.send("\x1b");
    session.wait_for_text("q quit");
    session.send("2");
    session.wait_for_text("Before ");
    session.send("1");
    session.wait_for_text("## Runtime");
    visit_everything(&mut session);

    let raw = session.raw();
    // What is our own question for the background, and is asked once.
    let shown = String::from_utf8(raw)
        .unwrap()
        .replacen("\x1b]11;?\x1b\\", "", 1);
    let c1 = shown.find(|letter| ('\u{80}'..='\u{9f}').contains(&letter));
    assert_eq!(c1, None);
    for bytes in ["\x1b]", "\x1bc", "\x1bP", "\x07", "\x0e", "\x05"] {
        assert!(!shown.contains(bytes), "{bytes:?}");
    }
}
