//! A log of what the workbench does, into a file, where one is asked for: the screen has no room for it.
//!
//! It holds names of events, durations, the state of the watch and kinds of errors, and never what
//! stands in a file or a message: a log is sent to others more easily than a workspace.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use chrono::{SecondsFormat, Utc};

use crate::error::{Error, Kind, Result};

static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// Opens the log, which only the person can read; what it holds already stays.
///
/// It may not lie in a folder that is watched, for each line would count as a change.
pub fn open(path: &Path, watched: &[PathBuf]) -> Result<()> {
    let fails = |problem: &str| {
        let message = format!("the log {} {problem}", path.display());
        Error::new(Kind::Output, message)
    };
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    let folder = folder.map_err(|error| fails(&format!("cannot be written: {error}")))?;
    let watched = watched.iter().filter_map(|it| fs::canonicalize(it).ok());
    if watched.into_iter().any(|it| folder.starts_with(it)) {
        let hint = "name a file elsewhere: each line would count as a change of the workspace";
        return Err(fails("lies in a folder that is watched").hint(hint));
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)
        .map_err(|error| fails(&format!("cannot be written: {error}")))?;
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(fails("is no regular file"));
    }
    // One that was there may be open to others.
    file.set_permissions(fs::Permissions::from_mode(0o600))
        .map_err(|error| fails(&format!("cannot be made private: {error}")))?;
    // A process has one log; the first that is opened is it.
    let _ = LOG.set(Mutex::new(file));
    Ok(())
}

/// Writes a line: the time, the event's name, and what is to be known of it.
pub fn event(name: &str, details: impl Display) {
    let Some(log) = LOG.get() else { return };
    let now = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
    let details = details.to_string().replace(char::is_control, " ");
    let line = format!("{now} {name} {details}");
    let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
    // A full disk has no other place to be told, and ends nothing.
    let _ = file.write_all(format!("{}\n", line.trim_end()).as_bytes());
}

/// Writes how long something took that began at an instant.
pub fn took(name: &str, since: Instant, details: impl Display) {
    if LOG.get().is_some() {
        let milliseconds = since.elapsed().as_secs_f64() * 1000.0;
        event(name, format_args!("{milliseconds:.1} ms {details}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_private_and_stays_out_of_what_is_watched() {
        let dir = tempfile::tempdir().unwrap();
        let watched = dir.path().join("workspace");
        fs::create_dir_all(watched.join("memory")).unwrap();
        std::os::unix::fs::symlink(&watched, dir.path().join("alias")).unwrap();
        for place in ["workspace/log", "workspace/memory/log", "alias/log"] {
            let error = open(&dir.path().join(place), std::slice::from_ref(&watched)).unwrap_err();
            assert!(error.to_string().contains("is watched"), "{error}");
        }
        for place in ["none/log", "alias", "workspace"] {
            open(&dir.path().join(place), &[]).unwrap_err();
        }
        assert!(!watched.join("log").exists());

        let path = dir.path().join("log");
        fs::write(&path, "before\n").unwrap();
        open(&path, &[watched]).unwrap();
        event("mode", "polling\nbecause");
        took("read", Instant::now(), "view");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[1].ends_with("Z mode polling because"), "{text}");
        assert!(
            lines[2].contains("Z read 0.") && lines[2].ends_with("ms view"),
            "{text}"
        );
    }
}
