//! The prompts as files on the screen: the tree, the texts, the variables, the variants, and the prompt as it
//! would be compiled.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use std::path::{Path, PathBuf};

use bench::Bench;
use promptscope::app::{Effect, Event, LibraryFocus, Node, Screen};
use promptscope::prompt::SectionId;

const SETTINGS: &str = r#"
[variables]
limit = 150
shop = { name = "Lantern" }
[turn]
sender_id = "user_abc"
[compositions.whole]
main = "agents"
components = ["rules"]
[experiments.tone]
variants = { warm = "warm", brief = "brief" }
[[compile]]
source = "whole"
target = "AGENTS.md"
[[compile]]
source = "tone"
target = "SOUL.md"
"#;

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A workspace whose AGENTS.md is in date and whose SOUL.md was edited by hand.
fn world() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("promptscope.toml", SETTINGS),
        (
            "prompts/agents.md",
            "---\nvariables:\n  unused: {default: x}\n---\n# {{ shop.name }}\n{{component_1}}\n<!-- INCLUDE f/end.md -->\nBye, {{ nobody }}.\n",
        ),
        ("prompts/f/end.md", "The end,\nreally.\n"),
        ("prompts/components/rules.md", "At most {{ limit }}.\n"),
        ("prompts/warm.md", "Warm and kind, always.\n"),
        ("prompts/brief.md", "Brief.\n"),
        (
            "AGENTS.md",
            "# Lantern\nAt most 150.\nThe end,\nreally.\nBye, {{ nobody }}.\n",
        ),
        ("SOUL.md", "Mine.\n"),
    ] {
        write(dir.path(), name, text);
    }
    dir
}

fn open(dir: &tempfile::TempDir, keys: &[&str]) -> Bench {
    let mut bench = Bench::open_on(dir.path().into(), (120, 40));
    bench.keys(keys);
    bench
}

fn line_with<'a>(frame: &'a str, text: &str) -> &'a str {
    let found = frame.lines().find(|line| line.contains(text));
    found.unwrap_or_else(|| panic!("no line with {text:?} in\n{frame}"))
}

fn snapshot(name: &str, keys: &[&str]) {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut bench = Bench::open(size);
        let frame = bench.keys(keys).frame();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), frame);
        });
    }
}

#[test]
fn the_tree_with_a_text_and_its_variables_at_every_size() {
    snapshot("library", &["p"]);
}

#[test]
fn source_and_result_side_by_side_at_every_size() {
    snapshot("library-both", &["p", "r", "r", "Tab", "Down"]);
}

#[test]
fn the_tree_marks_what_is_wrong_and_what_differs() {
    let dir = world();
    let mut bench = open(&dir, &["p"]);
    let frame = bench.text();
    let line = |text: &str| line_with(&frame, text).to_owned();
    assert!(line("▸ AGENTS.md").contains("1 missing"), "{frame}");
    assert!(line("  SOUL.md").contains("there before"), "{frame}");
    assert!(line("brief 50%").contains("◂ user_abc"), "{frame}");
    // Beside the other variant stands by how many tokens it differs.
    assert!(line("warm 50%").contains('+'), "{frame}");
    assert!(frame.contains("undefined"), "{frame}");
    assert!(line("unused   ").contains("front matter"), "{frame}");
    assert!(line("shop.name").contains("promptscope.toml:4"), "{frame}");
    assert!(line("limit").contains("components/rules.md:1"), "{frame}");
}

#[test]
fn a_change_in_a_fragment_shows_in_what_includes_it_at_the_next_save() {
    let dir = world();
    let mut bench = open(&dir, &["p"]);
    assert!(bench.text().contains("The end,"), "{}", bench.text());
    write(dir.path(), "prompts/f/end.md", "Finis,\nreally.\n");
    bench.event(Event::DiskChanged);
    let frame = bench.text();
    assert!(line_with(&frame, "Finis,").contains("1+"), "{frame}");
    assert!(
        line_with(&frame, "▸ AGENTS.md").contains("there before"),
        "{frame}"
    );
    // The overview tells of the file as well.
    let frame = bench.keys(&["Esc"]).text();
    assert!(
        line_with(&frame, "2 Bootstrap Files").contains("not compiled"),
        "{frame}"
    );
}

#[test]
fn what_is_included_folds_and_unfolds() {
    let dir = world();
    let mut bench = open(&dir, &["p", "z"]);
    let frame = bench.text();
    assert!(frame.contains("<!-- f/end.md (2 lines, "), "{frame}");
    assert!(!frame.contains("The end,"), "{frame}");
    let frame = bench.keys(&["z"]).text();
    assert!(frame.contains("The end,"), "{frame}");
}

#[test]
fn an_edited_value_shows_at_once_is_written_nowhere_and_can_be_taken_back() {
    let dir = world();
    let mut bench = open(&dir, &["p", "Tab", "Tab", "Down", "Enter"]);
    bench.keys(&["0"]);
    let frame = bench.text();
    assert!(frame.contains("limit (written nowhere): 1500"), "{frame}");
    let frame = bench.keys(&["Enter"]).text();
    assert!(frame.contains("At most 1500."), "{frame}");
    assert!(
        line_with(&frame, " > limit").contains("edited here"),
        "{frame}"
    );
    assert!(frame.contains("1 VALUE EDITED"), "{frame}");
    // What is tried out makes no target out of date.
    assert!(
        !line_with(&frame, "AGENTS.md").contains("there before"),
        "{frame}"
    );
    let settings = std::fs::read_to_string(dir.path().join("promptscope.toml")).unwrap();
    assert_eq!(settings, SETTINGS);
    let frame = bench.keys(&["x"]).text();
    assert!(frame.contains("At most 150."), "{frame}");
    assert!(!frame.contains("EDITED"), "{frame}");
    let frame = bench.keys(&["x"]).text();
    assert!(frame.contains("was not edited here"), "{frame}");
}

#[test]
fn variants_are_gone_through_and_the_senders_is_marked() {
    let dir = world();
    let mut bench = open(&dir, &["p", "Down"]);
    assert_eq!(
        bench.app.library_node(),
        Some(Node::Target("SOUL.md".into()))
    );
    let variant = |bench: &Bench| match bench.app.library_node() {
        Some(Node::Variant(_, variant)) => variant,
        other => panic!("{other:?} is no variant"),
    };
    bench.keys(&["v"]);
    assert_eq!(variant(&bench), "brief");
    assert!(bench.text().contains("Brief."), "{}", bench.text());
    bench.keys(&["v"]);
    assert_eq!(variant(&bench), "warm");
    // Another sender gets another variant.
    bench.keys(&["Esc", "m", "Tab", "Tab", "Tab"]);
    for _ in 0.."user_abc".len() {
        bench.event(Event::Key(crossterm::event::KeyCode::Backspace.into()));
    }
    bench.keys(&["mei", "Esc", "p"]);
    let frame = bench.text();
    assert!(line_with(&frame, "warm 50%").contains("◂ mei"), "{frame}");
}

#[test]
fn a_target_is_compared_with_the_file_that_is_there() {
    let dir = world();
    let mut bench = open(&dir, &["p", "Down", "d"]);
    let frame = bench.text();
    assert!(frame.contains("against the file that is there"), "{frame}");
    assert!(line_with(&frame, "Mine.").contains('-'), "{frame}");
    assert!(line_with(&frame, "Warm and kind").contains("1+"), "{frame}");
    // The first difference is where one is.
    assert!(frame.contains("▸ Mine."), "{frame}");
    let frame = bench.keys(&["d", "Up", "d"]).text();
    assert!(
        frame.contains("The file is what it is compiled to."),
        "{frame}"
    );
}

#[test]
fn the_prompt_is_shown_as_it_would_be_compiled_for_the_sender() {
    let dir = world();
    let mut bench = open(&dir, &["2"]);
    assert!(bench.text().contains("Mine."), "{}", bench.text());
    let frame = bench.keys(&["C"]).text();
    assert!(frame.contains("AS COMPILED (tone brief)"), "{frame}");
    // A variant that the settings name is what is compiled, whoever writes.
    let named = SETTINGS.replace("source = \"tone\"", "source = \"tone\"\nvariant = \"warm\"");
    write(dir.path(), "promptscope.toml", &named);
    bench.event(Event::DiskChanged);
    let frame = bench.text();
    assert!(
        frame.contains("Warm and kind") && !frame.contains("(tone"),
        "{frame}"
    );
    write(dir.path(), "promptscope.toml", SETTINGS);
    bench.event(Event::DiskChanged);
    let frame = bench.text();
    assert!(
        frame.contains("Brief.") && !frame.contains("Mine."),
        "{frame}"
    );
    write(
        dir.path(),
        "prompts/components/rules.md",
        "Up to {{ limit }}.\n",
    );
    bench.event(Event::DiskChanged);
    let frame = bench.text();
    assert!(line_with(&frame, "Up to 150.").contains("+▸"), "{frame}");
    let agents = std::fs::read_to_string(dir.path().join("AGENTS.md")).unwrap();
    assert!(agents.contains("At most 150."), "nothing is written");
    let frame = bench.keys(&["C"]).text();
    assert!(
        frame.contains("At most 150.") && frame.contains("Mine."),
        "{frame}"
    );
    let bare = tempfile::tempdir().unwrap();
    write(bare.path(), "AGENTS.md", "x\n");
    let frame = open(&bare, &["C"]).text();
    assert!(frame.contains("Nothing is compiled here"), "{frame}");
    let frame = open(&bare, &["p"]).text();
    assert!(
        frame.contains("There are no prompts as files here"),
        "{frame}"
    );
}

#[test]
fn the_editor_opens_at_the_source_of_a_line() {
    let dir = world();
    let mut bench = open(&dir, &["p", "Enter"]);
    assert_eq!(bench.app.library.focus, LibraryFocus::Text);
    bench.keys(&["Down", "Down", "Down", "e"]);
    let edit = |path: &str, line: usize| Effect::Edit {
        path: PathBuf::from("/home/mei/lantern-lane").join(path),
        line: Some(line),
    };
    assert_eq!(bench.asked, [edit("prompts/f/end.md", 2)]);
    bench.asked.clear();
    bench.keys(&["Esc", "e"]);
    assert_eq!(bench.asked, [edit("prompts/agents.md", 1)]);
    bench.asked.clear();
    // A variable is edited where it is set, or else where it is used.
    bench.keys(&["Tab", "Tab", "e", "Down", "Down", "e", "Down", "e", "Esc"]);
    let places = [
        edit("promptscope.toml", 4),
        edit("prompts/agents.md", 8),
        edit("prompts/agents.md", 3),
    ];
    assert_eq!(bench.asked, places);
    let frame = bench.keys(&["/", "really", "Enter"]).text();
    assert!(frame.contains("1 found"), "{frame}");
    bench.keys(&["Esc", "Esc"]);
    assert_eq!(bench.app.screen, Screen::Overview);
    assert_eq!(bench.app.focus, SectionId::Identity);
}

#[test]
fn a_finding_of_a_source_is_shown_in_the_library() {
    let dir = world();
    let mut bench = open(&dir, &["f"]);
    let about = |bench: &Bench| {
        let mut at = bench.app.findings.iter();
        at.position(|it| it.rule == "variable-unused").unwrap()
    };
    for _ in 0..about(&bench) {
        bench.keys(&["Down"]);
    }
    let frame = bench.keys(&["Right"]).text();
    assert_eq!(bench.app.screen, Screen::Library);
    assert!(frame.contains("▸   unused: {default: x}"), "{frame}");
    let finding = &bench.app.findings[about(&bench)];
    assert_eq!(finding.line, Some(3));
    let undefined = bench.app.findings.iter();
    let mut undefined = undefined.filter(|it| it.rule == "variable-undefined");
    let undefined = undefined.next().unwrap();
    assert_eq!((undefined.line, undefined.column), (Some(8), Some(6)));
}
