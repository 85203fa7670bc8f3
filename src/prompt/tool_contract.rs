//! Tool Contract: a template without variables.

use minijinja::context;

use super::render_template::{render, source};
use super::{Section, SectionId};
use crate::workspace::Workspace;

/// Builds the section.
pub(super) fn build(workspace: &Workspace) -> Section {
    const NAME: &str = "agent/tool_contract.md";
    match render(&workspace.templates, NAME, context! {}) {
        Ok(text) => {
            let source = source(&workspace.templates, NAME, &text);
            Section::present(SectionId::ToolContract, text, vec![source])
        }
        Err(error) => Section::failed(SectionId::ToolContract, error),
    }
}
