//! Frames of every screen at every size, with their styles: keys in, frame out.

#[cfg(test)]
mod bench;

use bench::{Bench, example, seen};
use promptscope::app::{Assembled, Event, Outcome, Watching};
use promptscope::inputs::{HostDifference, HostReport, SkillFlip};
use promptscope::prompt::SkillState;

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

#[test]
fn overview() {
    snapshot("overview", &[]);
}

#[test]
fn section() {
    snapshot("section", &["2", "PgDn", "Down"]);
}

#[test]
fn section_over_its_budget() {
    snapshot("section-over", &["7"]);
}

#[test]
fn message() {
    snapshot(
        "message",
        &["m", "Is the tandem ready?", "Enter", "谢谢 🚲"],
    );
}

#[test]
fn help() {
    snapshot("help", &["?"]);
}

#[test]
fn sessions() {
    snapshot("sessions", &["s"]);
}

#[test]
fn a_session_is_chosen_from_the_list() {
    let mut bench = Bench::open((100, 30));
    let session = |bench: &Bench| bench.app.composer.composed().session;
    assert_eq!(session(&bench).as_deref(), Some("telegram:12345"));
    let list = bench.keys(&["s"]).text();
    assert!(list.contains("no session"), "{list}");
    let line = |key: &str| {
        list.lines()
            .find(|line| line.contains(key))
            .unwrap()
            .to_owned()
    };
    assert!(line("telegram:12345 ").contains("replayed now"), "{list}");
    assert!(
        line("telegram:12345 ").contains("of this channel and chat"),
        "{list}"
    );
    assert!(line("email:orders").contains("1.3 KB"), "{list}");
    bench.keys(&["Up", "Enter"]);
    assert_eq!(session(&bench).as_deref(), Some("email:orders@example.org"));
    assert!(bench.app.overlay.is_none());
    bench.keys(&["s", "Up", "Up", "Up", "Enter"]);
    assert_eq!(session(&bench), None);
    // The agent's own choice for channel and chat is offered before it has a file.
    bench.keys(&["m", "Tab", "Tab", "9", "Esc", "s"]);
    let list = bench.text();
    assert!(list.contains("telegram:123459"), "{list}");
    bench.keys(&["Esc"]);
    assert_eq!(session(&bench), None);
}

#[test]
fn the_declared_host_is_told_from_this_machine() {
    let skill = |name: &str, missing: &str, is_always| SkillState {
        name: name.into(),
        is_available: missing.is_empty(),
        is_always,
        missing: missing.into(),
    };
    let report = HostReport {
        is_declared: true,
        differences: vec![HostDifference {
            what: "program stockctl".into(),
            declared: "found".into(),
            here: "not found".into(),
        }],
        flips: vec![
            SkillFlip {
                declared: skill("stock-count", "", false),
                here: skill("stock-count", "CLI: stockctl", false),
            },
            SkillFlip {
                declared: skill("calendar", "", true),
                here: skill("calendar", "ENV: TOKEN", false),
            },
        ],
    };
    for size in SIZES {
        let mut bench = Bench::unread(example(), size);
        bench.host = report.clone();
        bench.start();
        // The smallest window has no room for it beside the numbers; the page tells it there too.
        let is_told = bench.text().contains("host declared: 2 skills flip");
        assert_eq!(is_told, size.0 > 60);
        let frame = bench.keys(&["H"]).frame();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("host-{}x{}", size.0, size.1), frame);
        });
    }
    let text = Bench::open((80, 24)).keys(&["H"]).text();
    assert!(text.contains("no [host] is declared"), "{text}");
}

#[test]
fn every_title_is_on_the_overview() {
    for size in SIZES {
        let text = Bench::open(size).text();
        for title in [
            "Identity",
            "Bootstrap Files",
            "Tool Contract",
            "Memory",
            "Active Skills",
            "Skills Summary",
            "Recent History",
            "Session Summary",
        ] {
            assert!(text.contains(title), "{title} at {size:?}:\n{text}");
        }
    }
}

#[test]
fn the_first_frame_stands_before_anything_is_read() {
    let text = Bench::unread("/nowhere".into(), (80, 24)).text();
    assert!(
        text.contains("reading…") && text.contains("8 Session Summary"),
        "{text}"
    );
}

#[test]
fn a_save_shows_what_it_changed_where_it_changed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    let lines: Vec<String> = (1..=60).map(|n| format!("Rule {n}.\n")).collect();
    let lines = lines.concat();
    std::fs::write(&file, &lines).unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (80, 24));
    bench.keys(&["2"]);
    assert!(bench.text().contains("Rule 5.") && !bench.text().contains("Rule 60."));
    std::fs::write(&file, lines.clone() + "A new rule.\n").unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.text();
    assert!(text.contains("+▸ A new rule."), "{text}");
    assert!(text.contains("+4"), "the change in tokens is told: {text}");
    std::fs::write(&file, lines.replace("Rule 2.", "Rule two.")).unwrap();
    bench.event(Event::DiskChanged);
    let text = bench.text();
    assert!(text.contains("+▸ Rule two."), "{text}");
}

#[test]
fn typed_text_stands_above_the_runtime_context() {
    for size in SIZES {
        let mut bench = Bench::open(size);
        let text = bench.keys(&["m", "Bring my bike?"]).text();
        let merged = &text[text.find("Merged message").unwrap()..];
        let at = |what: &str| {
            merged
                .find(what)
                .unwrap_or_else(|| panic!("{what} at {size:?}:\n{text}"))
        };
        assert!(
            at("Bring my bike?") < at("[Runtime Context"),
            "{size:?}:\n{text}"
        );
        assert!(
            at("[Runtime Context") < at("Current Time:"),
            "{size:?}:\n{text}"
        );
    }
}

#[test]
fn another_channel_is_seen_in_the_identity() {
    let mut bench = Bench::open((120, 40));
    bench.keys(&[
        "m", "Tab", "Down", "Down", "Down", "Down", "Down", "Esc", "1",
    ]);
    let text = bench.text();
    assert!(text.contains("This is an e-mail"), "{text}");
}

#[test]
fn a_lost_workspace_keeps_the_last_view_and_says_so() {
    let mut bench = Bench::open((80, 24));
    let lost = |question| {
        let outcome = Outcome::Lost("/w is not there".into());
        Event::Assembled(Box::new(Assembled { question, outcome }))
    };
    bench.event(lost(9));
    let text = bench.text();
    assert!(
        text.contains("stale") && text.contains("Stale: /w is not there"),
        "{text}"
    );
    assert!(
        text.contains("## Runtime"),
        "the last view is still there: {text}"
    );
    bench.event(Event::DiskChanged);
    assert!(!bench.text().contains("stale"));
}

#[test]
fn an_answer_to_an_old_question_changes_nothing() {
    let mut bench = Bench::open((80, 24));
    bench.keys(&["m", "new"]);
    let before = bench.text();
    let outcome = Outcome::Lost("old news".into());
    bench.event(Event::Assembled(Box::new(Assembled {
        question: 1,
        outcome,
    })));
    assert_eq!(bench.text(), before);
}

#[test]
fn polling_says_why() {
    let mut bench = Bench::open((80, 24));
    bench.event(Event::Watching(Watching::Polling(
        "too many watches".into(),
    )));
    let text = bench.text();
    assert!(
        text.contains("polling") && text.contains("Polling: too many watches"),
        "{text}"
    );
}

#[test]
fn pasted_text_is_text_in_the_composer_and_nothing_elsewhere() {
    let mut bench = Bench::open((80, 24));
    bench.event(Event::Paste("q\n2".into()));
    assert!(bench.text().contains("8 Session Summary"));
    bench.keys(&["m"]);
    bench.event(Event::Paste("one\r\n\u{1b}[31mtwo".into()));
    let text = bench.text();
    assert!(text.contains("one") && text.contains("␛[31mtwo"), "{text}");
}

#[test]
fn scrolling_ends_in_the_frame_that_a_fresh_terminal_shows() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "# 标题 🦀\n\nplain words\te\u{301}e\u{301} 👩‍👩‍👧 日本語\u{200b}テキスト ❤️ x\n".repeat(40);
    std::fs::write(dir.path().join("SOUL.md"), text).unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (80, 24));
    for keys in [
        ["2", "PgDn"],
        ["Down", "Down"],
        ["G", "Up"],
        ["g", "Down"],
        ["PgDn", "PgUp"],
    ] {
        bench.keys(&keys);
        let (scrolled, fresh) = (bench.buffer(), bench.fresh_buffer());
        assert_eq!(seen(&scrolled), seen(&fresh));
    }
}

#[test]
fn no_size_panics_on_any_screen() {
    for keys in [&[][..], &["2"], &["m", "text"], &["?"]] {
        let mut bench = Bench::open((80, 24));
        bench.keys(keys);
        for width in (0..70).step_by(3) {
            for height in 0..32 {
                bench.resize(width, height);
                bench.buffer();
            }
        }
        bench.resize(80, 24);
        assert_eq!(bench.text(), Bench::open((80, 24)).keys(keys).text());
    }
}

#[test]
fn what_is_too_small_says_so() {
    let mut bench = Bench::open((80, 24));
    bench.resize(59, 16);
    assert!(bench.text().contains("59×16 is too small."));
    bench.resize(60, 16);
    assert!(bench.text().contains("1 Identity"));
}

#[test]
fn another_turn_leaves_no_change_of_an_earlier_save_beside_its_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "one\n").unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (80, 24));
    std::fs::write(&file, "one two three\n").unwrap();
    bench.event(Event::DiskChanged);
    let header = |text: &str| text.lines().nth(1).unwrap().to_owned();
    assert!(header(&bench.text()).contains("+2"), "{}", bench.text());
    // The identity's hint depends on the channel, so the system prompt is another one.
    bench.keys(&["m", "Tab", "email"]);
    assert!(!header(&bench.text()).contains("+2"), "{}", bench.text());
}
