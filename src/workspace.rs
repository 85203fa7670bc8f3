//! A workspace as values: everything that the agent reads to build a prompt, read once.
//!
//! [`Workspace::read`] is the way in. It writes nothing, runs nothing and never fails: a file that
//! cannot be read is a value that says so, since the prompt is shown without it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub mod agent_config;
pub mod agent_error;
pub mod agent_install;
pub mod front_matter;
pub mod history;
pub mod host;
pub mod media;
pub mod read;
pub mod session;
pub mod skill;
pub mod survey;
pub mod templates;

use crate::python::surrogate;
use crate::python::text::strip;
use agent_error::AgentError;
use history::HistoryFile;
use media::MediaFile;
use read::{FileRead, FolderOrder, Found, Source};
use session::{SessionFile, StoredSession};
use skill::{Requirements, Skill, SkillSource};
use templates::Templates;

/// The files that the agent puts in front of everything else, in their order.
pub const BOOTSTRAP_FILES: [&str; 3] = ["AGENTS.md", "SOUL.md", "USER.md"];

/// Where to read, and what a turn needs besides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The workspace folder, absolute but with its links as they are.
    pub root: PathBuf,
    /// The folder of templates; `None` for our own.
    pub templates: Option<PathBuf>,
    /// The folder of builtin skills, if there is one.
    pub builtin_skills: Option<PathBuf>,
    /// In which order skills are listed.
    pub skill_order: FolderOrder,
    /// The session to be replayed.
    pub session: Option<String>,
    /// The folder in which older versions of the agent kept their sessions, if it counts.
    pub old_sessions: Option<PathBuf>,
    /// The files attached to the message.
    pub media: Vec<String>,
    /// Whether the files are those on the disk, or those of a revision.
    pub source: Source,
}

/// All that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// The folder as it was named: skill paths in the prompt begin with it.
    pub root: PathBuf,
    /// The folder with links resolved: the identity names it so.
    pub resolved_root: PathBuf,
    /// What the root leads to; anything but a folder is shown as a state.
    pub state: RootState,
    /// [`BOOTSTRAP_FILES`], in their order.
    pub bootstrap_files: [FileRead; 3],
    /// `memory/MEMORY.md`.
    pub memory: FileRead,
    /// `memory/history.jsonl`.
    pub history: HistoryFile,
    /// `memory/.dream_cursor`.
    pub dream_cursor: FileRead,
    /// A fault of the `memory` folder itself, on which the agent cannot even start.
    pub memory_folder: Option<AgentError>,
    /// A fault of the `sessions` folder or of the session's own path, on which none is loaded.
    pub session_place: Option<AgentError>,
    /// The skills, the workspace's before the builtin ones; those hidden by a name are left out.
    pub skills: Result<Vec<Skill>, AgentError>,
    /// The sessions that have a file.
    pub sessions: Vec<SessionFile>,
    /// The session to be replayed.
    pub session: Option<StoredSession>,
    /// The attached files.
    pub media: Vec<MediaFile>,
    /// The prompt templates.
    pub templates: Arc<Templates>,
}

/// What the workspace folder turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootState {
    /// A folder with at least one file that the agent knows.
    Workspace,
    /// A folder without any.
    Bare,
    /// Nothing, or something that is no folder.
    Unreadable(AgentError),
}

impl Workspace {
    /// Reads a workspace.
    #[must_use]
    pub fn read(places: &Places) -> Self {
        let (root, source) = (&places.root, &places.source);
        let memory = root.join("memory");
        let order = places.skill_order;
        let bootstrap_files = BOOTSTRAP_FILES.map(|name| source.text(&root.join(name)));
        Self {
            resolved_root: read::resolved(root),
            state: root_state(root, source),
            bootstrap_files,
            memory: source.text_unasked(&memory.join("MEMORY.md")),
            history: HistoryFile::new(source.text_unasked(&memory.join("history.jsonl"))),
            dream_cursor: source.text(&memory.join(".dream_cursor")),
            memory_folder: made_folder(&memory, source),
            session_place: places
                .session
                .as_ref()
                .and_then(|key| session_place(&root.join("sessions"), key, source)),
            skills: skills(root, places.builtin_skills.as_deref(), order, source),
            sessions: session::list(&root.join("sessions"), source),
            session: places.session.as_ref().map(|key| {
                let own = root.join("sessions");
                let mut folders = vec![own.as_path()];
                folders.extend(places.old_sessions.as_deref());
                StoredSession::read(key, &folders, source)
            }),
            media: places
                .media
                .iter()
                .map(|path| MediaFile::read(path))
                .collect(),
            templates: Arc::new(match &places.templates {
                Some(folder) => Templates::read(folder, source),
                None => Templates::embedded(),
            }),
            root: root.clone(),
        }
    }

    /// Reads a workspace again of which one file, by its path below the root, may hold something else; all of it
    /// only where other things may depend on that file.
    #[must_use]
    pub fn reread(&self, places: &Places, file: &Path) -> Self {
        let names = BOOTSTRAP_FILES.into_iter();
        let Some((at, name)) = names.enumerate().find(|(_, name)| Path::new(name) == file) else {
            let mut workspace = Self::read(places);
            workspace.history.take_over(&self.history);
            return workspace;
        };
        let mut workspace = self.clone();
        workspace.state = root_state(&places.root, &places.source);
        workspace.bootstrap_files[at] = places.source.text(&places.root.join(name));
        workspace
    }

    /// Lists the bootstrap files that are still the templates which the agent put there, with their text.
    pub fn untouched_bootstrap_files(&self) -> impl Iterator<Item = (&'static str, &Arc<str>)> {
        let files = BOOTSTRAP_FILES.into_iter().zip(&self.bootstrap_files);
        files.filter_map(|(name, file)| {
            let template = self.templates.get(name).and_then(FileRead::text)?;
            let text = file.text()?;
            (strip(text) == strip(template)).then_some((name, text))
        })
    }

    /// Gives the key of the session to be replayed where it has no file.
    #[must_use]
    pub fn missing_session(&self) -> Option<&str> {
        let stored = self.session.as_ref()?;
        (stored.content == FileRead::Missing).then_some(stored.key.as_str())
    }

    /// Names every program that some skill requires, so that the host can look them up.
    #[must_use]
    pub fn required_programs(&self) -> BTreeSet<String> {
        self.requirements()
            .filter_map(|requires| requires.bins.ok())
            .flatten()
            .map(|bin| bin.to_str())
            .collect()
    }

    /// Gives what the skills require, where it can be read.
    pub fn requirements(&self) -> impl Iterator<Item = Requirements> {
        let skills = self.skills.iter().flatten();
        skills.filter_map(|skill| skill.metadata().ok()?.requires().ok())
    }

    /// Writes a path the way people know it: relative to the workspace where it is inside.
    #[must_use]
    pub fn relative(&self, path: &Path) -> String {
        path_text(path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// Writes what is wrong and where: the file, the line where it is known, and the reason.
    #[must_use]
    pub fn problem(&self, error: &AgentError) -> String {
        let place = error.path.as_deref().map(|path| self.relative(path));
        match (place, error.line) {
            (Some(path), Some(line)) => format!("{path}:{line} {}", error.message),
            (Some(path), None) => format!("{path} {}", error.message),
            (None, _) => error.message.clone(),
        }
    }

    /// Lists the folders that must be watched to see every change below the root.
    #[must_use]
    pub fn folders(places: &Places) -> BTreeSet<PathBuf> {
        let root = &places.root;
        let mut folders = BTreeSet::from([root.clone()]);
        for below in ["memory", "skills", "sessions"] {
            folders.insert(root.join(below));
        }
        let roots = [Some(root.join("skills")), places.builtin_skills.clone()];
        for skills in roots.into_iter().flatten() {
            let listed = places.source.list(&skills, FolderOrder::Name);
            let entries = listed.unwrap_or_default();
            folders.extend(entries.into_iter().filter(|entry| is_folder(entry)));
            folders.insert(skills);
        }
        if let Some(templates) = &places.templates {
            folders.extend(Templates::folders(templates, &places.source));
        }
        folders.retain(|folder| places.source.find(folder) == Ok(Found::Folder));
        folders
    }
}

fn is_folder(path: &Path) -> bool {
    read::find(path) == Ok(Found::Folder)
}

fn root_state(root: &Path, source: &Source) -> RootState {
    match source.find(root) {
        Ok(Found::Folder) => {
            let known = BOOTSTRAP_FILES.into_iter().chain([
                "memory",
                "skills",
                "sessions",
                "promptscope.toml",
            ]);
            let there = |name| !matches!(source.find(&root.join(name)), Ok(Found::Nothing));
            match source.list(root, FolderOrder::Name) {
                Err(failure) => RootState::Unreadable(failure),
                Ok(_) if known.into_iter().any(there) => RootState::Workspace,
                Ok(_) => RootState::Bare,
            }
        }
        Ok(Found::Nothing) => {
            RootState::Unreadable(AgentError::at(root, "FileNotFoundError", "is not there"))
        }
        Ok(_) => RootState::Unreadable(AgentError::at(
            root,
            "NotADirectoryError",
            "is a file where a folder should be",
        )),
        Err(failure) => RootState::Unreadable(failure),
    }
}

/// Finds the fault of a folder that the agent makes at its start: a file in its place raises, and a
/// link that leads nowhere does.
fn made_folder(folder: &Path, source: &Source) -> Option<AgentError> {
    let message = match source.find(folder) {
        Ok(Found::Folder) => return None,
        Ok(Found::Nothing) if !source.is_link(folder) => return None,
        Ok(Found::Nothing) => "is a link to nowhere where a folder should be",
        Ok(Found::File(_) | Found::Other) => "is a file where a folder should be",
        Err(failure) => return Some(failure),
    };
    Some(AgentError::at(folder, "FileExistsError", message))
}

/// Finds what the agent stumbles over before it opens a session's file.
fn session_place(sessions: &Path, key: &str, source: &Source) -> Option<AgentError> {
    const LONGEST_NAME: usize = 255;
    let name = session::file_name(key);
    let file = sessions.join(&name);
    // The agent makes the folder first, so a name that is too long raises even without one.
    let too_long = (name.len() > LONGEST_NAME)
        .then(|| AgentError::at(&file, "OSError", "has a name that is too long"));
    made_folder(sessions, source)
        .or(too_long)
        .or_else(|| match source.find(&file) {
            // The agent opens whatever exists, and a pipe or a device never ends.
            Ok(Found::Other) => read::bytes(&file)
                .err()
                .filter(|failure| failure.class == AgentError::HANGS),
            Ok(_) => None,
            Err(failure) => Some(failure),
        })
}

fn skills(
    root: &Path,
    builtin: Option<&Path>,
    order: FolderOrder,
    source: &Source,
) -> Result<Vec<Skill>, AgentError> {
    let mut skills = skill::list(&root.join("skills"), SkillSource::Workspace, order, source)?;
    if let Some(builtin) = builtin {
        let taken: BTreeSet<String> = skills.iter().map(|skill| skill.name.clone()).collect();
        let more = skill::list(builtin, SkillSource::Builtin, order, source)?;
        skills.extend(
            more.into_iter()
                .filter(|skill| !taken.contains(&skill.name)),
        );
    }
    Ok(skills)
}

/// Writes a path as Python's `str(path)` does; bytes that are no UTF-8 become stand-ins for the
/// surrogates that Python puts there.
#[must_use]
pub fn path_text(path: &Path) -> String {
    os_text(path.as_os_str())
}

fn os_text(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            out.extend(surrogate::stand_in(0xDC00 + u32::from(byte)));
        }
    }
    out
}

#[cfg(test)]
mod tests;
