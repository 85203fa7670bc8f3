//! Reading below a folder and never outside of it.
//!
//! A path is resolved first, and then opened name by name without following any link: one that is put in
//! between the two leads nowhere, however fast it comes and goes.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Dir, Mode, OFlags, openat};

use super::{AgentError, File, FolderOrder, Found, Metadata};

/// What a folder on the way is opened for: to go through it, not to read it.
#[cfg(target_os = "linux")]
const WAY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const WAY: OFlags = OFlags::DIRECTORY;

/// A path that is read below a folder.
pub(super) struct Beneath {
    /// The path as it was asked for.
    path: PathBuf,
    /// Where it leads, without a link in it; `None` where that is outside of the folder.
    real: Option<PathBuf>,
}

impl Beneath {
    /// Looks where a path leads, which stands `at` another; `folder` is resolved already.
    pub fn of(folder: &Path, path: &Path, at: &Path) -> Self {
        let real = super::resolved(at);
        Self {
            path: path.to_path_buf(),
            real: real.starts_with(folder).then_some(real),
        }
    }

    /// Gives where the path leads; `None` where that is outside of the folder.
    pub fn into_end(self) -> Option<PathBuf> {
        self.real
    }

    pub fn head(&self, limit: u64) -> Vec<u8> {
        super::start(self.file(), limit)
    }

    pub fn find(&self) -> Result<Found, AgentError> {
        super::find(self.real()?)
    }

    pub fn list(&self, order: FolderOrder) -> Result<Vec<PathBuf>, AgentError> {
        if self.find()? == Found::Nothing {
            return Ok(Vec::new());
        }
        let raised = |error: io::Error| super::raised(&self.path, &error);
        let folder = opened(self.real()?, OFlags::DIRECTORY).map_err(raised)?;
        let entries = Dir::read_from(folder).map_err(|error| raised(error.into()))?;
        let mut paths = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| raised(error.into()))?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                paths.push(self.path.join(OsStr::from_bytes(name)));
            }
        }
        super::sort(&mut paths, order);
        Ok(paths)
    }

    fn real(&self) -> Result<&Path, AgentError> {
        self.real.as_deref().ok_or_else(|| {
            let message = "is a link out of its folder, and is not followed";
            AgentError::at(&self.path, AgentError::OUTSIDE, message)
        })
    }

    pub fn file(&self) -> Result<(File, Metadata), AgentError> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        super::regular(&self.path, opened(self.real()?, flags).map(File::from))
    }
}

/// Opens a path that has no link in it, for reading.
fn opened(real: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let always = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut names = real.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let mut name = names.next().ok_or(io::ErrorKind::NotFound)?;
    let mut folder = openat(CWD, "/", WAY | always, Mode::empty())?;
    for next in names {
        folder = openat(&folder, name, WAY | always, Mode::empty())?;
        name = next;
    }
    Ok(openat(&folder, name, flags | always, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::super::FileRead;
    use super::*;

    /// Makes a folder `in` with a file and links, beside a canary.
    fn world() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let inside = super::super::resolved(dir.path()).join("in");
        fs::create_dir_all(inside.join("sub")).unwrap();
        fs::write(dir.path().join("canary.md"), "canary").unwrap();
        fs::write(inside.join("sub/a.md"), "a\r\nb").unwrap();
        symlink("sub/a.md", inside.join("near.md")).unwrap();
        symlink("../canary.md", inside.join("out.md")).unwrap();
        symlink("..", inside.join("up")).unwrap();
        symlink("gone.md", inside.join("nowhere.md")).unwrap();
        symlink("loop.md", inside.join("loop.md")).unwrap();
        (dir, inside)
    }

    fn text(beneath: &Beneath) -> FileRead {
        FileRead::of(super::super::content(&beneath.path, beneath.file(), None))
    }

    fn beneath(folder: &Path, name: &str) -> Beneath {
        let path = folder.join(name);
        Beneath::of(folder, &path, &path)
    }

    #[test]
    fn what_is_inside_is_read_as_ever_and_what_is_outside_is_said_to_be() {
        let (_dir, inside) = world();
        let beneath = |name: &str| beneath(&inside, name);
        for name in ["sub/a.md", "near.md"] {
            assert_eq!(text(&beneath(name)).text().unwrap().as_ref(), "a\nb");
            assert_eq!(beneath(name).head(1), b"a");
        }
        for name in [
            "out.md",
            "up/canary.md",
            "up",
            "../canary.md",
            "sub/../../canary.md",
        ] {
            let class = |failure: AgentError| failure.class;
            let beneath = beneath(name);
            assert_eq!(
                beneath.find().map_err(class),
                Err(AgentError::OUTSIDE),
                "{name}"
            );
            assert_eq!(
                beneath.file().map(|_| ()).map_err(class),
                Err(AgentError::OUTSIDE),
                "{name}"
            );
            assert_eq!(
                beneath.list(FolderOrder::Name).map_err(class),
                Err(AgentError::OUTSIDE)
            );
            assert_eq!(beneath.head(9), b"");
        }
        for name in ["none.md", "nowhere.md"] {
            assert_eq!(text(&beneath(name)), FileRead::Missing, "{name}");
            assert_eq!(beneath(name).find(), Ok(Found::Nothing));
            assert_eq!(beneath(name).list(FolderOrder::Name), Ok(vec![]));
        }
        assert!(matches!(text(&beneath("sub")), FileRead::Failed(_)));
        assert!(beneath("sub/a.md").list(FolderOrder::Name).is_err());
        let listed = beneath("").list(FolderOrder::Name).unwrap();
        let wanted = super::super::list(&inside, FolderOrder::Name).unwrap();
        assert_eq!(listed, wanted);
    }

    #[test]
    fn a_link_that_comes_after_the_check_is_not_followed() {
        let (dir, inside) = world();
        let file = beneath(&inside, "sub/a.md");
        let folder = beneath(&inside, "sub");
        fs::remove_dir_all(inside.join("sub")).unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/a.md"), "canary").unwrap();
        symlink(dir.path().join("sub"), inside.join("sub")).unwrap();
        assert_eq!(text(&file).text(), None);
        assert!(folder.list(FolderOrder::Name).is_err());
        fs::remove_file(inside.join("sub")).unwrap();
        fs::create_dir(inside.join("sub")).unwrap();
        symlink(dir.path().join("canary.md"), inside.join("sub/a.md")).unwrap();
        assert_eq!(text(&file).text(), None);
        assert_eq!(file.head(9), b"");
    }
}
