//! What the checks need of the inputs: the subject of the rules, and a turn that is built again with one
//! thing changed.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::Inputs;
use crate::budget::{Baseline, Usage};
use crate::insight::cache::{Loss, loss};
use crate::library::{Cache, Catalog, SourceKind};
use crate::lint::{self, Finding, LibrarySubject, Subject, VariantUsage};
use crate::machine::Machine;
use crate::prompt::{Assembly, SkillState};
use crate::tokens::Counter;
use crate::workspace::Workspace;
use crate::workspace::survey::Survey;

impl Inputs {
    /// Gathers what the rules check.
    #[must_use]
    pub fn subject<'a>(
        &'a self,
        workspace: &'a Workspace,
        (survey, skills): (&'a Survey, &'a [SkillState]),
        assembly: &'a Assembly,
        usage: &'a Usage,
        baseline: Option<&'a Baseline>,
        library: Option<LibrarySubject<'a>>,
    ) -> Subject<'a> {
        Subject {
            workspace,
            survey,
            skills,
            turn: &self.turn,
            assembly,
            usage,
            budget: &self.config.budget,
            baseline: baseline.map(|baseline| (baseline, self.config.check.tolerance)),
            is_directory_order: self.is_directory_order(),
            settings_problem: None,
            library,
        }
    }

    /// Checks what was assembled of a workspace by every rule, the prompts as files included.
    #[must_use]
    pub fn findings(
        &self,
        workspace: &Workspace,
        (machine, now): (&Machine, DateTime<Utc>),
        (assembly, usage): (&Assembly, &Usage),
        baseline: Option<&Baseline>,
        counter: &mut Counter,
    ) -> Vec<Finding> {
        let catalog = self.catalog(machine, now, &mut Cache::default());
        let survey = self.survey(&catalog.library.sources);
        let skills = self.skills(workspace, machine, now);
        let around = (&survey, &skills[..]);
        let tokens: Vec<Option<usize>> = catalog
            .entries
            .iter()
            .map(|entry| entry.built.tokens(counter))
            .collect();
        let variants = self.variants(workspace, &catalog, machine, now).into_iter();
        let variants = variants.map(|(name, assembly)| VariantUsage {
            usage: Usage::count(&assembly, counter),
            name,
            assembly,
        });
        let library = LibrarySubject {
            catalog: &catalog,
            tokens: &tokens,
            variants: &variants.collect::<Vec<_>>(),
        };
        let subject = self.subject(workspace, around, assembly, usage, baseline, Some(library));
        lint::check(&subject, &self.config.lint)
    }

    /// Assembles what would be sent with each other variant of an experiment in the target that it is
    /// compiled to.
    #[must_use]
    pub fn variants(
        &self,
        workspace: &Workspace,
        catalog: &Catalog,
        machine: &Machine,
        now: DateTime<Utc>,
    ) -> Vec<(String, Arc<Assembly>)> {
        let mut found = Vec::new();
        for planned in catalog.planned.iter().filter(|it| it.is_whole()) {
            let others = catalog.entries.iter().filter(|entry| {
                entry.kind == SourceKind::Experiment
                    && entry.name == planned.source
                    && entry.variant != planned.variant
                    && entry.built.is_whole()
            });
            for other in others {
                let target = planned.target.as_path();
                let inputs = self.with_files([(target.to_path_buf(), other.built.text())]);
                let workspace = workspace.reread(&inputs.places, target);
                let variant = other.variant.as_deref().unwrap_or_default();
                let name = format!("the variant {variant} of {}", other.name);
                let assembly = inputs.assemble(&workspace, machine, now);
                found.push((name, Arc::new(assembly)));
            }
        }
        found
    }

    /// Builds the turn again with one thing changed at a time, and tells what a prompt cache would lose.
    #[must_use]
    pub fn preflight(
        &self,
        workspace: &Workspace,
        machine: &Machine,
        now: DateTime<Utc>,
        counter: &mut Counter,
    ) -> Vec<Loss> {
        let start = self.host.now.unwrap_or(now);
        let at = |instant: DateTime<Utc>| {
            let mut inputs = self.clone();
            inputs.host.now = Some(instant);
            inputs
        };
        let base = at(start);
        let one = base.assemble(workspace, machine, start);
        let mut other_sender = base.clone();
        other_sender.turn.sender_id = Some("somebody_else".to_owned());
        let mut other_channel = base.clone();
        let is_email = base.turn.channel.as_deref() == Some("email");
        let channel = if is_email { "cli" } else { "email" };
        other_channel.turn.channel = Some(channel.to_owned());
        let mut turned = workspace.clone();
        if let Ok(skills) = &mut turned.skills {
            skills.reverse();
        }
        let minute = at(start + TimeDelta::minutes(1));
        let day = at(start + TimeDelta::days(1));
        let over = format!("over {channel}");
        let changes: [(&str, &Inputs, &Workspace); 5] = [
            ("one minute later", &minute, workspace),
            ("one day later", &day, workspace),
            ("another sender", &other_sender, workspace),
            (&over, &other_channel, workspace),
            ("skills in another order", &base, &turned),
        ];
        changes
            .into_iter()
            .map(|(change, inputs, workspace)| {
                let other = inputs.assemble(workspace, machine, start);
                loss(change, &one, &other, counter)
            })
            .collect()
    }
}
