//! Keys and passwords: dots on every screen until they are asked for, and exact in what is copied.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use bench::Bench;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use promptscope::app::{Effect, Event};

/// Put together here, so that none stands here as a key.
fn keys() -> [String; 3] {
    let letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1b2C";
    [
        format!("ghp_{letters}"),
        format!("hunter2{}", "Xy9q"),
        format!("{}{}", letters, "zz9"),
    ]
}

/// A workspace with a key in everything that is sent.
fn planted() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let [token, password, random] = keys();
    write(
        "AGENTS.md",
        &format!("Use {token} here.\n\n- password: {password}\n- **{token}**\n"),
    );
    write(
        "memory/MEMORY.md",
        &format!("A long line before it, word by word, so that the key is wrapped: {random}\n"),
    );
    write(
        "memory/history.jsonl",
        &format!("{{\"cursor\": 1, \"timestamp\": \"t\", \"content\": \"he said {token}\"}}\n"),
    );
    write(
        "sessions/cli_x.jsonl",
        &format!(
            "{{\"role\": \"user\", \"content\": \"my key is {token}\"}}\n{{\"role\": \"assistant\", \"content\": \"thanks\"}}\n"
        ),
    );
    write(
        "skills/a/SKILL.md",
        &format!("---\ndescription: D {token}\nalways: true\n---\nTOKEN={token}\n"),
    );
    write(
        "promptscope.toml",
        &format!("[turn]\nmessage = \"take {token}\"\nsession = \"cli:x\"\n"),
    );
    dir
}

/// Takes the frame's letters without what wraps and pads them.
fn shown(bench: &mut Bench) -> String {
    bench
        .text()
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '│')
        .collect()
}

fn without_composer(text: &str) -> String {
    // The composer shows what its owner types into it.
    text.replace(&format!("take{}", keys()[0]), "")
}

const WAYS: [&[&str]; 13] = [
    &[],
    &["2"],
    &["r"],
    &["r", "d", "d"],
    &["Esc", "4"],
    &["Esc", "5"],
    &["Esc", "7"],
    &["Esc", "f"],
    &["Esc", "a"],
    &["Esc", "i"],
    &["Esc", "w"],
    &["Esc", "s"],
    &["Esc", "m"],
];

#[test]
fn no_screen_shows_a_key_until_it_is_asked_for() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let dir = planted();
        let mut bench = Bench::open_on(dir.path().into(), size);
        for way in WAYS {
            bench.keys(way);
            let text = without_composer(&shown(&mut bench));
            for key in keys() {
                assert!(!text.contains(&key), "{way:?} at {size:?}: {text}");
            }
        }
    }
    let dir = planted();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    let masked = bench.keys(&["2"]).text();
    assert!(masked.contains("Use ••••"), "{masked}");
    let open = bench.keys(&["K"]).text();
    for key in &keys()[..2] {
        assert!(open.contains(key), "{open}");
    }
    // Nothing but the letters of the keys differs.
    let rows = |text: &str| {
        // The last row holds the notice.
        let count = text.lines().count() - 1;
        text.lines()
            .take(count)
            .map(|row| row.chars().count())
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&masked), rows(&open));
    let again = bench.keys(&["K", "Down"]).text();
    assert!(!again.contains(&keys()[0]), "{again}");
}

#[test]
fn a_key_is_hidden_in_what_a_save_brings_and_in_a_comparison() {
    let dir = planted();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    let token = &keys()[0];
    std::fs::write(dir.path().join("AGENTS.md"), format!("Now {token}.\n")).unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.keys(&["2", "d"]).text();
    assert!(
        text.contains("Now ••••") && text.contains("Use ••••"),
        "{text}"
    );
    assert!(!text.contains(token), "{text}");
}

/// Presses keys that copy; gives the text and what is said of it.
fn copied(bench: &mut Bench, keys: &[&str]) -> (String, String) {
    bench.asked.clear();
    bench.keys(keys);
    match bench.asked.pop().unwrap() {
        Effect::Copy { text, what } => (text.to_string(), what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_is_exact_and_says_what_it_holds() {
    let dir = planted();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    let (text, what) = copied(&mut bench, &["2", "y"]);
    assert!(text.contains(&keys()[0]), "{text}");
    assert_eq!(what, "Bootstrap Files, which holds a key or a password,");
    assert!(
        copied(&mut bench, &["Y"])
            .1
            .ends_with("a key or a password,")
    );
    std::fs::write(dir.path().join("AGENTS.md"), "plain\n\ttext\n").unwrap();
    bench.event(Event::DiskChanged);
    assert_eq!(copied(&mut bench, &["y"]).1, "Bootstrap Files");
    std::fs::write(dir.path().join("AGENTS.md"), "a\u{1b}[201~\nrm -rf /\n").unwrap();
    bench.event(Event::DiskChanged);
    let (text, what) = copied(&mut bench, &["y"]);
    assert!(text.contains("a\u{1b}[201~\nrm -rf /"), "{text}");
    assert_eq!(
        what,
        "Bootstrap Files, which holds control characters that a shell may obey,"
    );
}

#[test]
fn control_characters_of_a_paste_are_marked_and_sent_as_they_are() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["m"]);
    bench.event(Event::Paste(
        "a\u{1b}[201~b\u{7}\r\nc\u{9b}d\u{202e}".into(),
    ));
    let text = bench.text();
    assert!(text.contains("a␛[201~b␇"), "{text}");
    assert!(text.contains("c⟨U+009B⟩d⟨U+202E⟩"), "{text}");
    assert!(text.contains("holds 3 control characters"), "{text}");
    let message = bench.app.composer.composed().message;
    assert!(
        message.ends_with("a\u{1b}[201~b\u{7}\nc\u{9b}d\u{202e}"),
        "{message:?}"
    );
    // What is typed goes on behind it.
    bench.event(Event::Key(KeyEvent::new(
        KeyCode::Char('x'),
        KeyModifiers::NONE,
    )));
    assert!(
        bench
            .app
            .composer
            .composed()
            .message
            .ends_with("d\u{202e}x")
    );
    assert!(!bench.text().contains("control characters"));
    bench.event(Event::Paste("plain\ttext\r\n".into()));
    assert!(!bench.text().contains("control characters"));
}
