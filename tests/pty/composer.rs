//! A test message, typed and pasted.

use crate::session::{Start, is_settled, text};

#[test]
fn a_typed_message_stands_above_the_runtime_context() {
    let mut session = Start::at(80, 24).ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.send("Is the quick tandem ready?");
    session.wait_for("the merged message", |screen| {
        let shown = text(screen);
        let merged = shown.split_once("Merged message").map_or("", |(_, it)| it);
        let place = |wanted| merged.find(wanted);
        let typed = place("Is the quick tandem ready?");
        let context = place("[Runtime Context");
        typed.is_some() && typed < context && context < place("Current Time:")
    });
    session.send("\x1b");
    session.wait_for_text("q quit");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_paste_is_text_and_never_a_command() {
    let mut session = Start::at(80, 24).ready();
    session.paste("q\rq\x03");
    session.send("m");
    session.wait_for_text("Tab field");
    session.paste("quit\rquestion two");
    session.wait_for("both lines in the message and its merged form", |screen| {
        let shown = text(screen);
        let lines: Vec<&str> = shown.lines().map(str::trim).collect();
        let both = |pair: &&[&str]| *pair == ["quit", "question two"];
        lines.windows(2).filter(both).count() == 2 && is_settled(screen)
    });
    session.send("\x1b");
    session.wait_for_text("q quit");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_large_paste_arrives_whole() {
    let mut session = Start::at(80, 24).ready();
    session.send("m");
    session.wait_for_text("Tab field");
    session.paste(&format!("{}the end", "quick ".repeat(20_000)));
    session.wait_for_text("the end");
    session.wait_for("its counts", is_settled);
    session.send("\x1b");
    session.wait_for_text("q quit");
    session.send("q");
    session.ends_with(0);
}
