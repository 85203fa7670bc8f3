//! Skills Summary: one line for every skill that is not always on.

use super::skill_requirements::Examined;
use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::render_template::render;
use crate::prompt::{Section, SectionId};
use crate::workspace::agent_error::AgentError;
use crate::workspace::{Workspace, path_text};

/// Builds the section; mirrors `build_skills_summary` and its template.
pub(super) fn build(workspace: &Workspace, skills: &Result<Vec<Examined>, AgentError>) -> Section {
    const ID: SectionId = SectionId::SkillsSummary;
    let skills = match skills {
        Ok(skills) => skills,
        Err(error) => return Section::failed(ID, error.clone()),
    };
    let mut summary = Traced::default();
    for examined in skills.iter().filter(|examined| !examined.always) {
        let line = match line(examined) {
            Ok(line) => line,
            Err(error) => return Section::failed(ID, error),
        };
        if !summary.text().is_empty() {
            summary.push_generated("\n");
        }
        let place = Place {
            path: examined.skill.path.as_path().into(),
            line: examined.skill.description_line(),
        };
        summary.push(&line, Origin::MadeFrom(place));
    }
    if summary.text().is_empty() {
        let reason = if skills.is_empty() {
            "no skill"
        } else {
            "every skill is always on"
        };
        return Section::absent(ID, reason);
    }
    let values = [("skills_summary", summary)];
    match render(&workspace.templates, "agent/skills_section.md", &values) {
        Ok(text) => Section::present(ID, text),
        Err(error) => Section::failed(ID, error),
    }
}

fn line(examined: &Examined) -> Result<String, AgentError> {
    let skill = examined.skill;
    let unavailable = if examined.available {
        String::new()
    } else {
        match examined.missing.clone()? {
            missing if missing.is_empty() => " (unavailable)".to_owned(),
            missing => format!(" (unavailable: {missing})"),
        }
    };
    Ok(format!(
        "- **{}** — {}{unavailable}  `{}`",
        skill.name,
        skill.description(),
        path_text(&skill.path)
    ))
}
