//! The list of what can be switched off to see what that saves.

use super::View;
use crate::budget::Usage;
use crate::prompt::{SectionId, WhatIf};
use crate::workspace::BOOTSTRAP_FILES;
use crate::workspace::read::FileRead;

/// Something that can be switched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// A skill by its name.
    Skill(String),
    /// A bootstrap file.
    File(&'static str),
    /// MEMORY.md.
    Memory,
    /// Recent History.
    History,
    /// The cap of Recent History.
    HistoryCap,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchLine {
    /// What is switched.
    pub switch: Switch,
    /// Whether it is part of what is shown.
    pub is_on: bool,
    /// Whether a skill is always on, where it is one.
    pub is_always: Option<bool>,
    /// The tokens of it in what the agent really sends, where it has a part of its own there.
    pub tokens: Option<usize>,
}

/// Lists what is there to be switched, in the order of the prompt.
#[must_use]
pub fn switches(view: &View, real: Option<&Usage>, what_if: &WhatIf) -> Vec<SwitchLine> {
    let workspace = &view.workspace;
    let mut lines = Vec::new();
    let files = BOOTSTRAP_FILES.iter().zip(&workspace.bootstrap_files);
    for (name, _) in files.filter(|(_, file)| **file != FileRead::Missing) {
        let path = workspace.root.join(name);
        lines.push(SwitchLine {
            switch: Switch::File(name),
            is_on: !what_if.files_off.contains(name),
            is_always: None,
            tokens: tokens(view, real, |it| *it == *path),
        });
    }
    let whole = |id: SectionId| {
        let is_there = view.real.section(id).text.is_some();
        real.filter(|_| is_there).map(|usage| usage.section(id))
    };
    if workspace.memory != FileRead::Missing {
        lines.push(SwitchLine {
            switch: Switch::Memory,
            is_on: !what_if.memory_off,
            is_always: None,
            tokens: whole(SectionId::Memory),
        });
    }
    for skill in &view.skills {
        let path = workspace
            .skills
            .iter()
            .flatten()
            .find(|it| it.name == skill.name)
            .map(|it| it.path.clone());
        let is_always = what_if.always.get(&skill.name).copied();
        lines.push(SwitchLine {
            switch: Switch::Skill(skill.name.clone()),
            is_on: !what_if.skills_off.contains(&skill.name),
            is_always: Some(is_always.unwrap_or(skill.is_always)),
            tokens: path.and_then(|path| tokens(view, real, |it| *it == *path)),
        });
    }
    let history = whole(SectionId::RecentHistory);
    lines.push(SwitchLine {
        switch: Switch::History,
        is_on: !what_if.history_off,
        is_always: None,
        tokens: history,
    });
    lines.push(SwitchLine {
        switch: Switch::HistoryCap,
        is_on: !what_if.history_uncapped,
        is_always: None,
        tokens: None,
    });
    lines
}

/// Sums up the tokens of the pieces that come from a file.
fn tokens(
    view: &View,
    real: Option<&Usage>,
    is_it: impl Fn(&std::path::Path) -> bool,
) -> Option<usize> {
    let usage = real?;
    let mut found = None;
    for (section, counts) in view.real.sections.iter().zip(&usage.sources) {
        for (source, count) in section.sources.iter().zip(counts) {
            if is_it(&source.path) {
                *found.get_or_insert(0) += count;
            }
        }
    }
    found
}

/// Switches a line, or the always-on of a skill.
pub(super) fn toggle(what_if: &mut WhatIf, line: &SwitchLine, always: bool) {
    match (&line.switch, line.is_always, always) {
        (Switch::Skill(name), Some(is_always), true) => {
            // Switched twice, the skill asks for itself again.
            if what_if.always.remove(name).is_none() {
                what_if.always.insert(name.clone(), !is_always);
            }
        }
        (_, _, true) => {}
        (Switch::Skill(name), ..) => {
            if !what_if.skills_off.remove(name) {
                what_if.skills_off.insert(name.clone());
            }
        }
        (Switch::File(name), ..) => {
            if !what_if.files_off.remove(name) {
                what_if.files_off.insert(name);
            }
        }
        (Switch::Memory, ..) => what_if.memory_off = !what_if.memory_off,
        (Switch::History, ..) => what_if.history_off = !what_if.history_off,
        (Switch::HistoryCap, ..) => what_if.history_uncapped = !what_if.history_uncapped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_twice_is_as_it_was() {
        let skill = || Switch::Skill("a".into());
        for (switch, always) in [
            (skill(), false),
            (skill(), true),
            (Switch::File("SOUL.md"), false),
            (Switch::Memory, false),
            (Switch::History, false),
            (Switch::HistoryCap, false),
        ] {
            let line = SwitchLine {
                switch,
                is_on: true,
                is_always: Some(false),
                tokens: None,
            };
            let mut what_if = WhatIf::default();
            toggle(&mut what_if, &line, always);
            assert!(what_if.is_any(), "{line:?}");
            toggle(&mut what_if, &line, always);
            assert_eq!(what_if, WhatIf::default(), "{line:?}");
        }
    }
}
