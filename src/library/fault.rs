//! What is wrong in a source, and where.

use std::fmt;
use std::sync::Arc;

/// What is wrong in a source, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The source's file below the folder of prompts; `None` where no file is at fault.
    pub path: Option<Arc<str>>,
    /// The line of the file, from 1.
    pub line: Option<usize>,
}

/// What is wrong in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// There is no such prompt; the path that was looked for.
    NoPrompt(String),
    /// There is no such component.
    NoComponent(String),
    /// There is no such file to include.
    NoInclude(String),
    /// A file includes itself, by this chain.
    Cycle(Vec<String>),
    /// Files are included in each other deeper than this.
    TooDeep(usize),
    /// The text grows beyond this many bytes.
    TooLarge(usize),
    /// More files than this are put into one text.
    TooMany(usize),
    /// The front matter cannot be read, so what it declares is not known; what is wrong.
    FrontMatter(String),
    /// An include leads out of the folder of prompts.
    Outside(String),
    /// A file cannot be read; the reason.
    Unreadable(String),
    /// A variable that is required has no value.
    Required(String),
    /// A variable has no value, and its placeholder stays.
    Undefined(String),
    /// An experiment has no such variant.
    NoVariant {
        /// The experiment.
        experiment: String,
        /// The variant; `None` where it has none at all.
        variant: Option<String>,
    },
    /// A variant has no file, so the first variant stands for it.
    NoVariantFile {
        /// The variant.
        variant: String,
        /// The prompt that it names.
        prompt: String,
    },
}

impl FaultKind {
    /// Tells whether the text can be built all the same.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::Undefined(_) | Self::NoComponent(_) | Self::NoVariantFile { .. }
        )
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NoPrompt(path) => write!(out, "there is no prompt {path}"),
            Self::NoComponent(name) => write!(
                out,
                "there is no component {name:?}, and its placeholder stays"
            ),
            Self::NoInclude(path) => write!(out, "there is no {path} to include"),
            Self::Cycle(chain) => write!(out, "the includes go round: {}", chain.join(" > ")),
            Self::TooDeep(depth) => write!(out, "files are included deeper than {depth}"),
            Self::TooLarge(bytes) => write!(out, "the text grows beyond {bytes} bytes"),
            Self::TooMany(files) => write!(out, "more than {files} files are put into one text"),
            Self::FrontMatter(problem) => {
                write!(out, "the front matter cannot be read: {problem}")
            }
            Self::Outside(path) if path.is_empty() => {
                write!(out, "the folder of prompts is a link out of the workspace")
            }
            Self::Outside(path) => write!(out, "{path} is outside the folder of prompts"),
            Self::Unreadable(reason) => write!(out, "the file {reason}"),
            Self::Required(name) => {
                write!(out, "the variable {name:?} is required and has no value")
            }
            Self::Undefined(name) => write!(
                out,
                "the variable {name:?} has no value, and its placeholder stays"
            ),
            Self::NoVariant {
                experiment,
                variant: None,
            } => write!(out, "the experiment {experiment:?} has no variant"),
            Self::NoVariant {
                experiment,
                variant: Some(variant),
            } => write!(
                out,
                "the experiment {experiment:?} has no variant {variant:?}"
            ),
            Self::NoVariantFile { variant, prompt } => write!(
                out,
                "the variant {variant:?} names {prompt:?}, which is not there; the first variant stands for it"
            ),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (&self.path, self.line) {
            (Some(path), Some(line)) => write!(out, "{path}:{line}: {}", self.kind),
            (Some(path), None) => write!(out, "{path}: {}", self.kind),
            _ => write!(out, "{}", self.kind),
        }
    }
}
