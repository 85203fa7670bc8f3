//! `promptscope log`: the commits that changed a prompt as it is built, with its tokens.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::prompts::print;
use super::render::Output;
use super::report::{count, json_text, record, text};
use crate::cli::{LogArgs, ReportFormat};
use crate::error::{Error, Kind, Result};
use crate::inputs::{Inputs, SETTINGS};
use crate::library::{Built, Cache, FaultKind};
use crate::machine::Machine;
use crate::python::Value;
use crate::revision::{Commit, commits};
use crate::tokens::Counter;

/// A prompt as of a commit.
struct Logged {
    commit: Commit,
    built: Built,
    tokens: Option<usize>,
    /// The tokens before the commit; `None` where it was not there or could not be built.
    before: Option<usize>,
}

impl Logged {
    /// Gives what a later commit must change to be listed.
    fn content(&self) -> (bool, String) {
        (self.built.is_whole(), self.built.text())
    }

    fn is_there(&self) -> bool {
        let mut faults = self.built.faults.iter();
        let missing =
            |kind: &FaultKind| matches!(kind, FaultKind::NoPrompt(_) | FaultKind::NoVariant { .. });
        !(self.built.files.is_empty() && faults.any(|fault| missing(&fault.kind)))
    }
}

/// Runs the command: follows the first parents from HEAD, and lists the commits after which the built
/// text is another one than before.
pub fn run(
    args: &LogArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.turn.request(args.workspace.clone());
    let inputs = Inputs::resolve(&request, machine)?;
    let root = &inputs.places.root;
    let watched = [inputs.prompts_folder(machine), root.join(SETTINGS)];
    let mut counter = Counter::new(inputs.encoding);
    let mut cache = Cache::default();
    let mut logged: Vec<Logged> = Vec::new();
    let (name, variant) = source_of(args, &inputs);
    let library = inputs.library(machine, now, &mut cache);
    let built = library.build(&name, variant.as_deref());
    // What is on the disk comes first, where no commit holds it yet.
    let uncommitted = Logged {
        commit: Commit::uncommitted(),
        tokens: built.tokens(&mut counter),
        built,
        before: None,
    };
    // A commit is listed once the one before it is known to be another.
    let mut newer = Some(uncommitted);
    for commit in commits(root, &watched)? {
        let (inputs, _) = Inputs::resolve_at(&request, machine, &commit.id)?;
        let library = inputs.library(machine, now, &mut cache);
        let built = library.build(&name, variant.as_deref());
        let this = Logged {
            commit,
            tokens: built.tokens(&mut counter),
            built,
            before: None,
        };
        let before = this.tokens;
        let content = this.content();
        if let Some(newer) = newer.replace(this)
            && newer.content() != content
        {
            logged.push(Logged { before, ..newer });
        }
        if logged.len() == args.limit.get() {
            newer = None;
            break;
        }
    }
    logged.extend(newer.filter(|newer| newer.is_there() && !newer.commit.is_uncommitted()));
    if logged.len() < args.limit.get() && logged.iter().all(|it| it.commit.is_uncommitted()) {
        let message = format!("no commit holds a prompt {:?}", args.name);
        let hint = "`promptscope list` names those of now; commit them first";
        return Err(Error::new(Kind::Usage, message).hint(hint));
    }
    let report = match args.format {
        ReportFormat::Human => logged.iter().map(in_a_line).collect(),
        ReportFormat::Json => json_text(&Value::List(logged.iter().map(as_json).collect())),
    };
    print(&report, output)
}

/// Gives the prompt that is meant: a file that is compiled stands for its source.
fn source_of(args: &LogArgs, inputs: &Inputs) -> (String, Option<String>) {
    let mut targets = inputs.config.library.targets.iter();
    match targets.find(|it| it.target == Path::new(&args.name)) {
        Some(target) => {
            let variant = args.variant.clone().or_else(|| target.variant.clone());
            (target.source.clone(), variant)
        }
        None => (args.name.clone(), args.variant.clone()),
    }
}

fn in_a_line(logged: &Logged) -> String {
    let Logged { commit, .. } = logged;
    let tokens = match (logged.tokens, logged.is_there()) {
        (Some(tokens), _) => tokens.to_string(),
        (None, true) => "broken".to_owned(),
        (None, false) => "gone".to_owned(),
    };
    let change = match (logged.before, logged.tokens) {
        (Some(before), Some(tokens)) if tokens >= before => format!("+{}", tokens - before),
        (Some(before), Some(tokens)) => format!("-{}", before - tokens),
        (None, Some(_)) => "new".to_owned(),
        (_, None) => String::new(),
    };
    let (short, date, subject) = (commit.short(), &commit.date, &commit.subject);
    format!("{short:<7}  {date:<10}  {tokens:>7}  {change:>6}  {subject}\n")
}

fn as_json(logged: &Logged) -> Value {
    let faults = logged.built.faults.iter();
    let faults = faults.map(|fault| Value::Str(fault.to_string()));
    // What is not committed has neither hash nor date.
    let given = |words: &str| text(Some(words.to_owned()).filter(|words| !words.is_empty()));
    record([
        ("commit", given(&logged.commit.id)),
        ("date", given(&logged.commit.date)),
        ("subject", Value::str(logged.commit.subject.as_str())),
        ("tokens", logged.tokens.map_or(Value::None, count)),
        ("before", logged.before.map_or(Value::None, count)),
        (
            "text",
            text(logged.built.is_whole().then(|| logged.built.text())),
        ),
        ("faults", Value::List(faults.collect())),
    ])
}
