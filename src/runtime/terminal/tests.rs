//! The parts of the terminal that need none.

use super::*;
#[test]
fn without_a_terminal_the_error_says_what_to_do() {
    let dumb = Some(OsStr::new("dumb"));
    for (stdin, stdout, term) in [(false, true, None), (true, false, None), (true, true, dumb)] {
        let error = check_these(stdin, stdout, term).unwrap_err();
        assert_eq!(error.kind(), Kind::Terminal);
        assert!(error.hint_text().unwrap().contains("promptscope render"));
    }
    assert_eq!(check_these(true, true, Some(OsStr::new("xterm"))), Ok(()));
    assert_eq!(check_these(true, true, None), Ok(()));
}

#[test]
fn giving_back_undoes_every_mode_that_was_set() {
    let bytes = String::from_utf8(reset_bytes().unwrap()).unwrap();
    for mode in ["?2004l", "?1049l", "?25h", "?2026l"] {
        assert!(bytes.contains(mode), "{mode}");
    }
}

#[test]
fn a_key_for_the_program_that_had_the_terminal_may_be_heard_of_a_little_later() {
    assert!(!is_lent_or_was_just_now());
    *lock(&RECLAIMED) = Some(Instant::now());
    assert!(is_lent_or_was_just_now());
    *lock(&RECLAIMED) = Instant::now().checked_sub(LATE);
    assert!(!is_lent_or_was_just_now());
}
