//! The machine that the program runs on: environment, folders, clock and zone, looked at once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local, Offset as _, Utc};

use crate::workspace::host::{ASSUMED_PYTHON, Host, LocalZone, machine_name, system_name};

/// What was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The environment's variables that are text.
    pub env: BTreeMap<String, String>,
    /// The folders in which programs are looked for.
    pub path: Vec<PathBuf>,
    /// The current folder.
    pub current_folder: PathBuf,
    /// The machine's zone.
    pub local_timezone: LocalZone,
    /// A number that nobody can foretell, another one at each start.
    pub random: u64,
}

impl Machine {
    /// Looks at the machine.
    #[must_use]
    pub fn observe() -> Self {
        let env: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let path = std::env::var_os("PATH")
            .map(|path| std::env::split_paths(&path).collect())
            .unwrap_or_default();
        Self {
            local_timezone: local_timezone(env.get("TZ").map(String::as_str)),
            current_folder: std::env::current_dir().unwrap_or_default(),
            path,
            env,
            random: RandomState::new().hash_one(()),
        }
    }

    /// Gives a variable that is set and not empty.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.env
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Gives the person's home folder.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.variable("HOME").map(Path::new)
    }

    /// Gives the folder of the person's own settings, by the XDG rules.
    #[must_use]
    pub fn settings_folder(&self) -> Option<PathBuf> {
        self.variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
            .or_else(|| self.home().map(|home| home.join(".config")))
            .map(|folder| folder.join("promptscope"))
    }

    /// Makes a path absolute from the current folder, links left as they are.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let joined = self.current_folder.join(path);
        // The components drop `.` and doubled slashes, as Python's paths do.
        joined.components().collect()
    }

    /// Describes the machine as the host that the agent runs on.
    #[must_use]
    pub fn host(&self, now: DateTime<Utc>, python: Option<&str>) -> Host {
        let os = std::env::consts::OS;
        Host {
            system: system_name(os).to_owned(),
            machine: machine_name(os, std::env::consts::ARCH).to_owned(),
            python: python.unwrap_or(ASSUMED_PYTHON).to_owned(),
            now,
            local_timezone: self.local_timezone,
            path: self.path.clone(),
            bins: BTreeSet::new(),
            env: self.env.clone(),
        }
    }
}

/// Finds the machine's zone: by `TZ`, else by the system's setting, else by its present offset.
fn local_timezone(tz: Option<&str>) -> LocalZone {
    let named = match tz {
        Some("") => Some("UTC".to_owned()),
        Some(name) => Some(name.trim_start_matches(':').to_owned()),
        None => iana_time_zone::get_timezone().ok(),
    };
    named.and_then(|name| name.parse().ok()).map_or_else(
        || LocalZone::Offset(Local::now().offset().fix().local_minus_utc()),
        LocalZone::Named,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono_tz::Tz;

    impl Machine {
        /// Makes a machine of some variables alone, for tests.
        pub(crate) fn of_variables(env: &[(&str, &str)]) -> Self {
            let env = env.iter();
            Self {
                env: env
                    .map(|(name, value)| ((*name).into(), (*value).into()))
                    .collect(),
                path: vec![],
                current_folder: "/c".into(),
                local_timezone: LocalZone::Offset(0),
                random: 0,
            }
        }
    }

    #[test]
    fn the_zone_is_taken_from_tz_first() {
        assert_eq!(local_timezone(Some("")), LocalZone::Named(Tz::UTC));
        assert_eq!(
            local_timezone(Some(":Asia/Tokyo")),
            LocalZone::Named(Tz::Asia__Tokyo)
        );
        assert_eq!(
            local_timezone(Some("America/New_York")),
            LocalZone::Named(Tz::America__New_York)
        );
    }

    #[test]
    fn settings_follow_the_xdg_rules() {
        let machine = Machine::of_variables;
        let by_home = machine(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "")]);
        assert_eq!(
            by_home.settings_folder(),
            Some("/h/.config/promptscope".into())
        );
        let by_xdg = machine(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(by_xdg.settings_folder(), Some("/x/promptscope".into()));
        assert_eq!(machine(&[]).settings_folder(), None);
        assert_eq!(
            machine(&[]).absolute(Path::new("./a//b/.")),
            Path::new("/c/a/b")
        );
    }
}
