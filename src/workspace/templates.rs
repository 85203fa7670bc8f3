//! The prompt templates: the agent's own, another folder's, or ours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::{FileRead, FolderOrder, Found, Source};

/// The templates that make up a prompt, by the names that templates use for each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Templates {
    /// The folder that they were read from; `None` for our own.
    pub folder: Option<PathBuf>,
    files: BTreeMap<String, FileRead>,
}

/// Our own templates, which serve where the agent's are not found.
const EMBEDDED: [(&str, &str); 5] = [
    (
        "agent/identity.md",
        include_str!("../prompt/templates/agent/identity.md"),
    ),
    (
        "agent/platform_policy.md",
        include_str!("../prompt/templates/agent/platform_policy.md"),
    ),
    (
        "agent/tool_contract.md",
        include_str!("../prompt/templates/agent/tool_contract.md"),
    ),
    (
        "agent/skills_section.md",
        include_str!("../prompt/templates/agent/skills_section.md"),
    ),
    (
        "agent/_snippets/untrusted_content.md",
        include_str!("../prompt/templates/agent/_snippets/untrusted_content.md"),
    ),
];

/// How deep below the folder templates are looked for.
const DEPTH: usize = 3;

impl Templates {
    /// Gives our own templates.
    #[must_use]
    pub fn embedded() -> Self {
        let files = EMBEDDED
            .into_iter()
            .map(|(name, text)| (name.to_owned(), FileRead::Text(Arc::from(text))))
            .collect();
        Self {
            folder: None,
            files,
        }
    }

    /// Reads every Markdown file below a folder.
    #[must_use]
    pub fn read(folder: &Path, source: &Source) -> Self {
        let mut files = BTreeMap::new();
        for below in Self::folders(folder, source) {
            for path in source.list(&below, FolderOrder::Name).unwrap_or_default() {
                let is_markdown = path.extension().is_some_and(|ending| ending == "md");
                let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
                if let (true, Some(name)) = (is_markdown, name) {
                    files.insert(name.replace('\\', "/"), source.text(&path));
                }
            }
        }
        Self {
            folder: Some(folder.to_path_buf()),
            files,
        }
    }

    /// Lists a folder of templates and the folders below it.
    #[must_use]
    pub fn folders(folder: &Path, source: &Source) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::from([folder.to_path_buf()]);
        let mut level = vec![folder.to_path_buf()];
        for _ in 1..DEPTH {
            level = level
                .iter()
                .flat_map(|folder| source.list(folder, FolderOrder::Name).unwrap_or_default())
                .filter(|path| source.find(path) == Ok(Found::Folder))
                .collect();
            found.extend(level.iter().cloned());
        }
        found
    }

    /// Gives a template by its name, such as `agent/identity.md`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FileRead> {
        self.files.get(name)
    }

    /// Lists all templates with their texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FileRead)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_with_the_folders_below_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("agent/_snippets")).unwrap();
        std::fs::write(dir.path().join("agent/identity.md"), "I\r\n").unwrap();
        std::fs::write(dir.path().join("agent/_snippets/a.md"), "A").unwrap();
        std::fs::write(dir.path().join("agent/note.txt"), "no").unwrap();
        let templates = Templates::read(dir.path(), &Source::default());
        let names: Vec<&str> = templates.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["agent/_snippets/a.md", "agent/identity.md"]);
        let identity = templates.get("agent/identity.md").unwrap();
        assert_eq!(identity.text().unwrap().as_ref(), "I\n");
    }
}
