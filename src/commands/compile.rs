//! `promptscope compile`: writes prompt sources out to the files that the agent reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use similar::TextDiff;

use super::files::write_all_or_none;
use super::render::{Output, write_all};
use crate::cli::CompileArgs;
use crate::error::{Error, Kind, Result};
use crate::inputs::Inputs;
use crate::library::{Library, Manifest, ManifestOutput, Planned, TargetState, sum};
use crate::machine::Machine;
use crate::revision::Revision;
use crate::tokens::Counter;
use crate::workspace::path_text;
use crate::workspace::read::{self, FileRead, Found, Source};

/// The file that says what was written last, below the workspace.
const MANIFEST: &str = "promptscope-manifest.json";

/// Runs the command; gives 1 where a source has a fault, a target was edited by hand, or, with
/// `--check`, a target is out of date.
pub fn run(
    args: &CompileArgs,
    machine: &Machine,
    now: DateTime<Utc>,
    output: &mut Output,
) -> Result<u8> {
    let request = args.library.turn.request(args.workspace.clone());
    let mut inputs = Inputs::resolve(&request, machine)?;
    let root = inputs.places.root.clone();
    if let Some(revision) = &args.rev {
        inputs.set_revision(&Revision::read(&root, revision)?);
    }
    let library = inputs.library(machine, now, &args.library.vars);
    if library.settings.targets.is_empty() {
        let error = Error::new(Kind::Config, "there is nothing to compile");
        return Err(error.hint("[[compile]] in promptscope.toml names a source and a target"));
    }
    let manifest = manifest(&root)?;
    for target in &library.settings.targets {
        may_be_written(&root, &target.target)?;
    }
    let on_disk = |target: &Path| read::bytes(&root.join(target)).ok().flatten();
    let plan = library.plan(&manifest, on_disk);
    let is_refused = plan
        .iter()
        .any(|it| !it.is_whole() || (it.state == TargetState::EditedByHand && !args.force));
    let is_changing = plan.iter().any(|it| it.state != TargetState::Same);
    say(&told(&plan, args), output)?;
    if args.check || args.dry_run {
        return Ok(u8::from(is_refused || (args.check && is_changing)));
    }
    if is_refused {
        return Ok(1);
    }
    write(&root, &plan, &manifest, &library, &inputs)?;
    Ok(0)
}

/// Writes what differs, and then what was written.
fn write(
    root: &Path,
    plan: &[Planned],
    manifest: &Manifest,
    library: &Library,
    inputs: &Inputs,
) -> Result<()> {
    let mut counter = Counter::new(inputs.encoding);
    let outputs = plan.iter().map(|it| {
        let output = ManifestOutput {
            source: it.source.clone(),
            sha256: sum(it.text.as_bytes()),
            tokens: counter.count(&it.text),
        };
        (path_text(&it.target), output)
    });
    let outputs = outputs.collect();
    let changed = plan.iter().filter(|it| it.state != TargetState::Same);
    let mut files: Vec<(PathBuf, String)> = changed
        .map(|it| (root.join(&it.target), it.text.clone()))
        .collect();
    if manifest.outputs != outputs {
        let (commit, is_dirty) = state_of_sources(root, library);
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
    let is_same = |(name, file): (&String, &FileRead)| source.text(&folder.join(name)) == *file;
    let is_dirty = !library.sources.files.iter().all(is_same);
    (Some(head.commit), is_dirty)
}

fn manifest(root: &Path) -> Result<Manifest> {
    let file = root.join(MANIFEST);
    let failed = |problem: &str| {
        let message = format!("{}: {problem}", file.display());
        Error::new(Kind::Config, message).hint("without it every target counts as edited by hand")
    };
    // The file is ours, so a link out of the workspace has nothing to do there.
    match Source::default().fenced(root).text(&file) {
        FileRead::Missing => Ok(Manifest::default()),
        FileRead::Failed(failure) => Err(failed(&failure.message)),
        FileRead::Text(text) => Manifest::parse(&text).map_err(|problem| failed(&problem)),
    }
}

/// Refuses a target that is a folder or a link, or that a link on the way leads out of the workspace.
fn may_be_written(root: &Path, target: &Path) -> Result<()> {
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
    if read::find(&path) == Ok(Found::Folder) {
        return refused("is a folder");
    }
    let folder = path.parent().unwrap_or(root);
    if !read::resolved(folder).starts_with(read::resolved(root)) {
        return refused("is outside the workspace");
    }
    Ok(())
}

/// Says of every target what is, or would be, done.
fn told(plan: &[Planned], args: &CompileArgs) -> String {
    let mut out = String::new();
    for it in plan {
        let target = path_text(&it.target);
        for fault in &it.faults {
            let word = if fault.kind.is_warning() {
                "warning"
            } else {
                "error"
            };
            let _ = writeln!(out, "{target}: {word}: {fault}");
        }
        if !it.is_whole() {
            continue;
        }
        let word = match it.state {
            TargetState::Same => "up to date",
            TargetState::New => "new",
            TargetState::Stale => "out of date",
            TargetState::EditedByHand if args.force => "edited by hand, replaced",
            TargetState::EditedByHand => "edited by hand, left as it is (--force replaces it)",
        };
        let _ = writeln!(out, "{target}: {word}, from {}", it.source);
        if args.dry_run && it.state != TargetState::Same {
            let now = String::from_utf8_lossy(it.now.as_deref().unwrap_or_default());
            let diff = TextDiff::from_lines(now.as_ref(), it.text.as_str());
            out.push_str(&diff.unified_diff().header(&target, &target).to_string());
        }
    }
    out
}

fn say(text: &str, output: &mut Output) -> Result<()> {
    let text = (output.safe)(text).into_owned();
    write_all(output.out, text.as_bytes()).map_err(|error| Error::output(&error))
}
