//! Few bytes for a key, and none while nothing changes.

use std::fs;
use std::time::Duration;

use crate::session::{NOW, Start};

#[test]
fn nothing_is_written_while_nothing_changes() {
    let session = Start::at(120, 40).ready();
    // What the rules find comes last.
    session.wait_for_text("1 error, 1 warning");
    let written = session.bytes_within(Duration::from_secs(3));
    assert_eq!(written, 0, "{}", session.text());
}

#[test]
fn reading_and_other_files_beside_the_workspace_draw_nothing() {
    let session = Start::at(120, 40).ready();
    session.wait_for_text("1 error, 1 warning");
    let file = session.path("AGENTS.md");
    let beside = session.home.path().join("beside");
    let mut written = 0;
    for turn in 0..30 {
        fs::write(&beside, turn.to_string()).unwrap();
        fs::read(&file).unwrap();
        fs::read_dir(session.path("skills")).unwrap().for_each(drop);
        written += session.bytes_within(Duration::from_millis(100));
    }
    assert_eq!(written, 0, "{}", session.text());
}

#[test]
fn a_typed_letter_is_at_most_200_bytes() {
    let mut session = Start::at(120, 40).with(&NOW).ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.bytes_upon("a");
    let before = session.raw().len();
    let bytes = session.bytes_upon("b");
    let raw = String::from_utf8_lossy(&session.raw()[before..]).into_owned();
    assert!(bytes > 0 && bytes <= 200, "{bytes} bytes: {raw:?}");
}

#[test]
fn a_scrolled_line_is_at_most_four_kilobytes() {
    let prose = "They open at nine, and Mr Ong mends what comes in **before noon** the same day.";
    let chinese = "客人把车推进来的时候，先问清楚**哪里响**，再看链条、刹车和轮胎，最后才谈价钱。";
    let code = "let price = parts.iter().map(|part| part.price * 2).sum::<u32>(); // RM 148";
    for (text, is_code) in [(prose, false), (chinese, false), (code, true)] {
        // Two lines that differ nearly everywhere lie one above the other.
        let letters: Vec<char> = text.chars().collect();
        let turned = |by: usize| -> String {
            let by = by * 7 % letters.len();
            letters[by..].iter().chain(&letters[..by]).collect()
        };
        let mut lines: Vec<String> = (0..200).map(turned).collect();
        if is_code {
            lines.insert(0, "```rust".into());
        }
        let start = Start::at(120, 40).with(&NOW);
        let text = format!("# Counter\n\n{}\n", lines.join("\n"));
        fs::write(start.workspace().join("AGENTS.md"), &text).unwrap();
        let mut session = start.ready();
        session.send("2");
        session.wait_for_text("# Counter");
        // The cursor goes to the last line of the window first.
        session.bytes_upon(&"j".repeat(60));
        let before = session.raw().len();
        let bytes = session.bytes_upon("j");
        let raw = String::from_utf8_lossy(&session.raw()[before..]).into_owned();
        assert!(bytes > 1000 && bytes <= 4096, "{bytes} bytes: {raw:?}");
    }
}
