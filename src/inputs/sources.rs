//! The library of prompts that belongs to the inputs: its folder, and the values of its variables.

use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::Inputs;
use crate::library::{Library, Sources};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// The variable of the environment that names the folder of prompts.
const FOLDER_VARIABLE: &str = "PROMPTSCOPE_PROMPTS";
/// The folder where nothing names another.
const FOLDER: &str = "prompts";

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
        let sources = Sources::read(&folder, &self.places.source, settings.allows_outside);
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
