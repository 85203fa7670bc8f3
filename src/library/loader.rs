//! Loads prompts: every Markdown file below the folder of prompts, without its front matter and its blanks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::declared::{declared, problem};
use super::{BuiltLine, Declared, Fault, FaultKind};
use crate::workspace::agent_error::AgentError;
use crate::workspace::front_matter;
use crate::workspace::path_text;
use crate::workspace::read::{FileRead, FolderOrder, Found, Source};

/// The files below the folder of prompts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The folder.
    pub folder: PathBuf,
    /// The files by their path below the folder, with `/` between its parts.
    pub files: BTreeMap<String, SourceFile>,
    /// The files and folders that a link leads to out of the folder.
    pub outside: Vec<String>,
    /// The folders that were looked into, and those that links lead to.
    pub folders: BTreeSet<PathBuf>,
}

/// A file below the folder of prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// What was read.
    pub read: FileRead,
    /// The prompt that it holds; `None` where it cannot be read.
    pub prompt: Option<Arc<Prompt>>,
}

/// Prompts that were loaded before, by the SHA-256 of their files' content: what did not change is not
/// taken apart again.
#[derive(Debug, Default)]
pub struct Cache {
    prompts: BTreeMap<String, ([u8; 32], Arc<Prompt>)>,
}

impl Cache {
    /// Gives the prompt of a file, anew where its content is another one.
    fn prompt(&mut self, path: &str, text: &str) -> Arc<Prompt> {
        let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        match self.prompts.get(path) {
            Some((known, prompt)) if *known == hash => prompt.clone(),
            _ => {
                let prompt = Arc::new(Prompt::read(path, text));
                self.prompts.insert(path.to_owned(), (hash, prompt.clone()));
                prompt
            }
        }
    }
}

/// How deep folders are looked into.
const DEPTH: usize = 8;

impl Sources {
    /// Reads every Markdown file below a folder. Links out of it are noted and not followed unless
    /// `allows_outside`.
    #[must_use]
    pub fn read(folder: &Path, source: &Source, allows_outside: bool, cache: &mut Cache) -> Self {
        let mut sources = Self {
            folder: folder.to_path_buf(),
            ..Self::default()
        };
        let source = if allows_outside {
            source.clone()
        } else {
            source.fenced(folder)
        };
        let mut folders = vec![(folder.to_path_buf(), 0)];
        while let Some((at, depth)) = folders.pop() {
            let listed = source.list(&at, FolderOrder::Name);
            if let Err(AgentError {
                class: AgentError::OUTSIDE,
                ..
            }) = listed
            {
                sources.outside.push(String::new());
            }
            for path in listed.unwrap_or_default() {
                let name = path.strip_prefix(folder).map(path_text).unwrap_or_default();
                let is_markdown = path.extension().is_some_and(|ending| ending == "md");
                match source.find(&path) {
                    Ok(Found::Folder) if depth < DEPTH => folders.push((path, depth + 1)),
                    Err(failure) if failure.class == AgentError::OUTSIDE => {
                        sources.outside.push(name);
                    }
                    Ok(Found::Folder | Found::Nothing) => {}
                    // A pipe is told as what it is, and a file that may not be looked at too.
                    _ if is_markdown => {
                        let resolved = source.resolved(&path);
                        sources
                            .folders
                            .extend(resolved.parent().map(Path::to_path_buf));
                        sources.add(name, source.text(&path), cache);
                    }
                    _ => {}
                }
            }
            sources.folders.insert(at);
        }
        cache
            .prompts
            .retain(|path, _| sources.files.contains_key(path));
        sources
    }

    /// Makes sources of files that were read already.
    #[must_use]
    pub fn of(files: impl IntoIterator<Item = (String, FileRead)>) -> Self {
        let mut sources = Self::default();
        for (path, read) in files {
            sources.add(path, read, &mut Cache::default());
        }
        sources
    }

    fn add(&mut self, path: String, read: FileRead, cache: &mut Cache) {
        let prompt = read.text().map(|text| cache.prompt(&path, text));
        self.files.insert(path, SourceFile { read, prompt });
    }

    /// Tells whether there is a file for a prompt, whatever it holds.
    #[must_use]
    pub fn is_there(&self, name: &str) -> bool {
        let path = Self::file_of(name);
        self.files.contains_key(&path) || self.leads_outside(&path)
    }

    /// Gives the path of a prompt's file, asked for with or without `.md`.
    #[must_use]
    pub fn file_of(name: &str) -> String {
        if Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "md")
        {
            name.to_owned()
        } else {
            format!("{name}.md")
        }
    }

    fn leads_outside(&self, path: &str) -> bool {
        let path = Path::new(path);
        self.outside.iter().any(|link| path.starts_with(link))
    }

    /// Loads a prompt by its name.
    pub fn load(&self, name: &str) -> Result<Arc<Prompt>, FaultKind> {
        let path = Self::file_of(name);
        let shown = path_text(&self.folder.join(&path));
        match self.files.get(&path) {
            Some(SourceFile {
                prompt: Some(prompt),
                ..
            }) => Ok(prompt.clone()),
            Some(SourceFile {
                read: FileRead::Failed(failure),
                ..
            }) => Err(FaultKind::Unreadable(failure.message.clone())),
            _ if self.leads_outside(&path) => Err(FaultKind::Outside(path)),
            _ => Err(FaultKind::NoPrompt(shown)),
        }
    }
}

/// A prompt as it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The file below the folder of prompts.
    pub path: Arc<str>,
    /// What it declares.
    pub declared: Declared,
    /// The lines of its text.
    pub lines: Vec<BuiltLine>,
    /// Why the front matter cannot be read, and the line.
    pub problem: Option<(String, usize)>,
}

impl Prompt {
    /// Preprocesses a file: the front matter goes, blanks at the ends of lines go, and the text ends with
    /// one line break. Line ends are LF already.
    #[must_use]
    pub fn read(path: &str, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let body = front_matter::find(text).map_or(0, |parts| parts.body.start);
        let before = text[..body].matches('\n').count();
        let path: Arc<str> = path.into();
        let body = text[body..].trim_end_matches(['\n', ' ', '\t']);
        let lines = body.split('\n').enumerate().map(|(index, line)| BuiltLine {
            text: line.trim_end_matches([' ', '\t']).to_owned(),
            path: path.clone(),
            line: before + index + 1,
            part: None,
            pieces: Vec::new(),
        });
        Self {
            declared: declared(text),
            problem: problem(text),
            lines: lines.collect(),
            path,
        }
    }
}

/// Makes a fault at a byte of a line.
pub(super) fn fault(kind: FaultKind, line: &BuiltLine, at: usize) -> Fault {
    let (path, line) = line.place_at(at);
    Fault {
        kind,
        path: Some(path),
        line: Some(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_asked_for_with_and_without_its_ending_and_named_where_it_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("support")).unwrap();
        std::fs::write(
            dir.path().join("support/refund.md"),
            "---\ndescription: D\n---\nOne  \r\ntwo\t\n\n\n",
        )
        .unwrap();
        std::fs::write(dir.path().join("note.txt"), "no").unwrap();
        let sources = Sources::read(dir.path(), &Source::default(), false, &mut Cache::default());
        assert_eq!(sources.files.len(), 1);
        for name in ["support/refund", "support/refund.md"] {
            let prompt = sources.load(name).unwrap();
            let lines: Vec<(&str, usize)> = prompt
                .lines
                .iter()
                .map(|line| (line.text.as_str(), line.line))
                .collect();
            assert_eq!(lines, [("One", 4), ("two", 5)]);
            assert_eq!(prompt.declared.description.as_deref(), Some("D"));
        }
        let missing = sources.load("none").unwrap_err().to_string();
        assert!(
            missing.contains(&format!("{}/none.md", dir.path().display())),
            "{missing}"
        );
    }

    #[test]
    fn a_file_is_taken_apart_again_only_when_its_content_is_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("a.md", "a");
        write("b.md", "b");
        let mut cache = Cache::default();
        let mut read = || Sources::read(dir.path(), &Source::default(), false, &mut cache);
        let first = read();
        write("a.md", "a");
        write("b.md", "B");
        let second = read();
        let prompt = |sources: &Sources, name: &str| sources.load(name).unwrap();
        assert!(Arc::ptr_eq(&prompt(&first, "a"), &prompt(&second, "a")));
        assert_eq!(prompt(&second, "b").lines[0].text, "B");
        std::fs::remove_file(dir.path().join("a.md")).unwrap();
        read();
        assert_eq!(cache.prompts.len(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_out_of_the_folder_are_noted_and_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let prompts = dir.path().join("prompts");
        std::fs::create_dir(&prompts).unwrap();
        std::fs::write(dir.path().join("secret.md"), "secret").unwrap();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, prompts.join(name)).unwrap();
        };
        link("../secret.md", "out.md");
        link("..", "up");
        let sources = Sources::read(&prompts, &Source::default(), false, &mut Cache::default());
        assert_eq!(
            sources.load("out"),
            Err(FaultKind::Outside("out.md".into()))
        );
        assert_eq!(
            sources.load("up/secret"),
            Err(FaultKind::Outside("up/secret.md".into()))
        );
        assert_eq!(sources.files.len(), 0);
        let sources = Sources::read(&prompts, &Source::default(), true, &mut Cache::default());
        assert_eq!(sources.load("out").unwrap().lines[0].text, "secret");
    }
}
