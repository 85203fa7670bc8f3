//! A profile: the rules of one version of the agent, under a name.

use super::nanobot_0_2;
use super::{Assembly, Turn};
use crate::workspace::Workspace;
use crate::workspace::host::Host;

/// Builds what one version of the agent sends on a turn.
///
/// What is given is all that it may depend on, and what it gives back is all that screen and
/// commands see, so that the rules of another version need nothing but a function of their own.
pub type Rules = fn(&Workspace, &Host, &Turn) -> Assembly;

/// Finds out what one version of the agent makes of each skill that is not switched off.
pub type SkillRules = fn(&Workspace, &Host, &Turn) -> Vec<SkillState>;

/// What the agent makes of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillState {
    /// The skill's name.
    pub name: String,
    /// Whether the host has all that it requires.
    pub is_available: bool,
    /// Whether its whole text is part of every prompt.
    pub is_always: bool,
    /// What the host lacks, as the prompt writes it.
    pub missing: String,
}

/// The rules of one version of the agent.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The profile's name, as JSON shows it.
    pub name: &'static str,
    /// The versions of the agent for which these rules are exact.
    pub versions: &'static [&'static str],
    /// The rules.
    pub rules: Rules,
    /// The rules for skills alone.
    pub skills: SkillRules,
}

impl Profile {
    /// The rules of nanobot-ai 0.2.2.
    pub const NANOBOT_0_2: Self = Self {
        name: "nanobot-0.2",
        versions: &["0.2.2"],
        rules: nanobot_0_2::assemble,
        skills: nanobot_0_2::skills,
    };

    /// Every profile; the first one serves where no version is known or none fits.
    pub const ALL: [Self; 1] = [Self::NANOBOT_0_2];

    /// Picks the profile whose rules are exact for a version, else the first.
    #[must_use]
    pub fn of_version(version: Option<&str>) -> Self {
        let exact = Self::ALL
            .into_iter()
            .find(|profile| version.is_some_and(|version| profile.covers(version)));
        exact.unwrap_or(Self::ALL[0])
    }

    /// Tells whether these rules are exact for a version.
    #[must_use]
    pub fn covers(&self, version: &str) -> bool {
        self.versions.contains(&version)
    }
}

/// Profiles are known by their names.
impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Profile {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_picks_its_profile_and_a_stranger_is_told_from_it() {
        let profile = Profile::of_version(Some("0.2.2"));
        assert_eq!(profile, Profile::NANOBOT_0_2);
        assert!(profile.covers("0.2.2"));
        let other = Profile::of_version(Some("0.3.5"));
        assert!(!other.covers("0.3.5"));
        assert_eq!(Profile::of_version(None), Profile::ALL[0]);
    }
}
