//! The machine that the agent runs on, as values: platform, clock, zone, programs, variables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike as _, FixedOffset, NaiveDate, Offset as _, Utc};
use chrono_tz::{OffsetName as _, Tz};

use super::read;

/// The Python version that the identity names where no installed agent tells it.
pub const ASSUMED_PYTHON: &str = "3.12.4";

/// What the prompt depends on outside the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// The system as Python's `platform.system()` names it: Linux, Darwin, Windows.
    pub system: String,
    /// The machine as `platform.machine()` names it: `x86_64`, `arm64`.
    pub machine: String,
    /// The agent's Python version.
    pub python: String,
    /// The instant of the turn.
    pub now: DateTime<Utc>,
    /// The machine's own time zone.
    pub local_timezone: LocalZone,
    /// The folders in which programs are looked for.
    pub path: Vec<PathBuf>,
    /// The programs that count as found.
    pub bins: BTreeSet<String>,
    /// The environment's variables.
    pub env: BTreeMap<String, String>,
}

/// A machine's own time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalZone {
    /// A zone of the IANA database.
    Named(Tz),
    /// An offset in seconds east of UTC, where the name of the zone cannot be told.
    Offset(i32),
}

impl LocalZone {
    /// Gives the zone's distance from UTC at an instant.
    #[must_use]
    pub fn offset(self, at: DateTime<Utc>) -> FixedOffset {
        match self {
            Self::Named(zone) => within_tables(at).with_timezone(&zone).offset().fix(),
            Self::Offset(seconds) => FixedOffset::east_opt(seconds).unwrap_or_else(|| Utc.fix()),
        }
    }

    /// Gives the zone's abbreviation at an instant, as `time.strftime("%Z")` does.
    ///
    /// Where a zone has no letters of its own, it is the distance from UTC: `+08`, `+0530`.
    #[must_use]
    pub fn abbreviation(self, at: DateTime<Utc>) -> String {
        let letters = match self {
            Self::Named(zone) => {
                let local = within_tables(at).with_timezone(&zone);
                local.offset().abbreviation().map(str::to_owned)
            }
            Self::Offset(0) => Some("UTC".to_owned()),
            Self::Offset(_) => None,
        };
        letters.unwrap_or_else(|| {
            let seconds = self.offset(at).local_minus_utc();
            let sign = if seconds < 0 { '-' } else { '+' };
            let minutes = seconds.abs() / 60;
            if minutes % 60 == 0 {
                format!("{sign}{:02}", minutes / 60)
            } else {
                format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
            }
        })
    }
}

/// Moves an instant behind the end of the compiled tables, which is the year 2100, to the same day
/// of a year with the same calendar: the rules of a zone go on for ever.
fn within_tables(at: DateTime<Utc>) -> DateTime<Utc> {
    let calendar = |year: i32| {
        let new_year = NaiveDate::from_yo_opt(year, 1);
        new_year.map(|day| (day.weekday(), day.leap_year()))
    };
    let year = at.year();
    if year < 2100 {
        return at;
    }
    // The latest first: two zones keep tables of their own up to 2087.
    (2072..2100)
        .rev()
        .find(|&like| calendar(like) == calendar(year))
        .and_then(|like| at.with_year(like))
        .unwrap_or(at)
}

/// What a scenario or `[host]` declares about the target machine; all that is `None` stays real.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HostProfile {
    /// Replaces [`Host::system`].
    pub system: Option<String>,
    /// Replaces [`Host::machine`].
    pub machine: Option<String>,
    /// Replaces [`Host::python`].
    pub python: Option<String>,
    /// Replaces [`Host::now`].
    pub now: Option<DateTime<Utc>>,
    /// Replaces [`Host::local_timezone`].
    pub local_timezone: Option<Tz>,
    /// Replaces [`Host::path`].
    pub path: Option<Vec<PathBuf>>,
    /// Adds to [`Host::bins`].
    pub bins: Vec<String>,
    /// Replaces [`Host::env`].
    pub env: Option<BTreeMap<String, String>>,
}

impl HostProfile {
    /// Lays another profile over this one: what `over` declares wins.
    #[must_use]
    pub fn under(self, over: &Self) -> Self {
        let mut bins = self.bins;
        bins.extend(over.bins.iter().cloned());
        Self {
            system: over.system.clone().or(self.system),
            machine: over.machine.clone().or(self.machine),
            python: over.python.clone().or(self.python),
            now: over.now.or(self.now),
            local_timezone: over.local_timezone.or(self.local_timezone),
            path: over.path.clone().or(self.path),
            env: over.env.clone().or(self.env),
            bins,
        }
    }
}

impl Host {
    /// Lays a profile over the real host.
    #[must_use]
    pub fn with(self, profile: &HostProfile) -> Self {
        let mut bins = self.bins;
        bins.extend(profile.bins.iter().cloned());
        Self {
            system: profile.system.clone().unwrap_or(self.system),
            machine: profile.machine.clone().unwrap_or(self.machine),
            python: profile.python.clone().unwrap_or(self.python),
            now: profile.now.unwrap_or(self.now),
            local_timezone: profile
                .local_timezone
                .map_or(self.local_timezone, LocalZone::Named),
            path: profile.path.clone().unwrap_or(self.path),
            env: profile.env.clone().unwrap_or(self.env),
            bins,
        }
    }

    /// Looks programs up on this machine, as `shutil.which` does, and notes those that are found.
    ///
    /// A name with a folder in it is looked at as it stands; any other in the folders of `path`.
    pub fn look_up<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            let found = if name.contains('/') {
                read::is_program(Path::new(name))
            } else {
                !name.is_empty()
                    && self
                        .path
                        .iter()
                        .any(|folder| read::is_program(&folder.join(name)))
            };
            if found {
                self.bins.insert(name.to_owned());
            }
        }
    }

    /// Tells whether a program counts as found.
    #[must_use]
    pub fn has_program(&self, name: &str) -> bool {
        self.bins.contains(name)
    }

    /// Tells whether a variable is set and not empty.
    #[must_use]
    pub fn has_variable(&self, name: &str) -> bool {
        self.env.get(name).is_some_and(|value| !value.is_empty())
    }
}

/// Names the system as Python does, from Rust's name for it.
#[must_use]
pub fn system_name(os: &str) -> &str {
    match os {
        "linux" => "Linux",
        "macos" => "Darwin",
        "windows" => "Windows",
        "freebsd" => "FreeBSD",
        other => other,
    }
}

/// Names the machine as Python does, from Rust's names for system and machine.
#[must_use]
pub fn machine_name<'a>(os: &str, arch: &'a str) -> &'a str {
    match (os, arch) {
        ("macos", "aarch64") => "arm64",
        ("windows", "x86_64") => "AMD64",
        ("windows", "aarch64") => "ARM64",
        ("linux", "x86") => "i686",
        (_, arch) => arch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host {
            system: "Linux".into(),
            machine: "x86_64".into(),
            python: ASSUMED_PYTHON.into(),
            now: DateTime::UNIX_EPOCH,
            local_timezone: LocalZone::Named(Tz::UTC),
            path: Vec::new(),
            bins: BTreeSet::new(),
            env: BTreeMap::new(),
        }
    }

    #[test]
    fn a_program_is_a_file_with_a_right_to_run() {
        let dir = tempfile::tempdir().unwrap();
        let tool = dir.path().join("tool");
        std::fs::write(&tool, "#!/bin/sh\n").unwrap();
        std::fs::create_dir(dir.path().join("folder")).unwrap();
        let mut host = Host {
            path: vec![dir.path().into()],
            ..host()
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let full = tool.to_str().unwrap();
            host.look_up(["tool"]);
            assert!(!host.has_program("tool"));
            std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
            host.look_up(["tool", full]);
            assert!(host.has_program("tool"));
            assert!(host.has_program(full));
        }
        host.look_up(["folder", "", "none"]);
        assert!(!host.has_program("folder"));
        assert!(!host.has_program(""));
        assert!(!host.has_program("none"));
    }

    #[test]
    fn a_profile_replaces_only_what_it_declares() {
        let profile = HostProfile {
            system: Some("Darwin".into()),
            bins: vec!["gh".into()],
            env: Some(BTreeMap::from([("A".into(), String::new())])),
            ..HostProfile::default()
        };
        let host = host().with(&profile);
        assert_eq!(
            (host.system.as_str(), host.machine.as_str()),
            ("Darwin", "x86_64")
        );
        assert!(host.has_program("gh"));
        assert!(!host.has_variable("A"));
    }

    #[test]
    fn zones_are_abbreviated_at_the_instant() {
        let zone = LocalZone::Named(Tz::America__New_York);
        let summer = "2026-06-19T02:30:00Z".parse().unwrap();
        let winter = "2026-12-19T02:30:00Z".parse().unwrap();
        assert_eq!(zone.abbreviation(summer), "EDT");
        assert_eq!(zone.abbreviation(winter), "EST");
        assert_eq!(LocalZone::Offset(19800).abbreviation(summer), "+0530");
        assert_eq!(LocalZone::Offset(0).abbreviation(summer), "UTC");
    }
}
