//! What keys ask of the editor, the clipboard, the scenarios and git, and what their answers show.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use std::path::PathBuf;

use bench::{Bench, example};
use promptscope::app::{
    Background, Effect, Event, StoreAnswer, StoreFailure, StoreTask, StoredScenario,
};
use promptscope::display::sanitize::Symbols;
use promptscope::prompt::SectionId;

fn only(bench: &mut Bench) -> Effect {
    let mut asked = std::mem::take(&mut bench.asked);
    assert_eq!(asked.len(), 1, "{asked:?}");
    asked.remove(0)
}

fn copied(bench: &mut Bench) -> (String, String) {
    match only(bench) {
        Effect::Copy { text, what } => (text.to_string(), what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_editor_opens_at_the_file_and_line_under_the_cursor() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["2", "/", "flat tyre", "Enter", "e"]);
    let path = PathBuf::from("/home/mei/lantern-lane/prompts/soul-warm.md");
    let line = Some(11);
    assert_eq!(only(&mut bench), Effect::Edit { path, line });
    // On the overview it is the first file of the section in focus.
    bench.keys(&["Esc", "Esc", "e"]);
    let Effect::Edit { path, line } = only(&mut bench) else {
        panic!("no editor");
    };
    assert_eq!(
        (path, line),
        (
            PathBuf::from("/home/mei/lantern-lane/prompts/agents.md"),
            Some(8)
        )
    );
    bench.event(Event::Edited(Some(
        "The editor x ended with status 1.".into(),
    )));
    let text = bench.text();
    assert!(text.contains("ended with status 1"), "{text}");
}

#[test]
fn what_no_file_holds_is_said_not_opened() {
    let mut bench = Bench::open((120, 40));
    let text = bench.keys(&["1", "e"]).text();
    assert!(text.contains("a template of promptscope's own"), "{text}");
    assert!(bench.asked.is_empty());
}

#[test]
fn sections_marked_lines_prompt_and_message_are_copied_to_the_byte() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["4", "y"]);
    let view = bench.app.content.view.clone().unwrap();
    let memory = view
        .assembly
        .section(SectionId::Memory)
        .text
        .clone()
        .unwrap();
    assert_eq!(
        copied(&mut bench),
        (memory.to_string(), "Memory".to_owned())
    );
    bench.keys(&["v", "Down", "y"]);
    let lines: String = memory.split_inclusive('\n').take(2).collect();
    assert_eq!(copied(&mut bench), (lines, "the marked lines".to_owned()));
    bench.keys(&["Y"]);
    let prompt = view.assembly.system_prompt.to_string();
    assert_eq!(copied(&mut bench), (prompt, "the system prompt".to_owned()));
    // A rendered or compared section goes out as it is sent, too.
    bench.keys(&["Esc", "r", "y"]);
    assert_eq!(copied(&mut bench).0, memory.as_ref());
    bench.keys(&["r", "m", "hello"]);
    bench.event(ctrl('y'));
    let (text, what) = copied(&mut bench);
    assert_eq!(what, "the merged message");
    assert!(text.starts_with("hello\n"), "{text}");
    assert!(text.ends_with(']'), "{text}");
    bench.event(Event::Copied("Sent it.".into()));
    assert!(bench.text().contains("Sent it."));
}

fn ctrl(letter: char) -> Event {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
}

fn stored(name: &str, is_own: bool) -> StoredScenario {
    StoredScenario {
        name: name.to_owned(),
        path: example().join("scenarios").join(format!("{name}.toml")),
        is_own,
        about: "what it is about".to_owned(),
        problem: None,
    }
}

fn answered(
    bench: &mut Bench,
    outcome: Result<Option<(PathBuf, String)>, StoreFailure>,
    list: Vec<StoredScenario>,
) {
    let answer = StoreAnswer { outcome, list };
    bench.event(Event::Stored(Box::new(answer)));
}

#[test]
fn a_scenario_is_picked_and_fills_the_composer() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["S"]);
    assert_eq!(only(&mut bench), Effect::Store(StoreTask::List));
    answered(
        &mut bench,
        Ok(None),
        vec![stored("email-order", false), stored("gone", true)],
    );
    let text = bench.keys(&["Down", "Enter"]).text();
    assert!(text.contains("scenario email-order"), "{text}");
    let turn = &bench.app.content.view.as_ref().unwrap().turn;
    assert_eq!(turn.channel.as_deref(), Some("email"));
    assert_eq!(
        bench.app.composer.composed().channel.as_deref(),
        Some("email")
    );
    // Typing goes on from there.
    bench.keys(&["m", "and more"]);
    let turn = &bench.app.content.view.as_ref().unwrap().turn;
    assert!(turn.message.ends_with("and more"), "{}", turn.message);
    assert_eq!(turn.channel.as_deref(), Some("email"));
    bench.keys(&["Esc", "S", "Up", "Up", "Enter"]);
    let text = bench.text();
    assert!(!text.contains("scenario email-order"), "{text}");
}

#[test]
fn the_list_of_scenarios_at_every_size() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut bench = Bench::open(size);
        bench.keys(&["S"]);
        let list = vec![stored("email-order", false), stored("a name of mine", true)];
        answered(&mut bench, Ok(None), list);
        let frame = bench.keys(&["Down"]).frame();
        let name = format!("scenarios-{}x{}", size.0, size.1);
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(name, frame);
        });
    }
}

#[test]
fn the_turn_is_saved_and_nothing_is_replaced_or_deleted_unasked() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["m", "hello", "Esc", "S"]);
    bench.asked.clear();
    answered(
        &mut bench,
        Ok(None),
        vec![stored("email-order", false), stored("mine", true)],
    );
    bench.keys(&["s", "mine", "Enter"]);
    let Effect::Store(StoreTask::Save {
        name,
        is_replacing,
        scenario,
    }) = only(&mut bench)
    else {
        panic!("nothing is saved");
    };
    assert_eq!((name.as_str(), is_replacing), ("mine", false));
    assert_eq!(scenario.turn.message, "hello");
    let list = vec![stored("email-order", false), stored("mine", true)];
    answered(
        &mut bench,
        Err(StoreFailure::Taken("mine".into())),
        list.clone(),
    );
    let text = bench.text();
    assert!(
        text.contains("There is a scenario \"mine\". Replace it? (y/n)"),
        "{text}"
    );
    bench.keys(&["n"]);
    assert!(bench.asked.is_empty());
    answered(
        &mut bench,
        Err(StoreFailure::Taken("mine".into())),
        list.clone(),
    );
    bench.keys(&["y"]);
    let asked = only(&mut bench);
    assert!(matches!(
        asked,
        Effect::Store(StoreTask::Save {
            is_replacing: true,
            ..
        })
    ));
    let path = list[1].path.clone();
    answered(&mut bench, Ok(Some((path, "Saved.".into()))), list);
    let text = bench.text();
    assert!(text.contains("Saved."), "{text}");
    // It is the chosen line now.
    bench.keys(&["d"]);
    let text = bench.text();
    assert!(
        text.contains("Delete the scenario \"mine\"? (y/n)"),
        "{text}"
    );
    bench.keys(&["x", "y"]);
    assert_eq!(
        only(&mut bench),
        Effect::Store(StoreTask::Delete("mine".into()))
    );
}

#[test]
fn the_workspaces_scenarios_are_left_alone_and_broken_ones_say_why() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&["S"]);
    bench.asked.clear();
    let broken = StoredScenario {
        problem: Some("`mesage` is no key".into()),
        ..stored("broken", true)
    };
    answered(&mut bench, Ok(None), vec![stored("theirs", false), broken]);
    for key in ["r", "d"] {
        let text = bench.keys(&["Down", key]).text();
        assert!(text.contains("belongs to the workspace"), "{text}");
        bench.keys(&["Up"]);
    }
    let text = bench.keys(&["Down", "Down", "Enter"]).text();
    assert!(text.contains("`mesage` is no key"), "{text}");
    bench.keys(&["r", "2", "Enter"]);
    let (from, to) = ("broken".to_owned(), "broken2".to_owned());
    assert_eq!(
        only(&mut bench),
        Effect::Store(StoreTask::Rename { from, to })
    );
}

#[test]
fn a_section_is_compared_with_gits_last_commit() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "# Rules\n\nBe brief.\n").unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (100, 24));
    let before = bench.app.content.view.clone().unwrap().assembly.clone();
    std::fs::write(&file, "# Rules\n\nBe very brief.\n").unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.keys(&["2", "d", "d"]).text();
    assert!(text.contains("reading git HEAD"), "{text}");
    assert_eq!(only(&mut bench), Effect::GitBase);
    bench.event(Event::GitBase(Ok(before)));
    let text = bench.text();
    assert!(text.contains("+1 -1 lines since git HEAD"), "{text}");
    // A save asks for it anew, since the turn may be another.
    std::fs::write(&file, "# Rules\n\nBe brief.\n").unwrap();
    bench.event(Event::DiskChanged);
    assert_eq!(only(&mut bench), Effect::GitBase);
    bench.event(Event::GitBase(Err("it is in no git repository".into())));
    let text = bench.text();
    assert!(text.contains("in no git repository"), "{text}");
    assert!(!text.contains("since git HEAD"), "{text}");
    // Whoever went on before the answer came is told nothing.
    bench.keys(&["Esc"]);
    bench.event(Event::GitBase(Err("it is in no git repository".into())));
    let text = bench.text();
    assert!(!text.contains("in no git repository"), "{text}");
}

#[test]
fn the_theme_follows_the_background_until_another_is_chosen() {
    let mut bench = Bench::open((100, 24));
    bench.event(Event::Background { is_dark: false });
    assert_eq!(bench.app.theme, "dark", "it was not asked to follow");
    bench.app.background = Background {
        is_followed: true,
        is_dark: true,
    };
    bench.event(Event::Background { is_dark: false });
    assert_eq!(bench.app.theme, "light");
    bench.keys(&["t"]);
    let chosen = bench.app.theme.clone();
    bench.event(Event::Background { is_dark: true });
    assert_eq!(bench.app.theme, chosen);
}

#[test]
fn with_ascii_symbols_every_letter_of_an_ascii_workspace_is_ascii() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write(
        "AGENTS.md",
        "# Rules\n\n- one\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    );
    write(
        "promptscope.toml",
        "[budget]\ntotal = 10\nbootstrap_files = 9\n",
    );
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut bench = Bench::unread(dir.path().into(), size);
        bench.app.symbols = Symbols::Ascii;
        let check = |bench: &mut Bench, what: &str| {
            let text = bench.text();
            // The dash is the agent's, and what it sends stays as it is.
            let odd: String = text
                .chars()
                .filter(|c| !c.is_ascii() && *c != '—')
                .collect();
            assert!(odd.is_empty(), "{what} at {size:?}: {odd:?}\n{text}");
        };
        check(&mut bench, "unread");
        bench.start();
        check(&mut bench, "overview");
        write("USER.md", "More.\n");
        bench.event(Event::DiskChanged);
        check(&mut bench, "after a save");
        for keys in [
            &["2"][..],
            &["d"],
            &["d"],
            &["Esc", "Esc"],
            &["2", "r"],
            &["7"],
            &["Esc"],
            &["m", "hi"],
            &["Esc"],
            &["?"],
            &["Esc"],
            &["H"],
            &["Esc"],
            &["w", " "],
            &["Esc"],
            &["s"],
            &["Esc"],
            &["S"],
            &["Esc"],
            &[":", "th"],
        ] {
            bench.keys(keys);
            check(&mut bench, &format!("{keys:?}"));
        }
        std::fs::remove_file(dir.path().join("USER.md")).unwrap();
    }
}

#[test]
fn an_answer_for_a_view_that_is_gone_does_no_harm() {
    let mut bench = Bench::unread(PathBuf::from("/nowhere-at-all"), (80, 24));
    bench.event(Event::GitBase(Err("no".into())));
    bench.event(Event::Copied("no".into()));
    bench.keys(&["e", "y", "Y", "S"]);
    assert_eq!(bench.asked, [Effect::Store(StoreTask::List)]);
}
