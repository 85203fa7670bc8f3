//! What the binary prints as JSON is, byte for byte, what the reference was recorded to send, and
//! its numbers are the counts of the texts beside them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

#[cfg(test)]
mod recorded;

use std::process::Command;

use promptscope::prompt::{JOIN, SectionId};
use promptscope::python::{Value, json};
use promptscope::tokens::{Encoding, count};
use recorded::{Case, first_difference};

/// Gives the encoding of a case. The cases take turns, those less often that take long to load.
fn encoding(index: usize) -> Encoding {
    match index % 64 {
        0 => Encoding::O200kBase,
        32 => Encoding::Cl100kBase,
        16 | 48 => Encoding::P50kBase,
        _ => Encoding::R50kBase,
    }
}

/// What the binary printed for a case, and how it ended.
struct Printed {
    report: Value,
    code: Option<i32>,
}

/// Runs the binary on a case, in an environment in which it finds nothing else.
fn printed(case: &Case, encoding: Encoding) -> Printed {
    let nowhere = case.workspace.parent().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_promptscope"))
        .arg("render")
        .arg(&case.workspace)
        .args(["--format", "json", "--encoding", encoding.name()])
        .arg("--scenario")
        .arg(case.scenario_file())
        .env_clear()
        .env("HOME", nowhere)
        .env("PATH", nowhere)
        .env("TZ", "UTC")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let report = json::loads(&text).unwrap_or_else(|failure| {
        let notes = String::from_utf8_lossy(&output.stderr);
        panic!("{}: {failure}: {notes}", case.name)
    });
    Printed {
        report,
        code: output.status.code(),
    }
}

/// Gets a value inside the report by its keys.
fn at<'a>(value: &'a Value, keys: &[&str]) -> &'a Value {
    keys.iter().fold(value, |value, key| {
        value
            .get(key)
            .unwrap_or_else(|| panic!("no {key:?} of {keys:?}"))
    })
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn number(value: &Value, keys: &[&str]) -> i64 {
    let number = at(value, keys);
    assert!(matches!(number, Value::Int(_)), "{keys:?}: {number:?}");
    number.to_str().parse().unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    match at(value, &[key]) {
        Value::List(items) => items,
        other => panic!("{key:?} is no list: {other:?}"),
    }
}

fn tokens(encoding: Encoding, text: &str) -> i64 {
    i64::try_from(count(encoding, text)).unwrap()
}

/// Demands that two values are the same and of the same types, or shows where they differ.
fn same(what: &str, got: &Value, wanted: &Value) -> Result<(), String> {
    let (got, wanted) = (got.repr(), wanted.repr());
    if got == wanted {
        return Ok(());
    }
    Err(format!("{what}: {}", first_difference(&got, &wanted)))
}

/// Compares what was printed with what was recorded.
fn compare(case: &Case, printed: &Printed) -> Result<(), String> {
    let (report, expect) = (&printed.report, &case.expect);
    let class = expect.get("error").unwrap_or(&Value::None);
    let raised = at(report, &["error"]);
    same("error", raised.get("type").unwrap_or(raised), class)?;
    let code = i32::from(class.truth());
    if printed.code != Some(code) {
        return Err(format!("the exit code is {:?}, not {code}", printed.code));
    }
    if class.truth() {
        return Ok(());
    }
    for (id, section) in SectionId::ALL.into_iter().zip(list(report, "sections")) {
        let wanted = at(expect, &["sections", id.id()]);
        let wanted = wanted.get("text").unwrap_or(&Value::None);
        same("id", at(section, &["id"]), &Value::str(id.id()))?;
        same(id.id(), &case.shown_value(at(section, &["text"])), wanted)?;
        let present = Value::Bool(wanted.truth());
        same("present", at(section, &["present"]), &present)?;
        same("error", at(section, &["error"]), &Value::None)?;
    }
    let prompt = case.shown(text(at(report, &["system_prompt"]), "text").unwrap());
    let chars = Value::Int(prompt.chars().count().into());
    same("chars", &chars, at(expect, &["system_prompt", "chars"]))?;
    let mut wanted = at(expect, &["messages"]).clone();
    if let Value::List(messages) = &mut wanted
        && let Some(Value::Dict(system)) = messages.first_mut()
        && let Some(Value::Str(content)) = system.get_mut(&Value::str("content"))
    {
        *content = content.replacen("@SYSTEM_PROMPT@", &prompt, 1);
    }
    let messages = case.shown_value(at(report, &["messages"]));
    same("messages", &messages, &wanted)?;
    let session = expect.get("session").unwrap_or(&Value::None);
    let asked = case.scenario.get("session").unwrap_or(&Value::None);
    if session.truth() || !asked.truth() {
        let got = case.shown_value(at(report, &["session"]));
        same("session", &got, session)?;
    }
    Ok(())
}

/// Demands that the numbers of a report are those of its texts, and that they add up.
fn reconcile(report: &Value, encoding: Encoding) -> Result<(), String> {
    let equal = |what: &str, got: i64, wanted: i64| {
        (got == wanted)
            .then_some(())
            .ok_or_else(|| format!("{what}: {got} in the report, {wanted} by its texts"))
    };
    let mut sum = number(report, &["joins", "tokens"]);
    let mut texts = Vec::new();
    for section in list(report, "sections") {
        let id = text(section, "id").unwrap();
        let present = text(section, "text");
        same(
            id,
            at(section, &["present"]),
            &Value::Bool(present.is_some()),
        )?;
        let body = present.unwrap_or_default();
        let chars = i64::try_from(body.chars().count()).unwrap();
        equal(id, number(section, &["chars"]), chars)?;
        equal(id, number(section, &["tokens"]), tokens(encoding, body))?;
        sum += number(section, &["tokens"]);
        texts.extend(present);
    }
    let system = at(report, &["system_prompt"]);
    let prompt = text(system, "text").unwrap();
    if prompt != texts.join(JOIN) {
        return Err("the sections, joined, are not the system prompt".into());
    }
    let system = number(system, &["tokens"]);
    equal("system prompt", system, tokens(encoding, prompt))?;
    equal("sections and joins", sum, system)?;
    let messages = list(report, "messages");
    let (last, before) = messages.split_last().expect("there are messages");
    let user = number(report, &["user_message", "tokens"]);
    // Merged into the system prompt, the message counts as what it adds there.
    let (history, base) = match before {
        [] => (before, system),
        [_, history @ ..] => (history, 0),
    };
    let wanted = message_tokens(encoding, last) - base;
    equal("user message", user, wanted)?;
    let history = history.iter().map(|it| message_tokens(encoding, it));
    let request = system + history.sum::<i64>() + user;
    equal("request", number(report, &["request", "tokens"]), request)?;
    let context = tokens(encoding, &runtime_context(last));
    let got = number(report, &["user_message", "runtime_context_tokens"]);
    equal("runtime context", got, context)?;
    same(
        "encoding",
        at(report, &["encoding"]),
        &Value::str(encoding.name()),
    )
}

/// Counts what a message carries: its texts and its tool calls.
fn message_tokens(encoding: Encoding, message: &Value) -> i64 {
    let mut parts: Vec<String> = texts(message).into_iter().map(str::to_owned).collect();
    if let Some(calls) = message.get("tool_calls").filter(|calls| calls.truth()) {
        parts.push(json::dumps(calls));
    }
    for key in ["reasoning_content", "name", "tool_call_id"] {
        parts.extend(text(message, key).map(str::to_owned));
    }
    parts.iter().map(|part| tokens(encoding, part)).sum()
}

/// Gives a message's text, or those of its blocks.
fn texts(message: &Value) -> Vec<&str> {
    match message.get("content") {
        Some(Value::Str(content)) => vec![content],
        Some(Value::List(blocks)) => blocks
            .iter()
            .filter_map(|block| text(block, "text"))
            .collect(),
        _ => vec![],
    }
}

/// Cuts the runtime context off the end of a message.
fn runtime_context(message: &Value) -> String {
    let text = *texts(message).last().expect("the message has text");
    let start = text
        .rfind("[Runtime Context")
        .expect("the block stands at the end");
    text[start..].to_owned()
}

/// Runs every case of a file.
fn run(file: &str) {
    recorded::run(file, |index, case| {
        let encoding = encoding(index);
        let printed = printed(case, encoding);
        compare(case, &printed).and_then(|()| reconcile(&printed.report, encoding))
    });
}

#[test]
fn hand_made_cases() {
    run("hand.jsonl");
}

#[test]
fn random_cases() {
    run("random.jsonl");
}

#[test]
fn damaged_front_matter() {
    run("front_matter.jsonl");
}

#[test]
fn surroundings() {
    run("surroundings.jsonl");
}
