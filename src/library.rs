//! Prompts as Markdown files: sources with variables, includes, compositions and variants, put together to
//! the text that the agent reads. The agent itself renders nothing.
//!
//! Includes are put in first, then components, then variables, each once: a value that holds `{{ }}` or an
//! include stands in the result as it is.

use std::collections::BTreeMap;
use std::path::PathBuf;

mod catalog;
mod compile;
mod compiled;
mod composer;
mod declared;
mod experiments;
mod fault;
mod fence;
mod includes;
mod lines;
mod loader;
mod marker;
mod variables;

pub use catalog::{Catalog, Entry};
pub use compile::{MANIFEST, Manifest, Output as ManifestOutput, Planned, TargetState, sum};
pub use compiled::Compiled;
pub use declared::{Declared, VariableDeclared};
pub use experiments::{Experiment, Salt, Variant};
pub use fault::{Fault, FaultKind};
pub use fence::{Fence, FenceLine};
pub use lines::{Built, BuiltLine, Part, Piece};
pub use loader::{Cache, Prompt, SourceFile, Sources};
pub use variables::{Given, Use, ValueOrigin, Variables, is_name};

/// A composition: a main prompt, and the components that stand in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Composition {
    /// The main prompt.
    pub main: String,
    /// The components, the first of which is `component_1`.
    pub components: Vec<String>,
    /// Where it is declared.
    pub place: SettingsPlace,
}

/// A place in a file of settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingsPlace {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; `None` where it is not known.
    pub line: Option<usize>,
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
    /// Where it is declared.
    pub place: SettingsPlace,
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

impl SourceKind {
    /// Gives the word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Composition => "composition",
            Self::Experiment => "experiment",
        }
    }
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

    /// Builds a file, whatever else goes by its name.
    #[must_use]
    pub fn build_prompt(&self, name: &str) -> Built {
        let mut built = self.unfilled_prompt(name);
        self.settings.variables.fill(&mut built);
        built
    }

    /// Builds a file up to its variables, whatever else goes by its name.
    #[must_use]
    fn unfilled_prompt(&self, name: &str) -> Built {
        includes::expanded(self, name)
    }

    /// Builds a text up to its variables, which still stand in it.
    #[must_use]
    fn unfilled(&self, name: &str, variant: Option<&str>) -> Built {
        match self.kind(name) {
            SourceKind::Prompt => includes::expanded(self, name),
            SourceKind::Composition => composer::composed(self, &self.settings.compositions[name]),
            SourceKind::Experiment => self.variant(name, variant),
        }
    }

    /// Builds a variant up to its variables. One that has no file is stood for by the first.
    fn variant(&self, name: &str, variant: Option<&str>) -> Built {
        let experiment = &self.settings.experiments[name];
        let first = experiment.variants.first();
        let chosen = match variant {
            Some(variant) => experiment.variants.iter().find(|it| it.name == variant),
            None => first,
        };
        let (Some(chosen), Some(first)) = (chosen, first) else {
            return Built::failed(FaultKind::NoVariant {
                experiment: name.to_owned(),
                variant: variant.map(str::to_owned),
            });
        };
        if self.is_there(&chosen.prompt) {
            return self.unfilled(&chosen.prompt, None);
        }
        if chosen == first || !self.is_there(&first.prompt) {
            return includes::expanded(self, &chosen.prompt);
        }
        let mut built = self.unfilled(&first.prompt, None);
        built.faults.insert(
            0,
            Fault {
                kind: FaultKind::NoVariantFile {
                    variant: chosen.name.clone(),
                    prompt: chosen.prompt.clone(),
                },
                path: None,
                line: None,
            },
        );
        built
    }

    /// Tells whether a variant's prompt is there: a file or a composition, not another experiment.
    fn is_there(&self, name: &str) -> bool {
        match self.kind(name) {
            SourceKind::Prompt => self.sources.is_there(name),
            SourceKind::Composition => true,
            SourceKind::Experiment => false,
        }
    }
}
