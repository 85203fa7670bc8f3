//! Identity: runtime, workspace, platform policy and the channel's format hint.

use minijinja::context;

use super::render_template::{render, source};
use super::{Section, SectionId, Turn};
use crate::workspace::host::Host;
use crate::workspace::{Workspace, path_text};

/// Builds the section; mirrors `_get_identity`.
pub(super) fn build(workspace: &Workspace, host: &Host, turn: &Turn) -> Section {
    const NAME: &str = "agent/identity.md";
    let system = match host.system.as_str() {
        "Darwin" => "macOS",
        other => other,
    };
    let templates = &workspace.templates;
    let policy = render(
        templates,
        "agent/platform_policy.md",
        context! { system => &host.system },
    );
    let text = policy.and_then(|platform_policy| {
        render(
            templates,
            NAME,
            context! {
                workspace_path => path_text(&workspace.resolved_root),
                runtime => format!("{system} {}, Python {}", host.machine, host.python),
                platform_policy,
                channel => turn.channel.as_deref().unwrap_or_default(),
            },
        )
    });
    match text {
        Ok(text) => {
            let source = source(templates, NAME, &text);
            Section::present(SectionId::Identity, text, vec![source])
        }
        Err(error) => Section::failed(SectionId::Identity, error),
    }
}
