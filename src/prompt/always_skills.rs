//! Active Skills: the whole text of every available skill that is always on.

use super::skill_requirements::Examined;
use super::{JOIN, Section, SectionId, Source};
use crate::workspace::agent_error::AgentError;
use crate::workspace::front_matter;

/// Builds the section; mirrors `get_always_skills` and `load_skills_for_context`.
pub(super) fn build(skills: &Result<Vec<Examined>, AgentError>) -> Section {
    let skills = match skills {
        Ok(skills) => skills,
        Err(error) => return Section::failed(SectionId::AlwaysSkills, error.clone()),
    };
    let mut text = String::from("# Active Skills\n\n");
    let mut sources = Vec::new();
    for examined in skills.iter().filter(|examined| examined.always) {
        let Some(content) = examined.skill.content.text() else {
            continue;
        };
        if !sources.is_empty() {
            text.push_str(JOIN);
        }
        text.extend(["### Skill: ", &examined.skill.name, "\n\n"]);
        let start = text.len();
        text.push_str(front_matter::without(content));
        sources.push(Source {
            path: examined.skill.path.clone(),
            range: start..text.len(),
        });
    }
    if sources.is_empty() {
        return Section::absent(SectionId::AlwaysSkills, "no available skill is always on");
    }
    Section::present(SectionId::AlwaysSkills, text, sources)
}
