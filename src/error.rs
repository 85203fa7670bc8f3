//! The program's own errors: what went wrong, what to do about it, and the exit code.

use std::fmt;
use std::io;

/// What kind of trouble an [`Error`] is; the exit code follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A flag, an argument or a name on the command line is wrong.
    Usage,
    /// The workspace cannot be read at all.
    Workspace,
    /// `promptscope.toml`, a theme or another file of settings is wrong.
    Config,
    /// A scenario file is wrong.
    Scenario,
    /// A revision cannot be read from git.
    Revision,
    /// The installed agent could not be asked.
    Verify,
    /// There is no terminal to draw on, or it failed.
    Terminal,
    /// Output could not be written.
    Output,
    /// The reader of our output went away; nothing is wrong.
    BrokenPipe,
}

/// An error that ends a command: a sentence for people, and a hint on what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
    hint: Option<String>,
}

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Makes an error without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds what the person can do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Makes the error for output that could not be written.
    #[must_use]
    pub fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::new(Kind::BrokenPipe, "the reader of the output went away")
        } else {
            Self::new(
                Kind::Output,
                format!("the output cannot be written: {error}"),
            )
        }
    }

    /// Tells what kind of trouble this is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Gives the hint, where there is one.
    #[must_use]
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Maps the error to the exit code: 2, and for a broken pipe what a shell shows for SIGPIPE.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::BrokenPipe => 141,
            Kind::Usage
            | Kind::Workspace
            | Kind::Config
            | Kind::Scenario
            | Kind::Revision
            | Kind::Verify
            | Kind::Terminal
            | Kind::Output => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Finds the known name that a mistyped one most likely meant.
///
/// A name counts as meant when at most a third of its letters differ.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Counts the single-letter edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_but_a_broken_pipe_exits_with_two() {
        for kind in [
            Kind::Usage,
            Kind::Workspace,
            Kind::Config,
            Kind::Scenario,
            Kind::Revision,
            Kind::Verify,
            Kind::Terminal,
            Kind::Output,
        ] {
            assert_eq!(Error::new(kind, "x").exit_code(), 2);
        }
        let pipe = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(Error::output(&pipe).exit_code(), 141);
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(Error::output(&full).exit_code(), 2);
    }

    #[test]
    fn nearest_finds_slips_and_leaves_strangers() {
        let known = ["channel", "chat_id", "message"];
        assert_eq!(nearest("chanel", known), Some("channel"));
        assert_eq!(nearest("chatid", known), Some("chat_id"));
        assert_eq!(nearest("sender", known), None);
    }
}
