//! The prompt: eight sections, the messages around them, and what the agent would raise.
//!
//! [`assemble`] is a pure function of the workspace, the host, the turn and the profile. It mirrors
//! the reference's `ContextBuilder.build_messages`; every section has a file of its own.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

mod always_skills;
mod bootstrap_files;
mod identity;
mod media;
mod memory;
mod merge;
mod profile;
mod recent_history;
mod render_template;
mod runtime_context;
mod section_id;
mod session_replay;
mod session_summary;
mod skill_requirements;
mod skills_summary;
mod tool_contract;
mod turn;

use crate::python::Value;
use crate::workspace::Workspace;
use crate::workspace::agent_error::AgentError;
use crate::workspace::host::Host;
use crate::workspace::session::Session;

pub use merge::Merge;
pub use profile::Profile;
pub use recent_history::HistoryCut;
pub use section_id::SectionId;
pub use session_replay::Replay;
pub use turn::{SessionRequest, Turn};

/// What stands between two sections of the system prompt.
pub const JOIN: &str = "\n\n---\n\n";

/// One of the eight sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Which section it is.
    pub id: SectionId,
    /// The text as it goes out; `None` where the section is left out or cannot be built.
    pub text: Option<Arc<str>>,
    /// The files that the text comes from, in order.
    pub sources: Vec<Source>,
    /// Why the section is left out, in a few words.
    pub absent: Option<&'static str>,
    /// What was cut off, for Recent History.
    pub cut: Option<HistoryCut>,
    /// What the agent raises while it builds this section.
    pub error: Option<AgentError>,
}

/// A part of a section's text that comes from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The bytes of the section's text that come from it.
    pub range: Range<usize>,
}

/// Everything that the agent would send, and what would stop it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// The eight sections, in order.
    pub sections: [Section; 8],
    /// The system prompt: the sections that are there, joined.
    pub system_prompt: Arc<str>,
    /// The final list of messages, the system prompt first.
    pub messages: Vec<Value>,
    /// The block that follows the user's text.
    pub runtime_context: String,
    /// What the new message was merged into.
    pub merge: Merge,
    /// The replayed session, where the turn names one.
    pub replay: Option<Replay>,
    /// The first thing that the agent would raise on this turn; with it, nothing is sent at all.
    pub error: Option<AgentError>,
}

impl Section {
    fn present(id: SectionId, text: String, sources: Vec<Source>) -> Self {
        Self {
            text: Some(text.into()),
            sources,
            ..Self::empty(id)
        }
    }

    fn absent(id: SectionId, reason: &'static str) -> Self {
        Self {
            absent: Some(reason),
            ..Self::empty(id)
        }
    }

    fn failed(id: SectionId, error: AgentError) -> Self {
        Self {
            error: Some(error),
            ..Self::empty(id)
        }
    }

    fn empty(id: SectionId) -> Self {
        Self {
            id,
            text: None,
            sources: Vec::new(),
            absent: None,
            cut: None,
            error: None,
        }
    }
}

impl Assembly {
    /// Gives a section.
    #[must_use]
    pub fn section(&self, id: SectionId) -> &Section {
        &self.sections[id.index()]
    }

    /// Gives the message that holds the user's text, which is always the last.
    #[must_use]
    pub fn user_message(&self) -> &Value {
        self.messages.last().unwrap_or(&Value::None)
    }

    /// Gives the messages between the system prompt and the user's.
    #[must_use]
    pub fn history(&self) -> &[Value] {
        match self.messages.len() {
            0..=2 => &[],
            len => &self.messages[1..len - 1],
        }
    }
}

/// Builds what the agent sends on a turn.
///
/// Where the reference raises, the error is noted with the section that it kills, and everything
/// else is still built: [`Assembly::error`] is the one that the agent meets first.
#[must_use]
pub fn assemble(workspace: &Workspace, host: &Host, turn: &Turn, profile: &Profile) -> Assembly {
    let mut errors = Vec::new();
    if turn.session.is_some() {
        errors.extend(workspace.session_place.clone());
    }
    let replay = turn.session.as_ref().map(|request| {
        let empty = Session::empty(&request.key);
        let session = match &workspace.session {
            Some((key, file)) if *key == request.key => Session::load(key, file),
            _ => empty,
        };
        session_replay::replay(session, request, &mut errors)
    });
    errors.extend(workspace.memory_folder.clone());
    let inputs = turn.with_replay(replay.as_ref());
    let goal = noted(
        runtime_context::goal_lines(&inputs.session_metadata),
        &mut errors,
    );
    let runtime_context = runtime_context::block(turn, host, &goal.unwrap_or_default());
    let user_content = noted(
        media::user_content(&turn.message, &workspace.media),
        &mut errors,
    );
    let user_content = user_content.unwrap_or_else(|| Value::str(turn.message.as_str()));

    let sections = sections(workspace, host, turn, &inputs, profile);
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
        merge,
        replay,
        error: errors.into_iter().next(),
    }
}

fn sections(
    workspace: &Workspace,
    host: &Host,
    turn: &Turn,
    inputs: &turn::Inputs,
    profile: &Profile,
) -> [Section; 8] {
    let skills = skill_requirements::examine(workspace, host, turn);
    SectionId::ALL.map(|id| match id {
        SectionId::Identity => identity::build(workspace, host, turn),
        SectionId::BootstrapFiles => bootstrap_files::build(workspace),
        SectionId::ToolContract => tool_contract::build(workspace),
        SectionId::Memory => memory::build(workspace),
        SectionId::AlwaysSkills => always_skills::build(&skills),
        SectionId::SkillsSummary => skills_summary::build(workspace, &skills),
        SectionId::RecentHistory => {
            recent_history::build(workspace, turn, inputs.session_key.as_deref(), profile)
        }
        SectionId::SessionSummary => session_summary::build(inputs.session_summary.as_deref()),
    })
}

/// Keeps an outcome and notes its error.
fn noted<T>(outcome: Result<T, AgentError>, errors: &mut Vec<AgentError>) -> Option<T> {
    outcome.map_err(|error| errors.push(error)).ok()
}
