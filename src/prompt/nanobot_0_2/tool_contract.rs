//! Tool Contract: a template without variables.

use crate::prompt::render_template::render;
use crate::prompt::{Section, SectionId};
use crate::workspace::Workspace;

/// Builds the section.
pub(super) fn build(workspace: &Workspace) -> Section {
    match render(&workspace.templates, "agent/tool_contract.md", &[]) {
        Ok(text) => Section::present(SectionId::ToolContract, text),
        Err(error) => Section::failed(SectionId::ToolContract, error),
    }
}
