//! The store of scenarios as the screen knows it: what is asked of it, and what it answers.

use std::path::PathBuf;

use crate::scenario::Scenario;

/// Something to be done with the saved scenarios; the answer is a [`StoreAnswer`].
#[derive(Debug, Clone, PartialEq)]
pub enum StoreTask {
    /// List them.
    List,
    /// Save a scenario under a name, in the person's own folder.
    Save {
        /// The name, without the file's ending.
        name: String,
        /// Whether a scenario of that name is replaced.
        is_replacing: bool,
        /// What is saved.
        scenario: Box<Scenario>,
    },
    /// Give one of the person's own another name.
    Rename {
        /// The present name.
        from: String,
        /// The name to be.
        to: String,
    },
    /// Remove one of the person's own.
    Delete(String),
}

/// What became of a [`StoreTask`], and what there is after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAnswer {
    /// The file that was written, with what to say about it; nothing after a mere listing.
    pub outcome: Result<Option<(PathBuf, String)>, StoreFailure>,
    /// Every scenario by now: the workspace's by name, then the person's own.
    pub list: Vec<StoredScenario>,
}

/// Why a [`StoreTask`] was not done; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreFailure {
    /// There is one of this name already.
    Taken(String),
    /// The reason, for people.
    Other(String),
}

/// A scenario that can be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredScenario {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Whether it is the person's own, which can be renamed and removed; else the workspace's.
    pub is_own: bool,
    /// What it is about, in a line.
    pub about: String,
    /// What is wrong with the file.
    pub problem: Option<String>,
}
