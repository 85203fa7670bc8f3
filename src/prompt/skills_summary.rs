//! Skills Summary: one line for every skill that is not always on.

use minijinja::context;

use super::render_template::render;
use super::skill_requirements::Examined;
use super::{Section, SectionId, Source};
use crate::workspace::agent_error::AgentError;
use crate::workspace::{Workspace, path_text};

/// Builds the section; mirrors `build_skills_summary` and its template.
pub(super) fn build(workspace: &Workspace, skills: &Result<Vec<Examined>, AgentError>) -> Section {
    const ID: SectionId = SectionId::SkillsSummary;
    let skills = match skills {
        Ok(skills) => skills,
        Err(error) => return Section::failed(ID, error.clone()),
    };
    let mut summary = String::new();
    let mut sources = Vec::new();
    for examined in skills.iter().filter(|examined| !examined.always) {
        let line = match line(examined) {
            Ok(line) => line,
            Err(error) => return Section::failed(ID, error),
        };
        if !sources.is_empty() {
            summary.push('\n');
        }
        let start = summary.len();
        summary.push_str(&line);
        sources.push(Source {
            path: examined.skill.path.clone(),
            range: start..summary.len(),
        });
    }
    if sources.is_empty() {
        let reason = if skills.is_empty() {
            "no skill"
        } else {
            "every skill is always on"
        };
        return Section::absent(ID, reason);
    }
    let values = context! { skills_summary => &summary };
    match render(&workspace.templates, "agent/skills_section.md", values) {
        Ok(text) => {
            // A template need not show the summary, or only a part of it.
            let sources = match text.find(&summary) {
                Some(at) => sources
                    .into_iter()
                    .map(|source| Source {
                        range: source.range.start + at..source.range.end + at,
                        ..source
                    })
                    .collect(),
                None => Vec::new(),
            };
            Section::present(ID, text, sources)
        }
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
