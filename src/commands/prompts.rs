//! `promptscope list`, `show` and `assign`: the prompts as files, one of them built, and who gets which
//! variant.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::render::{Output, write_all};
use super::report::{count, json_text, record, text};
use crate::cli::{AssignArgs, ListArgs, ReportFormat, ShowArgs};
use crate::error::{Error, Kind, Result, nearest};
use crate::inputs::Inputs;
use crate::library::{Built, Experiment, Library, SourceKind};
use crate::machine::Machine;
use crate::python::Value;
use crate::tokens::Counter;

/// Runs `list`: every prompt, composition and experiment, with its tokens.
pub fn list(
    args: &ListArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let inputs = Inputs::resolve(&args.library.turn.request(args.workspace.clone()), machine)?;
    let library = inputs.library(machine, now, &args.library.vars);
    let mut counter = Counter::new(inputs.encoding);
    let mut lines = Vec::new();
    for name in names(&library) {
        let built = library.build(&name, None);
        let tokens = if built.is_whole() {
            counter.count(&built.text())
        } else {
            0
        };
        lines.push((name, built, tokens));
    }
    let report = match args.format {
        ReportFormat::Human => {
            let lines = lines.iter().map(|(name, built, tokens)| {
                let budget = built.declared.budget;
                let about = match (built.faults.first(), budget) {
                    (Some(fault), _) => fault.to_string(),
                    (None, Some(budget)) if *tokens > budget => {
                        format!("over its budget of {budget}")
                    }
                    (None, _) => built.declared.description.clone().unwrap_or_default(),
                };
                format!(
                    "{:<11} {tokens:>7}  {name:<28} {about}\n",
                    kind(&library, name)
                )
            });
            lines.collect::<String>()
        }
        ReportFormat::Json => {
            let prompts = lines.iter().map(|(name, built, tokens)| {
                let faults = built
                    .faults
                    .iter()
                    .map(|fault| Value::Str(fault.to_string()));
                let files = built.files.iter().map(|file| Value::str(file.as_ref()));
                record([
                    ("name", Value::str(name.as_str())),
                    ("kind", Value::str(kind(&library, name))),
                    ("description", text(built.declared.description.clone())),
                    ("tokens", count(*tokens)),
                    ("budget", built.declared.budget.map_or(Value::None, count)),
                    ("files", Value::List(files.collect())),
                    ("faults", Value::List(faults.collect())),
                ])
            });
            json_text(&Value::List(prompts.collect()))
        }
    };
    print(&report, output)
}

/// Runs `show`: one of them built, as the agent would read it.
pub fn show(
    args: &ShowArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.library.turn.request(args.workspace.clone());
    let inputs = Inputs::resolve(&request, machine)?;
    let library = inputs.library(machine, now, &args.library.vars);
    let built = library.build(&args.name, args.variant.as_deref());
    let tokens = Counter::new(inputs.encoding).count(&built.text());
    match args.format {
        ReportFormat::Human => {
            let mut notes = String::new();
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
            print(&json_text(&shown(&args.name, &built, tokens)), output)?;
        }
    }
    Ok(u8::from(!built.is_whole()))
}

fn shown(name: &str, built: &Built, tokens: usize) -> Value {
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
            ("value", text(it.value.clone())),
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
    if args.weights.len() != experiment.variants.len() || (sum - 1.0).abs() > 1e-6 {
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

/// Lists the names: prompts, compositions, experiments.
fn names(library: &Library) -> Vec<String> {
    let prompts = library.sources.files.keys();
    let prompts = prompts.map(|path| path.strip_suffix(".md").unwrap_or(path).to_owned());
    let compositions = library.settings.compositions.keys().cloned();
    prompts
        .chain(compositions)
        .chain(library.settings.experiments.keys().cloned())
        .collect()
}

fn kind(library: &Library, name: &str) -> &'static str {
    match library.kind(name) {
        SourceKind::Prompt => "prompt",
        SourceKind::Composition => "composition",
        SourceKind::Experiment => "experiment",
    }
}

fn print(text: &str, output: &mut Output) -> Result<u8> {
    let text = (output.safe)(text).into_owned();
    let written = write_all(output.out, text.as_bytes());
    written.map(|()| 0).map_err(|error| Error::output(&error))
}
