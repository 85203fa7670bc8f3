//! Bootstrap Files: AGENTS.md, SOUL.md and USER.md, untouched, each under its name.

use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::{Section, SectionId};
use crate::workspace::read::FileRead;
use crate::workspace::{BOOTSTRAP_FILES, Workspace};

/// Builds the section; mirrors `_load_bootstrap_files`. An empty file still gives its heading.
pub(super) fn build(workspace: &Workspace) -> Section {
    let mut text = Traced::default();
    for (name, file) in BOOTSTRAP_FILES.iter().zip(&workspace.bootstrap_files) {
        let content = match file {
            FileRead::Missing => continue,
            FileRead::Text(content) => content,
            FileRead::Failed(failure) => {
                return Section::failed(SectionId::BootstrapFiles, failure.clone());
            }
        };
        if !text.text().is_empty() {
            text.push_generated("\n\n");
        }
        text.push_generated(&format!("## {name}\n\n"));
        let path = workspace.root.join(name).into();
        text.push_file(content, Origin::Verbatim(Place { path, line: 1 }));
    }
    if text.text().is_empty() {
        return Section::absent(
            SectionId::BootstrapFiles,
            "no AGENTS.md, SOUL.md or USER.md",
        );
    }
    Section::present(SectionId::BootstrapFiles, text)
}
