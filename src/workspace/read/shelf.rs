//! What files held when they were last read: one that stands as it was is not read again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::{AgentError, Content};

/// How old a file's last change must be before its stamp vouches for what it holds: longer than the clock of
/// any file system takes for a step, as two changes within a step leave the same stamp.
const SETTLED: Duration = Duration::from_secs(5);

/// What is kept of files that were read; its copies share it.
///
/// Whether something is kept changes nothing of what is read, so any two are equal.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Arc<Mutex<Kept>>);

impl PartialEq for Shelf {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Shelf {}

#[derive(Debug, Default)]
struct Kept {
    /// The number of the reading, and when it began.
    reading: u64,
    since: Option<SystemTime>,
    files: HashMap<PathBuf, Shelved>,
}

#[derive(Debug)]
struct Shelved {
    stamp: Stamp,
    /// Whether the stamp vouches for the content in later readings too.
    is_settled: bool,
    /// The reading in which it was last asked for.
    asked_in: u64,
    content: Content,
}

/// What changes with a file; times are seconds and parts of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Its device and number there.
    pub file: (u64, u64),
    /// How many bytes it has.
    pub size: u64,
    /// When what it holds was changed, as it says itself.
    pub modified: (i64, i64),
    /// When anything of it was changed, as the file system says.
    pub changed: (i64, i64),
}

impl Stamp {
    /// Tells whether the last change is long over at an instant.
    fn is_settled(&self, now: SystemTime) -> bool {
        let seconds = u64::try_from(self.changed.0).ok().map(Duration::from_secs);
        let changed = seconds.and_then(|seconds| SystemTime::UNIX_EPOCH.checked_add(seconds));
        let over = changed.and_then(|changed| changed.checked_add(SETTLED));
        over.is_some_and(|over| over <= now)
    }
}

impl Shelf {
    /// Begins another reading of everything at an instant; what the last one did not ask for is dropped.
    ///
    /// Within a reading a file is read once, so that all who ask see the same.
    pub fn begin(&self, now: SystemTime) {
        let mut kept = self.lock();
        let last = kept.reading;
        kept.files.retain(|_, file| file.asked_in == last);
        kept.reading += 1;
        kept.since = Some(now);
    }

    /// Gives what a file held if it stands as it was, and reads it otherwise.
    pub(super) fn content(
        &self,
        path: &Path,
        stamp: Stamp,
        read: impl FnOnce() -> Result<Content, AgentError>,
    ) -> Result<Content, AgentError> {
        let mut kept = self.lock();
        let (reading, since) = (kept.reading, kept.since);
        if let Some(file) = kept.files.get_mut(path)
            && file.stamp == stamp
            && (file.is_settled || file.asked_in == reading)
        {
            file.asked_in = reading;
            return Ok(file.content.clone());
        }
        drop(kept);
        let content = read()?;
        let shelved = Shelved {
            stamp,
            is_settled: since.is_some_and(|since| stamp.is_settled(since)),
            asked_in: reading,
            content: content.clone(),
        };
        self.lock().files.insert(path.to_path_buf(), shelved);
        Ok(content)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Reads a file through a shelf; tells whether it was read, and what it holds.
    fn ask(shelf: &Shelf, path: &Path) -> (bool, String) {
        let mut was_read = false;
        let content = shelf.content(
            path,
            super::super::stamp(&fs::metadata(path).unwrap()),
            || {
                was_read = true;
                Ok(Content::of(path, fs::read(path).unwrap()))
            },
        );
        (was_read, content.unwrap().text().unwrap().to_string())
    }

    #[test]
    fn a_file_is_read_once_in_a_reading_and_again_while_it_is_young() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.md");
        fs::write(&file, "one").unwrap();
        let shelf = Shelf::default();
        shelf.begin(SystemTime::now());
        assert_eq!(ask(&shelf, &file), (true, "one".into()));
        assert_eq!(ask(&shelf, &file), (false, "one".into()));
        shelf.begin(SystemTime::now());
        assert_eq!(ask(&shelf, &file), (true, "one".into()));
        // Once the change is long over, it stands for later readings.
        let later = SystemTime::now() + SETTLED * 2;
        shelf.begin(later);
        assert_eq!(ask(&shelf, &file), (true, "one".into()));
        shelf.begin(later);
        assert_eq!(ask(&shelf, &file), (false, "one".into()));
        fs::write(&file, "two!").unwrap();
        assert_eq!(ask(&shelf, &file), (true, "two!".into()));
        fs::remove_file(&file).unwrap();
        fs::write(&file, "two!").unwrap();
        assert!(ask(&shelf, &file).0, "it is another file");
    }

    #[test]
    fn what_nobody_asks_for_any_more_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.md");
        fs::write(&file, "one").unwrap();
        let shelf = Shelf::default();
        let later = SystemTime::now() + SETTLED * 2;
        shelf.begin(later);
        ask(&shelf, &file);
        shelf.begin(later);
        assert_eq!(shelf.lock().files.len(), 1);
        shelf.begin(later);
        assert_eq!(shelf.lock().files.len(), 0);
        assert!(ask(&shelf, &file).0);
    }
}
