//! The library of prompts that belongs to the inputs: its folder, the values of its variables, and the
//! files that are compiled from it.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::Inputs;
use crate::error::{Error, Kind, Result};
use crate::library::{Cache, Catalog, Library, MANIFEST, Manifest, Sources, ValueOrigin};
use crate::machine::Machine;
use crate::revision::Revision;
use crate::workspace::read::{FileRead, Shelf, Source};
use crate::workspace::survey::Survey;

/// The variable of the environment that names the folder of prompts.
const FOLDER_VARIABLE: &str = "PROMPTSCOPE_PROMPTS";
/// The folder where nothing names another.
const FOLDER: &str = "prompts";

/// Keeps a source within the workspace where the settings say that links out of it are not followed.
pub(super) fn links(are_followed: bool, root: &Path, source: Source) -> Source {
    if are_followed {
        source
    } else {
        source.fenced(root)
    }
}

impl Inputs {
    /// Gives the folder of prompts: that of the environment, else of the settings, else `prompts` in the
    /// workspace.
    #[must_use]
    pub fn prompts_folder(&self, machine: &Machine) -> PathBuf {
        let root = &self.places.root;
        let named = machine
            .variable(FOLDER_VARIABLE)
            .map(|path| machine.absolute(path.as_ref()));
        let own = self
            .config
            .library
            .folder
            .as_ref()
            .map(|folder| root.join(folder));
        named.or(own).unwrap_or_else(|| root.join(FOLDER))
    }

    /// Reads the files from the disk as it is, links as the settings say, and those that stand as they were
    /// from a shelf.
    pub fn read_from_disk(&mut self, kept: &Shelf) {
        let (root, source) = (&self.places.root, Source::default().shelved(kept));
        self.places.source = links(self.config.follows_links, root, source);
    }

    /// Reads the files from a revision in place of the disk, links as the settings say.
    pub fn set_revision(&mut self, revision: &Revision) {
        self.places.source = links(
            self.config.follows_links,
            &self.places.root,
            revision.source(),
        );
    }

    /// Reads the library. Values of the scenario win over those of the settings, those of the command line
    /// over both, and those that were edited on the screen over all; the turn's clock gives
    /// `current_date`, `current_time`, `current_weekday` and `timezone`.
    #[must_use]
    pub fn library(&self, machine: &Machine, now: DateTime<Utc>, cache: &mut Cache) -> Library {
        let allows_outside = self.config.library.allows_outside;
        let folder = self.prompts_folder(machine);
        let source = &self.places.source;
        let sources = if allows_outside {
            Sources::read(&folder, source, true, cache)
        } else {
            // A folder in the workspace may itself be a link that leads elsewhere.
            let fenced = source.fenced(&self.places.root);
            Sources::read(&folder, &fenced, false, cache)
        };
        self.library_of(sources, machine, now)
    }

    /// Makes the library of sources that were read already.
    #[must_use]
    pub fn library_of(&self, sources: Sources, machine: &Machine, now: DateTime<Utc>) -> Library {
        let mut settings = self.config.library.clone();
        let variables = &mut settings.variables;
        for (name, value) in self.of_the_clock(machine, now) {
            if variables.get(name).is_none() {
                variables.set(name, &value, ValueOrigin::Clock);
            }
        }
        for (name, value) in &self.scenario.variables {
            variables.set(name, value, ValueOrigin::Scenario);
        }
        for (name, value) in &self.variables {
            variables.set(name, value, ValueOrigin::CommandLine);
        }
        for (name, value) in &self.edited {
            variables.set(name, value, ValueOrigin::Screen);
        }
        Library { sources, settings }
    }

    /// Reads the library and builds everything that it makes. Whether a target is out of date is told by the
    /// settings and the command line, as `compile` goes by them. Without a manifest that can be read, every
    /// target that differs counts as edited by hand.
    #[must_use]
    pub fn catalog(&self, machine: &Machine, now: DateTime<Utc>, cache: &mut Cache) -> Catalog {
        let library = self.library(machine, now, cache);
        let (manifest, manifest_problem) = match self.manifest() {
            Ok(manifest) => (manifest, None),
            Err(error) => (Manifest::default(), Some(error.to_string())),
        };
        let root = &self.places.root;
        let on_disk = |target: &Path| {
            let content = self.places.source.content(&root.join(target));
            content
                .ok()
                .flatten()
                .map(|content| content.bytes().to_vec())
        };
        let is_as_set = self.edited.is_empty() && self.scenario.variables.is_empty();
        let planned = if is_as_set {
            library.plan(&manifest, on_disk)
        } else {
            let mut as_set = self.clone();
            as_set.edited.clear();
            as_set.scenario.variables.clear();
            let sources = library.sources.clone();
            as_set
                .library_of(sources, machine, now)
                .plan(&manifest, on_disk)
        };
        Catalog {
            manifest_problem,
            ..library.catalog(planned)
        }
    }

    /// Reads what was compiled last.
    pub fn manifest(&self) -> Result<Manifest> {
        let file = self.places.root.join(MANIFEST);
        let failed = |problem: &str| {
            let message = format!("{}: {problem}", file.display());
            Error::new(Kind::Config, message)
                .hint("without it every target counts as edited by hand")
        };
        // The file is ours, so a link out of the workspace has nothing to do there.
        match Source::default().fenced(&self.places.root).text(&file) {
            FileRead::Missing => Ok(Manifest::default()),
            FileRead::Failed(failure) => Err(failed(&failure.message)),
            FileRead::Text(text) => Manifest::parse(&text).map_err(|problem| failed(&problem)),
        }
    }

    /// Reads the files as they are, the sources of prompts among them.
    #[must_use]
    pub fn survey(&self, sources: &Sources) -> Survey {
        let files = sources.files.keys().map(|path| sources.folder.join(path));
        Survey::read(&self.places, files)
    }

    /// Gives these inputs with files that are not written: each stands in place of what is on the disk.
    #[must_use]
    pub fn with_files(&self, files: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        let mut inputs = self.clone();
        let root = &self.places.root;
        let files = files
            .into_iter()
            .map(|(target, text)| (root.join(target), text.into_bytes()));
        inputs.places.source = self.places.source.clone().with_files(files);
        inputs
    }

    fn of_the_clock(&self, machine: &Machine, now: DateTime<Utc>) -> [(&'static str, String); 4] {
        let host = self.declared_host(machine, now);
        let zone = self
            .turn
            .timezone
            .as_deref()
            .and_then(|name| name.parse::<chrono_tz::Tz>().ok());
        let (local, name) = if let Some(zone) = zone {
            let local = host.now.with_timezone(&zone).naive_local();
            (local, zone.name().to_owned())
        } else {
            let offset = host.local_timezone.offset(host.now);
            let local = host.now.with_timezone(&offset).naive_local();
            (local, host.local_timezone.abbreviation(host.now))
        };
        [
            ("current_date", local.format("%Y-%m-%d").to_string()),
            ("current_time", local.format("%H:%M").to_string()),
            ("current_weekday", local.format("%A").to_string()),
            ("timezone", name),
        ]
    }
}
