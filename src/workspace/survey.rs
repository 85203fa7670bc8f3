//! The files of a workspace as they are: bytes, and those that stand where the agent does not look.

use std::path::{Path, PathBuf};

use super::read::{self, Content, FileRead, FolderOrder, Found, Source};
use super::{BOOTSTRAP_FILES, Places, path_text};

/// What a file is to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// AGENTS.md, SOUL.md, USER.md.
    Bootstrap,
    /// MEMORY.md.
    Memory,
    /// history.jsonl.
    History,
    /// A skill's SKILL.md.
    Skill,
    /// A stored session.
    Session,
    /// A prompt source, which the agent does not read.
    Prompt,
}

/// A file as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile {
    /// The path below the workspace.
    pub path: String,
    /// What it is to the agent.
    pub kind: FileKind,
    /// What it holds.
    pub content: Content,
}

impl RawFile {
    /// Gives its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.content.bytes()
    }

    /// Gives its text with every line end turned into LF; `None` where it is not UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.content.text().map(AsRef::as_ref)
    }
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// The files that the agent reads, and the sources of prompts.
    pub files: Vec<RawFile>,
    /// Files that look like skills and stand where the agent does not look, below the workspace.
    pub stray_skills: Vec<String>,
    /// Files that are there and give nothing, though the agent goes on without them: what they are.
    pub unreached: Vec<(String, String)>,
    /// Links that lead out of the workspace: where they stand below it, and where they lead.
    pub links_outside: Vec<(String, String)>,
}

/// How deep below `skills` stray files are looked for.
const DEPTH: usize = 4;

impl Survey {
    /// Reads the files of a workspace, and the sources of prompts that belong to it.
    #[must_use]
    pub fn read(places: &Places, prompts: impl IntoIterator<Item = PathBuf>) -> Self {
        let root = &places.root;
        let mut survey = Self::default();
        let mut add = |path: PathBuf, kind: FileKind| {
            if let Ok(Some(content)) = places.source.content(&path) {
                survey.files.push(RawFile {
                    path: path_text(path.strip_prefix(root).unwrap_or(&path)),
                    kind,
                    content,
                });
            } else if let Some(reason) = unreached(&places.source, &path, kind) {
                let path = path_text(path.strip_prefix(root).unwrap_or(&path));
                survey.unreached.push((path, reason));
            }
        };
        for name in BOOTSTRAP_FILES {
            add(root.join(name), FileKind::Bootstrap);
        }
        let memory = root.join("memory");
        add(memory.join("MEMORY.md"), FileKind::Memory);
        add(memory.join("history.jsonl"), FileKind::History);
        let list = |folder: &Path| {
            let listed = places.source.list(folder, FolderOrder::Name);
            listed.unwrap_or_default()
        };
        let skills = list(&root.join("skills"));
        for skill in &skills {
            add(skill.join("SKILL.md"), FileKind::Skill);
        }
        for session in list(&root.join("sessions")) {
            if session.extension().is_some_and(|ending| ending == "jsonl") {
                add(session, FileKind::Session);
            }
        }
        for prompt in prompts {
            add(prompt, FileKind::Prompt);
        }
        let settings = root.join(SETTINGS_FILE);
        if leads_nowhere(&places.source, &settings) {
            let reason = NOWHERE.to_owned();
            survey.unreached.push((SETTINGS_FILE.to_owned(), reason));
        }
        survey.links_outside = links_outside(places, &skills);
        let mut stray = Vec::new();
        for entry in skills {
            strays(&places.source, &entry, 1, &mut stray);
        }
        let below = |path: &PathBuf| path_text(path.strip_prefix(root).unwrap_or(path));
        survey.stray_skills = stray.iter().map(below).collect();
        survey
    }

    /// Counts the bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.bytes().len()).sum()
    }

    /// Lists the files of a kind that are text.
    pub fn of(&self, kind: FileKind) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().filter(move |file| file.kind == kind);
        files.filter_map(|file| Some((file.path.as_str(), file.text()?)))
    }
}

/// Finds the links out of the workspace among what the agent reads, and among our own files in it.
fn links_outside(places: &Places, skills: &[PathBuf]) -> Vec<(String, String)> {
    const OTHERS: [&str; 7] = [
        "memory",
        "memory/MEMORY.md",
        "memory/history.jsonl",
        "memory/.dream_cursor",
        "skills",
        "sessions",
        "promptscope.toml",
    ];
    let (root, source) = (&places.root, &places.source);
    let sessions = source.list(&root.join("sessions"), FolderOrder::Name);
    let named = BOOTSTRAP_FILES.into_iter().chain(OTHERS);
    let mut paths: Vec<PathBuf> = named.map(|name| root.join(name)).collect();
    paths.extend(skills.iter().cloned());
    paths.extend(skills.iter().map(|skill| skill.join("SKILL.md")));
    paths.extend(sessions.unwrap_or_default());
    let real = source.resolved(root);
    let is_inside = |path: &Path| source.resolved(path).starts_with(&real);
    let links = paths.iter().filter(|path| source.is_link(path));
    // What stands behind another link out is no affair of this workspace.
    links
        .filter(|path| path.parent().is_none_or(is_inside))
        .map(|path| (path, source.resolved(path)))
        .filter(|(_, target)| !target.starts_with(&real))
        .map(|(path, target)| {
            let path = path.strip_prefix(root).unwrap_or(path);
            (path_text(path), path_text(&target))
        })
        .collect()
}

/// What is wrong with a link that leads nowhere.
const NOWHERE: &str = "is a link that leads nowhere";
/// The settings, which a link may stand for too.
const SETTINGS_FILE: &str = "promptscope.toml";

fn leads_nowhere(source: &Source, path: &Path) -> bool {
    source.is_link(path) && source.find(path) == Ok(Found::Nothing)
}

/// Tells why the agent goes on without a file that is there; `None` where it has one, or fails.
fn unreached(source: &Source, path: &Path, kind: FileKind) -> Option<String> {
    let read = match kind {
        FileKind::Memory | FileKind::History => source.text_unasked(path),
        _ => source.text(path),
    };
    match read {
        FileRead::Missing => leads_nowhere(source, path).then(|| NOWHERE.to_owned()),
        // The agent starts an empty session in its place.
        FileRead::Failed(failure) if kind == FileKind::Session => Some(failure.message),
        _ => None,
    }
}

/// Finds the files called like a skill's at an entry of `skills` and below it.
fn strays(source: &Source, entry: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let is_like = |path: &Path| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase());
        name.is_some_and(|name| name == "skill.md")
    };
    match source.find(entry) {
        Ok(Found::File(_)) if is_like(entry) => {
            let is_read = depth == 2 && entry.file_name().is_some_and(|name| name == "SKILL.md");
            if !is_read {
                found.push(entry.to_path_buf());
            }
        }
        Ok(Found::Folder) if depth <= DEPTH && !(depth > 1 && read::is_link(entry)) => {
            for below in source.list(entry, FolderOrder::Name).unwrap_or_default() {
                strays(source, &below, depth + 1, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_are_and_strays_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, bytes: &[u8]| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("AGENTS.md", b"a\r\nb");
        write("USER.md", b"\xff");
        write("skills/good/SKILL.md", b"x");
        write("skills/lower/skill.md", b"x");
        write("skills/pack/inner/SKILL.md", b"x");
        write("skills/SKILL.md", b"x");
        let places = Places {
            root: dir.path().into(),
            ..Places::default()
        };
        let survey = Survey::read(&places, []);
        let paths: Vec<&str> = survey.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["AGENTS.md", "USER.md", "skills/good/SKILL.md"]);
        assert_eq!(survey.files[0].text(), Some("a\nb"));
        assert_eq!(survey.files[1].text(), None);
        let wanted = [
            "skills/SKILL.md",
            "skills/lower/skill.md",
            "skills/pack/inner/SKILL.md",
        ];
        assert_eq!(survey.stray_skills, wanted);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_there_and_gives_nothing_is_told() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["memory", "skills/s", "sessions/folder.jsonl"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "USER.md",
            "memory/MEMORY.md",
            "skills/s/SKILL.md",
            "sessions/a.jsonl",
            "promptscope.toml",
        ] {
            symlink("none", root.join(file)).unwrap();
        }
        symlink("AGENTS.md", root.join("AGENTS.md")).unwrap();
        // On this one the agent fails, which is told elsewhere.
        symlink("history.jsonl", root.join("memory/history.jsonl")).unwrap();
        let places = Places {
            root: root.into(),
            ..Places::default()
        };
        let survey = Survey::read(&places, []);
        let told = survey.unreached.iter();
        let told: Vec<(&str, &str)> = told.map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(
            told,
            [
                ("AGENTS.md", NOWHERE),
                ("USER.md", NOWHERE),
                ("memory/MEMORY.md", NOWHERE),
                ("skills/s/SKILL.md", NOWHERE),
                ("sessions/a.jsonl", NOWHERE),
                (
                    "sessions/folder.jsonl",
                    "is a folder where a file should be"
                ),
                ("promptscope.toml", NOWHERE),
            ]
        );
    }
}
