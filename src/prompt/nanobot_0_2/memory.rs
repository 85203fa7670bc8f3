//! Memory: MEMORY.md, unless it is still the template that the agent put there.

use sha2::{Digest as _, Sha256};

use crate::prompt::provenance::{Origin, Place, Traced};
use crate::prompt::{Section, SectionId};
use crate::python::text::strip;
use crate::workspace::Workspace;
use crate::workspace::read::FileRead;
use crate::workspace::templates::Templates;

/// SHA-256 sums of the default MEMORY.md texts that nanobot-ai was published with, stripped.
const PUBLISHED_TEMPLATES: [&str; 1] =
    ["d22710640c228b702c0d8d36196040ed56a734c13ca69afd14cb5888c894bb76"];

/// Builds the section; mirrors `get_memory_context` and the check against the template.
pub(super) fn build(workspace: &Workspace) -> Section {
    const HEAD: &str = "# Memory\n\n## Long-term Memory\n";
    if let Some(error) = &workspace.memory_folder {
        return Section::failed(SectionId::Memory, error.clone());
    }
    let content = match &workspace.memory {
        FileRead::Missing => return Section::absent(SectionId::Memory, "no memory/MEMORY.md"),
        FileRead::Failed(failure) => return Section::failed(SectionId::Memory, failure.clone()),
        FileRead::Text(content) if content.is_empty() => {
            return Section::absent(SectionId::Memory, "MEMORY.md is empty");
        }
        FileRead::Text(content) => content,
    };
    if is_template(content, &workspace.templates) {
        return Section::absent(SectionId::Memory, "untouched template");
    }
    let path = workspace.root.join("memory").join("MEMORY.md").into();
    let mut text = Traced::generated(HEAD);
    text.push_file(content, Origin::Verbatim(Place { path, line: 1 }));
    Section::present(SectionId::Memory, text)
}

/// Tells whether a text is the agent's own template for MEMORY.md, blanks at the ends aside.
///
/// Without a folder of templates, the published texts are known by their sums.
fn is_template(content: &str, templates: &Templates) -> bool {
    if templates.folder.is_some() {
        let template = templates.get("memory/MEMORY.md").and_then(FileRead::text);
        return template.is_some_and(|template| strip(content) == strip(template));
    }
    // A published text is short: a long memory needs no sum.
    let stripped = strip(content);
    stripped.len() < 16 * 1024 && {
        let sum = Sha256::digest(stripped.as_bytes());
        PUBLISHED_TEMPLATES.contains(&format!("{sum:x}").as_str())
    }
}
