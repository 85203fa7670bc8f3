//! `promptscope check`: budgets and rules over one or many workspaces, for people and for CI.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

mod effects;
mod forms;
mod junit;
mod sarif;

use super::files::write_all_or_none;
use super::render::{Output, write_all};
use crate::budget::{Baseline, Usage};
use crate::cli::{CheckArgs, CheckFormat};
use crate::error::{Error, Kind, Result};
use crate::inputs::Inputs;
use crate::insight::advice::{self, Advice};
use crate::insight::cache::Loss;
use crate::lint::{Finding, RULES, Severity};
use crate::machine::Machine;
use crate::prompt::Assembly;
use crate::tokens::{Counter, Encoding, Estimate};
use crate::workspace::read::{FileRead, Source};
use crate::workspace::survey::Survey;
use crate::workspace::{RootState, Workspace, path_text};
pub(super) use forms::in_a_line;
pub use forms::of_finding;

/// What was found in one workspace.
struct Checked {
    /// The folder as it was named on the command line, or where it was found.
    name: String,
    /// The folder.
    root: PathBuf,
    usage: Usage,
    /// The system prompt in the encoding that the agent itself counts in.
    agent_tokens: usize,
    /// The least and the most that the system prompt may have, where a model is only estimated.
    estimate: Option<(Estimate, (usize, usize))>,
    budget: crate::budget::Budget,
    findings: Vec<Finding>,
    /// The file of recorded tokens that was written.
    recorded: Option<PathBuf>,
    /// What a prompt cache would lose, where it was asked for.
    losses: Vec<Loss>,
    /// What would save most, where it was asked for.
    advice: Vec<Advice>,
}

impl Checked {
    /// Counts the findings of a severity.
    fn count(&self, severity: Severity) -> usize {
        let all = self.findings.iter();
        all.filter(|finding| finding.severity == severity).count()
    }
}

/// The encoding in which the agent itself counts.
const AGENT_ENCODING: Encoding = Estimate::BASE;

/// Runs the command; gives 1 where a finding is as severe as `--fail-on`.
pub fn run(
    args: &CheckArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    if args.rules {
        return rules(output);
    }
    let workspaces: Vec<Option<PathBuf>> = if args.workspaces.is_empty() {
        vec![None]
    } else {
        args.workspaces.iter().cloned().map(Some).collect()
    };
    let checked = effects::in_parallel(&workspaces, |workspace| {
        check(args, workspace.as_ref(), machine, now)
    });
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for checked in checked {
        match checked {
            Ok(checked) => done.push(checked),
            Err(error) => failed.push(error),
        }
    }
    let checked = done;
    let text = match args.format {
        CheckFormat::Human => forms::human(&checked, args.fail_on.severity()),
        CheckFormat::Json => forms::json(&checked),
        CheckFormat::Sarif => sarif::sarif(&checked),
        CheckFormat::Junit => junit::junit(&checked, args.fail_on.severity()),
        CheckFormat::Github => forms::github(&checked),
    };
    let text = (output.safe)(&text);
    write_all(output.out, text.as_bytes()).map_err(|error| Error::output(&error))?;
    // What could be checked is reported; the last that could not be ends the command.
    if let Some(last) = failed.pop() {
        for error in failed {
            let note = format!("promptscope: {error}\n");
            let note = (output.safe)(&note).into_owned();
            write_all(output.notes, note.as_bytes()).map_err(|error| Error::output(&error))?;
        }
        return Err(last);
    }
    let fails = checked.iter().flat_map(|checked| &checked.findings);
    let fails = fails.filter(|finding| finding.severity >= args.fail_on.severity());
    Ok(u8::from(fails.count() > 0))
}

fn check(
    args: &CheckArgs,
    workspace: Option<&PathBuf>,
    machine: &Machine,
    now: DateTime<Utc>,
) -> Result<Checked> {
    let inputs = Inputs::resolve(&args.turn.request(workspace.cloned()), machine)?;
    let workspace_read = Workspace::read(&inputs.places);
    if let RootState::Unreadable(error) = &workspace_read.state {
        let message = format!("{} {}", workspace_read.root.display(), error.message);
        return Err(Error::new(Kind::Workspace, message));
    }
    let assembly = inputs.assemble(&workspace_read, machine, now);
    let mut counter = Counter::new(inputs.encoding);
    let usage = Usage::count(&assembly, &mut counter);
    let agent_tokens = agent_tokens(&assembly, &usage);
    let root = workspace_read.root.clone();
    let file = root.join(&inputs.config.check.baseline);
    let recorded = if args.update_baseline {
        may_be_replaced(&root, &file)?;
        write_all_or_none(&[(file.clone(), Baseline::of(&usage).to_json())])?;
        Some(file.clone())
    } else {
        None
    };
    let baseline = baseline(&root, &file, &usage)?;
    let findings = inputs.findings(
        &workspace_read,
        (machine, now),
        (&assembly, &usage),
        baseline.as_ref(),
        &mut counter,
    );
    let (mut losses, mut advice) = (Vec::new(), Vec::new());
    if args.cache {
        losses = inputs.preflight(&workspace_read, machine, now, &mut counter);
    }
    if args.advise {
        let survey = Survey::read(&inputs.places, []);
        let skills = inputs.skills(&workspace_read, machine, now);
        let around = (&survey, &skills[..]);
        let subject = inputs.subject(&workspace_read, around, &assembly, &usage, None, None);
        advice = advice::advice(&subject, &mut counter);
    }
    Ok(Checked {
        name: match workspace {
            Some(named) => path_text(named),
            // Where the command was called, paths are those of version control.
            None if root == machine.current_folder => ".".to_owned(),
            None => path_text(&root),
        },
        root,
        usage,
        agent_tokens,
        estimate: inputs.config.estimate.clone().map(|estimate| {
            let range = estimate.range(agent_tokens);
            (estimate, range)
        }),
        budget: inputs.config.budget.clone(),
        findings,
        recorded,
        losses,
        advice,
    })
}

/// Refuses to replace a file that holds something else than recorded tokens.
fn may_be_replaced(root: &Path, file: &Path) -> Result<()> {
    match Source::default().fenced(root).text(file) {
        FileRead::Missing => Ok(()),
        FileRead::Text(text) if Baseline::parse(&text).is_ok() || text.trim().is_empty() => Ok(()),
        _ => {
            let message = format!("{} is there and holds no recorded tokens", file.display());
            let error = Error::new(Kind::Config, message);
            Err(error.hint("delete it, or name another file in `check.baseline`"))
        }
    }
}

/// Reads what was recorded; numbers of another encoding cannot be compared.
fn baseline(root: &Path, file: &Path, usage: &Usage) -> Result<Option<Baseline>> {
    let failed = |problem: &str| {
        let message = format!("{}: {problem}", file.display());
        Error::new(Kind::Config, message)
            .hint("`promptscope check --update-baseline` writes it anew")
    };
    // The file is ours, so a link out of the workspace has nothing to do there.
    let text = match Source::default().fenced(root).text(file) {
        FileRead::Missing => return Ok(None),
        FileRead::Failed(failure) => return Err(failed(&failure.message)),
        FileRead::Text(text) => text,
    };
    let baseline = Baseline::parse(&text).map_err(|problem| failed(&problem))?;
    if baseline.encoding != usage.encoding.name() {
        let problem = format!(
            "its tokens are of {}, and these are of {}",
            baseline.encoding,
            usage.encoding.name()
        );
        return Err(failed(&problem));
    }
    Ok(Some(baseline))
}

fn agent_tokens(assembly: &Assembly, usage: &Usage) -> usize {
    if usage.encoding == AGENT_ENCODING {
        return usage.system_prompt;
    }
    Counter::new(AGENT_ENCODING).count(&assembly.system_prompt)
}

fn rules(output: &mut Output) -> Result<u8> {
    let lines =
        RULES.map(|rule| format!("{:<25} {:<8} {}\n", rule.name, rule.severity, rule.about));
    write_all(output.out, lines.concat().as_bytes()).map_err(|error| Error::output(&error))?;
    Ok(0)
}
