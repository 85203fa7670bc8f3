//! `promptscope compile`: writes prompt sources out to the files that the agent reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::files::write_all_or_none;
use super::render::{Output, write_all};
use crate::cli::CompileArgs;
use crate::display::line_diff::{CONTEXT, unified};
use crate::error::{Error, Kind, Result};
use crate::inputs::Inputs;
use crate::library::{
    Cache, Library, MANIFEST, Manifest, ManifestOutput, Planned, SourceFile, TargetState,
    ValueOrigin, sum,
};
use crate::machine::Machine;
use crate::revision::Revision;
use crate::tokens::Counter;
use crate::workspace::path_text;
use crate::workspace::read::{self, Found};

/// Runs the command; gives 1 where a source has a fault, a target was edited by hand, or, with
/// `--check`, a target is out of date.
pub fn run(
    args: &CompileArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.turn.request(args.workspace.clone());
    let (inputs, revision) = match &args.rev {
        Some(name) => {
            let (inputs, revision) = Inputs::resolve_at(&request, machine, name)?;
            (inputs, Some(revision))
        }
        None => (Inputs::resolve(&request, machine)?, None),
    };
    let root = inputs.places.root.clone();
    let library = inputs.library(machine, now, &mut Cache::default());
    if library.settings.targets.is_empty() {
        let error = Error::new(Kind::Config, "there is nothing to compile");
        return Err(error.hint("[[compile]] in promptscope.toml names a source and a target"));
    }
    let manifest = inputs.manifest()?;
    let written = library
        .settings
        .targets
        .iter()
        .map(|it| it.target.as_path());
    for target in written.chain([Path::new(MANIFEST)]) {
        may_be_written(&root, target, &library.sources.folder)?;
    }
    let on_disk = |target: &Path| read::bytes(&root.join(target)).ok().flatten();
    let plan = library.plan(&manifest, on_disk);
    let is_refused = plan
        .iter()
        .any(|it| !it.is_whole() || (it.state.is_theirs() && !args.force));
    let is_changing = plan.iter().any(|it| it.state != TargetState::Same);
    let is_only_told = args.check || args.dry_run;
    if is_only_told || is_refused {
        say(&told(&plan, args), output)?;
        if is_only_told {
            return Ok(u8::from(is_refused || (args.check && is_changing)));
        }
        say("nothing was written\n", output)?;
        return Ok(1);
    }
    // What no commit holds has its say in the text: a value of the command line or a scenario, the clock.
    let is_of_now = plan.iter().flat_map(|it| &it.built.uses).any(|it| {
        let origin = it.given.as_ref().map(|given| &given.origin);
        matches!(
            origin,
            Some(ValueOrigin::CommandLine | ValueOrigin::Scenario | ValueOrigin::Clock)
        )
    });
    let (commit, is_dirty) = match revision {
        Some(revision) => (Some(revision.commit), false),
        None => state_of_sources(&root, &library),
    };
    let mut counter = Counter::new(inputs.encoding);
    let tokens: Vec<usize> = plan.iter().map(|it| counter.count(&it.text)).collect();
    let origin = (commit, is_dirty || is_of_now);
    write(&root, &plan, &manifest, origin, &tokens)?;
    let mut said = String::new();
    for (it, tokens) in plan.iter().zip(tokens) {
        warnings(it, &mut said);
        let target = path_text(&it.target);
        let source = of(it);
        let before = it.now.as_deref().map(String::from_utf8_lossy);
        let before = before.map(|text| counter.count(&text));
        let change = match (it.state, before) {
            (TargetState::Same, _) => {
                let _ = writeln!(said, "{target}: up to date, from {source}");
                continue;
            }
            (_, None) => String::new(),
            (_, Some(before)) if tokens >= before => format!(" (+{})", tokens - before),
            (_, Some(before)) => format!(" (-{})", before - tokens),
        };
        let _ = writeln!(
            said,
            "{target}: written from {source}, {tokens} tokens{change}"
        );
    }
    say(&said, output)?;
    Ok(0)
}

/// Names the source of a target, with its variant.
fn of(planned: &Planned) -> String {
    let variant = planned.variant.iter().map(|variant| format!(" {variant}"));
    planned.source.clone() + &variant.collect::<String>()
}

/// Writes what differs, and then what was written.
fn write(
    root: &Path,
    plan: &[Planned],
    manifest: &Manifest,
    (commit, is_dirty): (Option<String>, bool),
    tokens: &[usize],
) -> Result<()> {
    let outputs = plan.iter().zip(tokens).map(|(it, tokens)| {
        let output = ManifestOutput {
            source: it.source.clone(),
            sha256: sum(it.text.as_bytes()),
            tokens: *tokens,
        };
        (path_text(&it.target), output)
    });
    let outputs = outputs.collect();
    let changed = plan.iter().filter(|it| it.state != TargetState::Same);
    let mut files: Vec<(PathBuf, String)> = changed
        .map(|it| (root.join(&it.target), it.text.clone()))
        .collect();
    if manifest.outputs != outputs {
        let manifest = Manifest {
            commit,
            is_dirty,
            outputs,
        };
        files.push((root.join(MANIFEST), manifest.to_json()));
    }
    write_all_or_none(&files)
}

/// Gives the last commit, and whether the sources differ from it.
fn state_of_sources(root: &Path, library: &Library) -> (Option<String>, bool) {
    let Ok(head) = Revision::read(root, "HEAD") else {
        return (None, true);
    };
    let (folder, source) = (&library.sources.folder, head.source());
    let is_same =
        |(name, file): (&String, &SourceFile)| source.text(&folder.join(name)) == file.read;
    let is_dirty = !library.sources.files.iter().all(is_same);
    (Some(head.commit), is_dirty)
}

/// Refuses a target that is no file or a link, that stands among the sources, or that a link on the way leads
/// out of the workspace.
fn may_be_written(root: &Path, target: &Path, prompts: &Path) -> Result<()> {
    let path = root.join(target);
    let refused = |problem: &str| {
        Err(Error::new(
            Kind::Config,
            format!("the target {} {problem}", target.display()),
        ))
    };
    if read::is_link(&path) {
        return refused("is a link, and what it leads to is not written");
    }
    match read::find(&path) {
        Ok(Found::Folder) => return refused("is a folder"),
        Ok(Found::Other) => return refused("is no file"),
        _ => {}
    }
    let folder = read::resolved(path.parent().unwrap_or(root));
    if !folder.starts_with(read::resolved(root)) {
        return refused("is outside the workspace");
    }
    if folder.starts_with(read::resolved(prompts)) {
        return refused("is in the folder of prompts, where the sources are");
    }
    Ok(())
}

/// Says what is wrong with a target's source.
fn warnings(planned: &Planned, out: &mut String) {
    let target = path_text(&planned.target);
    for fault in &planned.built.faults {
        let is_warning = fault.kind.is_warning();
        let word = if is_warning { "warning" } else { "error" };
        let _ = writeln!(out, "{target}: {word}: {fault}");
    }
}

/// Says of every target how it stands to its source.
fn told(plan: &[Planned], args: &CompileArgs) -> String {
    let mut out = String::new();
    for it in plan {
        let target = path_text(&it.target);
        warnings(it, &mut out);
        if !it.is_whole() {
            continue;
        }
        let word = match it.state {
            TargetState::Same => "up to date",
            TargetState::New => "new",
            TargetState::Stale => "out of date",
            TargetState::EditedByHand if args.force => "edited by hand, to be replaced",
            TargetState::NotOurs if args.force => "there before, to be replaced",
            TargetState::NotOurs => "there before, left as it is (--force replaces it)",
            TargetState::EditedByHand => "edited by hand, left as it is (--force replaces it)",
        };
        let _ = writeln!(out, "{target}: {word}, from {}", of(it));
        if args.dry_run && it.state != TargetState::Same {
            let now = String::from_utf8_lossy(it.now.as_deref().unwrap_or_default());
            let diff = unified(&now, &it.text, CONTEXT, Some((&target, &target)));
            out.push_str(&diff);
        }
    }
    out
}

fn say(text: &str, output: &mut Output) -> Result<()> {
    let text = (output.safe)(text).into_owned();
    write_all(output.out, text.as_bytes()).map_err(|error| Error::output(&error))
}
