//! A built text, line by line, with the file and line that each line came from.

use std::sync::Arc;

use super::{Declared, Fault, FaultKind};
use crate::tokens::Counter;

/// A line of a built text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltLine {
    /// The text, without its line break.
    pub text: String,
    /// The source's file below the folder of prompts.
    pub path: Arc<str>,
    /// The line of that file, from 1.
    pub line: usize,
    /// The part that was put into the main file here; `None` for the main file's own lines.
    pub part: Option<Part>,
}

/// A file that was put into the main one, by an include or as a component, with all that it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Which one it is, so that the same file twice is two parts.
    pub number: usize,
    /// The file below the folder of prompts.
    pub path: Arc<str>,
}

impl BuiltLine {
    /// Makes lines those of a part.
    pub(super) fn put_into(lines: &mut [Self], number: usize, path: &str) {
        let part = Part {
            number,
            path: path.into(),
        };
        for line in lines {
            line.part = Some(part.clone());
        }
    }
}

/// A built text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Built {
    /// The lines.
    pub lines: Vec<BuiltLine>,
    /// What is wrong; without anything but warnings, the lines are the text.
    pub faults: Vec<Fault>,
    /// The files that the text is made of, the main one first.
    pub files: Vec<Arc<str>>,
    /// What the main file declares.
    pub declared: Declared,
    /// Where variables stand, and what became of them.
    pub uses: Vec<super::Use>,
}

impl Built {
    /// Makes what could not be built, for a reason that stands in no file.
    #[must_use]
    pub fn failed(kind: FaultKind) -> Self {
        Self {
            faults: vec![Fault {
                kind,
                path: None,
                line: None,
            }],
            ..Self::default()
        }
    }

    /// Tells whether the text could be built.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.faults.iter().all(|fault| fault.kind.is_warning())
    }

    /// Counts the tokens of the text; `None` where it could not be built.
    #[must_use]
    pub fn tokens(&self, counter: &mut Counter) -> Option<usize> {
        self.is_whole().then(|| counter.count(&self.text()))
    }

    /// Gives the text; it ends with a line break.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter();
        lines.flat_map(|line| [line.text.as_str(), "\n"]).collect()
    }
}
