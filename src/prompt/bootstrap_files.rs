//! Bootstrap Files: AGENTS.md, SOUL.md and USER.md, untouched, each under its name.

use super::{Section, SectionId, Source};
use crate::workspace::read::FileRead;
use crate::workspace::{BOOTSTRAP_FILES, Workspace};

/// Builds the section; mirrors `_load_bootstrap_files`. An empty file still gives its heading.
pub(super) fn build(workspace: &Workspace) -> Section {
    let mut text = String::new();
    let mut sources = Vec::new();
    for (name, file) in BOOTSTRAP_FILES.iter().zip(&workspace.bootstrap_files) {
        let content = match file {
            FileRead::Missing => continue,
            FileRead::Text(content) => content,
            FileRead::Failed(failure) => {
                return Section::failed(SectionId::BootstrapFiles, failure.clone());
            }
        };
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.extend(["## ", name, "\n\n"]);
        let start = text.len();
        text.push_str(content);
        sources.push(Source {
            path: workspace.root.join(name),
            range: start..text.len(),
        });
    }
    if sources.is_empty() {
        return Section::absent(
            SectionId::BootstrapFiles,
            "no AGENTS.md, SOUL.md or USER.md",
        );
    }
    Section::present(SectionId::BootstrapFiles, text, sources)
}
