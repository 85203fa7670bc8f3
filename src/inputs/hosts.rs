//! The declared host against the machine that promptscope runs on.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::Inputs;
use crate::machine::Machine;
use crate::prompt::SkillState;
use crate::workspace::Workspace;
use crate::workspace::host::{Host, HostProfile, LocalZone};

/// Something that is declared to be other than it is on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostDifference {
    /// What it is: `system`, `program gh`, `variable TOKEN`.
    pub what: String,
    /// How it is declared.
    pub declared: String,
    /// How it is here.
    pub here: String,
}

/// A skill that the declared host makes something else of than this machine would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFlip {
    /// The skill as the declared host has it.
    pub declared: SkillState,
    /// The skill as this machine would have it.
    pub here: SkillState,
}

/// What a declared host changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HostReport {
    /// Whether anything is declared about the host at all.
    pub is_declared: bool,
    /// What differs.
    pub differences: Vec<HostDifference>,
    /// The skills that flip.
    pub flips: Vec<SkillFlip>,
}

impl Inputs {
    /// Gives the host that the prompt is for: this machine with what is declared laid over it.
    #[must_use]
    pub fn host(&self, workspace: &Workspace, machine: &Machine, now: DateTime<Utc>) -> Host {
        looked_up(self.declared_host(machine, now), workspace)
    }

    /// Gives the same before it is looked up what a workspace's skills require.
    pub(super) fn declared_host(&self, machine: &Machine, now: DateTime<Utc>) -> Host {
        self.real_host(machine, now).with(&self.host)
    }

    /// Finds out what the agent makes of each skill on the declared host.
    #[must_use]
    pub fn skills(
        &self,
        workspace: &Workspace,
        machine: &Machine,
        now: DateTime<Utc>,
    ) -> Vec<SkillState> {
        let host = self.host(workspace, machine, now);
        (self.profile.skills)(workspace, &host, &self.turn)
    }

    /// Compares the declared host with this machine.
    #[must_use]
    pub fn host_report(
        &self,
        workspace: &Workspace,
        machine: &Machine,
        now: DateTime<Utc>,
    ) -> HostReport {
        if self.host == HostProfile::default() {
            return HostReport::default();
        }
        let declared = self.host(workspace, machine, now);
        let here = looked_up(self.real_host(machine, now), workspace);
        let skills = |host: &Host| (self.profile.skills)(workspace, host, &self.turn);
        let flips = skills(&declared)
            .into_iter()
            .zip(skills(&here))
            .filter(|(declared, here)| declared != here)
            .map(|(declared, here)| SkillFlip { declared, here });
        HostReport {
            is_declared: true,
            differences: self.differences(workspace, &declared, &here),
            flips: flips.collect(),
        }
    }

    fn real_host(&self, machine: &Machine, now: DateTime<Utc>) -> Host {
        let agent = self.agent.as_ref();
        machine.host(now, agent.and_then(|agent| agent.python.as_deref()))
    }

    fn differences(
        &self,
        workspace: &Workspace,
        declared: &Host,
        here: &Host,
    ) -> Vec<HostDifference> {
        let zone = |host: &Host| match host.local_timezone {
            LocalZone::Named(zone) => zone.name().to_owned(),
            offset @ LocalZone::Offset(_) => offset.abbreviation(host.now),
        };
        let mut all = vec![
            (
                "system".to_owned(),
                declared.system.clone(),
                here.system.clone(),
            ),
            (
                "machine".to_owned(),
                declared.machine.clone(),
                here.machine.clone(),
            ),
            (
                "python".to_owned(),
                declared.python.clone(),
                here.python.clone(),
            ),
            ("zone".to_owned(), zone(declared), zone(here)),
        ];
        if let Some(now) = self.host.now {
            all.push(("clock".to_owned(), now.to_rfc3339(), "now".to_owned()));
        }
        let found = |is_there: bool| if is_there { "found" } else { "not found" }.to_owned();
        for name in workspace.required_programs() {
            let (declared, here) = (declared.has_program(&name), here.has_program(&name));
            all.push((format!("program {name}"), found(declared), found(here)));
        }
        let set = |is_set: bool| if is_set { "set" } else { "not set" }.to_owned();
        for name in required_variables(workspace) {
            let (declared, here) = (declared.has_variable(&name), here.has_variable(&name));
            all.push((format!("variable {name}"), set(declared), set(here)));
        }
        all.into_iter()
            .filter(|(_, declared, here)| declared != here)
            .map(|(what, declared, here)| HostDifference {
                what,
                declared,
                here,
            })
            .collect()
    }
}

/// Looks up the programs that the skills require.
fn looked_up(mut host: Host, workspace: &Workspace) -> Host {
    let programs = workspace.required_programs();
    host.look_up(programs.iter().map(String::as_str));
    host
}

fn required_variables(workspace: &Workspace) -> BTreeSet<String> {
    workspace
        .requirements()
        .filter_map(|requires| requires.env.ok())
        .flatten()
        .map(|name| name.to_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::inputs::Request;

    #[test]
    fn what_flips_is_found_and_what_is_the_same_is_not_told() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let skill =
            "---\nalways: true\nmetadata: {nanobot: {requires: {bins: [gh], env: [TOKEN]}}}\n---\n";
        write("skills/flips/SKILL.md", skill);
        write("skills/stays/SKILL.md", "---\nname: stays\n---\n");
        let machine = Machine {
            env: BTreeMap::from([("TOKEN".to_owned(), "1".to_owned())]),
            path: vec![],
            current_folder: dir.path().into(),
            local_timezone: LocalZone::Named(chrono_tz::Tz::UTC),
            random: 0,
        };
        let report = |settings: &str| {
            write("promptscope.toml", settings);
            let request = Request {
                workspace: Some(dir.path().into()),
                ..Request::default()
            };
            let inputs = Inputs::resolve(&request, &machine).unwrap();
            let workspace = Workspace::read(&inputs.places);
            inputs.host_report(&workspace, &machine, DateTime::UNIX_EPOCH)
        };
        assert_eq!(report("agent.skill_order = 'name'"), HostReport::default());
        let found = report(
            "host.bins = ['gh']\nhost.local_timezone = 'UTC'\nhost.now = '2026-06-19T02:30:00Z'",
        );
        let names: Vec<&str> = found
            .differences
            .iter()
            .map(|it| it.what.as_str())
            .collect();
        assert_eq!(names, ["clock", "program gh"]);
        let [flip] = found.flips.as_slice() else {
            panic!("{found:?}");
        };
        assert!(flip.declared.is_always && !flip.here.is_available);
        assert_eq!(flip.here.missing, "CLI: gh");
        let found = report("host.env = {}");
        assert_eq!(found.differences[0].what, "variable TOKEN");
        assert_eq!(found.flips[0].declared.missing, "CLI: gh, ENV: TOKEN");
    }
}
