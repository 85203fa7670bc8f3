//! The cheap look at a folder that finds what no event told.
//!
//! Only names and what `stat` says are looked at; nothing is opened but the folders themselves, so
//! a pass cannot hang on a pipe or a device.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3Default;

use super::tracked::Tracked;

/// The state of every folder and name of interest, each as one number.
pub(super) type Fingerprint = BTreeMap<PathBuf, u64>;

/// Looks at everything that is tracked.
pub(super) fn take(tracked: &Tracked) -> Fingerprint {
    let folders = tracked
        .folders
        .iter()
        .map(|path| (path.clone(), folder(path)));
    // A name may be that of a folder too; what matters of it then is in the folder's number.
    let names = tracked.names.difference(&tracked.folders);
    folders
        .chain(names.map(|path| (path.clone(), name(path))))
        .collect()
}

/// Sums up a folder; the order in which the system lists its entries does not matter.
fn folder(path: &Path) -> u64 {
    let own = hash(|to| identity(&fs::metadata(path), to));
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return own.wrapping_add(hash(|to| error.kind().hash(to))),
    };
    entries.fold(own, |sum, entry| {
        sum.wrapping_add(hash(|to| match &entry {
            Err(error) => error.kind().hash(to),
            Ok(found) => entry_state(&found.file_name(), found, to),
        }))
    })
}

fn entry_state(name: &OsStr, entry: &fs::DirEntry, to: &mut Xxh3Default) {
    name.hash(to);
    match entry.file_type() {
        Ok(kind) if kind.is_file() => state(&entry.metadata(), to),
        // What is in a folder is its own affair: it is tracked, or it does not matter.
        Ok(kind) if kind.is_dir() => identity(&entry.metadata(), to),
        Ok(kind) if kind.is_symlink() => {
            state(&entry.metadata(), to);
            target(&entry.path(), to);
        }
        Ok(kind) => kind.hash(to),
        Err(error) => error.kind().hash(to),
    }
}

/// Sums up one file or link by its name.
fn name(path: &Path) -> u64 {
    hash(|to| {
        match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_dir() => identity(&Ok(meta), to),
            own => state(&own, to),
        }
        target(path, to);
    })
}

fn target(path: &Path, to: &mut Xxh3Default) {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => identity(&Ok(meta), to),
        own => state(&own, to),
    }
}

fn identity(meta: &io::Result<Metadata>, to: &mut Xxh3Default) {
    match meta {
        Ok(meta) => (meta.dev(), meta.ino(), meta.mode()).hash(to),
        Err(error) => error.kind().hash(to),
    }
}

fn state(meta: &io::Result<Metadata>, to: &mut Xxh3Default) {
    identity(meta, to);
    if let Ok(meta) = meta {
        meta.size().hash(to);
        (meta.mtime(), meta.mtime_nsec()).hash(to);
        (meta.ctime(), meta.ctime_nsec()).hash(to);
    }
}

fn hash(write: impl FnOnce(&mut Xxh3Default)) -> u64 {
    let mut to = Xxh3Default::new();
    write(&mut to);
    to.finish()
}
