//! Frames and events: the workbench over a workspace in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use promptscope::app::{Effect, Event, Outcome, Watching};
use promptscope::python::{Dict, Value, json};
use promptscope::workspace::host::{ASSUMED_PYTHON, Host, LocalZone};
use promptscope::workspace::read::{Entry, Source, Tree};

#[path = "../bench/mod.rs"]
pub mod bench;

use super::marks::first_hidden;
use bench::{Bench, seen};

/// The keys that lead to every screen and overlay.
pub const WAYS: [&[&str]; 16] = [
    &[],
    &["2"],
    &["2", "PgDn", "v", "Down"],
    &["5", "r"],
    &["2", "d"],
    &["2", "/", "the", "Enter", "n"],
    &["m", "text", "Enter", "谢谢 🚲", "Tab", "email"],
    &["?"],
    &[":", "sec"],
    &["s"],
    &["S"],
    &["w"],
    &["f"],
    &["a"],
    &["i"],
    &["H"],
];

/// A machine that is the same everywhere.
pub fn host() -> Host {
    Host {
        system: "Linux".into(),
        machine: "x86_64".into(),
        python: ASSUMED_PYTHON.into(),
        now: "2026-06-19T02:30:00Z".parse().expect("an instant"),
        local_timezone: LocalZone::Offset(0),
        path: vec![],
        bins: BTreeSet::new(),
        env: BTreeMap::new(),
    }
}

/// Opens a workspace that has a text in every place that is shown.
pub fn open(text: &str, size: (u16, u16)) -> Bench {
    let root = Path::new("/fuzz");
    let mut tree = Tree::new(root);
    let mut add = |path: &str, text: String| {
        tree.insert(Path::new(path), Entry::File(text.into_bytes().into()));
    };
    let record = |pairs: &[(&str, Value)]| {
        let pairs = pairs.iter().cloned();
        let dict: Dict = pairs.map(|(key, value)| (Value::str(key), value)).collect();
        json::dumps(&Value::Dict(dict))
    };
    add("AGENTS.md", text.to_owned());
    add(
        "USER.md",
        format!("# {text}\n\n- {text}\n\n```sh\n{text}\n```\n"),
    );
    add(
        "memory/MEMORY.md",
        format!("| a | b |\n|---|---|\n| {text} | x |\n"),
    );
    let entry = record(&[
        ("cursor", Value::Int(1.into())),
        ("timestamp", Value::str(text)),
        ("content", Value::str(text)),
    ]);
    add("memory/history.jsonl", format!("{entry}\n{text}\n"));
    let name: String = text
        .chars()
        .filter(|c| !matches!(c, '/' | '\0'))
        .take(40)
        .collect();
    let described = record(&[("description", Value::str(text))]);
    add(
        &format!("skills/s{name}/SKILL.md"),
        format!("---\n{described}\n---\n{text}"),
    );
    add(
        "skills/on/SKILL.md",
        format!("---\nalways: true\n---\n{text}"),
    );
    let metadata = record(&[("_type", Value::str("metadata")), ("key", Value::str(text))]);
    let said = record(&[("role", Value::str("user")), ("content", Value::str(text))]);
    add("sessions/cli_x.jsonl", format!("{metadata}\n{said}\n"));
    let mut bench = Bench::unread(root.into(), size);
    bench.source = Source::tree(Arc::new(tree));
    bench.start();
    bench
}

/// A window, a way to some screen, and the text that is shown there.
pub fn layout(bytes: &[u8]) {
    let [width, height, way, bytes @ ..] = bytes else {
        return;
    };
    let size = (u16::from(*width), u16::from(*height % 80));
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]);
    let mut bench = open(&text, (100, 30));
    bench.keys(WAYS[usize::from(*way) % WAYS.len()]);
    if *way & 0x80 != 0 {
        bench.event(Event::Paste(text.clone().into_owned()));
    }
    bench.event(Event::Copied(format!("Copied {text}")));
    is_clean(&mut bench);
    bench.resize(size.0, size.1);
    is_clean(&mut bench);
}

/// Demands that a frame is the one that a fresh terminal shows, and that no cell hides anything.
pub fn is_clean(bench: &mut Bench) {
    let drawn = bench.buffer();
    let fresh = bench.fresh_buffer();
    assert_eq!(seen(&drawn), seen(&fresh));
    for cell in &drawn.content {
        assert_eq!(first_hidden(cell.symbol()), None, "{:?}", cell.symbol());
    }
}

/// A window, and one event after the other.
pub fn input(bytes: &[u8]) {
    let [width, height, bytes @ ..] = bytes else {
        return;
    };
    let size = (
        u16::from(*width % 140).max(60),
        u16::from(*height % 50).max(16),
    );
    let mut bench = open("# A *text*\n\nof 两行 and\tmore.\n", size);
    let mut bytes = bytes[..bytes.len().min(600)].iter().copied();
    let mut number = 0;
    while let Some(event) = event(&mut bytes, &mut number) {
        if let Event::Resize(width, height) = event {
            bench.resize(width, height);
            continue;
        }
        let effects = bench.app.update(event);
        let is_over = effects.contains(&Effect::Quit);
        bench.run(effects.into_iter().filter(is_answered).collect());
        if is_over {
            break;
        }
    }
    is_clean(&mut bench);
}

/// Tells whether the bench knows an answer.
fn is_answered(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Assemble(_) | Effect::Audit | Effect::Insight | Effect::CountMarked(..)
    )
}

/// Makes the next event of some bytes.
fn event(bytes: &mut impl Iterator<Item = u8>, number: &mut u64) -> Option<Event> {
    const NAMED: [KeyCode; 16] = [
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Enter,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::F(5),
        KeyCode::Null,
    ];
    let key = |code, bits| Event::Key(KeyEvent::new(code, KeyModifiers::from_bits_truncate(bits)));
    let first = bytes.next()?;
    Some(match first {
        b' '..=b'~' => key(KeyCode::Char(char::from(first)), 0),
        0..=0x0F => key(NAMED[usize::from(first)], 0),
        0x10..=0x1F => key(NAMED[usize::from(first - 0x10)], bytes.next()?),
        0x7F => {
            let code = u32::from_be_bytes([0, bytes.next()?, bytes.next()?, bytes.next()?]);
            key(KeyCode::Char(char::from_u32(code).unwrap_or('\u{202E}')), 0)
        }
        0x80..=0x9F => key(KeyCode::Char(char::from(first - 0x20)), bytes.next()?),
        0xA0..=0xBF => {
            let count = usize::from(first - 0xA0) * 2;
            let text: Vec<u8> = bytes.take(count).collect();
            Event::Paste(String::from_utf8_lossy(&text).into_owned())
        }
        0xC0..=0xDF => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::Up(MouseButton::Left),
                MouseEventKind::Drag(MouseButton::Left),
                MouseEventKind::ScrollDown,
                MouseEventKind::ScrollUp,
                MouseEventKind::Moved,
            ];
            Event::Mouse(MouseEvent {
                kind: kinds[usize::from(first) % kinds.len()],
                column: bytes.next()?.into(),
                row: bytes.next()?.into(),
                modifiers: KeyModifiers::NONE,
            })
        }
        0xE0..=0xE7 => Event::Resize(bytes.next()?.into(), bytes.next()?.into()),
        0xE8 | 0xE9 => Event::DiskChanged,
        0xEA => Event::Watching(Watching::Polling("\u{1b}[31mno\u{202E}".into())),
        0xEB => {
            *number += u64::from(bytes.next()?);
            let outcome = Outcome::Lost("/w\u{7}\nis not there".into());
            let question = *number;
            Event::Assembled(Box::new(promptscope::app::Assembled { question, outcome }))
        }
        0xEC => Event::Late(bytes.next()?.into()),
        0xED => Event::Edited(Some("the editor \u{9b}2J".into())),
        0xEE => Event::Copied("sent\u{200B}".into()),
        0xEF => Event::GitBase(Err("no git \u{E0041}".into())),
        0xF0..=0xF7 => Event::CountedMarked(bytes.next()?.into(), 7),
        0xF8..=0xFB => Event::Background {
            is_dark: first & 1 == 0,
        },
        _ => Event::Resumed,
    })
}
