//! What is printed: exact in a pipe, the same every time, and with quiet or clear ends.

use std::fs::{self, File};
use std::io;

use promptscope::prompt::SectionId;
use promptscope::python::{Value, json};

use super::support::{World, at, finish, list, number, section, text};

/// The ways to print one thing.
const FORMS: [&[&str]; 5] = [
    &[],
    &["--format", "json"],
    &["--format", "messages"],
    &["--section", "memory"],
    &["--section", "memory", "--format", "json"],
];

#[test]
fn an_empty_folder_is_rendered_with_a_note() {
    let world = World::empty();
    let run = world.render(&["--format", "json"]).exits(0);
    assert!(run.err.starts_with("note: "), "{}", run.err);
    assert!(run.err.contains(&world.name("workspace")), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1);
    let report = run.json();
    for id in SectionId::ALL {
        let is_there = [SectionId::Identity, SectionId::ToolContract].contains(&id);
        let section = section(&report, id);
        assert_eq!(at(section, "present"), &Value::Bool(is_there), "{id}");
    }
    assert_eq!(at(&report, "error"), &Value::None);
    assert_eq!(World::small().render(&[]).exits(0).err, "");
}

#[test]
fn the_workbench_needs_a_terminal() {
    let mut world = World::small();
    world.set("TMPDIR", world.name("temporary"));
    fs::create_dir(world.path("temporary")).unwrap();
    for args in [&["workspace"][..], &["--demo"]] {
        let run = world.run(args).exits(2);
        assert_eq!(run.out, "");
        assert!(run.err.contains("no terminal"), "{}", run.err);
        assert!(
            run.err.contains("hint: use `promptscope render`"),
            "{}",
            run.err
        );
    }
    let left = fs::read_dir(world.path("temporary")).unwrap().count();
    assert_eq!(left, 0, "the copy for the demo is taken away");
}

#[test]
fn a_reader_that_is_gone_ends_it_quietly() {
    let world = World::small();
    for form in [&FORMS[..], &[&["--message", "hi"]]].concat() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = world.command(&[&["render", "workspace"], form].concat());
        command.stdout(writer);
        assert_eq!(finish(command).exits(141).err, "", "{form:?}");
    }
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = world.command(&["--print-config"]);
    command.stdout(writer);
    assert_eq!(finish(command).exits(141).err, "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let world = World::small();
    for args in [&["render", "workspace"][..], &["--print-config"]] {
        let mut command = world.command(args);
        command.stdout(File::options().write(true).open("/dev/full").unwrap());
        let run = finish(command).exits(2);
        assert!(run.err.contains("cannot be written"), "{}", run.err);
    }
}

#[test]
fn the_same_again_is_the_same_to_the_byte() {
    let world = World::small();
    for form in FORMS {
        let args = [form, &["--session", "cli:x"]].concat();
        let first = world.render(&args).exits(0).out;
        assert!(!first.is_empty());
        assert_eq!(first, world.render(&args).exits(0).out, "{form:?}");
    }
}

#[test]
fn a_section_is_printed_exactly() {
    let world = World::small();
    let report = world.report(&[]);
    for id in SectionId::ALL {
        let section = section(&report, id);
        let run = world.render(&["--section", id.id()]).exits(0);
        assert_eq!(run.out, text(section, "text"), "{id}");
        let alone = world.report(&["--section", id.id()]);
        assert_eq!(&alone, section, "{id}");
    }
}

#[test]
fn text_without_a_message_is_the_system_prompt() {
    let world = World::small();
    let prompt = world.render(&[]).exits(0).out;
    assert_eq!(prompt, text(&world.report(&[]), "system_prompt.text"));
    let with_message = world.render(&["--message", "hi"]).exits(0).out;
    let rest = with_message.strip_prefix(&prompt).unwrap();
    assert!(
        rest.starts_with("\n\n=== user ===\n\nhi\n\n[Runtime"),
        "{rest}"
    );
}

#[test]
fn the_messages_are_those_of_the_report_whatever_they_hold() {
    let world = World::small();
    let odd = r#"{"name": "f", "k": 123456789012345678901234567890, "f": 1e16, "n": NaN, "i": [Infinity, -0.0], "s": "\ud83d é"}"#;
    let lines = [
        r#"{"role": "user", "content": "a \ud83d b"}"#.to_owned(),
        format!(
            r#"{{"role": "assistant", "content": "", "tool_calls": [{{"id": "c", "function": {odd}}}]}}"#
        ),
        r#"{"role": "tool", "tool_call_id": "c", "content": "ok"}"#.to_owned(),
    ];
    world.write("workspace/sessions/cli_x.jsonl", lines.join("\n"));
    let turn = ["--session", "cli:x", "--message", "hi"];
    let messages = world.render(&[&["--format", "messages"][..], &turn].concat());
    let messages = messages.exits(0).json();
    let report = world.report(&turn);
    assert_eq!(messages.repr(), at(&report, "messages").repr());
    let Value::List(messages) = messages else {
        panic!("the messages are a list")
    };
    assert_eq!(messages.len(), 5);
    let calls = list(&messages[2], "tool_calls");
    let wanted = json::loads(odd).unwrap();
    assert_eq!(at(&calls[0], "function").repr(), wanted.repr());
}

#[test]
fn version_and_help_are_told() {
    let world = World::empty();
    let version = world.run(&["--version"]).exits(0).out;
    assert_eq!(
        version,
        format!("promptscope {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = world.run(&["--help"]).exits(0).out;
    for word in ["render", "--demo", "--scenario", "--print-config"] {
        assert!(help.contains(word), "{word}");
    }
    let help = world.run(&["render", "--help"]).exits(0).out;
    for word in ["--section", "--format", "--skill-order", "Turn and host"] {
        assert!(help.contains(word), "{word}");
    }
}

/// Lists the keys of a value with the types of what they hold; messages stay closed.
fn shape(values: &[&Value], name: &str, lines: &mut Vec<String>) {
    let mut types: Vec<&str> = values.iter().map(|value| value.type_name()).collect();
    types.sort_unstable();
    types.dedup();
    if !name.is_empty() {
        lines.push(format!("{name}: {}", types.join(" or ")));
    }
    if ["messages", "session.history"].contains(&name) {
        return;
    }
    let items: Vec<&Value> = values
        .iter()
        .filter_map(|value| match value {
            Value::List(items) => Some(items),
            _ => None,
        })
        .flatten()
        .collect();
    if !items.is_empty() {
        shape(&items, &format!("{name}[]"), lines);
    }
    let mut keys: Vec<&str> = Vec::new();
    for key in values.iter().filter_map(|value| value.as_dict()).flatten() {
        let key = key.0.as_str().unwrap();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    for key in keys {
        let inner: Vec<&Value> = values.iter().filter_map(|value| value.get(key)).collect();
        let dot = if name.is_empty() { "" } else { "." };
        shape(&inner, &format!("{name}{dot}{key}"), lines);
    }
}

#[test]
fn the_report_has_the_keys_of_the_contract() {
    let world = World::small();
    world.write("workspace/USER.md", b"\xff");
    world.write("workspace/promptscope.toml", "[budget]\nwindow = 1000");
    let report = world.report(&["--session", "cli:x"]);
    assert_eq!(number(&report, "request.window"), 1000);
    let mut lines = Vec::new();
    shape(&[&report], "", &mut lines);
    insta::assert_snapshot!(lines.join("\n"), @r"
    promptscope: str
    profile: str
    agent: dict
    agent.version: NoneType
    agent.path: NoneType
    agent.exact: NoneType
    workspace: str
    encoding: str
    sections: list
    sections[]: dict
    sections[].id: str
    sections[].title: str
    sections[].present: bool
    sections[].text: NoneType or str
    sections[].tokens: int
    sections[].chars: int
    sections[].sources: list
    sections[].sources[]: dict
    sections[].sources[].path: str
    sections[].sources[].tokens: int
    sections[].sources[].kind: str
    sections[].lines: list
    sections[].lines[]: dict
    sections[].lines[].count: int
    sections[].lines[].kind: str
    sections[].lines[].path: NoneType or str
    sections[].lines[].line: NoneType or int
    sections[].error: NoneType or dict
    sections[].error.type: str
    sections[].error.message: str
    sections[].error.path: str
    sections[].error.line: int
    joins: dict
    joins.tokens: int
    system_prompt: dict
    system_prompt.text: str
    system_prompt.tokens: int
    system_prompt.chars: int
    messages: list
    user_message: dict
    user_message.tokens: int
    user_message.runtime_context_tokens: int
    user_message.approximate_lines: int
    request: dict
    request.tokens: int
    request.window: int
    session: dict
    session.history: list
    session.summary: NoneType
    findings: list
    findings[]: dict
    findings[].rule: str
    findings[].severity: str
    findings[].message: str
    findings[].fix: str
    findings[].path: str
    findings[].line: int
    findings[].column: int
    findings[].section: NoneType
    error: dict
    error.type: str
    error.message: str
    error.path: str
    error.line: int
    ");
}
