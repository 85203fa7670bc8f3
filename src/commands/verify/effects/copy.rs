//! The private copy of what the agent reads, so that its builder can create and move files in it.
//!
//! The copy looks to the agent as the original does: a folder in a file's place stays a folder, a
//! link to nowhere leads nowhere, and what may not be read may not be read there either. Only a pipe
//! or a device is refused, since the agent would wait on it for ever.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::refused;
use crate::error::Result;
use crate::workspace::BOOTSTRAP_FILES;

/// The files that the agent's store reads or moves in `memory/`.
const MEMORY_FILES: [&str; 4] = ["MEMORY.md", "history.jsonl", ".dream_cursor", "HISTORY.md"];

/// A copy that is being made.
pub(super) struct Copy<'a> {
    /// The workspace.
    pub from: &'a Path,
    /// The folder to be made.
    pub to: &'a Path,
    /// The folders of the copy that may not be read or searched; they need rights to be removed.
    pub closed: Vec<PathBuf>,
}

impl Copy<'_> {
    /// Copies a workspace; of the sessions, that of one file name.
    pub(super) fn make(&mut self, session: Option<&str>) -> Result<()> {
        self.folder("", |copy| {
            for name in BOOTSTRAP_FILES {
                copy.entry(name)?;
            }
            copy.folder("memory", |copy| {
                let below = MEMORY_FILES.iter().map(|name| format!("memory/{name}"));
                below.into_iter().try_for_each(|name| copy.entry(&name))
            })?;
            copy.folder("skills", Self::skills)?;
            copy.folder("sessions", |copy| match session {
                Some(name) => copy.entry(format!("sessions/{name}")),
                None => Ok(()),
            })
        })
    }

    /// Copies the entries of `skills/`: of each folder its SKILL.md, of all else that it is there.
    fn skills(&mut self) -> Result<()> {
        let Ok(entries) = fs::read_dir(self.from.join("skills")) else {
            return Ok(());
        };
        for entry in entries.filter_map(io::Result::ok) {
            let below = Path::new("skills").join(entry.file_name());
            if fs::metadata(entry.path()).is_ok_and(|meta| !meta.is_dir()) {
                write(&self.to.join(below), b"")?;
            } else {
                self.folder(&below, |copy| copy.entry(below.join("SKILL.md")))?;
            }
        }
        Ok(())
    }

    /// Makes a folder, fills it, and takes the rights away that the original does not give.
    fn folder(
        &mut self,
        below: impl AsRef<Path>,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (from, to) = (self.from.join(&below), self.to.join(&below));
        if !fs::metadata(&from).is_ok_and(|meta| meta.is_dir()) {
            return self.entry(below);
        }
        fs::create_dir(&to).map_err(|error| refused(&to, &error))?;
        fill(self)?;
        let is_listed = fs::read_dir(&from).is_ok();
        let is_searched = fs::metadata(from.join(".")).is_ok();
        if !is_listed || !is_searched {
            let mode =
                0o200 | if is_listed { 0o400 } else { 0 } | if is_searched { 0o100 } else { 0 };
            set_mode(&to, mode)?;
            self.closed.push(to);
        }
        Ok(())
    }

    /// Copies one entry for what it is, if it is there.
    fn entry(&mut self, below: impl AsRef<Path>) -> Result<()> {
        entry(&self.from.join(&below), &self.to.join(&below))
    }
}

/// Copies a file; a folder becomes an empty one, and a link that leads nowhere stays one.
pub(super) fn entry(from: &Path, to: &Path) -> Result<()> {
    match fs::metadata(from) {
        Ok(meta) if meta.is_dir() => fs::create_dir(to).map_err(|error| refused(to, &error)),
        Ok(meta) if meta.is_file() => match read(from) {
            Ok(bytes) => write(to, &bytes),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                write(to, b"")?;
                set_mode(to, 0o000)
            }
            Err(error) => Err(refused(from, &error)),
        },
        Ok(_) => Err(super::pipe(from)),
        // The agent's own path runs into the same trouble: there is nothing to copy.
        Err(_) if fs::symlink_metadata(from).is_err() => Ok(()),
        Err(error) => {
            let is_loop = error.raw_os_error() == Some(libc::ELOOP);
            let target = if is_loop {
                to
            } else {
                Path::new("nowhere/at/all")
            };
            symlink(target, to).map_err(|error| refused(to, &error))
        }
    }
}

/// Reads a regular file; one that became a pipe meanwhile is not waited for.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("changed while it was copied"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| refused(path, &error))
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(|error| refused(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(from: &Path, session: Option<&str>) -> (tempfile::TempDir, PathBuf, Result<()>) {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("copy");
        let made = Copy {
            from,
            to: &to,
            closed: Vec::new(),
        }
        .make(session);
        (dir, to, made)
    }

    #[test]
    fn what_the_agent_reads_is_copied_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in [
            "memory",
            "skills/one/assets",
            "skills/bare",
            "sessions",
            "notes",
        ] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "AGENTS.md",
            "other.md",
            "memory/MEMORY.md",
            "memory/photo.png",
            "skills/one/SKILL.md",
            "skills/one/big.bin",
            "skills/README.md",
            "sessions/cli_x.jsonl",
            "sessions/cli_y.jsonl",
            "notes/a.md",
        ] {
            fs::write(root.join(file), file).unwrap();
        }
        let (_dir, to, made) = copied(root, Some("cli_x.jsonl"));
        made.unwrap();
        for (file, text) in [
            ("AGENTS.md", "AGENTS.md"),
            ("memory/MEMORY.md", "memory/MEMORY.md"),
            ("skills/one/SKILL.md", "skills/one/SKILL.md"),
            ("skills/README.md", ""),
            ("sessions/cli_x.jsonl", "sessions/cli_x.jsonl"),
        ] {
            assert_eq!(fs::read_to_string(to.join(file)).unwrap(), text, "{file}");
        }
        assert!(to.join("skills/bare").is_dir());
        for file in [
            "other.md",
            "memory/photo.png",
            "skills/one/big.bin",
            "sessions/cli_y.jsonl",
            "notes",
            "USER.md",
        ] {
            assert!(!to.join(file).exists(), "{file}");
        }
    }

    #[test]
    fn what_is_out_of_place_stays_so() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("AGENTS.md/below")).unwrap();
        symlink("none", root.join("SOUL.md")).unwrap();
        symlink(root.join("USER.md"), root.join("USER.md")).unwrap();
        fs::write(root.join("memory"), "").unwrap();
        fs::create_dir_all(root.join("elsewhere/linked")).unwrap();
        fs::write(root.join("elsewhere/linked/SKILL.md"), "s").unwrap();
        fs::create_dir(root.join("skills")).unwrap();
        symlink(root.join("elsewhere/linked"), root.join("skills/linked")).unwrap();
        symlink("none", root.join("skills/broken")).unwrap();
        let (_dir, to, made) = copied(root, None);
        made.unwrap();
        assert!(to.join("AGENTS.md").is_dir());
        assert_eq!(
            fs::metadata(to.join("SOUL.md")).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        assert!(to.join("SOUL.md").is_symlink());
        let circle = fs::metadata(to.join("USER.md")).unwrap_err();
        assert_eq!(circle.raw_os_error(), Some(libc::ELOOP));
        assert!(to.join("memory").is_file());
        assert_eq!(fs::read(to.join("skills/linked/SKILL.md")).unwrap(), b"s");
        assert!(to.join("skills/broken").is_symlink());
    }

    #[test]
    fn a_pipe_is_refused_and_never_opened() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("AGENTS.md");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (_dir, _to, made) = copied(dir.path(), None);
        let error = made.unwrap_err();
        assert!(error.to_string().contains("AGENTS.md is a pipe"), "{error}");
    }
}
