//! A tree of files held in memory, as of a revision.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What stands at a path of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File(Arc<[u8]>),
    /// A link, and where it points to as it is written.
    Link(PathBuf),
    /// A file that is taken from the disk, such as one that version control ignores.
    OnDisk,
}

/// Files by their absolute paths; folders are what is above them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    pub(super) root: PathBuf,
    pub(super) entries: BTreeMap<PathBuf, Entry>,
}

/// How many links are followed before a path counts as one that goes round in circles.
const MOST_LINKS: usize = 40;

impl Tree {
    /// Makes an empty tree that stands in place of a folder.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            entries: BTreeMap::new(),
        }
    }

    /// Puts an entry at a path below the root.
    pub fn insert(&mut self, below: &Path, entry: Entry) {
        self.entries.insert(self.root.join(below), entry);
    }

    /// Counts the entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Tells whether nothing stands in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn is_folder(&self, path: &Path) -> bool {
        let mut below = self.entries.range(path.to_path_buf()..);
        path == self.root || below.any(|(entry, _)| entry != path && entry.starts_with(path))
    }

    /// Follows links; `None` where they go round in circles.
    pub(super) fn followed(&self, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_path_buf();
        'links: for _ in 0..MOST_LINKS {
            let mut at = PathBuf::new();
            let parts: Vec<Component> = path.components().collect();
            for (index, part) in parts.iter().enumerate() {
                match part {
                    Component::ParentDir => {
                        at.pop();
                    }
                    part => at.push(part),
                }
                if let Some(Entry::Link(target)) = self.entries.get(&at) {
                    at.pop();
                    at.push(target);
                    at.extend(&parts[index + 1..]);
                    path = at;
                    continue 'links;
                }
            }
            return Some(at);
        }
        None
    }
}
