//! The prompt: eight sections, the messages around them, and what the agent would raise.
//!
//! [`assemble`] is a pure function of the workspace, the host, the turn and the profile. The rules
//! of each version of the agent stand together in a module of their own; what stands here serves
//! all of them.

mod assembly;
mod nanobot_0_2;
mod profile;
pub mod provenance;
mod render_template;
mod section_id;
mod turn;
mod what_if;

use crate::workspace::Workspace;
use crate::workspace::host::Host;

pub use assembly::{Assembly, Fate, HistoryCut, HistoryFate, Merge, Replay, Section, Source};
pub use nanobot_0_2::JOIN;
pub use profile::{Profile, Rules, SkillRules, SkillState};
pub use section_id::SectionId;
pub use turn::{KNOWN_CHANNELS, RuntimeTemplates, SessionLimits, SessionRequest, Turn};
pub use what_if::WhatIf;

/// Builds what the agent sends on a turn, by the rules of a profile.
///
/// Where the agent raises, the error is noted with the section that it kills, and everything else
/// is still built: [`Assembly::error`] is the one that the agent meets first.
#[must_use]
pub fn assemble(workspace: &Workspace, host: &Host, turn: &Turn, profile: &Profile) -> Assembly {
    (profile.rules)(workspace, host, turn)
}
