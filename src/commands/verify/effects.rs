//! What `verify` does outside: a private copy on disk, and the agent's Python as a child process.
//!
//! Everything else here is a function of values. These files are the one exception to the rule that
//! commands touch nothing outside, since to ask the agent itself is what this command is for.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::runtime::Builder;

mod child;
mod copy;

use super::failure;
use crate::error::{Error, Kind, Result};
use child::{Ended, Signals};
use copy::Copy;

/// The script that the agent's Python runs.
const BUILDER: &str = include_str!("builder.py");

/// What is asked, of whom, and about which workspace.
pub(super) struct Errand<'a> {
    /// The agent's Python.
    pub interpreter: &'a Path,
    /// The workspace as it was named.
    pub root: &'a Path,
    /// The workspace with its links resolved.
    pub resolved_root: &'a Path,
    /// The name of the session's file.
    pub session_file: Option<&'a str>,
    /// The folder in which an old session file may lie.
    pub old_sessions: Option<&'a Path>,
    /// Variables of the child that are set, or taken away.
    pub variables: Vec<(&'static str, Option<OsString>)>,
    /// How long the child may take.
    pub limit: Duration,
}

/// Where the copy lies.
pub(super) struct Copied {
    /// The copy in the place of the workspace as it was named.
    pub root: PathBuf,
    /// The copy in the place of the workspace with its links resolved.
    pub resolved_root: PathBuf,
    /// A path at which there is nothing.
    pub nothing: PathBuf,
}

/// How it went.
pub(super) enum Reply {
    /// The last line that the child printed, and where the copy was.
    Line(Vec<u8>, Copied),
    /// A signal of this number ended it.
    Interrupted(u8),
}

/// Copies, asks, and tidies away; `question` writes what is asked once the copy's place is known.
pub(super) fn ask(errand: &Errand, question: impl FnOnce(&Copied) -> String) -> Result<Reply> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| no_start(&error))?;
    runtime.block_on(async {
        let mut signals = Signals::listen().map_err(|error| no_start(&error))?;
        let mut private = Private::new()?;
        let copied = private.fill(errand)?;
        let folder = private.folder.clone();
        copy::write(&folder.join("question.json"), question(&copied).as_bytes())?;
        let script = folder.join("builder.py");
        copy::write(&script, BUILDER.as_bytes())?;
        let script = File::open(&script).map_err(|error| refused(&script, &error))?;
        let mut command = Command::new(errand.interpreter);
        command
            .args(["-B", "-"])
            .arg(&folder)
            .env("HOME", folder.join("home"))
            .stdin(Stdio::from(script));
        for (name, value) in &errand.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let ended = child::run(command, errand.limit, &mut signals).await;
        let ended = ended.map_err(|error| failure::no_child(errand.interpreter, &error))?;
        match ended {
            Ended::Itself(status, out, errors) => {
                let last = out.split(|&b| b == b'\n').rfind(|line| !line.is_empty());
                match last.filter(|line| status.success() && line.starts_with(b"{")) {
                    Some(line) => Ok(Reply::Line(line.to_vec(), copied)),
                    None => Err(failure::no_answer(
                        errand.interpreter,
                        &status.to_string(),
                        &errors,
                    )),
                }
            }
            Ended::AtLimit(errors) => Err(failure::too_slow(errand.limit, &errors)),
            Ended::TooMuch => Err(failure::too_much(errand.interpreter)),
            Ended::BySignal(number) => Ok(Reply::Interrupted(u8::try_from(number).unwrap_or(0))),
        }
    })
}

/// A folder that nobody else may look into, gone when this is dropped.
struct Private {
    folder: PathBuf,
    closed: Vec<PathBuf>,
    _dir: tempfile::TempDir,
}

impl Private {
    fn new() -> Result<Self> {
        let dir = tempfile::Builder::new()
            .prefix("promptscope-verify-")
            // The name is looked for in the answer: nothing else may look like it.
            .rand_bytes(16)
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .map_err(|error| no_start(&error))?;
        let folder = fs::canonicalize(dir.path()).map_err(|error| no_start(&error))?;
        Ok(Self {
            folder,
            closed: Vec::new(),
            _dir: dir,
        })
    }

    /// Copies the workspace, and what is read from the person's home.
    fn fill(&mut self, errand: &Errand) -> Result<Copied> {
        let real = self.folder.join("real-workspace");
        let home = self.folder.join("home");
        let legacy = Path::new(".nanobot/sessions");
        let folders = fs::create_dir_all(home.join(legacy));
        folders.map_err(|error| refused(&home, &error))?;
        let mut copy = Copy {
            from: errand.root,
            to: &real,
            closed: Vec::new(),
        };
        let made = copy.make(errand.session_file);
        self.closed = copy.closed;
        made?;
        // The agent moves a session out of its old place where the workspace has none of this name.
        if let (Some(name), Some(old)) = (errand.session_file, errand.old_sessions)
            && fs::metadata(errand.root.join("sessions").join(name)).is_err()
        {
            copy::entry(&old.join(name), &home.join(legacy).join(name))?;
        }
        let root = if errand.root == errand.resolved_root {
            real.clone()
        } else {
            let named = self.folder.join("named-workspace");
            symlink(&real, &named).map_err(|error| refused(&named, &error))?;
            named
        };
        Ok(Copied {
            root,
            resolved_root: real,
            nothing: self.folder.join("nothing"),
        })
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        for folder in &self.closed {
            // Where this fails, removing the folder fails too, and nothing more can be done.
            let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
        }
    }
}

fn no_start(error: &io::Error) -> Error {
    let message = format!("the private copy cannot be made: {error}");
    Error::new(Kind::Verify, message).hint("TMPDIR names the folder that it is made in")
}

fn refused(path: &Path, error: &io::Error) -> Error {
    let message = format!("{} cannot be copied: {error}", path.display());
    Error::new(Kind::Verify, message)
}

fn pipe(path: &Path) -> Error {
    let message = format!(
        "{} is a pipe or a device: the agent would wait on it and never answer",
        path.display()
    );
    Error::new(Kind::Verify, message).hint("put a regular file there, or remove it")
}
