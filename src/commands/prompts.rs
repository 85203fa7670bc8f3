//! `promptscope list`, `show` and `assign`: the prompts as files, one of them built, and who gets which
//! variant.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use super::report::{count, json_text, record, text};
use crate::cli::{AssignArgs, ListArgs, ReportFormat, ShowArgs};
use crate::error::{Error, Kind, Result, nearest};
use crate::inputs::Inputs;
use crate::library::{Built, Cache, Entry, Experiment, Library};
use crate::machine::Machine;
use crate::python::Value;
use crate::tokens::Counter;

/// Runs `list`: every prompt, composition and variant, with its tokens.
pub fn list(
    args: &ListArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let catalog = inputs.catalog(machine, now, &mut Cache::default());
    let mut counter = Counter::new(inputs.encoding);
    let lines = catalog
        .entries
        .iter()
        .map(|entry| (entry, entry.built.tokens(&mut counter)));
    if catalog.is_empty() {
        let folder = catalog.library.sources.folder.display();
        let note = format!("note: there are no prompts in {folder}\n");
        let note = (output.safe)(&note).into_owned();
        write_all(output.notes, note.as_bytes()).map_err(|error| Error::output(&error))?;
    }
    let report = match args.format {
        ReportFormat::Human => lines
            .map(|(entry, tokens)| in_a_line(entry, tokens))
            .collect(),
        ReportFormat::Json => {
            let prompts = lines.map(|(entry, tokens)| listed(entry, tokens));
            json_text(&Value::List(prompts.collect()))
        }
    };
    print(&report, output)
}

fn in_a_line(entry: &Entry, tokens: Option<usize>) -> String {
    let built = &entry.built;
    let about = match (built.faults.first(), built.declared.budget, tokens) {
        (Some(fault), ..) => fault.to_string(),
        (None, Some(budget), Some(tokens)) if tokens > budget => {
            format!("over its budget of {budget}")
        }
        _ => built.declared.description.clone().unwrap_or_default(),
    };
    let variant = entry.variant.iter().map(|variant| format!(" {variant}"));
    let name = entry.name.clone() + &variant.collect::<String>();
    let tokens = tokens.map_or_else(|| "-".to_owned(), |tokens| tokens.to_string());
    let kind = entry.kind.name();
    format!("{kind:<11} {tokens:>7}  {name:<28} {about}\n")
}

fn listed(entry: &Entry, tokens: Option<usize>) -> Value {
    let built = &entry.built;
    let faults = built.faults.iter();
    let faults = faults.map(|fault| Value::Str(fault.to_string()));
    let files = built.files.iter().map(|file| Value::str(file.as_ref()));
    record([
        ("name", Value::str(entry.name.as_str())),
        ("kind", Value::str(entry.kind.name())),
        ("variant", text(entry.variant.clone())),
        ("description", text(built.declared.description.clone())),
        ("tokens", tokens.map_or(Value::None, count)),
        ("budget", built.declared.budget.map_or(Value::None, count)),
        ("files", Value::List(files.collect())),
        ("faults", Value::List(faults.collect())),
    ])
}

/// Runs `show`: one of them built, as the agent would read it.
pub fn show(
    args: &ShowArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.turn.request(args.workspace.clone());
    let inputs = Inputs::resolve(&request, machine)?;
    let library = inputs.library(machine, now, &mut Cache::default());
    let (variant, why) = chosen(args, &library, &inputs, machine);
    let built = library.build(&args.name, variant.as_deref());
    let tokens = Counter::new(inputs.encoding).count(&built.text());
    match args.format {
        ReportFormat::Human => {
            let mut notes = why;
            for fault in &built.faults {
                let is_warning = fault.kind.is_warning();
                let word = if is_warning { "warning" } else { "error" };
                let _ = writeln!(notes, "{word}: {fault}");
            }
            let notes = format!("{notes}note: {tokens} tokens of {}\n", inputs.encoding);
            let notes = (output.safe)(&notes).into_owned();
            write_all(output.notes, notes.as_bytes()).map_err(|error| Error::output(&error))?;
            if built.is_whole() {
                print(&built.text(), output)?;
            }
        }
        ReportFormat::Json => {
            print(
                &json_text(&shown(&args.name, variant, &built, tokens)),
                output,
            )?;
        }
    }
    Ok(u8::from(!built.is_whole()))
}

/// Chooses the variant: the one that is named, that of the sender, or any; and says why.
fn chosen(
    args: &ShowArgs,
    library: &Library,
    inputs: &Inputs,
    machine: &Machine,
) -> (Option<String>, String) {
    let experiments = &library.settings.experiments;
    let Some(experiment) = experiments.get(&args.name) else {
        return (args.variant.clone(), String::new());
    };
    let sender = inputs.turn.sender_id.as_deref();
    let (found, why) = match (&args.variant, sender) {
        (Some(variant), _) => return (Some(variant.clone()), String::new()),
        (None, Some(sender)) => (
            experiment.assign(&args.name, sender),
            format!("which {sender} gets"),
        ),
        (None, None) => (
            experiment.any(machine.random),
            "at random, since no sender is named".to_owned(),
        ),
    };
    let variant = found.map(|variant| variant.name.clone());
    let note = variant
        .iter()
        .map(|variant| format!("note: the variant {variant}, {why}\n"));
    (variant.clone(), note.collect())
}

fn shown(name: &str, variant: Option<String>, built: &Built, tokens: usize) -> Value {
    let lines = built.lines.iter().map(|line| {
        record([
            ("path", Value::str(line.path.as_ref())),
            ("line", count(line.line)),
            ("text", Value::str(line.text.as_str())),
        ])
    });
    let variables = built.uses.iter().map(|it| {
        record([
            ("name", Value::str(it.name.as_str())),
            (
                "value",
                text(it.given.as_ref().map(|given| given.value.clone())),
            ),
            (
                "origin",
                text(
                    it.given
                        .as_ref()
                        .map(|given| given.origin.name().to_owned()),
                ),
            ),
            ("path", Value::str(it.path.as_ref())),
            ("line", count(it.line)),
        ])
    });
    let faults = built
        .faults
        .iter()
        .map(|fault| Value::Str(fault.to_string()));
    let files = built.files.iter().map(|file| Value::str(file.as_ref()));
    record([
        ("name", Value::str(name)),
        ("variant", text(variant)),
        ("text", text(built.is_whole().then(|| built.text()))),
        ("tokens", count(tokens)),
        ("lines", Value::List(lines.collect())),
        ("variables", Value::List(variables.collect())),
        ("files", Value::List(files.collect())),
        ("faults", Value::List(faults.collect())),
    ])
}

/// Runs `assign`: the variant of each id, and who would move under other weights.
pub fn assign(args: &AssignArgs, machine: &Machine, output: &mut Output) -> Result<u8> {
    let inputs = Inputs::resolve(&args.turn.request(args.workspace.clone()), machine)?;
    let experiments = &inputs.config.library.experiments;
    let experiment = experiments.get(&args.experiment).ok_or_else(|| {
        let message = format!("there is no experiment {:?}", args.experiment);
        let known = experiments.keys().map(String::as_str);
        let hint = nearest(&args.experiment, known).map_or_else(
            || "`[experiments.NAME]` in promptscope.toml declares one".to_owned(),
            |meant| format!("did you mean {meant:?}?"),
        );
        Error::new(Kind::Usage, message).hint(hint)
    })?;
    let other = other_weights(args, experiment)?;
    let variant = |experiment: &Experiment, id: &str| {
        let found = experiment.assign(&args.experiment, id);
        found.map_or_else(String::new, |variant| variant.name.clone())
    };
    let mut out = String::new();
    for id in &args.ids {
        let now = variant(experiment, id);
        let then = other.as_ref().map(|other| variant(other, id));
        let moved = then
            .filter(|then| *then != now)
            .map_or_else(String::new, |then| format!(" -> {then}"));
        let _ = writeln!(out, "{id}\t{now}{moved}");
    }
    print(&out, output)
}

/// Gives the experiment with the weights of `--weights`.
fn other_weights(args: &AssignArgs, experiment: &Experiment) -> Result<Option<Experiment>> {
    if args.weights.is_empty() {
        return Ok(None);
    }
    let sum: f64 = args.weights.iter().sum();
    let are_shares = args.weights.iter().all(|share| (0.0..=1.0).contains(share));
    let is_all = are_shares && (sum - 1.0).abs() <= 1e-6;
    if args.weights.len() != experiment.variants.len() || !is_all {
        let message = format!(
            "--weights takes {} shares that add up to 1",
            experiment.variants.len()
        );
        return Err(Error::new(Kind::Usage, message));
    }
    let mut other = experiment.clone();
    for (variant, weight) in other.variants.iter_mut().zip(&args.weights) {
        variant.weight = *weight;
    }
    Ok(Some(other))
}

pub(super) fn print(text: &str, output: &mut Output) -> Result<u8> {
    let text = (output.safe)(text).into_owned();
    let written = write_all(output.out, text.as_bytes());
    written.map(|()| 0).map_err(|error| Error::output(&error))
}
