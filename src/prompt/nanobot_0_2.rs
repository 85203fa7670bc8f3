//! The rules of nanobot-ai 0.2.2, section by section.
//!
//! [`assemble`] mirrors the reference's `ContextBuilder.build_messages`, and the part of its loop
//! that replays a session.

use std::sync::Arc;

mod always_skills;
mod attachments;
mod bootstrap_files;
mod identity;
mod media;
mod memory;
mod merge;
mod recent_history;
mod runtime_context;
mod session_replay;
mod session_summary;
mod skill_requirements;
mod skills_summary;
mod tool_contract;

use super::turn::Inputs;
use super::{Assembly, Section, SectionId, SkillState, Turn};
use crate::python::Value;
use crate::workspace::Workspace;
use crate::workspace::agent_error::AgentError;
use crate::workspace::host::Host;
use session_replay::Replayed;

/// What stands between two sections of the system prompt.
pub const JOIN: &str = "\n\n---\n\n";

/// Builds what nanobot-ai 0.2.2 sends on a turn.
pub(super) fn assemble(workspace: &Workspace, host: &Host, turn: &Turn) -> Assembly {
    let mut errors = Vec::new();
    errors.extend(workspace.session_place.clone());
    let replayed = turn
        .session
        .as_ref()
        .map(|request| session_replay::replay(workspace, request, &mut errors));
    errors.extend(workspace.memory_folder.clone());
    let inputs = turn.with_replay(replayed.as_ref().map(|replayed| &replayed.replay));
    let place = replayed
        .as_ref()
        .and_then(|replayed| replayed.metadata.as_ref());
    let goal = runtime_context::goal_lines(&inputs.session_metadata)
        .map_err(|error| session_replay::placed(error, place));
    let goal = noted(goal, &mut errors);
    let attached = attachments::lines(turn);
    let runtime_context = runtime_context::block(turn, host, &goal.unwrap_or_default(), &attached);
    let user_content = noted(
        media::user_content(&turn.message, &workspace.media),
        &mut errors,
    );
    let user_content = user_content.unwrap_or_else(|| Value::str(turn.message.as_str()));

    let session_key = inputs.session_key.as_deref();
    let (recent, history_fates) = recent_history::build(workspace, turn, session_key);
    let sections = sections(workspace, host, turn, &inputs, replayed.as_ref(), &recent);
    errors.extend(sections.iter().filter_map(|section| section.error.clone()));
    let system_prompt: Arc<str> = sections
        .iter()
        .filter_map(|section| section.text.as_deref())
        .collect::<Vec<_>>()
        .join(JOIN)
        .into();
    let (messages, merge) = merge::messages(
        &system_prompt,
        inputs.history,
        merge::with_runtime_context(user_content, &runtime_context),
        &turn.current_role,
        &mut errors,
    );
    Assembly {
        sections,
        system_prompt,
        messages,
        runtime_context,
        approximate_lines: attached.len(),
        history_fates,
        merge,
        replay: replayed.map(|replayed| replayed.replay),
        error: errors.into_iter().next(),
    }
}

/// Finds out what nanobot-ai 0.2.2 makes of each skill; nothing where it raises over one of them.
pub(super) fn skills(workspace: &Workspace, host: &Host, turn: &Turn) -> Vec<SkillState> {
    let examined = skill_requirements::examine(workspace, host, turn).unwrap_or_default();
    let state = |examined: skill_requirements::Examined| SkillState {
        name: examined.skill.name.clone(),
        is_available: examined.available,
        is_always: examined.always,
        missing: examined.missing.unwrap_or_default(),
    };
    examined.into_iter().map(state).collect()
}

fn sections(
    workspace: &Workspace,
    host: &Host,
    turn: &Turn,
    inputs: &Inputs,
    replayed: Option<&Replayed>,
    recent: &Section,
) -> [Section; 8] {
    let skills = skill_requirements::examine(workspace, host, turn);
    SectionId::ALL.map(|id| match id {
        SectionId::Identity => identity::build(workspace, host, turn),
        SectionId::BootstrapFiles => bootstrap_files::build(workspace),
        SectionId::ToolContract => tool_contract::build(workspace),
        SectionId::Memory => memory::build(workspace),
        SectionId::AlwaysSkills => always_skills::build(&skills),
        SectionId::SkillsSummary => skills_summary::build(workspace, &skills),
        SectionId::RecentHistory => recent.clone(),
        SectionId::SessionSummary => {
            session_summary::build(inputs.session_summary.as_deref(), replayed)
        }
    })
}

/// Keeps an outcome and notes its error.
fn noted<T>(outcome: Result<T, AgentError>, errors: &mut Vec<AgentError>) -> Option<T> {
    outcome.map_err(|error| errors.push(error)).ok()
}
