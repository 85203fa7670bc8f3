//! What the library assembles is, byte for byte, what the reference was recorded to send.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(test)]
mod recorded;

use promptscope::budget::Usage;
use promptscope::prompt::provenance::Origin;
use promptscope::prompt::{Assembly, Profile, Section, SectionId, assemble};
use promptscope::python::Value;
use promptscope::scenario::{BuiltinSkills, Scenario};
use promptscope::tokens::{self, Counter, Encoding};
use promptscope::workspace::host::{Host, LocalZone};
use promptscope::workspace::read::{self, FileRead, Source};
use promptscope::workspace::{Places, Workspace};
use recorded::{Case, first_difference};

fn assembled(case: &Case) -> Assembly {
    let file = case.scenario_file();
    let text = std::fs::read_to_string(&file).unwrap();
    let scenario = Scenario::parse(&text, &file).unwrap();
    let places = Places {
        root: case.workspace.clone(),
        templates: scenario.templates.clone(),
        builtin_skills: match &scenario.builtin_skills {
            BuiltinSkills::Folder(folder) => Some(folder.clone()),
            _ => None,
        },
        skill_order: scenario.skill_order.unwrap_or_default(),
        session: scenario
            .turn
            .session
            .as_ref()
            .map(|session| session.key.clone()),
        old_sessions: None,
        media: scenario.turn.media.clone(),
        source: Source::default(),
    };
    let workspace = Workspace::read(&places);
    let host = Host {
        system: String::new(),
        machine: String::new(),
        python: String::new(),
        now: chrono::DateTime::UNIX_EPOCH,
        local_timezone: LocalZone::Offset(0),
        path: vec![],
        bins: std::collections::BTreeSet::default(),
        env: std::collections::BTreeMap::default(),
    };
    assemble(
        &workspace,
        &host.with(&scenario.host),
        &scenario.turn,
        &Profile::NANOBOT_0_2,
    )
}

/// Demands that every line of a section says truly where it comes from: what is said to stand in a
/// file as it is stands on that line of it, and no line is beyond a file's end.
fn traced(section: &Section) {
    let text = section.text.as_deref().unwrap_or_default();
    let mut end = 0;
    for span in &section.spans {
        assert_eq!(span.range.start, end, "{}: a gap", section.id);
        end = span.range.end;
    }
    assert_eq!(end, text.len(), "{}", section.id);
    let origins = section.line_origins();
    assert_eq!(origins.len(), text.lines().count(), "{}", section.id);
    for (line, origin) in text.split('\n').zip(&origins) {
        let (Some(path), Some(number)) = (origin.path(), origin.line()) else {
            continue;
        };
        let file = match read::text(path) {
            FileRead::Text(file) => file,
            // Our own templates have no folder here.
            other => panic!("{origin:?}: {other:?}"),
        };
        let there = file.split('\n').nth(number - 1);
        let there = there.unwrap_or_else(|| panic!("{origin:?} is beyond the file's end"));
        if matches!(origin, Origin::Verbatim(_)) {
            assert!(
                there.contains(line),
                "{origin:?}: {line:?} is not {there:?}"
            );
        }
    }
}

/// Compares one case; gives what differs.
fn compare(case: &Case, assembly: &Assembly) -> Result<(), String> {
    if let Some(class) = case.expect.get("error") {
        let got = assembly.error.as_ref().map(|error| error.class);
        return if got == class.as_str() {
            Ok(())
        } else {
            Err(format!(
                "the agent raises {class:?}, we say {:?}",
                assembly.error
            ))
        };
    }
    if let Some(error) = &assembly.error {
        return Err(format!("the agent builds this, we say it raises {error:?}"));
    }
    let usages = [Encoding::Cl100kBase, Encoding::O200kBase].map(|encoding| {
        (
            encoding,
            Usage::count(assembly, &mut Counter::new(encoding)),
        )
    });
    let wanted_sections = case.expect.get("sections").unwrap();
    for id in SectionId::ALL {
        let wanted = wanted_sections.get(id.id()).unwrap();
        let section = assembly.section(id);
        let got = section.text.as_deref().map(|text| case.shown(text));
        let wanted_text = wanted.get("text").and_then(Value::as_str);
        if got.as_deref() != wanted_text {
            return Err(format!(
                "{id}: {}",
                first_difference(&got.unwrap_or_default(), wanted_text.unwrap_or_default())
            ));
        }
        traced(section);
        for encoding in [Encoding::Cl100kBase, Encoding::O200kBase] {
            // The record counts with its placeholders in place.
            let count = got.as_deref().map(|text| tokens::count(encoding, text));
            let wanted = wanted.get(encoding.name()).map(Value::to_str);
            if count.map(|count| count.to_string()) != wanted {
                return Err(format!(
                    "{id}: {count:?} tokens in {encoding}, not {wanted:?}"
                ));
            }
        }
    }
    for (encoding, usage) in &usages {
        let sum: usize = usage.sections.iter().flatten().sum();
        let whole = tokens::count(*encoding, &assembly.system_prompt);
        assert_eq!(
            i64::try_from(sum).unwrap() + usage.joins,
            i64::try_from(whole).unwrap()
        );
        assert_eq!(usage.system_prompt, whole);
        let shown = case.shown(&assembly.system_prompt);
        let wanted = case.expect.get("system_prompt").unwrap();
        let count = tokens::count(*encoding, &shown).to_string();
        assert_eq!(Some(count), wanted.get(encoding.name()).map(Value::to_str));
        let chars = shown.chars().count().to_string();
        assert_eq!(Some(chars), wanted.get("chars").map(Value::to_str));
    }
    let messages = case.shown_value(&Value::List(assembly.messages.clone()));
    let wanted = with_system_prompt(case, assembly);
    let (messages, wanted) = (messages.repr(), wanted.repr());
    if messages != wanted {
        let difference = first_difference(&messages, &wanted);
        return Err(format!("messages: {difference}"));
    }
    if let Some(session) = case.expect.get("session") {
        let replay = assembly.replay.as_ref().unwrap();
        let history = case.shown_value(&Value::List(replay.history.clone()));
        // Their texts are compared, since NaN is unlike itself.
        if Some(history.repr()) != session.get("history").map(Value::repr) {
            return Err(format!("session history: {}", history.repr()));
        }
        let summary = replay.summary.clone().map_or(Value::None, Value::Str);
        if Some(&summary) != session.get("summary") {
            return Err(format!("session summary: {}", summary.repr()));
        }
    }
    Ok(())
}

/// Puts the system prompt back where the record names it.
fn with_system_prompt(case: &Case, assembly: &Assembly) -> Value {
    let mut messages = case.expect.get("messages").unwrap().clone();
    if let Value::List(messages) = &mut messages
        && let Some(Value::Dict(system)) = messages.first_mut()
        && let Some(content) = system.get_mut(&Value::str("content"))
    {
        let prompt = case.shown(&assembly.system_prompt);
        *content = Value::Str(content.to_str().replacen("@SYSTEM_PROMPT@", &prompt, 1));
    }
    messages
}

fn run(file: &str) {
    recorded::run(file, |_, case| compare(case, &assembled(case)));
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

#[test]
#[ignore = "takes cases that were recorded just now, from the files named in PROMPTSCOPE_CASES"]
fn fresh_cases() {
    let files = std::env::var("PROMPTSCOPE_CASES").expect("PROMPTSCOPE_CASES names the files");
    for file in files.split(':') {
        run(file);
    }
}
