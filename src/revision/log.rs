//! The commits that changed some paths.

use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::{broken, discovered};
use crate::error::Result;
use crate::workspace::read;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its full hash.
    pub id: String,
    /// The day it was made, in its own zone: `2026-06-19`.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

impl Commit {
    /// Stands for what is on the disk and in no commit yet.
    #[must_use]
    pub fn uncommitted() -> Self {
        Self {
            id: String::new(),
            date: String::new(),
            subject: "not committed".to_owned(),
        }
    }

    /// Tells whether it is no commit yet.
    #[must_use]
    pub fn is_uncommitted(&self) -> bool {
        self.id.is_empty()
    }

    /// Gives the first letters of the hash, as many as people use.
    #[must_use]
    pub fn short(&self) -> &str {
        self.id.get(..7).unwrap_or(&self.id)
    }
}

/// Lists the commits on the line of first parents from HEAD that changed one of the paths, the newest
/// first, and the first that has the workspace. A path outside the workspace's repository changes in none.
pub fn commits(root: &Path, paths: &[PathBuf]) -> Result<Vec<Commit>> {
    let root = read::resolved(root);
    let (repository, below) = discovered(&root)?;
    let top = root.ancestors().nth(below.components().count());
    let top = top.unwrap_or(&root);
    let inside = paths.iter().map(|path| read::resolved(path));
    let inside: Vec<PathBuf> = inside
        .filter_map(|path| path.strip_prefix(top).ok().map(Path::to_path_buf))
        .collect();
    let head = repository.head_id().map_err(|error| broken(&error))?;
    let walk = repository.rev_walk([head]).first_parent_only().all();
    let mut found: Vec<(Commit, Vec<Option<ObjectId>>)> = Vec::new();
    for info in walk.map_err(|error| broken(&error))? {
        let info = info.map_err(|error| broken(&error))?;
        let object = info.object().map_err(|error| broken(&error))?;
        let tree = object.tree().map_err(|error| broken(&error))?;
        let mut ids = Vec::new();
        for path in &inside {
            let entry = tree.lookup_entry_by_path(path);
            let entry = entry.map_err(|error| broken(&error))?;
            ids.push(entry.map(|entry| entry.object_id()));
        }
        // Without the workspace there is nothing to read.
        let has_root = below.as_os_str().is_empty()
            || tree
                .lookup_entry_by_path(&below)
                .map_err(|error| broken(&error))?
                .is_some();
        if !has_root {
            break;
        }
        let commit = Commit {
            id: info.id.to_string(),
            date: object
                .time()
                .map_err(|error| broken(&error))?
                .format(gix::date::time::format::SHORT)
                .map_err(|error| broken(&error))?,
            subject: object
                .message()
                .map_err(|error| broken(&error))?
                .summary()
                .to_string(),
        };
        // Of commits with the same content the oldest is the one that made it.
        if found.last().is_some_and(|(_, newer)| *newer == ids) {
            found.pop();
        }
        found.push((commit, ids));
    }
    Ok(found.into_iter().map(|(commit, _)| commit).collect())
}
