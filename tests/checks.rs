//! What the checks find, on the screen.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use std::path::PathBuf;

use bench::Bench;
use promptscope::app::{Effect, Event, Overlay, Page, Screen};
use promptscope::prompt::SectionId;

/// A workspace with an error, a warning and a note.
fn faulty() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("AGENTS.md", "# Rules\n\nBe brief.\nTODO: more\n");
    write("SOUL.md", "a\u{202e}b\n");
    write(
        "skills/a/SKILL.md",
        "---\ndescription: D\nname: b\n---\nB\n",
    );
    let entry = |cursor: u8| {
        format!(
            "{{\"cursor\": {cursor}, \"timestamp\": \"t{cursor}\", \"content\": \"entry {cursor}\"}}\n"
        )
    };
    write("memory/history.jsonl", &(entry(1) + "broken\n" + &entry(2)));
    dir
}

fn snapshot(name: &str, keys: &[&str]) {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let dir = faulty();
        let mut bench = Bench::open_on(dir.path().into(), size);
        let frame = bench.keys(keys).frame();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), frame);
        });
    }
}

#[test]
fn findings_at_every_size() {
    snapshot("findings", &["f", "Down"]);
}

#[test]
fn the_history_at_every_size() {
    snapshot("history", &["a"]);
}

#[test]
fn cache_and_savings_at_every_size() {
    snapshot("insight", &["i"]);
}

#[test]
fn findings_are_counted_in_the_header_and_go_away_when_they_are_mended() {
    let dir = faulty();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    assert!(
        bench.text().contains("1 error, 2 warnings"),
        "{}",
        bench.text()
    );
    std::fs::write(dir.path().join("SOUL.md"), "ab\n").unwrap();
    bench.event(Event::DiskChanged);
    assert!(bench.text().contains("2 warnings"), "{}", bench.text());
    assert!(!bench.text().contains("error"), "{}", bench.text());
    let healthy = tempfile::tempdir().unwrap();
    let mut bench = Bench::open_on(healthy.path().into(), (120, 40));
    let text = bench.keys(&["f"]).text();
    assert!(text.contains("The rules find nothing."), "{text}");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn the_gravest_finding_comes_first_and_enter_opens_the_editor_there() {
    let dir = faulty();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    bench.keys(&["f", "Enter"]);
    let path = PathBuf::from("/home/mei/lantern-lane/SOUL.md");
    let line = Some(1);
    assert_eq!(bench.asked, [Effect::Edit { path, line }]);
    bench.asked.clear();
    bench.keys(&["Down", "Right"]);
    assert_eq!(bench.app.screen, Screen::Section);
    assert_eq!(bench.app.focus, SectionId::BootstrapFiles);
    let text = bench.text();
    assert!(text.contains("▸ TODO: more"), "{text}");
}

#[test]
fn a_line_of_the_history_opens_in_the_editor() {
    let dir = faulty();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    bench.keys(&["a", "Down", "Down", "Enter"]);
    let path = PathBuf::from("/home/mei/lantern-lane/memory/history.jsonl");
    assert_eq!(
        bench.asked,
        [Effect::Edit {
            path,
            line: Some(3)
        }]
    );
}

#[test]
fn cache_and_savings_are_told_and_left() {
    let dir = faulty();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    let text = bench.keys(&["i"]).text();
    assert!(text.contains("nothing changed: nothing"), "{text}");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Page(Page::Insight, _))
    ));
    bench.keys(&["i"]);
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn findings_that_take_long_come_by_themselves_and_old_ones_change_nothing() {
    let dir = faulty();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    let question = bench.app.content.question;
    let found = bench.app.findings.clone();
    bench.event(Event::Found(question + 1, [].into()));
    assert_eq!(bench.app.findings, found);
    bench.event(Event::Found(question, [].into()));
    assert!(bench.app.findings.is_empty());
    assert!(!bench.text().contains("error"), "{}", bench.text());
}
