//! What `check` does outside: several workspaces at once, and the file of recorded tokens.

use std::fs;
use std::io::Write as _;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::{Error, Kind, Result};

/// Values may be nested as deep as Python allows, which takes a large stack.
const STACK: usize = 16 * 1024 * 1024;

/// Does the same with many things at once, as many as there are processors; the answers are in the
/// order of the things.
pub(super) fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let workers = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(things.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(Vec::new());
    let lock = || done.lock().unwrap_or_else(PoisonError::into_inner);
    let take = || {
        while let Some(thing) = things.get(next.fetch_add(1, Ordering::SeqCst)) {
            let at = things.iter().position(|other| std::ptr::eq(other, thing));
            let answer = work(thing);
            lock().push((at.unwrap_or_default(), answer));
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            // Without a further thread, those that there are do the work, or this one below.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, take);
        }
    });
    take();
    let mut done = std::mem::take(&mut *lock());
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// Writes a file whole or not at all: what was there before survives a full disk.
pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    let failed = |error: &std::io::Error| {
        let message = format!("{} cannot be written: {error}", file.display());
        Error::new(Kind::Output, message).hint("the file that was there is as it was")
    };
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let mut beside = tempfile::Builder::new()
        .prefix(".promptscope-")
        .tempfile_in(folder)
        .map_err(|error| failed(&error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any file that a program makes, not for its owner alone: it is shared by version control.
        let mode = fs::metadata(file).map_or(0o644, |meta| meta.permissions().mode());
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(beside.path(), permissions).map_err(|error| failed(&error))?;
    }
    beside
        .write_all(text.as_bytes())
        .and_then(|()| beside.as_file().sync_all())
        .map_err(|error| failed(&error))?;
    beside.persist(file).map_err(|error| failed(&error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_the_order_of_the_questions() {
        let things: Vec<usize> = (0..50).collect();
        let answers = in_parallel(&things, |thing| Ok(thing * 2));
        let answers: Vec<usize> = answers.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers, (0..50).map(|it| it * 2).collect::<Vec<_>>());
        assert!(in_parallel(&[] as &[usize], |thing| Ok(*thing)).is_empty());
    }

    #[test]
    fn a_file_is_written_whole_and_what_was_there_survives_a_failure() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.json");
        write(&file, "one").unwrap();
        write(&file, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let below_a_file = file.join("b.json");
        assert!(write(&below_a_file, "three").is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
    }
}
