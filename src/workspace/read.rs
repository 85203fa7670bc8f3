//! The only door to the disk: every file and folder of a workspace is read here, never written.
//!
//! Reading mirrors what the agent's Python does (`Path.exists`, `read_text(encoding="utf-8")`,
//! `iterdir`) and names the exception that Python would raise. It never blocks: a FIFO or a device
//! is recognised before a byte is read.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod beneath;
mod content;
mod shelf;
mod source;
mod tree;

use super::agent_error::AgentError;
pub use content::Content;
pub use shelf::Shelf;
use shelf::Stamp;
pub use source::Source;
pub use tree::{Entry, Tree};

/// What became of reading a text file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FileRead {
    /// There is no such file.
    #[default]
    Missing,
    /// The text, with every line end turned into LF.
    Text(Arc<str>),
    /// The file is there and Python could not read it.
    Failed(AgentError),
}

impl FileRead {
    /// Takes the text of what a file holds, or says why there is none.
    fn of(content: Result<Option<Content>, AgentError>) -> Self {
        let text = content.and_then(|content| content.map(Content::into_text).transpose());
        match text {
            Ok(Some(text)) => Self::Text(text),
            Ok(None) => Self::Missing,
            Err(failure) => Self::Failed(failure),
        }
    }

    /// Gives the text, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Missing | Self::Failed(_) => None,
        }
    }

    /// Names another path in a failure: the one that was asked for, where a link led elsewhere.
    fn renamed(self, path: &Path) -> Self {
        match self {
            Self::Failed(failure) => Self::Failed(AgentError {
                path: Some(path.to_path_buf()),
                ..failure
            }),
            other => other,
        }
    }
}

/// Names the exception that Python raises for an error of the system.
fn raised(path: &Path, error: &io::Error) -> AgentError {
    let class = match error.kind() {
        io::ErrorKind::NotFound => "FileNotFoundError",
        io::ErrorKind::PermissionDenied => "PermissionError",
        io::ErrorKind::IsADirectory => "IsADirectoryError",
        io::ErrorKind::NotADirectory => "NotADirectoryError",
        _ => "OSError",
    };
    AgentError::at(path, class, describe(error))
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission to read it is denied".into(),
        io::ErrorKind::IsADirectory => "is a folder where a file should be".into(),
        io::ErrorKind::NotADirectory => "is a file where a folder should be".into(),
        _ => odd(error).map_or_else(|| error.to_string(), str::to_owned),
    }
}

/// Names what the system calls by a number.
#[cfg(unix)]
fn odd(error: &io::Error) -> Option<&'static str> {
    match error.raw_os_error()? {
        libc::ELOOP => Some("is a link that goes round in circles"),
        libc::ENXIO => Some("is a socket, which nobody can read"),
        _ => None,
    }
}

#[cfg(not(unix))]
fn odd(_: &io::Error) -> Option<&'static str> {
    None
}

/// Reads a text file as `path.read_text(encoding="utf-8")` does.
#[must_use]
pub fn text(path: &Path) -> FileRead {
    FileRead::of(content(path, open_regular(path), None))
}

/// Reads a text file that the agent opens without asking whether it exists.
///
/// Only a path that leads nowhere is missing then: a link that goes round in circles raises.
#[must_use]
pub fn text_unasked(path: &Path) -> FileRead {
    unasked(Some(path), text(path))
}

fn unasked(path: Option<&Path>, read: FileRead) -> FileRead {
    let Some(path) = path.filter(|_| read == FileRead::Missing) else {
        return read;
    };
    match fs::metadata(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            FileRead::Failed(raised(path, &error))
        }
        _ => read,
    }
}

/// How far a file may grow while it is read; what is appended after that is a save of its own.
const MAX_GROWTH: u64 = 16 * 1024 * 1024;

/// Reads a whole file; `Ok(None)` if there is none.
///
/// A file that grows faster than it is read has an end too.
pub fn bytes(path: &Path) -> Result<Option<Vec<u8>>, AgentError> {
    let there = there(open_regular(path))?;
    there
        .map(|(file, meta)| whole(path, file, &meta))
        .transpose()
}

/// Reads what was opened, or takes what a shelf holds of it.
fn content(
    path: &Path,
    opened: Result<(File, Metadata), AgentError>,
    shelf: Option<&Shelf>,
) -> Result<Option<Content>, AgentError> {
    let Some((file, meta)) = there(opened)? else {
        return Ok(None);
    };
    let read = || Ok(Content::of(path, whole(path, file, &meta)?));
    let content = match shelf {
        Some(shelf) => shelf.content(path, stamp(&meta), read),
        None => read(),
    };
    content.map(Some)
}

fn stamp(meta: &Metadata) -> Stamp {
    Stamp {
        file: (meta.dev(), meta.ino()),
        size: meta.size(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    }
}

/// Takes a file that is not there for none.
fn there<T>(opened: Result<T, AgentError>) -> Result<Option<T>, AgentError> {
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(failure) if failure.class == "FileNotFoundError" => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn whole(path: &Path, file: File, meta: &Metadata) -> Result<Vec<u8>, AgentError> {
    let size = usize::try_from(meta.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(size);
    file.take(meta.len().saturating_add(MAX_GROWTH))
        .read_to_end(&mut bytes)
        .map_err(|error| raised(path, &error))?;
    Ok(bytes)
}

/// Opens a file for reading without ever waiting for one that is no regular file.
fn open_regular(path: &Path) -> Result<(File, Metadata), AgentError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    regular(path, options.open(path))
}

/// Takes what was opened where it is a regular file.
fn regular(path: &Path, opened: io::Result<File>) -> Result<(File, Metadata), AgentError> {
    let file = match opened {
        Ok(file) => file,
        Err(error) if is_missing(&error) => {
            return Err(AgentError::at(path, "FileNotFoundError", "is not there"));
        }
        Err(error) => return Err(raised(path, &error)),
    };
    let meta = file.metadata().map_err(|error| raised(path, &error))?;
    if meta.is_dir() {
        let error = io::Error::from(io::ErrorKind::IsADirectory);
        return Err(raised(path, &error));
    }
    if !meta.is_file() {
        return Err(AgentError::at(
            path,
            AgentError::HANGS,
            "is a pipe or a device: the agent would wait on it and never answer",
        ));
    }
    Ok((file, meta))
}

/// Tells whether an error means that the path leads nowhere, as `Path.exists` sees it.
fn is_missing(error: &io::Error) -> bool {
    if matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput
    ) {
        return true;
    }
    #[cfg(unix)]
    {
        error.raw_os_error() == Some(libc::ELOOP)
    }
    #[cfg(not(unix))]
    {
        false
    }
}

/// What a path leads to, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A folder.
    Folder,
    /// A regular file of this many bytes.
    File(u64),
    /// A pipe, a socket or a device.
    Other,
}

/// Looks where a path leads, as `Path.exists`, `is_dir` and `is_file` do.
pub fn find(path: &Path) -> Result<Found, AgentError> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(Found::Folder),
        Ok(meta) if meta.is_file() => Ok(Found::File(meta.len())),
        Ok(_) => Ok(Found::Other),
        Err(error) if is_missing(&error) => Ok(Found::Nothing),
        Err(error) => Err(raised(path, &error)),
    }
}

/// Tells whether a path itself is a link, wherever that leads.
#[must_use]
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// In which order the entries of a folder are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FolderOrder {
    /// As the file system lists them, which is what the agent does.
    #[default]
    Directory,
    /// By the bytes of their names, the same on every machine.
    Name,
}

/// Lists a folder's entries, as `Path.iterdir` does; empty if there is none.
pub fn list(path: &Path, order: FolderOrder) -> Result<Vec<PathBuf>, AgentError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        // A plain file raises here in Python too: only what does not exist is empty.
        Err(_) if find(path)? == Found::Nothing => return Ok(Vec::new()),
        Err(error) => return Err(raised(path, &error)),
    };
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(|error| raised(path, &error))?;
    sort(&mut paths, order);
    Ok(paths)
}

fn sort(paths: &mut [PathBuf], order: FolderOrder) {
    if order == FolderOrder::Name {
        paths.sort_by_cached_key(|path| {
            let name = path.file_name();
            name.map(|name| name.as_encoded_bytes().to_vec())
        });
    }
}

/// Reads at most `limit` bytes from the start of a regular file; empty where it cannot.
#[must_use]
pub fn head(path: &Path, limit: u64) -> Vec<u8> {
    start(open_regular(path), limit)
}

fn start(opened: Result<(File, Metadata), AgentError>, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok((file, _)) = opened
        && file.take(limit).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    bytes
}

/// Tells whether a path is a program that may be run: a file, not a folder, with a right to execute.
///
/// Where a right is held only through an access list, this says no although the system would run it.
#[must_use]
pub fn is_program(path: &Path) -> bool {
    let Ok(meta) = fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        !meta.is_dir() && meta.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        meta.is_file()
    }
}

/// Resolves links and dots of a path that exists; the path as it is otherwise.
///
/// Mirrors `Path.resolve()`, which does not insist that the end of the path exists.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => resolved(parent).join(name),
        _ => path.to_path_buf(),
    })
}

#[cfg(test)]
mod tests;
