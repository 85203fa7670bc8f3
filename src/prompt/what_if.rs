//! What would be sent if parts were switched off: a change of values, never of files.

use std::collections::{BTreeMap, BTreeSet};

use super::Turn;
use crate::workspace::read::FileRead;
use crate::workspace::{BOOTSTRAP_FILES, Workspace};

/// What is switched otherwise than it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WhatIf {
    /// The skills that are switched off, by name.
    pub skills_off: BTreeSet<String>,
    /// Whether a skill asks to be always on, whatever it says itself.
    pub always: BTreeMap<String, bool>,
    /// The bootstrap files that are as good as missing.
    pub files_off: BTreeSet<&'static str>,
    /// Whether MEMORY.md is as good as missing.
    pub memory_off: bool,
    /// Whether Recent History is not asked for.
    pub history_off: bool,
    /// Whether Recent History is not capped.
    pub history_uncapped: bool,
}

impl WhatIf {
    /// Tells whether anything is switched.
    #[must_use]
    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }

    /// Switches the values.
    pub fn apply(&self, workspace: &mut Workspace, turn: &mut Turn) {
        turn.disabled_skills.extend(self.skills_off.iter().cloned());
        for skill in workspace.skills.iter_mut().flatten() {
            skill.always_instead = self.always.get(&skill.name).copied();
        }
        for (name, file) in BOOTSTRAP_FILES.iter().zip(&mut workspace.bootstrap_files) {
            if self.files_off.contains(name) {
                *file = FileRead::Missing;
            }
        }
        if self.memory_off {
            workspace.memory = FileRead::Missing;
        }
        turn.include_memory_recent_history &= !self.history_off;
        turn.history_uncapped |= self.history_uncapped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Profile, SectionId, assemble};
    use crate::workspace::Places;
    use crate::workspace::host::{Host, LocalZone};

    #[test]
    fn each_switch_takes_away_its_own_part_and_no_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let entry = |n| format!("{{\"cursor\": {n}, \"timestamp\": \"t\", \"content\": \"c\"}}\n");
        let history = (1..=60).map(entry).collect::<Vec<_>>().concat();
        for (path, text) in [
            ("AGENTS.md", "Agents."),
            ("SOUL.md", "Soul."),
            ("memory/MEMORY.md", "Memory."),
            ("memory/history.jsonl", &history),
            ("skills/on/SKILL.md", "---\nalways: true\n---\nOn."),
            ("skills/off/SKILL.md", "---\nname: off\n---\nOff."),
        ] {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let read = || {
            Workspace::read(&Places {
                root: dir.path().into(),
                ..Places::default()
            })
        };
        let host = Host {
            system: "Linux".into(),
            machine: String::new(),
            python: String::new(),
            now: chrono::DateTime::UNIX_EPOCH,
            local_timezone: LocalZone::Offset(0),
            path: vec![],
            bins: BTreeSet::new(),
            env: BTreeMap::new(),
        };
        let section = |what_if: &WhatIf, id| {
            let (mut workspace, mut turn) = (read(), Turn::default());
            what_if.apply(&mut workspace, &mut turn);
            let assembly = assemble(&workspace, &host, &turn, &Profile::NANOBOT_0_2);
            let text = assembly.section(id).text.clone();
            text.map(|text| text.to_string()).unwrap_or_default()
        };
        let mut what_if = WhatIf::default();
        assert!(!what_if.is_any());
        let recent = section(&what_if, SectionId::RecentHistory);
        assert_eq!(recent.lines().count(), 52);
        what_if.history_uncapped = true;
        let recent = section(&what_if, SectionId::RecentHistory);
        assert_eq!(recent.lines().count(), 62);
        what_if.files_off.insert("AGENTS.md");
        assert_eq!(
            section(&what_if, SectionId::BootstrapFiles),
            "## SOUL.md\n\nSoul."
        );
        what_if.memory_off = true;
        assert_eq!(section(&what_if, SectionId::Memory), "");
        what_if.always.insert("on".into(), false);
        what_if.always.insert("off".into(), true);
        let always = section(&what_if, SectionId::AlwaysSkills);
        assert!(
            always.contains("Off.") && !always.contains("On."),
            "{always}"
        );
        what_if.skills_off.insert("off".into());
        assert_eq!(section(&what_if, SectionId::AlwaysSkills), "");
        what_if.history_off = true;
        assert_eq!(section(&what_if, SectionId::RecentHistory), "");
        assert_eq!(read().memory.text().map(AsRef::as_ref), Some("Memory."));
    }
}
