//! The assembling worker's library: read anew after a save, built anew where anything differs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::inputs::Inputs;
use crate::library::{Cache, Catalog};
use crate::machine::Machine;

/// The library of the last answer.
#[derive(Default)]
pub(super) struct Known {
    cache: Cache,
    catalog: Option<Arc<Catalog>>,
    folder: PathBuf,
}

impl Known {
    /// Gives the catalog for these inputs; the same one where nothing differs.
    pub(super) fn catalog(
        &mut self,
        inputs: &Inputs,
        machine: &Machine,
        now: DateTime<Utc>,
        is_reread: bool,
    ) -> Arc<Catalog> {
        self.folder = inputs.prompts_folder(machine);
        if let (Some(last), false) = (&self.catalog, is_reread) {
            let library = inputs.library_of(last.library.sources.clone(), machine, now);
            if library == last.library {
                return last.clone();
            }
        }
        let catalog = inputs.catalog(machine, now, &mut self.cache);
        match &self.catalog {
            Some(last) if **last == catalog => last.clone(),
            _ => {
                let catalog = Arc::new(catalog);
                self.catalog = Some(catalog.clone());
                catalog
            }
        }
    }

    /// Lists the folders to watch, and the name of the one that may come to be there.
    pub(super) fn watched(&self) -> (BTreeSet<PathBuf>, PathBuf) {
        let sources = self
            .catalog
            .as_ref()
            .map(|catalog| &catalog.library.sources);
        let folders = sources.map(|sources| sources.folders.clone());
        (folders.unwrap_or_default(), self.folder.clone())
    }
}
