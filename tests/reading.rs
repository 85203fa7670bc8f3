//! Reading on the screen: cursor, search, marks, comparison, what-if, palette and mouse; keys in,
//! frame out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

#[cfg(test)]
mod bench;

use bench::Bench;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use promptscope::app::{Event, Overlay, Screen};
use promptscope::prompt::SectionId;

const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 40), (200, 60)];

fn snapshot(name: &str, keys: &[&str]) {
    for size in SIZES {
        let mut bench = Bench::open(size);
        let frame = bench.keys(keys).frame();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), frame);
        });
    }
}

fn mouse(bench: &mut Bench, kind: MouseEventKind, column: u16, row: u16) {
    bench.event(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

fn click(bench: &mut Bench, column: u16, row: u16) {
    mouse(bench, MouseEventKind::Down(MouseButton::Left), column, row);
    mouse(bench, MouseEventKind::Up(MouseButton::Left), column, row);
}

#[test]
fn search_marks_and_counts() {
    snapshot("search", &["2", "/", "cust", "Enter", "n"]);
    let mut bench = Bench::open((100, 30));
    let text = bench.keys(&["2", "/", "customer"]).text();
    assert!(text.contains("/customer"), "the query is seen: {text}");
    assert!(text.contains("1 of "), "{text}");
    let text = bench.keys(&["Enter", "n"]).text();
    assert!(text.contains("2 of "), "{text}");
    // Backwards from the first it goes round to the last.
    bench.keys(&["N", "N"]);
    let search = &bench.app.section.search;
    assert_eq!(search.current, Some(search.matches.len() - 1));
}

#[test]
fn a_search_without_a_match_says_so_and_esc_ends_it() {
    let mut bench = Bench::open((100, 30));
    let text = bench.keys(&["2", "/", "zzzz", "Enter"]).text();
    assert!(text.contains("\"zzzz\" is not found here."), "{text}");
    bench.keys(&["Esc"]);
    assert_eq!(
        bench.app.screen,
        Screen::Section,
        "it ends the search first"
    );
    bench.keys(&["Esc"]);
    assert_eq!(bench.app.screen, Screen::Overview);
    let text = bench.keys(&["2", "n"]).text();
    assert!(text.contains("Nothing is searched for yet."), "{text}");
}

#[test]
fn marked_lines_are_counted() {
    snapshot("marked", &["2", "Down", "Down", "v", "Down", "Down"]);
    let mut bench = Bench::open((120, 40));
    let text = bench.keys(&["4", "v", "G"]).text();
    // All lines of a section are all of its tokens.
    let tokens = bench.app.content.tokens(SectionId::Memory).unwrap();
    assert!(text.contains(&format!("marked, {tokens} tokens")), "{text}");
    let text = bench.keys(&["Esc"]).text();
    assert!(!text.contains("marked"), "{text}");
}

#[test]
fn a_save_can_be_compared_with_what_was_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "# Rules\n\nBe brief.\nBe kind.\n").unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (100, 24));
    bench.keys(&["2"]);
    std::fs::write(&file, "# Rules\n\nBe very brief.\nBe kind.\n").unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.keys(&["d"]).text();
    assert!(text.contains("+1 -1 lines since the last save"), "{text}");
    assert!(text.contains("-▸ Be brief."), "{text}");
    let text = bench.keys(&["d", "d"]).text();
    assert!(!text.contains("Be brief."), "{text}");
    // A file that is gone leaves its lines in the comparison.
    std::fs::remove_file(&file).unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.keys(&["d"]).text();
    assert!(text.contains("Be very brief."), "{text}");
}

#[test]
fn headings_are_gone_to() {
    let mut bench = Bench::open((100, 24));
    bench.keys(&["2", "]", "]"]);
    let line = |bench: &Bench| {
        let pane = &bench.app.section;
        pane.shown.text.lines().nth(pane.line()).unwrap().to_owned()
    };
    assert!(line(&bench).starts_with('#'), "{}", line(&bench));
    let there = line(&bench);
    bench.keys(&["]", "["]);
    assert_eq!(line(&bench), there);
    let text = bench.keys(&["G", "]"]).text();
    assert!(text.contains("There is no further heading."), "{text}");
}

#[test]
fn a_section_can_be_read_without_its_marks() {
    snapshot("rendered", &["2", "r"]);
    let mut bench = Bench::open((100, 30));
    assert!(bench.keys(&["2"]).text().contains("## AGENTS.md"));
    let text = bench.keys(&["r"]).text();
    assert!(!text.contains("##") && text.contains("AGENTS.md"), "{text}");
    assert!(text.contains("rendered"), "{text}");
    assert!(bench.keys(&["r"]).text().contains("## AGENTS.md"));
}

#[test]
fn what_if_shows_what_is_saved_and_resets() {
    snapshot("what-if", &["w", "Down", " "]);
    let mut bench = Bench::open((120, 40));
    let before = bench.app.content.usage.clone().unwrap();
    let text = bench.keys(&["w", " ", "Esc"]).text();
    let now = bench.app.content.usage.clone().unwrap();
    assert!(now.system_prompt < before.system_prompt);
    let saved = before.system_prompt - now.system_prompt;
    assert!(text.contains(&format!("HYPOTHETICAL −{saved}")), "{text}");
    assert!(!text.contains("AGENTS.md"), "{text}");
    assert_eq!(bench.app.content.real.as_ref(), Some(&before));
    let text = bench.keys(&["W"]).text();
    assert!(!text.contains("HYPOTHETICAL"), "{text}");
    assert_eq!(bench.app.content.usage.as_ref(), Some(&before));
    // Always-on is switched by a key of its own, and twice is as it was.
    bench.keys(&["w", "G", "g"]);
    let text = bench.keys(&["Down", "Down", "Down", "Down", "a"]).text();
    assert!(text.contains("HYPOTHETICAL −"), "{text}");
    let text = bench.keys(&["a"]).text();
    assert!(!text.contains("HYPOTHETICAL"), "{text}");
}

#[test]
fn the_palette_finds_actions_by_their_words() {
    snapshot("palette", &[":", "the"]);
    let mut bench = Bench::open((100, 30));
    bench.keys(&[":", "host", "Enter"]);
    assert!(matches!(bench.app.overlay, Some(Overlay::Page(..))));
    bench.keys(&["Esc", ":", "zzzz"]);
    assert!(bench.text().contains("No action has these words."));
    bench.keys(&["Esc"]);
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn a_click_goes_where_the_keys_would() {
    let mut bench = Bench::open((120, 40));
    click(&mut bench, 70, 4);
    assert_eq!(bench.app.focus, SectionId::BootstrapFiles);
    assert_eq!(bench.app.screen, Screen::Overview);
    click(&mut bench, 70, 4);
    assert_eq!(bench.app.screen, Screen::Section);
    click(&mut bench, 5, 5);
    assert_eq!(bench.app.focus, SectionId::Memory);
    click(&mut bench, 60, 8);
    assert_eq!(bench.app.section.cursor, 5);
    mouse(&mut bench, MouseEventKind::ScrollDown, 60, 8);
    assert_eq!(bench.app.section.top, 3);
    mouse(&mut bench, MouseEventKind::ScrollUp, 60, 8);
    assert_eq!(bench.app.section.top, 0);
}

#[test]
fn the_edge_of_the_list_can_be_dragged() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["4"]);
    let width = |bench: &mut Bench| {
        bench
            .text()
            .lines()
            .nth(2)
            .unwrap()
            .find("4 Memory")
            .unwrap()
    };
    let before = width(&mut bench);
    mouse(&mut bench, MouseEventKind::Down(MouseButton::Left), 34, 10);
    mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), 50, 10);
    mouse(&mut bench, MouseEventKind::Up(MouseButton::Left), 50, 10);
    assert_ne!(width(&mut bench), before);
    let after = width(&mut bench);
    mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), 70, 10);
    assert_eq!(width(&mut bench), after, "nothing is dragged any more");
    // It keeps room for both, however far it is dragged.
    mouse(&mut bench, MouseEventKind::Down(MouseButton::Left), 50, 10);
    mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), 119, 10);
    assert!(bench.text().contains("4 Memory"));
}

#[test]
fn keys_of_the_settings_are_in_force_and_in_the_help() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("AGENTS.md"), "x\n").unwrap();
    let settings = "[keys.reading]\nmessage = ['M', 'ctrl-m']\nhelp = 'f1'\n";
    std::fs::write(dir.path().join("promptscope.toml"), settings).unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    bench.keys(&["m"]);
    assert_eq!(bench.app.screen, Screen::Overview);
    let text = bench.keys(&[":", "show the keys", "Enter"]).text();
    assert!(text.contains("M Ctrl-M"), "{text}");
    bench.keys(&["Esc", "M"]);
    assert_eq!(bench.app.screen, Screen::Message);
}

#[test]
fn another_channel_is_told_by_what_it_changes() {
    let mut bench = Bench::open((160, 40));
    let text = bench.keys(&["m", "Tab", "Down"]).text();
    let line = text
        .lines()
        .find(|line| line.contains("against channel telegram:"));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains("Recent History −664"), "{line}");
    // The same stands line by line in a section.
    bench.keys(&["Tab", "Tab", "Tab"]);
    let text = bench.keys(&["Up", "Up", "Esc", "8"]).text();
    assert!(text.contains("Session Summary"), "{text}");
    let text = bench.keys(&["d"]).text();
    assert!(text.contains("+4 -0 lines against "), "{text}");
}

#[test]
fn what_is_hypothetical_says_so_in_the_smallest_window() {
    let mut bench = Bench::open((60, 16));
    let text = bench.keys(&["w", "Down", "Enter", "Esc"]).text();
    assert!(text.contains("HYPOTHETICAL"), "{text}");
    let text = bench.keys(&["7"]).text();
    assert!(text.contains("HYPOTHETICAL"), "{text}");
    assert!(text.contains("! 664"), "{text}");
}

#[test]
fn the_session_follows_channel_and_chat_until_another_is_chosen() {
    let mut bench = Bench::open((120, 40));
    let session = |bench: &Bench| bench.app.composer.composed().session.unwrap_or_default();
    assert_eq!(session(&bench), "telegram:12345");
    bench.keys(&["m", "Tab", "Down"]);
    assert_eq!(session(&bench), "discord:12345");
    bench.keys(&["Up"]);
    assert_eq!(session(&bench), "telegram:12345");
    bench.keys(&["Tab", "6"]);
    assert_eq!(session(&bench), "telegram:123456");
    // One that was chosen by itself stays.
    bench.keys(&[
        "Tab", "Tab", "Up", "Tab", "Tab", "Tab", "Tab", "Tab", "Down",
    ]);
    let chosen = session(&bench);
    bench.keys(&["Down"]);
    assert_eq!(session(&bench), chosen);
}

#[test]
fn the_last_save_is_no_comparison_for_another_turn() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "# Rules\n\nBe brief.\n").unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (100, 24));
    std::fs::write(&file, "# Rules\n\nBe very brief.\n").unwrap();
    bench.event(Event::DiskChanged);
    bench.keys(&["m", "Tab", "email", "Esc"]);
    let text = bench.keys(&["2", "d"]).text();
    assert!(!text.contains("since the last save"), "{text}");
    assert!(text.contains("against no channel"), "{text}");
}

#[test]
fn lines_that_went_away_are_marked_where_they_stood() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "one\ntwo\nthree\nfour\n").unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (100, 24));
    bench.keys(&["2"]);
    std::fs::write(&file, "one\nfour\n").unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.text();
    assert!(text.contains("2-▸ four"), "{text}");
}
