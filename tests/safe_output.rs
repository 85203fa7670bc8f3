//! Nothing that a terminal would obey or hide leaves the program as it is: every character, through every
//! way out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use clap::Parser as _;
use promptscope::app::{Event, Outcome, Watching};
use promptscope::cli::{Cli, Command};
use promptscope::commands::render::Output;
use promptscope::commands::{check, compile, history, matrix, prompts, render};
use promptscope::display::sanitize::{Symbols, plain, visible};
use promptscope::machine::Machine;
use promptscope::ui::lines::Said;
use promptscope::workspace::host::LocalZone;

mod fuzz;

use fuzz::marks::{first_hidden, is_hidden};
use fuzz::screens::bench::Bench;
use fuzz::screens::open;

/// Every character that hides something by itself.
fn hidden() -> Vec<char> {
    ('\0'..=char::MAX).filter(|c| is_hidden(*c)).collect()
}

/// Writes each character between letters, some in a line.
fn texts(chars: &[char], in_a_line: usize) -> Vec<String> {
    let lines = chars.chunks(in_a_line);
    lines
        .map(|line| line.iter().flat_map(|c| ['x', *c, 'y', ' ']).collect())
        .collect()
}

fn mark(c: char, symbols: Symbols) -> String {
    let text = c.to_string();
    visible(&text, symbols).map(|piece| piece.text).collect()
}

fn letters(bench: &mut Bench) -> String {
    let buffer = bench.buffer();
    for cell in &buffer.content {
        assert_eq!(first_hidden(cell.symbol()), None, "{:?}", cell.symbol());
    }
    buffer
        .content
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect()
}

#[test]
fn every_character_is_drawn_or_marked() {
    for symbols in [Symbols::Unicode, Symbols::Ascii] {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let piece = visible(&text, symbols).next().unwrap();
            let is_same = piece.text == text;
            assert_eq!(first_hidden(&piece.text), None, "{c:?}");
            assert!(!(is_same && is_hidden(c)), "{c:?} leaves no mark");
            assert!(piece.width > 0, "{c:?} takes no room");
            let printed = plain(&text, symbols);
            if c != '\n' && c != '\t' {
                assert_eq!(printed, piece.text, "{c:?}");
            }
        }
    }
}

#[test]
fn every_assigned_character_is_safe_in_a_frame() {
    // Of planes without a character, some will do.
    let drawn = |c: &char| match u32::from(*c) >> 16 {
        0..=3 | 14 => true,
        _ => u32::from(*c).is_multiple_of(997),
    };
    let all: Vec<char> = ('\0'..=char::MAX).filter(drawn).collect();
    for chars in all.chunks(6_000) {
        let text: String = chars
            .chunks(60)
            .map(|line| String::from_iter(line) + "\n")
            .collect();
        let mut bench = screen(&text);
        let letters = letters(&mut bench);
        let lone = chars.iter().find(|c| **c > '\u{1f}' && is_hidden(**c));
        if let Some(c) = lone {
            let mark = mark(*c, Symbols::Unicode);
            assert!(letters.contains(&mark), "{c:?}: no {mark} is seen");
        }
    }
}

/// Opens a section that holds a text.
fn screen(text: &str) -> Bench {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("AGENTS.md"), text).unwrap();
    let mut bench = Bench::open_on(dir.path().into(), (250, 250));
    bench.keys(&["2"]);
    bench
}

#[test]
fn every_hidden_character_leaves_its_mark_in_a_frame() {
    let hidden: Vec<char> = hidden()
        .into_iter()
        .filter(|c| !matches!(c, '\n' | '\r'))
        .collect();
    for chars in hidden.chunks(1_500) {
        let mut bench = screen(&(texts(chars, 10).join("\n") + "\n"));
        let letters = letters(&mut bench);
        for &c in chars {
            let mark = mark(c, Symbols::Unicode);
            assert!(letters.contains(&format!("x{mark}y")), "{c:?}: no {mark}");
        }
    }
}

#[test]
fn notices_titles_and_lines_are_safe() {
    let hidden = hidden();
    let mut bench = open("text", (250, 20));
    for text in texts(&hidden, 40) {
        bench.event(Event::Copied(format!("sent {text}")));
        let notice = letters(&mut bench);
        let first = text.chars().nth(1).unwrap();
        assert!(
            notice.contains(&format!("x{}y", mark(first, Symbols::Unicode))),
            "{first:?}"
        );
    }
    // The places where a name of the workspace or of the system stands.
    let steering: String = [
        '\u{1b}',
        '\u{9b}',
        '\u{202e}',
        '\u{200b}',
        '\u{e0041}',
        '\u{7}',
        '\n',
        '\u{85}',
    ]
    .iter()
    .flat_map(|c| ['x', *c, '[', '3', '1', 'm', 'y'])
    .collect();
    let mut bench = open(&steering, (140, 40));
    bench.event(Event::Watching(Watching::Polling(steering.clone())));
    letters(&mut bench);
    let outcome = Outcome::Lost(steering.clone());
    let lost = promptscope::app::Assembled {
        question: 99,
        outcome,
    };
    for way in fuzz::screens::WAYS {
        bench.keys(&["Esc", "Esc", "Esc"]).keys(way);
        letters(&mut bench);
    }
    bench.event(Event::Assembled(Box::new(lost)));
    letters(&mut bench);
    for line in Said::default().news(&bench.app) {
        let line = plain(&line, Symbols::Unicode);
        assert_eq!(
            first_hidden(&line.replace(['\n', '\t'], "")),
            None,
            "{line:?}"
        );
    }
}

fn safe(text: &str) -> Cow<'_, str> {
    plain(text, Symbols::Unicode)
}

fn exact(text: &str) -> Cow<'_, str> {
    text.into()
}

/// Runs a headless command inside this process; gives what it prints and what it says beside that.
fn printed(root: &Path, args: &[&str], safe: fn(&str) -> Cow<'_, str>) -> (String, String) {
    let machine = Machine {
        env: [("HOME".to_owned(), root.display().to_string())].into(),
        path: vec![],
        current_folder: root.into(),
        local_timezone: LocalZone::Offset(0),
        random: 0,
    };
    let now = "2026-06-19T02:30:00Z".parse().unwrap();
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let mut output = Output {
        out: &mut out,
        notes: &mut notes,
        safe,
    };
    let cli = Cli::try_parse_from([&["promptscope"], args].concat()).unwrap();
    let ended = match cli.command.unwrap() {
        Command::Render(args) => render::run(&args, &machine, now, &mut output),
        Command::Check(args) => check::run(&args, &machine, now, &mut output),
        Command::History(args) => history::run(&args, &machine, now, &mut output),
        Command::Matrix(args) => matrix::run(&args, &machine, now, &mut output),
        Command::Compile(args) => compile::run(&args, &machine, now, &mut output),
        Command::List(args) => prompts::list(&args, &machine, now, &mut output),
        Command::Show(args) => prompts::show(&args, &machine, now, &mut output),
        Command::Assign(args) => prompts::assign(&args, &machine, &mut output),
        other => panic!("{other:?} is run elsewhere"),
    };
    if let Err(error) = ended {
        notes.extend_from_slice(error.to_string().as_bytes());
    }
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(out), text(notes))
}

/// Makes a workspace with hidden characters wherever a text or a name may stand.
fn planted(root: &Path) -> String {
    let all = texts(&hidden(), 50).join("\n");
    let name = "x\u{1b}[31m\u{202e}\u{200b}\u{e0041}\u{9b}y";
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("AGENTS.md", &all);
    write("memory/MEMORY.md", &all);
    let entry = format!(
        "{{\"cursor\": 1, \"timestamp\": {0}, \"content\": {1}}}\n{name}\n",
        quoted(name),
        quoted(&all)
    );
    write("memory/history.jsonl", &entry);
    let skill = format!("---\ndescription: {}\n---\n{all}", quoted(name));
    write(&format!("skills/{name}/SKILL.md"), &skill);
    write(
        &format!("skills/broken{name}/SKILL.md"),
        "---\na: b: c\n---\n",
    );
    write(&format!("sessions/{name}.jsonl"), &format!("{name}\n"));
    write(
        &format!("prompts/{name}.md"),
        &format!("{all}\n{{{{ {name} }}}}\n"),
    );
    write(
        "prompts/main.md",
        &format!("<!-- INCLUDE ./{name} -->\n{all}\n"),
    );
    let odd = quoted("a\u{202e}b\u{1b}[31m");
    let settings = format!(
        "[turn]\nchannel = {odd}\n[experiments.e]\nvariants = {{ {odd} = \"main\", plain = \"main\" }}\nratio = 0.5\n\
         [[compile]]\nsource = \"main\"\ntarget = \"SOUL.md\"\n"
    );
    write("promptscope.toml", &settings);
    name.to_owned()
}

#[test]
fn what_the_commands_print_for_a_terminal_is_safe_and_for_a_pipe_exact() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let name = planted(&root);
    let folder = root.display().to_string();
    let at = ["--now", "2026-06-19T02:30:00Z"];
    let mut runs = 0;
    for args in [
        &["render", &folder, at[0], at[1]][..],
        &["render", &folder, "--message", &name, "--session", &name],
        &["render", &folder, "--format", "json"],
        &[
            "render",
            &folder,
            "--format",
            "messages",
            "--channel",
            &name,
            "--sender",
            &name,
        ],
        &["check", &folder],
        &["check", &folder, "--format", "json"],
        &["check", &folder, "--format", "sarif"],
        &["check", &folder, "--format", "junit"],
        &["check", &folder, "--format", "github"],
        &["check", &folder, "--advise", "--cache"],
        &["check", &folder, &name],
        &["history", &folder],
        &["history", &folder, "--format", "json"],
        &["matrix", &folder, "--message", &name],
        &["matrix", &folder, "--message", &name, "--senders", &name],
        &["list", &folder],
        &["show", &name, &folder],
        &["show", "main", &folder],
        &["compile", &folder, "--dry-run"],
        &["assign", "e", &name],
        &["assign", &name, &name],
        &["render", &name],
    ] {
        let (out, notes) = printed(&root, args, safe);
        let is_refused = args[1] == name && args[0] != "show";
        assert_eq!(out.is_empty(), is_refused, "{args:?}: {notes:?}");
        for line in out.split(['\n', '\t']) {
            assert_eq!(first_hidden(line), None, "{args:?}: {line:?}");
        }
        // What is said beside it is made safe where it is written.
        for line in safe(&notes).split(['\n', '\t']) {
            assert_eq!(first_hidden(line), None, "{args:?}: {line:?}");
        }
        let (piped, _) = printed(&root, args, exact);
        assert_eq!(safe(&piped), out, "{args:?}: the same but for the marks");
        runs += 1;
    }
    assert_eq!(runs, 22);
    let (piped, _) = printed(&root, &["render", &folder, "--section", "memory"], exact);
    let memory = fs::read_to_string(root.join("memory/MEMORY.md")).unwrap();
    let memory = memory.replace("\r\n", "\n").replace('\r', "\n");
    assert!(piped.ends_with(&memory), "a pipe gets every character");
}
