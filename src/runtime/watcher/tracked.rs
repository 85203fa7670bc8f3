//! What is to be tracked: whole folders, single names, and where symbolic links lead.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::native::Hint;

/// Whole folders, and names of which only their own coming, going and changing matters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) names: BTreeSet<PathBuf>,
    /// The folders watched for the sake of names alone.
    gates: BTreeSet<PathBuf>,
}

/// Device and inode: what a folder is, whatever it is called.
pub(super) type Identity = (u64, u64);

impl Tracked {
    /// Adds to what was asked for the places that links lead to: a change there raises no event
    /// where the link is.
    pub(super) fn resolve(folders: &BTreeSet<PathBuf>, names: &BTreeSet<PathBuf>) -> Self {
        let links = folders.iter().flat_map(|folder| link_targets(folder));
        let names: BTreeSet<PathBuf> = names.iter().cloned().chain(links).collect();
        let gates = names.iter().filter_map(|name| name.parent());
        Self {
            gates: gates
                .filter(|gate| !folders.contains(*gate))
                .map(Path::to_path_buf)
                .collect(),
            folders: folders.clone(),
            names,
        }
    }

    /// Groups the folders that exist by what they are: the system knows one watch for each,
    /// however many names lead to it.
    pub(super) fn by_identity(&self) -> BTreeMap<Identity, Vec<PathBuf>> {
        let mut groups: BTreeMap<Identity, Vec<PathBuf>> = BTreeMap::new();
        for folder in self.folders.iter().chain(&self.gates) {
            if let Some(identity) = identity(folder) {
                groups.entry(identity).or_default().push(folder.clone());
            }
        }
        groups
    }

    /// Stops sorting by name in a folder that has several names: its events carry one of them.
    pub(super) fn open_shared_gates(&mut self, groups: &BTreeMap<Identity, Vec<PathBuf>>) {
        for path in groups.values().filter(|paths| paths.len() > 1).flatten() {
            self.gates.remove(path);
        }
    }

    /// Tells whether a hint is about anything tracked.
    pub(super) fn matters(&self, hint: &Hint) -> bool {
        let matters = |path: &PathBuf| {
            let gated = path
                .parent()
                .is_some_and(|parent| self.gates.contains(parent));
            !gated || self.names.contains(path) || self.is_folder(path)
        };
        hint.paths.is_empty() || hint.paths.iter().any(matters)
    }

    /// Names the folders whose watch may be void after a hint.
    ///
    /// With a folder go those below it: the native watcher drops them by path, even when they have
    /// been made and watched anew meanwhile.
    pub(super) fn voided<'a>(&'a self, hint: &'a Hint) -> impl Iterator<Item = &'a PathBuf> {
        let moved: Vec<&PathBuf> = if hint.replaces {
            hint.paths.iter().collect()
        } else {
            Vec::new()
        };
        let all = self.folders.iter().chain(&self.gates);
        all.filter(move |folder| moved.iter().any(|path| folder.starts_with(path)))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.folders.contains(path) || self.gates.contains(path)
    }
}

/// Tells which folder a path leads to at this moment.
fn identity(path: &Path) -> Option<Identity> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    Some((meta.dev(), meta.ino()))
}

fn link_targets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        .filter_map(|entry| {
            let link = entry.path();
            // A link that leads nowhere yet is followed one step, to see its target appear.
            let next = || fs::read_link(&link).ok().map(|target| folder.join(target));
            fs::canonicalize(&link).ok().or_else(next)
        })
        .collect()
}
