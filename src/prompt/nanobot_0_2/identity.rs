//! Identity: runtime, workspace, platform policy and the channel's format hint.

use crate::prompt::provenance::Traced;
use crate::prompt::render_template::render;
use crate::prompt::{Section, SectionId, Turn};
use crate::workspace::host::Host;
use crate::workspace::{Workspace, path_text};

/// Builds the section; mirrors `_get_identity`.
pub(super) fn build(workspace: &Workspace, host: &Host, turn: &Turn) -> Section {
    const NAME: &str = "agent/identity.md";
    let system = match host.system.as_str() {
        "Darwin" => "macOS",
        other => other,
    };
    let runtime = format!("{system} {}, Python {}", host.machine, host.python);
    let channel = turn.channel.as_deref().unwrap_or_default();
    let templates = &workspace.templates;
    let policy = render(
        templates,
        "agent/platform_policy.md",
        &[("system", Traced::generated(&host.system))],
    );
    let text = policy.and_then(|platform_policy| {
        render(
            templates,
            NAME,
            &[
                (
                    "workspace_path",
                    Traced::generated(&path_text(&workspace.resolved_root)),
                ),
                ("runtime", Traced::generated(&runtime)),
                ("platform_policy", platform_policy),
                ("channel", Traced::generated(channel)),
            ],
        )
    });
    match text {
        Ok(text) => Section::present(SectionId::Identity, text),
        Err(error) => Section::failed(SectionId::Identity, error),
    }
}
