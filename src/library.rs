//! Prompts as Markdown files: sources with variables, includes, compositions and variants, put together to
//! the text that the agent reads. The agent itself renders nothing.
//!
//! Includes are put in first, then components, then variables, each once: a value that holds `{{ }}` or an
//! include stands in the result as it is.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

mod compile;
mod composer;
mod experiments;
mod includes;
mod lines;
mod loader;
mod variables;

pub use compile::{Manifest, Output as ManifestOutput, Planned, TargetState, sum};
pub use experiments::{Experiment, Salt, Variant};
pub use lines::{Built, BuiltLine};
pub use loader::{Declared, Prompt, Sources, VariableDeclared};
pub use variables::{Use, Variables};

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
    /// An include leads out of the folder of prompts.
    Outside(String),
    /// A file cannot be read; the reason.
    Unreadable(String),
    /// A variable that is required has no value.
    Required(String),
    /// A variable has no value, and its placeholder stays.
    Undefined(String),
    /// An experiment has no variant.
    NoVariant(String),
}

impl FaultKind {
    /// Tells whether the text can be built all the same.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        matches!(self, Self::Undefined(_) | Self::NoComponent(_))
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
            Self::Outside(path) => write!(out, "{path} is outside the folder of prompts"),
            Self::Unreadable(reason) => write!(out, "the file {reason}"),
            Self::Required(name) => {
                write!(out, "the variable {name:?} is required and has no value")
            }
            Self::Undefined(name) => write!(
                out,
                "the variable {name:?} has no value, and its placeholder stays"
            ),
            Self::NoVariant(name) => write!(out, "the experiment {name:?} has no variant"),
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

/// A composition: a main prompt, and the components that stand in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Composition {
    /// The main prompt.
    pub main: String,
    /// The components, the first of which is `component_1`.
    pub components: Vec<String>,
}

/// A file that is compiled for the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// A prompt, a composition or an experiment.
    pub source: String,
    /// The file below the workspace.
    pub target: PathBuf,
    /// The variant, where the source is an experiment; the first otherwise.
    pub variant: Option<String>,
}

/// What the settings say of prompts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LibrarySettings {
    /// The folder of prompts, where one is named.
    pub folder: Option<PathBuf>,
    /// Whether includes may lead out of it.
    pub allows_outside: bool,
    /// The values of variables.
    pub variables: Variables,
    /// The compositions by name.
    pub compositions: BTreeMap<String, Composition>,
    /// The experiments by name.
    pub experiments: BTreeMap<String, Experiment>,
    /// The files that are compiled.
    pub targets: Vec<Target>,
}

/// The sources with what the settings say of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Library {
    /// The files.
    pub sources: Sources,
    /// The settings.
    pub settings: LibrarySettings,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A file.
    Prompt,
    /// A composition.
    Composition,
    /// An experiment.
    Experiment,
}

impl Library {
    /// Tells what a name stands for: a composition and an experiment win over a file of their name.
    #[must_use]
    pub fn kind(&self, name: &str) -> SourceKind {
        if self.settings.compositions.contains_key(name) {
            SourceKind::Composition
        } else if self.settings.experiments.contains_key(name) {
            SourceKind::Experiment
        } else {
            SourceKind::Prompt
        }
    }

    /// Builds a prompt, a composition, or a variant of an experiment.
    ///
    /// The text is there unless a fault is no mere warning.
    #[must_use]
    pub fn build(&self, name: &str, variant: Option<&str>) -> Built {
        let mut built = self.unfilled(name, variant);
        self.settings.variables.fill(&mut built);
        built
    }

    /// Builds a text up to its variables, which still stand in it.
    fn unfilled(&self, name: &str, variant: Option<&str>) -> Built {
        match self.kind(name) {
            SourceKind::Prompt => includes::expanded(self, name),
            SourceKind::Composition => composer::composed(self, &self.settings.compositions[name]),
            SourceKind::Experiment => {
                let experiment = &self.settings.experiments[name];
                let chosen = match variant {
                    Some(variant) => experiment.variants.iter().find(|it| it.name == variant),
                    None => experiment.variants.first(),
                };
                match chosen {
                    Some(chosen) if self.kind(&chosen.prompt) != SourceKind::Experiment => {
                        self.unfilled(&chosen.prompt, None)
                    }
                    _ => Built::failed(Fault {
                        kind: FaultKind::NoVariant(name.to_owned()),
                        path: None,
                        line: None,
                    }),
                }
            }
        }
    }
}
