//! The eight sections by name.

use std::fmt;

/// Names a section of the system prompt; the order is that of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SectionId {
    /// Who the agent is, where it runs, how to write on this channel.
    Identity,
    /// AGENTS.md, SOUL.md and USER.md.
    BootstrapFiles,
    /// How to use tools.
    ToolContract,
    /// MEMORY.md.
    Memory,
    /// Skills that are always on, whole.
    AlwaysSkills,
    /// One line for each other skill.
    SkillsSummary,
    /// The newest entries of history.jsonl.
    RecentHistory,
    /// What an archived part of the session said.
    SessionSummary,
}

impl SectionId {
    /// Every section, in the order of the prompt.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::BootstrapFiles,
        Self::ToolContract,
        Self::Memory,
        Self::AlwaysSkills,
        Self::SkillsSummary,
        Self::RecentHistory,
        Self::SessionSummary,
    ];

    /// Gives the name used in flags, JSON and settings.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::BootstrapFiles => "bootstrap_files",
            Self::ToolContract => "tool_contract",
            Self::Memory => "memory",
            Self::AlwaysSkills => "always_skills",
            Self::SkillsSummary => "skills_summary",
            Self::RecentHistory => "recent_history",
            Self::SessionSummary => "session_summary",
        }
    }

    /// Gives the name shown to people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Identity => "Identity",
            Self::BootstrapFiles => "Bootstrap Files",
            Self::ToolContract => "Tool Contract",
            Self::Memory => "Memory",
            Self::AlwaysSkills => "Active Skills",
            Self::SkillsSummary => "Skills Summary",
            Self::RecentHistory => "Recent History",
            Self::SessionSummary => "Session Summary",
        }
    }

    /// Finds a section by [`SectionId::id`].
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.id() == id)
    }

    /// Gives the place in the prompt, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Gives the key that opens the section on the screen, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.index() + 1
    }
}

impl fmt::Display for SectionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lead_back_and_places_follow_the_prompt() {
        for (index, section) in SectionId::ALL.into_iter().enumerate() {
            assert_eq!(SectionId::from_id(section.id()), Some(section));
            assert_eq!(section.index(), index);
        }
        assert_eq!(SectionId::from_id("Identity"), None);
    }
}
