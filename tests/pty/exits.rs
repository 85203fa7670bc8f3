//! Every way out gives the terminal back.

use std::time::{Duration, Instant};

use crate::session::Start;

#[test]
fn the_keys_end_it() {
    for keys in ["q", "\x03", "m\x03", "?\x03"] {
        let mut session = Start::at(80, 24).ready();
        session.send(keys);
        session.ends_with(0);
    }
}

#[test]
fn signals_end_it_with_their_status() {
    for (signal, status) in [("TERM", 143), ("INT", 130), ("HUP", 129), ("QUIT", 131)] {
        let mut session = Start::at(80, 24).ready();
        session.signal(signal);
        session.ends_with(status);
    }
}

#[test]
fn a_signal_in_the_first_moment_gives_the_terminal_back() {
    let mut session = Start::at(80, 24).open();
    session.wait_for_end_or("the alternate screen", vt100::Screen::alternate_screen);
    session.signal("TERM");
    session.ends_with(143);
}

#[test]
fn a_signal_amid_a_paste_gives_the_terminal_back() {
    let mut session = Start::at(80, 24).ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.send("\x1b[200~a paste without an end");
    session.signal("TERM");
    session.ends_with(143);
}

/// Closes the window of a program that the script starts; checks that it ends, and when.
fn hangs_up(script: &'static str, status: u32) {
    let mut session = Start::at(80, 24).script(script).ready();
    session.hang_up();
    let closed = Instant::now();
    assert_eq!(session.wait_exit(), status);
    let took = closed.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn a_closed_window_ends_it() {
    hangs_up(r#"exec "$@""#, 129);
}

#[test]
fn a_closed_window_ends_it_when_hangups_are_ignored() {
    hangs_up(r#"trap "" HUP; exec "$@""#, 129);
}

#[test]
fn a_closed_window_ends_it_without_any_signal() {
    // In a session of its own nobody sends it a signal.
    hangs_up(r#"trap "" HUP; setsid --wait "$@""#, 129);
}
