//! What the agent itself would raise on this workspace.

use std::path::{Path, PathBuf};

/// An exception that the agent would raise, by class, place and reason.
///
/// It is a fact about the workspace that is shown and reported, not an error of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentError {
    /// The class of the Python exception, or [`AgentError::HANGS`] or [`AgentError::OUTSIDE`].
    pub class: &'static str,
    /// What is wrong, as the end of a sentence that begins with the place.
    pub message: String,
    /// The file or folder at fault, where there is one.
    pub path: Option<PathBuf>,
    /// The line of that file, from 1, where it is known.
    pub line: Option<usize>,
}

impl AgentError {
    /// Stands in place of an exception where the agent would wait for ever instead.
    pub const HANGS: &'static str = "Hangs";
    /// Stands in place of an exception where the agent would follow a link that we were told not to follow.
    pub const OUTSIDE: &'static str = "LinkOutside";

    /// Makes an error without a place.
    pub fn new(class: &'static str, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            path: None,
            line: None,
        }
    }

    /// Makes an error about a file or folder.
    pub fn at(path: &Path, class: &'static str, message: impl Into<String>) -> Self {
        Self {
            path: Some(path.to_path_buf()),
            ..Self::new(class, message)
        }
    }

    /// Says what comes of it: that the agent fails, or that we were told not to look where it looks.
    #[must_use]
    pub fn outcome(&self) -> String {
        match self.class {
            Self::OUTSIDE => "not all that the agent sends is shown".to_owned(),
            class => format!("the agent would fail with {class}"),
        }
    }

    /// Adds the line of the file, from 1.
    #[must_use]
    pub fn on_line(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }
}
