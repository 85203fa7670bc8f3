//! Skills that are not what their author thinks: not loaded, not available, malformed.

use super::{Finding, Subject, finding, named};
use crate::python::Value;
use crate::workspace::front_matter as front;
use crate::workspace::skill::SkillSource;

/// Checks the skills as the agent loads them.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let skills = subject.workspace.skills.iter().flatten();
    let own: Vec<_> = skills
        .filter(|skill| skill.source == SkillSource::Workspace)
        .collect();
    for skill in &own {
        let path = named(subject, &skill.path);
        let line = skill
            .content
            .text()
            .map_or(1, |text| front::line_of(text, "metadata"));
        let requires = skill.metadata().map(|metadata| metadata.requires());
        let failure = match requires {
            Err(error) => Some((error.class, error.message)),
            Ok(Err((class, message))) => Some((class, message)),
            Ok(Ok(requires)) => {
                let no_text = |values: &Result<Vec<Value>, _>| {
                    let values = values.iter().flatten();
                    let mut others = values.filter(|value| !matches!(value, Value::Str(_)));
                    let other = others.next()?;
                    let message = format!("`requires` lists a {}, not a name", other.type_name());
                    Some(("TypeError", message))
                };
                let other = no_text(&requires.bins).or_else(|| no_text(&requires.env));
                requires.bins.err().or(requires.env.err()).or(other)
            }
        };
        if let Some((class, message)) = failure {
            let message = format!("{message}: the agent fails with {class} and sends nothing");
            let fix = "write requires: {bins: [gh], env: [TOKEN]}";
            found.push(finding("requires-malformed", message, fix).on_line(&path, line));
        }
        let state = subject.skills.iter().find(|state| state.name == skill.name);
        if let Some(state) = state.filter(|state| !state.is_available) {
            let message = format!(
                "the skill is listed as unavailable: it lacks {}",
                state.missing
            );
            let fix = "install what is missing, or declare it in [host]";
            found.push(finding("skill-unavailable", message, fix).on_line(&path, line));
        }
    }
    for path in &subject.survey.stray_skills {
        let message =
            "the agent looks for skills/NAME/SKILL.md and nowhere else: this one is never loaded";
        let fix = "move it to skills/NAME/SKILL.md";
        found.push(finding("skill-never-loaded", message, fix).on_line(path, 1));
    }
    let names: Vec<&str> = own.iter().map(|skill| skill.name.as_str()).collect();
    if subject.is_directory_order && !names.is_sorted() {
        let message = "the skills are listed in the order of the directory: a copy of the workspace may list them in another, and a prompt cache misses";
        let fix = "nothing in the workspace changes it; compare runs with --skill-order name";
        found.push(finding("skill-order", message, fix));
    }
}
