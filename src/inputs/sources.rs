//! The library of prompts that belongs to the inputs: its folder, and the values of its variables.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::Inputs;
use crate::library::{Library, Sources};
use crate::machine::Machine;
use crate::revision::Revision;
use crate::workspace::Workspace;
use crate::workspace::read::Source;

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

    /// Reads the files from a revision in place of the disk, links as the settings say.
    pub fn set_revision(&mut self, revision: &Revision) {
        self.places.source = links(
            self.config.follows_links,
            &self.places.root,
            revision.source(),
        );
    }

    /// Reads the library. `given` are values of the command line, which win over the settings'; the
    /// turn's clock gives `current_date`, `current_time`, `current_weekday` and `timezone`.
    #[must_use]
    pub fn library(
        &self,
        machine: &Machine,
        now: DateTime<Utc>,
        given: &[(String, String)],
    ) -> Library {
        let settings = &self.config.library;
        let folder = self.prompts_folder(machine);
        let source = &self.places.source;
        let sources = if settings.allows_outside {
            Sources::read(&folder, source, true)
        } else {
            // A folder in the workspace may itself be a link that leads elsewhere.
            Sources::read(&folder, &source.fenced(&self.places.root), false)
        };
        let mut settings = settings.clone();
        for (name, value) in self.of_the_clock(machine, now) {
            if settings.variables.get(name).is_none() {
                settings.variables.set(name, &value);
            }
        }
        for (name, value) in given {
            settings.variables.set(name, value);
        }
        Library { sources, settings }
    }

    fn of_the_clock(&self, machine: &Machine, now: DateTime<Utc>) -> [(&'static str, String); 4] {
        let workspace = Workspace::read(&self.places);
        let host = self.host(&workspace, machine, now);
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
