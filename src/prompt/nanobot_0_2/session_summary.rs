//! Session Summary: what the archived part of the session said.

use super::session_replay::Replayed;
use crate::prompt::provenance::{Origin, Traced};
use crate::prompt::{Section, SectionId};

/// Builds the section; an empty summary leaves it out.
///
/// A summary that the turn does not give itself comes from the session's file.
pub(super) fn build(summary: Option<&str>, replayed: Option<&Replayed>) -> Section {
    const ID: SectionId = SectionId::SessionSummary;
    if let (None, Some(error)) = (summary, replayed.and_then(|it| it.summary_error.clone())) {
        return Section::failed(ID, error);
    }
    let Some(summary) = summary.filter(|summary| !summary.is_empty()) else {
        return Section::absent(ID, "no archived summary");
    };
    let place = replayed
        .filter(|replayed| replayed.replay.summary.as_deref() == Some(summary))
        .and_then(|replayed| replayed.metadata.clone());
    let mut text = Traced::generated("[Archived Context Summary]\n\n");
    text.push(summary, place.map_or(Origin::Generated, Origin::MadeFrom));
    Section::present(ID, text)
}
