//! The rules of another version of the agent stand beside those that are there: all that they need
//! is a function of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use promptscope::budget::Usage;
use promptscope::prompt::provenance::{Origin, Span};
use promptscope::prompt::{
    Assembly, Merge, Profile, Section, SectionId, SkillState, Turn, assemble,
};
use promptscope::python::Value;
use promptscope::tokens::{Counter, Encoding};
use promptscope::workspace::host::{Host, LocalZone};
use promptscope::workspace::{Places, Workspace};

/// Rules unlike the others: no history, no clock, another join.
fn rules(workspace: &Workspace, host: &Host, turn: &Turn) -> Assembly {
    let sections = SectionId::ALL.map(|id| {
        let text: Option<Arc<str>> = match id {
            SectionId::Identity => Some(format!("I run on {}.", host.system).into()),
            SectionId::Memory => workspace.memory.text().cloned(),
            _ => None,
        };
        let length = text.as_deref().map_or(0, str::len);
        Section {
            id,
            text,
            spans: vec![Span {
                range: 0..length,
                origin: Origin::Generated,
            }],
            sources: Vec::new(),
            absent: Some("these rules have no such section"),
            cut: None,
            error: None,
        }
    });
    let texts: Vec<&str> = sections
        .iter()
        .filter_map(|it| it.text.as_deref())
        .collect();
    let system_prompt: Arc<str> = texts.join("\n* * *\n").into();
    let message = |role: &str, content: &str| {
        let fields = [("role", role), ("content", content)];
        let fields = fields.map(|(key, text)| (Value::str(key), Value::str(text)));
        Value::Dict(fields.into_iter().collect())
    };
    Assembly {
        messages: vec![
            message("system", &system_prompt),
            message("user", &turn.message),
        ],
        sections,
        system_prompt,
        runtime_context: String::new(),
        approximate_lines: 0,
        history_fates: Vec::new(),
        merge: Merge::None,
        replay: None,
        error: None,
    }
}

fn skills(_: &Workspace, _: &Host, _: &Turn) -> Vec<SkillState> {
    Vec::new()
}

const OTHER: Profile = Profile {
    name: "other",
    versions: &["9.9"],
    rules,
    skills,
};

#[test]
fn rules_of_ones_own_are_assembled_and_counted() {
    let workspace = Workspace::read(&Places {
        root: Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example"),
        ..Places::default()
    });
    let host = Host {
        system: "Linux".into(),
        machine: String::new(),
        python: String::new(),
        now: chrono::DateTime::UNIX_EPOCH,
        local_timezone: LocalZone::Offset(0),
        path: vec![],
        bins: BTreeSet::new(),
        env: BTreeMap::new(),
    };
    let turn = Turn {
        message: "Hello".into(),
        ..Turn::default()
    };
    let other = assemble(&workspace, &host, &turn, &OTHER);
    let ours = assemble(&workspace, &host, &turn, &Profile::NANOBOT_0_2);
    assert!(other.system_prompt.starts_with("I run on Linux.\n* * *\n"));
    assert!(ours.messages.len() >= 2 && ours.system_prompt != other.system_prompt);
    // What both share counts either, and every number reconciles.
    let usage = Usage::count(&other, &mut Counter::new(Encoding::R50kBase));
    let sum: usize = usage.sections.iter().flatten().sum();
    assert_eq!(
        i64::try_from(sum).ok().map(|sum| sum + usage.joins),
        i64::try_from(usage.system_prompt).ok()
    );
    assert_eq!(usage.user_message, 1);
    assert!(OTHER.covers("9.9") && OTHER != Profile::NANOBOT_0_2);
}
