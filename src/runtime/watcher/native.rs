//! The system's own watcher: what of its events counts, and its failures in plain words.

use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, MetadataKind, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode};

/// The receiver of a native watcher's events; it is called on the watcher's own thread.
pub type Handler = Box<dyn Fn(notify::Result<Event>) + Send>;

/// A watcher of folders that the system provides.
pub trait Native: Send {
    /// Begins to watch a folder, without what is below it.
    fn add(&mut self, folder: &Path) -> notify::Result<()>;

    /// Ends to watch a folder.
    fn remove(&mut self, folder: &Path) -> notify::Result<()>;
}

impl Native for RecommendedWatcher {
    fn add(&mut self, folder: &Path) -> notify::Result<()> {
        notify::Watcher::watch(self, folder, RecursiveMode::NonRecursive)
    }

    fn remove(&mut self, folder: &Path) -> notify::Result<()> {
        notify::Watcher::unwatch(self, folder)
    }
}

/// Makes the watcher of this system.
pub fn system(handler: Handler) -> notify::Result<Box<dyn Native>> {
    Ok(Box::new(notify::recommended_watcher(handler)?))
}

/// What an event says: something may have changed at these paths, or anywhere if there are none.
#[derive(Debug, Clone, Default)]
pub(super) struct Hint {
    pub(super) paths: Vec<PathBuf>,
    /// The thing itself came, went or moved, so a watch on it may be on something else now.
    pub(super) replaces: bool,
    /// Events were lost.
    pub(super) lost: bool,
}

/// Reads an event; `None` for those that our own reading causes.
pub(super) fn hint(event: notify::Result<Event>) -> Option<Hint> {
    let lost = Hint {
        lost: true,
        ..Hint::default()
    };
    let Ok(event) = event else { return Some(lost) };
    if event.need_rescan() {
        return Some(lost);
    }
    let replaces = match event.kind {
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
            true
        }
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Any => false,
        EventKind::Access(_)
        | EventKind::Other
        | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => return None,
        EventKind::Modify(_) => false,
    };
    Some(Hint {
        paths: event.paths,
        replaces,
        lost: false,
    })
}

/// Tells whether a folder could not be watched because it is not there.
pub(super) fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}

/// Says why a watcher could not be made, or a folder not be watched; a limit is called by its name.
///
/// The system's own words mislead here: it calls a lack of watches "no space left on device".
pub(super) fn reason(error: &notify::Error, folder: Option<&Path>) -> String {
    let code = match &error.kind {
        ErrorKind::MaxFilesWatch => Some(libc::ENOSPC),
        ErrorKind::Io(error) => error.raw_os_error(),
        _ => None,
    };
    let limit = match code {
        Some(libc::ENOSPC) => "of watched folders is reached (fs.inotify.max_user_watches)",
        Some(libc::EMFILE) if folder.is_none() => {
            "of watchers or of open files is reached (fs.inotify.max_user_instances, ulimit -n)"
        }
        Some(libc::EMFILE) => "of open files is reached (ulimit -n)",
        Some(libc::ENFILE) => "of open files on this machine is reached (fs.file-max)",
        Some(libc::ENOMEM) => "of the kernel's memory is reached",
        _ => {
            let what = folder.map_or("folders".into(), |folder| folder.display().to_string());
            let why = match &error.kind {
                ErrorKind::Io(error) => error.to_string(),
                ErrorKind::Generic(text) => text.clone(),
                other => format!("{other:?}"),
            };
            return format!("{what} cannot be watched: {why}");
        }
    };
    format!("the limit {limit}")
}
