//! The readers of files: front matter, history, sessions, prompt sources and scenarios.

use std::path::Path;
use std::sync::Arc;

use promptscope::library::{Library, LibrarySettings, Sources};
use promptscope::prompt::{Profile, SessionRequest, Turn, assemble};
use promptscope::python::yaml::{MAX_COPIES, MAX_VALUE_DEPTH};
use promptscope::python::{Value, json};
use promptscope::scenario::Scenario;
use promptscope::workspace::front_matter::{FrontMatter, MAX_BYTES, body, find};
use promptscope::workspace::history::History;
use promptscope::workspace::read::{Entry, FileRead, FolderOrder, Source, Tree};
use promptscope::workspace::session::Session;
use promptscope::workspace::{Places, Workspace};
use syntect::parsing::{Regex, Region};

use super::read_as_text;
use super::screens::host;

/// The text of a SKILL.md.
pub fn front_matter(bytes: &[u8]) {
    let text = read_as_text(bytes);
    let parts = find(&text);
    assert_eq!(
        parts.as_ref().map(|it| (it.yaml.clone(), it.body.start)),
        found_by_expression(&text)
    );
    let kept = body(&text);
    assert!(text.is_char_boundary(kept.start) && text.is_char_boundary(kept.end));
    let lines = text.split('\n').count();
    match FrontMatter::read(&text) {
        FrontMatter::None => {}
        FrontMatter::Mapping(fields) => {
            assert!(fields.keys().all(|key| key.as_str().is_some()));
            let (values, depth) = size(&Value::Dict(fields));
            assert!(values <= MAX_COPIES + MAX_BYTES, "{values} values");
            assert!(depth <= MAX_VALUE_DEPTH + 3, "{depth} deep");
        }
        FrontMatter::Rejected { line, column, .. } | FrontMatter::Unread { line, column, .. } => {
            assert!((2..=lines).contains(&line) && column > 0, "{line}:{column}");
        }
        FrontMatter::Raises { line, class, .. } => {
            assert!((2..=lines).contains(&line), "{line}");
            assert!(class.ends_with("Error"), "{class}");
        }
    }
}

/// Finds the front matter as the agent does, with the expression itself.
fn found_by_expression(text: &str) -> Option<(std::ops::Range<usize>, usize)> {
    // Its time grows with the square of the blank lines.
    if text.len() > 10_000 {
        return find(text).map(|it| (it.yaml, it.body.start));
    }
    let blank = r"[\s\x1c-\x1f]";
    let expression = format!(r"\A---{blank}*\r?\n((?s:.*?))\r?\n---{blank}*\r?\n?");
    let mut region = Region::new();
    let regex = Regex::new(expression);
    let is_found = regex.search(text, 0, text.len(), Some(&mut region));
    let (start, end) = region.pos(1).filter(|_| is_found)?;
    Some((start..end, region.pos(0)?.1))
}

/// Counts the values of a value, and how deep they stand.
fn size(value: &Value) -> (usize, usize) {
    let inner: Vec<&Value> = match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => items.iter().collect(),
        Value::Dict(dict) => dict.iter().flat_map(|(key, value)| [key, value]).collect(),
        _ => vec![],
    };
    let sizes = inner.into_iter().map(size);
    let (values, depth) = sizes.fold((0, 0), |(values, deepest), (more, depth)| {
        (values + more, deepest.max(depth))
    });
    (values + 1, depth + 1)
}

/// Lines of JSON, as `history.jsonl` holds them.
pub fn history(bytes: &[u8]) {
    let text = read_as_text(bytes);
    for line in text.split('\n') {
        json_keeps(line);
    }
    let read = |text: &str| History::read(&FileRead::Text(text.into()));
    let whole = read(&text);
    let lines = text.split('\n').count();
    let numbers = whole.entries.iter().map(|entry| entry.line);
    let numbers = numbers.chain(whole.skipped.iter().map(|skipped| skipped.line));
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(numbers.iter().all(|number| (1..=lines).contains(number)));
    if let Some(raised) = &whole.raises {
        assert!(raised.line.is_some_and(|line| (1..=lines).contains(&line)));
        return;
    }
    // What is appended changes nothing before it, and a torn last line costs no other.
    let (torn, _) = text.split_at(text.floor_char_boundary(text.len() * 2 / 3));
    let torn = read(torn);
    if torn.raises.is_none() {
        let kept = torn.entries.len().min(whole.entries.len());
        let sure = kept.saturating_sub(1);
        assert_eq!(torn.entries[..sure], whole.entries[..sure]);
    }
}

/// Demands that what Python reads is written so that it reads the same, and that strict JSON is read.
fn json_keeps(text: &str) {
    let read = json::loads(text);
    if let Ok(value) = &read {
        let written = json::dumps(value);
        let again = json::loads(&written).expect("what was written is read");
        assert_eq!(again.repr(), value.repr());
        assert_eq!(json::dumps(&again), written);
        let pretty = json::loads(&json::dumps_pretty(value)).expect("so is what is indented");
        assert_eq!(pretty.repr(), value.repr());
    }
    // Another reader, which takes less than Python does.
    if let Ok(strict) = serde_json::from_str::<serde_json::Value>(text) {
        match &read {
            Ok(value) => assert!(is_same(value, &strict), "{text:?}: {}", value.repr()),
            Err(json::JsonFailure::Raises { .. }) => {}
            Err(failure) => panic!("{text:?} is JSON: {failure}"),
        }
    }
}

fn is_same(value: &Value, other: &serde_json::Value) -> bool {
    match (value, other) {
        (Value::None, serde_json::Value::Null) => true,
        (Value::Bool(value), serde_json::Value::Bool(other)) => value == other,
        (Value::Str(value), serde_json::Value::String(other)) => value == other,
        // Large numbers are floats there, and rounded.
        (Value::Int(_) | Value::Float(_), serde_json::Value::Number(other)) => {
            let value: f64 = value.repr().parse().unwrap_or(f64::NAN);
            let other = other.as_f64().unwrap_or(f64::NAN);
            (value - other).abs() <= other.abs() * 1e-12
        }
        (Value::List(items), serde_json::Value::Array(others)) => {
            let mut pairs = items.iter().zip(others);
            items.len() == others.len() && pairs.all(|(item, other)| is_same(item, other))
        }
        (Value::Dict(dict), serde_json::Value::Object(others)) => {
            let mut pairs = dict.iter().zip(others);
            dict.len() == others.len()
                && pairs.all(|((key, value), (name, other))| {
                    key.as_str() == Some(name) && is_same(value, other)
                })
        }
        _ => false,
    }
}

/// The file of a session, replayed in front of a message.
pub fn session(bytes: &[u8]) {
    let root = Path::new("/fuzz");
    let mut tree = Tree::new(root);
    tree.insert(
        Path::new("sessions/cli_x.jsonl"),
        Entry::File(Arc::from(bytes)),
    );
    let places = Places {
        root: root.into(),
        skill_order: FolderOrder::Name,
        session: Some("cli:x".into()),
        source: Source::tree(Arc::new(tree)),
        ..Places::default()
    };
    let workspace = Workspace::read(&places);
    let stored = workspace
        .session
        .as_ref()
        .expect("the session is asked for");
    let session = Session::load(stored);
    assert!(session.last_consolidated <= session.messages.len());
    assert_eq!(session.lines.len(), session.messages.len());
    assert!(session.lines.windows(2).all(|pair| pair[0] < pair[1]));
    let turn = Turn {
        message: "and now?".into(),
        session: Some(SessionRequest {
            max_messages: 5,
            ..SessionRequest::new("cli:x")
        }),
        ..Turn::default()
    };
    let assembly = assemble(&workspace, &host(), &turn, &Profile::NANOBOT_0_2);
    let replay = assembly.replay.as_ref().expect("the turn names a session");
    assert!(replay.history.len() <= 5, "{}", replay.history.len());
    if let Some(error) = &assembly.error {
        assert!(error.path.is_some(), "{error:?}");
    } else {
        let written = json::dumps(&Value::List(assembly.messages.clone()));
        json::loads(&written).expect("what is sent is JSON");
    }
    assert!(!assembly.messages.is_empty());
}

/// Files below a folder of prompts, each after a line `=== PATH`; the first is the one that is built.
pub fn include(bytes: &[u8]) {
    let text = read_as_text(bytes);
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("=== "), files.last_mut()) {
            (Some(path), _) => files.push((path.trim().to_owned(), String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => files.push(("main.md".into(), line.to_owned())),
        }
    }
    let Some((main, _)) = files.first().cloned() else {
        return;
    };
    let files = files.into_iter();
    let files = files.map(|(path, text)| (path, FileRead::Text(text.into())));
    let library = Library {
        sources: Sources {
            folder: "/prompts".into(),
            outside: vec!["linked.md".into()],
            ..Sources::of(files)
        },
        settings: LibrarySettings::default(),
    };
    let built = library.build(&main, None);
    let text = built.text();
    assert!(text.len() < 16 * 1024 * 1024, "{} bytes", text.len());
    for line in &built.lines {
        let source = &library.sources.files[line.path.as_ref()];
        let lines = source
            .read
            .text()
            .map_or(0, |text| text.split('\n').count());
        assert!(
            (1..=lines).contains(&line.line),
            "{}:{}",
            line.path,
            line.line
        );
        assert!(built.files.contains(&line.path));
    }
    for fault in &built.faults {
        assert!(fault.path.is_some() == fault.line.is_some());
        assert!(!fault.to_string().is_empty());
    }
    if text.len() < 100_000 {
        assert_eq!(library.build(&main, None), built, "the same again");
    }
}

/// A scenario, read as JSON and as TOML.
pub fn scenario(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for name in ["/s/scenario.json", "/s/scenario.toml"] {
        let file = Path::new(name);
        match Scenario::parse(&text, file) {
            Ok(scenario) => {
                let written = scenario.to_json();
                let again = Scenario::parse(&written, Path::new("/s/again.json"));
                let again = again.expect("what is saved is opened");
                assert_eq!(again.to_json(), written);
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(name), "{text}");
                assert!(text.len() < 4096, "{} bytes", text.len());
            }
        }
    }
}
