//! The watcher against the real file system; every wait is for an event, with a limit.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::native::{self, Handler, Native};
use super::{Timing, WatchEvent, WatchMode, Watcher};

type Made = notify::Result<Box<dyn Native>>;

/// A watcher on a temporary folder, with the far end of its channel.
struct Bench {
    dir: tempfile::TempDir,
    watcher: Watcher,
    events: UnboundedReceiver<WatchEvent>,
    runtime: Runtime,
}

const LIMIT: Duration = Duration::from_secs(10);
const QUIET: Duration = Duration::from_millis(250);

/// So slow that only the native watcher can find a change within a test.
const LIVE_ONLY: Timing = Timing {
    // Longer than in earnest: a loaded machine pauses between the steps of one save.
    settle: Duration::from_millis(50),
    max_wait: Duration::from_millis(200),
    poll: Duration::from_mins(10),
    reconcile: Duration::from_mins(10),
};

const QUICK_LOOKS: Timing = Timing {
    poll: Duration::from_millis(30),
    reconcile: Duration::from_millis(30),
    ..LIVE_ONLY
};

impl Bench {
    fn new(timing: Timing, make: impl FnMut(Handler) -> Made + Send + 'static) -> Self {
        let (tx, events) = unbounded_channel();
        Self {
            dir: tempfile::tempdir().unwrap(),
            watcher: Watcher::with(tx, timing, make),
            events,
            runtime: Builder::new_current_thread().enable_time().build().unwrap(),
        }
    }

    /// Starts in the mode that the system allows, with the folder watched and all quiet.
    fn live() -> Self {
        let mut bench = Self::new(LIVE_ONLY, native::system);
        bench.watch_all();
        assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
        bench.changed();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Watches the folder and all folders in it, as the loop does after each reading.
    fn watch_all(&self) {
        let root = self.dir.path();
        let entries = fs::read_dir(root)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut folders: BTreeSet<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.insert(root.into());
        self.watcher.watch(folders);
    }

    fn within(&mut self, limit: Duration) -> Option<WatchEvent> {
        let next = self.events.recv();
        self.runtime
            .block_on(async { timeout(limit, next).await })
            .ok()
            .flatten()
    }

    fn next(&mut self) -> Option<WatchEvent> {
        self.within(LIMIT)
    }

    #[track_caller]
    fn changed(&mut self) {
        assert_eq!(self.next(), Some(WatchEvent::Changed));
    }

    /// Waits until a save is told: once, or twice where the machine paused between its steps.
    fn told(&mut self) {
        self.changed();
        if self.within(QUIET).is_some() {
            self.quiet();
        }
    }

    #[track_caller]
    fn quiet(&mut self) {
        assert_eq!(self.within(QUIET), None);
    }

    /// Reads at every event, as the loop does, until a condition on the disk as read holds.
    fn read_until(&mut self, mut done: impl FnMut() -> bool) -> bool {
        let end = Instant::now() + LIMIT;
        while let Some(event) = self.within(end.saturating_duration_since(Instant::now())) {
            if event == WatchEvent::Changed {
                let done = done();
                self.watch_all();
                if done {
                    return true;
                }
            }
        }
        false
    }
}

/// A watcher on a system that has no watches left.
struct Full;

impl Native for Full {
    fn add(&mut self, folder: &Path) -> notify::Result<()> {
        let full = std::io::Error::from_raw_os_error(libc::ENOSPC);
        Err(notify::Error::io(full).add_path(folder.into()))
    }

    fn remove(&mut self, _: &Path) -> notify::Result<()> {
        Ok(())
    }
}

#[test]
fn one_event_for_each_way_to_save() {
    let mut bench = Bench::live();
    let (file, temp) = (bench.path("AGENTS.md"), bench.path(".AGENTS.md.swp"));
    for turn in 0..3 {
        fs::write(&temp, format!("{turn}")).unwrap();
        fs::rename(&temp, &file).unwrap();
        bench.told();

        fs::write(&file, "truncated and written").unwrap();
        bench.told();

        let mut append = OpenOptions::new().append(true).open(&file).unwrap();
        append.write_all(b"more").unwrap();
        bench.changed();
        drop(append);
        bench.told();

        fs::remove_file(&file).unwrap();
        fs::write(&file, "made again").unwrap();
        bench.told();
    }
}

#[test]
fn reading_what_is_watched_causes_nothing() {
    let mut bench = Bench::live();
    fs::write(bench.path("AGENTS.md"), "text").unwrap();
    bench.told();
    for _ in 0..20 {
        assert_eq!(fs::read_to_string(bench.path("AGENTS.md")).unwrap(), "text");
        bench.watch_all();
    }
    bench.quiet();
}

#[test]
fn what_a_hint_told_is_not_told_again_by_a_look() {
    // Looks further apart than a burst is long, and close enough for one in each quiet time.
    let timing = Timing {
        reconcile: Duration::from_millis(150),
        ..LIVE_ONLY
    };
    let mut bench = Bench::new(timing, native::system);
    bench.watch_all();
    assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
    for turn in 0..4 {
        bench.changed();
        bench.quiet();
        fs::write(bench.path("AGENTS.md"), format!("{turn}")).unwrap();
    }
}

#[test]
fn a_folder_made_again_is_heard_at_once() {
    let mut bench = Bench::live();
    let (folder, file) = (bench.path("memory"), bench.path("memory/MEMORY.md"));
    for turn in 0..20 {
        let text = format!("{turn}");
        if turn > 0 {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir(&folder).unwrap();
        fs::write(&file, &text).unwrap();
        let seen = || fs::read_to_string(&file).is_ok_and(|found| found == text);
        assert!(bench.read_until(seen), "the immediate write of turn {turn}");

        // A write while nothing else happens shows that the new folder is the one watched.
        while bench.within(QUIET).is_some() {
            bench.watch_all();
        }
        fs::write(&file, "later").unwrap();
        bench.changed();
    }
}

#[test]
fn a_removed_folder_is_told_and_then_forgotten() {
    let mut bench = Bench::live();
    let folder = bench.path("skills");
    fs::create_dir(&folder).unwrap();
    assert!(bench.read_until(|| true));
    bench.changed();
    fs::remove_dir(&folder).unwrap();
    bench.changed();
    bench
        .watcher
        .watch(BTreeSet::from([bench.dir.path().into(), folder]));
    bench.quiet();
}

#[test]
fn a_folder_no_longer_asked_for_is_silent() {
    let mut bench = Bench::live();
    bench.watcher.watch(BTreeSet::from([bench.path("none")]));
    bench.quiet();
    fs::write(bench.path("AGENTS.md"), "text").unwrap();
    bench.quiet();
}

#[test]
fn a_storm_of_appends_is_told_in_time_and_seldom() {
    let mut bench = Bench::live();
    let path = bench.path("history.jsonl");
    let mut file = fs::File::create(&path).unwrap();
    let started = Instant::now();
    let mut longest = Duration::ZERO;
    let mut told = 0_u32;
    let mut last = started;
    while started.elapsed() < Duration::from_secs(1) {
        file.write_all(b"{}\n").unwrap();
        if let Some(event) = bench.within(Duration::from_millis(1)) {
            assert_eq!(event, WatchEvent::Changed);
            longest = longest.max(last.elapsed());
            last = Instant::now();
            told += 1;
        }
    }
    // Twice the promised wait, for a machine that has other work.
    assert!(longest < LIVE_ONLY.max_wait * 2, "{longest:?}");
    assert!((2..=12).contains(&told), "{told}");
}

#[test]
fn the_target_of_a_link_is_watched() {
    let mut bench = Bench::live();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("shared.md");
    fs::write(&target, "one").unwrap();
    std::os::unix::fs::symlink(&target, bench.path("AGENTS.md")).unwrap();
    bench.changed();
    bench.watch_all();
    bench.changed();
    fs::write(&target, "two").unwrap();
    bench.changed();
    fs::write(elsewhere.path().join("other.md"), "no matter").unwrap();
    bench.quiet();
}

#[test]
fn a_folder_is_heard_by_each_of_its_names() {
    let mut bench = Bench::new(LIVE_ONLY, native::system);
    let (folder, alias) = (bench.path("memory"), bench.path("alias"));
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, &alias).unwrap();
    bench.watch_all();
    assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
    bench.told();
    for name in [&folder, &alias] {
        fs::write(name.join("MEMORY.md"), "text").unwrap();
        bench.told();
    }
    // Without one name the other one still is heard.
    fs::remove_file(&alias).unwrap();
    bench.told();
    bench.watch_all();
    fs::write(folder.join("MEMORY.md"), "more").unwrap();
    bench.told();
}

#[test]
fn around_a_name_only_the_name_counts() {
    let mut bench = Bench::new(QUICK_LOOKS, native::system);
    let root = bench.path("workspace");
    bench.watcher.watch_also(
        BTreeSet::from([root.clone()]),
        BTreeSet::from([root.clone()]),
    );
    assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
    bench.changed();
    fs::write(bench.path("noise"), "").unwrap();
    bench.quiet();
    fs::create_dir(&root).unwrap();
    bench.changed();
    fs::write(root.join("AGENTS.md"), "").unwrap();
    bench.changed();
}

#[test]
fn without_watches_left_changes_are_found_by_looking() {
    let mut bench = Bench::new(QUICK_LOOKS, |_| Ok(Box::new(Full)));
    bench.watch_all();
    let Some(WatchEvent::Mode(WatchMode::Polling { reason })) = bench.next() else {
        panic!("the mode comes first");
    };
    assert!(reason.contains("max_user_watches"), "{reason}");
    assert!(!reason.contains("space"), "{reason}");
    bench.changed();
    bench.quiet();
    for name in ["AGENTS.md", "SOUL.md"] {
        fs::write(bench.path(name), "text").unwrap();
        bench.changed();
        bench.watch_all();
    }
    fs::create_dir(bench.path("memory")).unwrap();
    bench.changed();
    bench.watch_all();
    bench.changed();
    fs::write(bench.path("memory/MEMORY.md"), "text").unwrap();
    bench.changed();
}

#[test]
fn a_watcher_that_works_again_is_live_again() {
    let mut fails = 1;
    let mut bench = Bench::new(LIVE_ONLY, move |handler| {
        if fails > 0 {
            fails -= 1;
            return Err(notify::Error::io(std::io::Error::from_raw_os_error(
                libc::EMFILE,
            )));
        }
        native::system(handler)
    });
    bench.watch_all();
    let mode = bench.next();
    assert!(
        matches!(&mode, Some(WatchEvent::Mode(WatchMode::Polling { reason }))
            if reason.contains("max_user_instances")),
        "{mode:?}"
    );
    bench.changed();
    bench.watch_all();
    assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
    bench.changed();
    fs::write(bench.path("AGENTS.md"), "text").unwrap();
    bench.changed();
}

#[test]
fn dropped_events_are_made_up_for() {
    let mut bench = Bench::new(QUICK_LOOKS, |_| native::system(Box::new(|_| {})));
    bench.watch_all();
    assert_eq!(bench.next(), Some(WatchEvent::Mode(WatchMode::Live)));
    bench.changed();
    bench.quiet();
    fs::write(bench.path("AGENTS.md"), "text").unwrap();
    bench.changed();
    bench.quiet();
}

#[test]
fn the_end_of_the_watcher_ends_its_threads() {
    let mut bench = Bench::live();
    drop(std::mem::replace(
        &mut bench.watcher,
        Watcher::start(unbounded_channel().0),
    ));
    // The channel closes when the last thread lets go of it.
    let started = Instant::now();
    assert_eq!(bench.next(), None);
    assert!(started.elapsed() < LIMIT);
}
