//! `promptscope export`: a configuration for promptfoo, with the prompts, their variables and variants,
//! and a test for each scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::prompts::print;
use super::render::{Output, write_all};
use super::report::{json_text, record};
use crate::cli::{ExportArgs, ExportFormat};
use crate::error::{Error, Result};
use crate::inputs::{Inputs, Request};
use crate::library::{Cache, Catalog, Entry, Given, SourceKind};
use crate::machine::Machine;
use crate::prompt::Assembly;
use crate::python::{Dict, Value, json};
use crate::workspace::read::{FolderOrder, list};
use crate::workspace::{Workspace, path_text};

/// The folder of scenarios below the workspace.
const SCENARIOS: &str = "scenarios";
/// The table of a test with its own text, and with what the agent sends.
///
/// promptfoo reads a file for a value that looks like a path, and renders a value that looks like a
/// template, but takes what stands in a table as it is: so everything does.
const TURN: &str = "turn";
/// The table with the values of the prompts' variables.
const VARIABLES: &str = "variables";
/// The keys of a test's table.
const MESSAGE: &str = "message";
const SYSTEM_PROMPT: &str = "system_prompt";
const USER_MESSAGE: &str = "user_message";

/// Runs the command.
pub fn run(
    args: &ExportArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.turn.request(args.workspace.clone());
    let inputs = Inputs::resolve(&request, machine)?;
    let catalog = inputs.catalog(machine, now, &mut Cache::default());
    let mut notes = Vec::new();
    let mut tests = Vec::new();
    let mut replaying: Vec<String> = Vec::new();
    for (name, request) in requests(&request, &inputs) {
        let inputs = Inputs::resolve(&request, machine)?;
        let workspace = Workspace::read(&inputs.places);
        let assembly = inputs.assemble(&workspace, machine, now);
        if assembly.messages.len() > 2 {
            replaying.push(name.clone());
        }
        tests.push(test(&name, &inputs, &assembly));
    }
    if !replaying.is_empty() {
        notes.push(format!(
            "replayed messages are left out ({}): a prompt of promptfoo has the same messages in every test",
            replaying.join(", ")
        ));
    }
    let ExportFormat::Promptfoo = args.format;
    let text = json_text(&configuration(&inputs, &catalog, tests, &mut notes));
    for note in notes {
        let note = (output.safe)(&format!("note: {note}\n")).into_owned();
        write_all(output.notes, note.as_bytes()).map_err(|error| Error::output(&error))?;
    }
    print(&text, output)
}

/// Lists the turns that become tests: that of the command line or of the settings, and every scenario of
/// the workspace.
fn requests(request: &Request, inputs: &Inputs) -> Vec<(String, Request)> {
    let own = request.scenario.as_ref().and_then(|file| file.file_stem());
    let name = own.map_or("the turn of the settings".into(), |name| {
        name.to_string_lossy()
    });
    let mut all = vec![(name.into_owned(), request.clone())];
    let folder = inputs.places.root.join(SCENARIOS);
    let files = list(&folder, FolderOrder::Name).unwrap_or_default();
    let is_scenario = |file: &PathBuf| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("toml" | "json")) && request.scenario.is_none()
    };
    for file in files.into_iter().filter(is_scenario) {
        let name = file
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        let request = Request {
            scenario: Some(file),
            ..request.clone()
        };
        all.push((name.unwrap_or_default(), request));
    }
    all
}

fn test(name: &str, inputs: &Inputs, assembly: &Assembly) -> Value {
    let user = match assembly.user_message().get("content") {
        Some(Value::Str(text)) => text.clone(),
        Some(blocks) => json::dumps(blocks),
        None => String::new(),
    };
    let turn = record([
        (MESSAGE, Value::str(inputs.turn.message.as_str())),
        (SYSTEM_PROMPT, Value::str(assembly.system_prompt.as_ref())),
        (USER_MESSAGE, Value::Str(user)),
    ]);
    record([
        ("description", Value::str(name)),
        ("vars", record([(TURN, turn)])),
    ])
}

fn configuration(
    inputs: &Inputs,
    catalog: &Catalog,
    tests: Vec<Value>,
    notes: &mut Vec<String>,
) -> Value {
    let mut prompts = vec![prompt(
        "what the agent sends",
        &format!("{{{{ {TURN}.{SYSTEM_PROMPT} }}}}"),
        USER_MESSAGE,
    )];
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    for entry in catalog.entries.iter().filter(|it| is_exported(catalog, it)) {
        let label = match &entry.variant {
            Some(variant) => format!("{} {variant}", entry.name),
            None => entry.name.clone(),
        };
        let mut faults = entry.built.faults.iter();
        if let Some(fault) = faults.find(|fault| !fault.kind.is_warning()) {
            notes.push(format!("{label} is left out: {fault}"));
            continue;
        }
        let text = template(catalog, entry, &mut values);
        prompts.push(prompt(&label, &text, MESSAGE));
    }
    let name = inputs.places.root.file_name();
    let name = name.map_or_else(
        || path_text(&inputs.places.root),
        |name| name.to_string_lossy().into(),
    );
    record([
        ("description", Value::Str(format!("The prompts of {name}"))),
        ("prompts", Value::List(prompts)),
        ("providers", Value::List(vec![Value::str("echo")])),
        (
            "defaultTest",
            record([("vars", record([(VARIABLES, nested(&values))]))]),
        ),
        ("tests", Value::List(tests)),
    ])
}

/// Tells whether an entry is a prompt of its own, not a part of others.
fn is_exported(catalog: &Catalog, entry: &Entry) -> bool {
    let settings = &catalog.library.settings;
    let is_main = settings
        .compositions
        .values()
        .any(|it| it.main == entry.name);
    let mut variants = settings.experiments.values().flat_map(|it| &it.variants);
    let is_variant = variants.any(|it| it.prompt == entry.name);
    match entry.kind {
        SourceKind::Prompt => !is_main && !is_variant && !catalog.is_fragment(&entry.path()),
        SourceKind::Composition => !is_variant,
        SourceKind::Experiment => true,
    }
}

/// Makes a prompt of two messages.
fn prompt(label: &str, system: &str, user: &str) -> Value {
    let message = |role: &str, content: String| {
        record([("role", Value::str(role)), ("content", Value::Str(content))])
    };
    let messages = vec![
        message("system", system.to_owned()),
        message("user", format!("{{{{ {TURN}.{user} }}}}")),
    ];
    record([
        ("label", Value::str(label)),
        ("raw", Value::Str(json::dumps(&Value::List(messages)))),
    ])
}

/// Writes an entry as a template of promptfoo: its variables as placeholders, everything else as it stands.
fn template(catalog: &Catalog, entry: &Entry, values: &mut BTreeMap<String, String>) -> String {
    let mut built = catalog.library.unfilled_entry(entry);
    let names: BTreeSet<&str> = entry.built.uses.iter().map(|it| it.name.as_str()).collect();
    // A name that is a table for others as well can be no placeholder: its value is put in.
    let is_table = |name: &str| {
        let prefix = format!("{name}.");
        names.iter().any(|other| other.starts_with(&prefix))
    };
    let put = |name: &str, given: &Given| {
        if is_table(name) {
            escaped(&given.value)
        } else {
            format!("{{{{ {VARIABLES}.{name} }}}}")
        }
    };
    catalog
        .library
        .settings
        .variables
        .fill_with(&mut built, &put, &escaped);
    for it in &built.uses {
        if let (Some(given), false) = (&it.given, is_table(&it.name)) {
            values.insert(it.name.clone(), given.value.clone());
        }
    }
    built.text()
}

/// Keeps what promptfoo's templates would take for theirs: what opens something, and what closes a comment.
fn escaped(text: &str) -> String {
    const SIGNS: [&str; 4] = ["{{", "{%", "{#", "#}"];
    let mut out = String::new();
    let mut rest = text;
    while let Some((at, sign)) = SIGNS
        .iter()
        .filter_map(|sign| rest.find(sign).map(|at| (at, *sign)))
        .min()
    {
        out.extend([&rest[..at], "{{ '", sign, "' }}"]);
        rest = &rest[at + sign.len()..];
    }
    out + rest
}

/// Puts dotted names into tables.
fn nested(values: &BTreeMap<String, String>) -> Value {
    let mut out = Dict::default();
    for (name, value) in values {
        let parts: Vec<&str> = name.split('.').collect();
        put_in(&mut out, &parts, value);
    }
    Value::Dict(out)
}

fn put_in(table: &mut Dict, parts: &[&str], value: &str) {
    match parts {
        [] => {}
        [last] => {
            table.insert(Value::str(*last), Value::str(value));
        }
        [first, rest @ ..] => {
            let inner = table.entry(Value::str(*first));
            if let Value::Dict(inner) = inner.or_insert_with(|| Value::Dict(Dict::default())) {
                put_in(inner, rest, value);
            }
        }
    }
}
