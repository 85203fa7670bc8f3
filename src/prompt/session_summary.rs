//! Session Summary: what the archived part of the session said.

use super::{Section, SectionId};

/// Builds the section; an empty summary leaves it out.
pub(super) fn build(summary: Option<&str>) -> Section {
    match summary {
        Some(summary) if !summary.is_empty() => Section::present(
            SectionId::SessionSummary,
            format!("[Archived Context Summary]\n\n{summary}"),
            Vec::new(),
        ),
        _ => Section::absent(SectionId::SessionSummary, "no archived summary"),
    }
}
