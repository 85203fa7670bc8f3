//! What the targets would hold if they were compiled now.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Built, Catalog};

/// What every target would hold if it were compiled now, for one sender.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    targets: Vec<(PathBuf, Arc<Built>)>,
    /// The variants that the sender gets, each with its experiment.
    pub variants: Vec<(String, String)>,
}

impl Compiled {
    /// Finds what a target's line would be made from: the source's file below the folder of prompts, and
    /// its line.
    #[must_use]
    pub fn source_of(&self, target: &Path, line: usize) -> Option<(&str, usize)> {
        let (_, built) = self.targets.iter().find(|(it, _)| it == target)?;
        let built = built.lines.get(line.checked_sub(1)?)?;
        Some((&built.path, built.line))
    }

    /// Lists the files.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let targets = self.targets.iter();
        targets.map(|(target, built)| (target.clone(), built.text()))
    }
}

impl Catalog {
    /// Compiles every target that can be for a sender: where an experiment is compiled and the settings name no
    /// variant of it, the sender's.
    #[must_use]
    pub fn compiled(&self, sender: Option<&str>) -> Compiled {
        let mut compiled = Compiled::default();
        for planned in self.planned.iter().filter(|it| it.is_whole()) {
            let experiment = self.library.settings.experiments.get(&planned.source);
            // A variant that the settings name is what is compiled, whoever writes.
            let mut targets = self.library.settings.targets.iter();
            let is_named = targets.any(|it| it.target == planned.target && it.variant.is_some());
            let own = experiment
                .filter(|_| !is_named)
                .zip(sender)
                .and_then(|(experiment, sender)| experiment.assign(&planned.source, sender));
            let built = own.and_then(|own| {
                let variant = Some(own.name.clone());
                let mut entries = self.entries.iter();
                entries.find(|it| it.name == planned.source && it.variant == variant)
            });
            if let Some(own) = own {
                compiled
                    .variants
                    .push((planned.source.clone(), own.name.clone()));
            }
            let built = built.map_or_else(|| self.made(planned), |entry| entry.built.clone());
            if built.is_whole() {
                compiled.targets.push((planned.target.clone(), built));
            }
        }
        compiled
    }
}
