//! A workspace as of a revision, read through git's own objects: nothing is checked out, and the work
//! tree and the index stay as they are.

mod log;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::{BStr, ByteSlice as _};
use gix::object::tree::EntryKind;
use gix::worktree::stack::state::ignore::Source as IgnoreSource;

use crate::error::{Error, Kind, Result};
use crate::workspace::BOOTSTRAP_FILES;
use crate::workspace::read::{self, Entry, FolderOrder, Found, Source, Tree};

pub use log::{Commit, commits};

/// A commit, and the workspace as it was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The commit's full hash.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// The workspace's files.
    pub tree: Arc<Tree>,
    /// The files that git ignores and that are taken from the disk, below the workspace.
    pub ignored: Vec<PathBuf>,
}

impl Revision {
    /// Reads a workspace as of a revision: a branch, a tag, a hash, `HEAD~2` or what else git takes.
    ///
    /// Files that git ignores are taken from the disk, since no revision can hold them. Fails where
    /// the folder is in no repository, where the revision does not exist, and where it does not hold
    /// the folder.
    pub fn read(root: &Path, name: &str) -> Result<Self> {
        let (named, root) = (root, read::resolved(root));
        let (repository, below) = discovered(&root)?;
        let unknown = || {
            let message = format!("git knows no revision {name:?} here");
            Error::new(Kind::Revision, message).hint("`git log --oneline` lists the revisions")
        };
        let commit = repository
            .rev_parse_single(name.as_bytes().as_bstr())
            .map_err(|_| unknown())?
            .object()
            .map_err(|error| broken(&error))?
            .peel_to_commit()
            .map_err(|_| unknown())?;
        let subject = commit
            .message()
            .map_err(|error| broken(&error))?
            .summary()
            .to_string();
        let whole = commit.tree().map_err(|error| broken(&error))?;
        let folder = if below.as_os_str().is_empty() {
            whole
        } else {
            let missing = || {
                let message = format!("the revision {name} does not hold {}", below.display());
                Error::new(Kind::Revision, message)
            };
            let entry = whole.lookup_entry_by_path(&below);
            let entry = entry.map_err(|error| broken(&error))?.ok_or_else(missing)?;
            let object = entry.object().map_err(|error| broken(&error))?;
            object.try_into_tree().map_err(|_| missing())?
        };
        let mut tree = Tree::new(named);
        let files = folder.traverse().breadthfirst.files();
        for file in files.map_err(|error| broken(&error))? {
            let path = path_of(file.filepath.as_bstr())?;
            let read = || {
                let object = repository.find_object(file.oid);
                object.map(|object| object.detach().data)
            };
            let entry = match file.mode.kind() {
                EntryKind::Tree | EntryKind::Commit => continue,
                EntryKind::Link => {
                    let target = read().map_err(|error| broken(&error))?;
                    Entry::Link(path_of(target.as_bstr())?)
                }
                // What no prompt is made of has a place in the tree and no text.
                _ if !is_text(&path) => Entry::File(Arc::default()),
                _ => Entry::File(read().map_err(|error| broken(&error))?.into()),
            };
            tree.insert(&path, entry);
        }
        let mut ignored = Vec::new();
        let index = repository
            .index_or_empty()
            .map_err(|error| broken(&error))?;
        let source = IgnoreSource::WorktreeThenIdMappingIfNotSkipped;
        let mut excludes = repository
            .excludes(&index, None, source)
            .map_err(|error| broken(&error))?;
        let held = Source::tree(Arc::new(tree.clone()));
        for path in on_disk(&root) {
            if held.find(&named.join(&path)) != Ok(Found::Nothing) {
                continue;
            }
            let platform = excludes.at_path(below.join(&path), None);
            if platform.map_err(|error| broken(&error))?.is_excluded() {
                tree.insert(&path, Entry::OnDisk);
                ignored.push(path);
            }
        }
        Ok(Self {
            commit: commit.id.to_string(),
            subject,
            tree: Arc::new(tree),
            ignored,
        })
    }

    /// Gives the source that a workspace is read from.
    #[must_use]
    pub fn source(&self) -> Source {
        Source::tree(self.tree.clone())
    }
}

/// Finds the repository that a folder is in, and the folder's place below its top.
fn discovered(root: &Path) -> Result<(gix::Repository, PathBuf)> {
    let repository = gix::discover(root).map_err(|_| {
        let message = format!("{} is in no git repository", root.display());
        Error::new(Kind::Revision, message)
            .hint("`git init` and a commit make a revision to compare with")
    })?;
    let below = repository
        .workdir()
        .map(read::resolved)
        .and_then(|top| root.strip_prefix(top).ok().map(Path::to_path_buf))
        .ok_or_else(|| {
            let message = format!("{} is not in a work tree of git", root.display());
            Error::new(Kind::Revision, message)
        })?;
    Ok((repository, below))
}

fn broken(error: &dyn std::error::Error) -> Error {
    Error::new(
        Kind::Revision,
        format!("git's objects cannot be read: {error}"),
    )
}

fn path_of(bytes: &BStr) -> Result<PathBuf> {
    let path = gix::path::from_bstr(bytes).map_err(|error| broken(&error))?;
    Ok(path.into_owned())
}

/// Tells whether a prompt may be made of a file, by its name.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("md" | "jsonl" | "json" | "toml"))
        || path.file_name().is_some_and(|name| name == ".dream_cursor")
}

/// Lists the files below a workspace on the disk that the agent reads.
fn on_disk(root: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = BOOTSTRAP_FILES.iter().map(PathBuf::from).collect();
    for name in ["MEMORY.md", "history.jsonl", ".dream_cursor"] {
        paths.push(Path::new("memory").join(name));
    }
    let list = |name: &str| read::list(&root.join(name), FolderOrder::Name).unwrap_or_default();
    let skills = list("skills")
        .into_iter()
        .map(|skill| skill.join("SKILL.md"));
    let more = skills.chain(list("sessions"));
    paths.extend(more.filter_map(|path| path.strip_prefix(root).ok().map(Path::to_path_buf)));
    paths.retain(|path| matches!(read::find(&root.join(path)), Ok(Found::File(_))));
    paths
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, args: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(status.status.success(), "{status:?}");
    }

    fn commit(folder: &Path, message: &str) {
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-q", "-m", message]);
    }

    fn text(revision: &Revision, path: &Path) -> Option<String> {
        let text = revision.source().text(path);
        text.text().map(ToString::to_string)
    }

    #[test]
    fn a_workspace_is_read_as_of_a_revision_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let root = read::resolved(dir.path()).join("w");
        std::fs::create_dir_all(root.join("skills/a")).unwrap();
        std::fs::create_dir_all(root.join("memory")).unwrap();
        std::fs::write(root.join("AGENTS.md"), "one\n").unwrap();
        std::fs::write(root.join("skills/a/SKILL.md"), "A").unwrap();
        std::fs::write(root.join("skills/a/run.sh"), "x").unwrap();
        std::fs::write(root.join("memory/history.jsonl"), "{}\n").unwrap();
        std::fs::write(dir.path().join(".gitignore"), "w/memory/history.jsonl\n").unwrap();
        git(dir.path(), &["init", "-q"]);
        commit(dir.path(), "first: words\n\nmore");
        std::fs::write(root.join("AGENTS.md"), "two\n").unwrap();
        commit(dir.path(), "second");
        std::fs::write(root.join("AGENTS.md"), "three\n").unwrap();
        std::fs::write(root.join("USER.md"), "not known to git\n").unwrap();

        let head = Revision::read(&root, "HEAD").unwrap();
        assert_eq!(head.subject, "second");
        assert_eq!(
            text(&head, &root.join("AGENTS.md")).as_deref(),
            Some("two\n")
        );
        assert_eq!(text(&head, &root.join("USER.md")), None);
        assert_eq!(head.ignored, [Path::new("memory/history.jsonl")]);
        let history = text(&head, &root.join("memory/history.jsonl"));
        assert_eq!(history.as_deref(), Some("{}\n"));
        let run = head.source().find(&root.join("skills/a/run.sh"));
        assert_eq!(run, Ok(Found::File(0)));

        let first = Revision::read(&root, "HEAD~1").unwrap();
        assert_eq!(first.subject, "first: words");
        assert_eq!(
            text(&first, &root.join("AGENTS.md")).as_deref(),
            Some("one\n")
        );
        let now = std::fs::read_to_string(root.join("AGENTS.md")).unwrap();
        assert_eq!(now, "three\n");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let failure = |root: &Path, name: &str| Revision::read(root, name).unwrap_err().to_string();
        assert!(failure(dir.path(), "HEAD").contains("in no git repository"));
        git(dir.path(), &["init", "-q"]);
        assert!(failure(dir.path(), "HEAD").contains("no revision \"HEAD\""));
        std::fs::write(dir.path().join("a.md"), "a").unwrap();
        commit(dir.path(), "first");
        assert!(failure(dir.path(), "none").contains("no revision \"none\""));
        std::fs::create_dir(dir.path().join("below")).unwrap();
        assert!(failure(&dir.path().join("below"), "HEAD").contains("does not hold below"));
    }
}
