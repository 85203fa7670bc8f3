//! Active Skills: the whole text of every available skill that is always on.

use super::JOIN;
use super::skill_requirements::Examined;
use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::{Section, SectionId};
use crate::workspace::agent_error::AgentError;
use crate::workspace::front_matter;

/// Builds the section; mirrors `get_always_skills` and `load_skills_for_context`.
pub(super) fn build(skills: &Result<Vec<Examined>, AgentError>) -> Section {
    let skills = match skills {
        Ok(skills) => skills,
        Err(error) => return Section::failed(SectionId::AlwaysSkills, error.clone()),
    };
    let mut text = Traced::generated("# Active Skills\n\n");
    let mut is_first = true;
    for examined in skills.iter().filter(|examined| examined.always) {
        let Some(content) = examined.skill.content.text() else {
            continue;
        };
        if !is_first {
            text.push_generated(JOIN);
        }
        is_first = false;
        text.push_generated(&format!("### Skill: {}\n\n", examined.skill.name));
        let body = front_matter::body(content);
        let place = Place {
            path: examined.skill.path.as_path().into(),
            line: content[..body.start].matches('\n').count() + 1,
        };
        text.push_file(&content[body], Origin::Verbatim(place));
    }
    if is_first {
        return Section::absent(SectionId::AlwaysSkills, "no available skill is always on");
    }
    Section::present(SectionId::AlwaysSkills, text)
}
