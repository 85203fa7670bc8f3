//! What stands on the screen, at every size.

use crate::session::{NOW, Start, cells, text};

const TITLES: [&str; 8] = [
    "1 Identity",
    "2 Bootstrap Files",
    "3 Tool Contract",
    "4 Memory",
    "5 Active Skills",
    "6 Skills Summary",
    "7 Recent History",
    "8 Session Summary",
];

#[test]
fn all_eight_titles_stand_on_80x24_and_then_their_counts() {
    let mut session = Start::at(80, 24).open();
    session.wait_for("the eight titles", |screen| {
        let shown = text(screen);
        TITLES.iter().all(|title| shown.contains(title))
    });
    session.wait_for("a count for each title", |screen| {
        let shown = text(screen);
        TITLES.iter().all(|title| {
            let after = shown.split_once(title).map_or("", |(_, after)| after);
            let bar = after.trim_start_matches([' ', '━', '─']);
            let word = bar.trim_start_matches("near ").trim_start_matches("OVER ");
            word.starts_with(|letter: char| letter.is_ascii_digit())
        })
    });
    session.send("q");
    session.ends_with(0);
}

#[test]
fn two_hundred_sizes_end_with_the_screen_of_a_fresh_start() {
    let last = (97, 31);
    let mut session = Start::at(80, 24).with(&NOW).ready();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: u64| {
        // A xorshift generator: the same sizes in every run.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        u16::try_from(random % limit).unwrap()
    };
    for _ in 0..200 {
        session.resize(1 + below(200), 1 + below(60));
    }
    session.resize(last.0, last.1);

    // The path of the workspace stands on the screen, so the fresh start is on the same one.
    let workspace = session.path("");
    let mut fresh = Start::at(last.0, last.1)
        .with_only(&[workspace.to_str().unwrap()])
        .with(&NOW)
        .ready();
    let wanted = fresh.cells();
    session.wait_for(&fresh.text(), |screen| cells(screen) == wanted);
    fresh.send("q");
    fresh.ends_with(0);
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_window_that_is_too_small_is_told_so_and_gets_well() {
    let mut session = Start::at(60, 16).ready();
    for (width, height) in [(59, 16), (60, 15)] {
        session.resize(width, height);
        session.wait_for_text(&format!("{width}×{height} is too small."));
        session.wait_for_text("It takes 60×16.");
    }
    session.resize(60, 16);
    session.wait_for_text("8 Session Summary");
    session.resize(1, 1);
    session.wait_for("one cell", |screen| text(screen) == "1");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn the_help_closes_to_where_it_was_opened() {
    let mut session = Start::at(80, 24).ready();
    session.send("2");
    session.wait_for_text("system prompt");
    // Where the help stood, blanks may be left at the ends of lines.
    let trimmed = |text: &str| {
        text.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let before = trimmed(&session.text());
    session.send("?");
    session.wait_for_text("Overview and section");
    session.send("\x1b");
    session.wait_for("the section", |screen| trimmed(&text(screen)) == before);
}

#[test]
fn a_redraw_asks_the_terminal_nothing() {
    let mut session = Start::at(80, 24).with(&NOW).ready();
    let before = session.text();
    for _ in 0..2 {
        session.bytes_upon("\x0c");
        session.wait_for("the same screen", |screen| text(screen) == before);
    }
    // This terminal does not answer where the cursor is.
    assert!(!session.raw().windows(4).any(|bytes| bytes == b"\x1b[6n"));
    session.signal("CONT");
    session.bytes_upon("");
    session.wait_for("the same screen", |screen| text(screen) == before);
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_size_that_comes_with_a_key_is_not_lost() {
    let mut session = Start::at(90, 24).ready();
    for turn in 0..30 {
        let width = if turn % 2 == 0 { 100 } else { 90 };
        session.send("b");
        session.resize(width, 24);
        session.wait_for("panes as wide as the window", |screen| {
            let shown = text(screen);
            let title = shown.lines().nth(2).unwrap_or_default().trim_end();
            let count = title.chars().count();
            title.ends_with('%') && count > usize::from(width) - 5
        });
    }
    session.send("q");
    session.ends_with(0);
}
