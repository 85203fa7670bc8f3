//! S4: twelve ways of saving, each noticed by the real watcher on real files, and read whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use promptscope::runtime::watcher::native::{self, Handler, Native};
use promptscope::runtime::watcher::{Timing, WatchEvent, Watcher};
use promptscope::workspace::{Places, Workspace};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::row::{Outcome, Scale, each, percentile, tried};

/// How long a save may go unnoticed until it counts as missed.
const LIMIT: Duration = Duration::from_secs(10);

type Save = fn(&Place, &str, usize);

/// The ways of saving, by name.
const WAYS: [(&str, Save); 12] = [
    ("truncate", |it, text, _| {
        fs::write(it.file(), text).unwrap();
    }),
    ("slow", slow),
    ("append", append),
    ("rename", |it, text, _| renamed(&it.file(), text)),
    ("backup and rename", backed_up),
    ("link swapped", link_swapped),
    ("deleted and made", |it, text, _| {
        fs::remove_file(it.file()).unwrap();
        fs::write(it.file(), text).unwrap();
    }),
    ("folder swapped", folder_swapped),
    ("git checkout", checked_out),
    ("time preserved", time_preserved),
    ("vim", by_vim),
    ("emacs", by_emacs),
];

/// A workspace whose memory is saved again and again.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("w/memory")).unwrap();
        let place = Self { dir };
        fs::write(place.file(), "before").unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("w")
    }

    fn folder(&self) -> PathBuf {
        self.root().join("memory")
    }

    fn file(&self) -> PathBuf {
        self.folder().join("MEMORY.md")
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b.c",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "git {arguments:?}");
    }
}

fn renamed(file: &Path, text: &str) {
    let beside = file.with_extension("tmp~");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, file).unwrap();
}

fn slow(it: &Place, text: &str, turn: usize) {
    let mut file = File::create(it.file()).unwrap();
    let (first, second) = text.as_bytes().split_at(text.len() / 2);
    file.write_all(first).unwrap();
    // The gap is what this way of saving is about.
    std::thread::sleep(Duration::from_millis(
        [0, 1, 10, 25, 60, 150, 500][turn % 7],
    ));
    file.write_all(second).unwrap();
}

fn append(it: &Place, text: &str, _: usize) {
    let mut file = File::options().append(true).open(it.file()).unwrap();
    write!(file, "\n{text}").unwrap();
}

fn backed_up(it: &Place, text: &str, _: usize) {
    fs::rename(it.file(), it.folder().join("MEMORY.md~")).unwrap();
    fs::write(it.file(), text).unwrap();
}

fn link_swapped(it: &Place, text: &str, turn: usize) {
    let data = it.folder().join("..data");
    let version = it.folder().join(format!("..{turn}"));
    fs::create_dir(&version).unwrap();
    fs::write(version.join("MEMORY.md"), text).unwrap();
    let beside = it.folder().join("..new");
    symlink(&version, &beside).unwrap();
    let old = fs::read_link(&data);
    fs::rename(beside, &data).unwrap();
    if old.is_err() {
        fs::remove_file(it.file()).unwrap();
        symlink("..data/MEMORY.md", it.file()).unwrap();
    }
    if let Ok(old) = old {
        fs::remove_dir_all(old).unwrap();
    }
}

fn folder_swapped(it: &Place, text: &str, _: usize) {
    let (new, old) = (it.root().join("new"), it.root().join("old"));
    fs::create_dir(&new).unwrap();
    fs::write(new.join("MEMORY.md"), text).unwrap();
    fs::rename(it.folder(), &old).unwrap();
    fs::rename(new, it.folder()).unwrap();
    fs::remove_dir_all(old).unwrap();
}

fn checked_out(it: &Place, text: &str, turn: usize) {
    let branch = format!("b{turn}");
    if turn == 0 {
        it.git(&["init", "-q"]);
        it.git(&["add", "."]);
        it.git(&["commit", "-qm", "a"]);
    }
    it.git(&["checkout", "-q", "-b", &branch]);
    fs::write(it.file(), text).unwrap();
    it.git(&["commit", "-qam", "a"]);
    it.git(&["checkout", "-q", "HEAD~1"]);
    it.git(&["checkout", "-q", &branch]);
}

fn time_preserved(it: &Place, text: &str, _: usize) {
    let before = fs::metadata(it.file()).unwrap().modified().unwrap();
    let mut file = File::options().write(true).open(it.file()).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.set_len(text.len() as u64).unwrap();
    file.set_modified(before).unwrap();
}

/// With the real one, where it is installed.
fn by_vim(it: &Place, text: &str, turn: usize) {
    let status = Command::new("vim")
        .args(["-N", "-u", "NONE", "-i", "NONE", "-es"])
        .args(["-c", "%d", "-c", &format!("call setline(1, '{text}')")])
        .args(["-c", "set noeol nofixeol", "-c", "wq"])
        .arg(it.file())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        // Its way where a file has no other names.
        fs::write(it.folder().join("4913"), "").unwrap();
        fs::remove_file(it.folder().join("4913")).unwrap();
        backed_up(it, text, turn);
        fs::remove_file(it.folder().join("MEMORY.md~")).unwrap();
    }
}

/// The way of emacs: a link to nowhere as a lock, a backup, an auto-saved copy.
fn by_emacs(it: &Place, text: &str, turn: usize) {
    let lock = it.folder().join(".#MEMORY.md");
    symlink("somebody@somewhere.1:1", &lock).unwrap();
    let auto = it.folder().join("#MEMORY.md#");
    fs::write(&auto, text).unwrap();
    backed_up(it, text, turn);
    fs::remove_file(auto).unwrap();
    fs::remove_file(lock).unwrap();
}

/// A watcher that is kept in step with the folders, as the assembling worker does.
pub struct Follower {
    places: Places,
    watcher: Watcher,
    pub events: UnboundedReceiver<WatchEvent>,
    runtime: Runtime,
}

impl Follower {
    /// Follows the workspace at a root.
    pub fn new(
        root: &Path,
        timing: Timing,
        make: impl FnMut(Handler) -> notify::Result<Box<dyn Native>> + Send + 'static,
    ) -> Self {
        let (tx, events) = unbounded_channel();
        let follower = Self {
            places: Places {
                root: root.to_path_buf(),
                ..Places::default()
            },
            watcher: Watcher::with(tx, timing, make),
            events,
            runtime: Builder::new_current_thread().enable_time().build().unwrap(),
        };
        follower.watch();
        follower
    }

    /// Watches the folders of now.
    pub fn watch(&self) {
        let root = BTreeSet::from([self.places.root.clone()]);
        let folders = Workspace::folders(&self.places);
        self.watcher.watch_also(folders, root);
    }

    /// The next event within a time.
    pub fn next(&mut self, limit: Duration) -> Option<WatchEvent> {
        let next = self.events.recv();
        let next = async { tokio::time::timeout(limit, next).await };
        self.runtime.block_on(next).ok().flatten()
    }

    /// The memory as it is read now.
    pub fn memory(&self) -> String {
        let read = Workspace::read(&self.places);
        read.memory
            .text()
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// Reads at every event until the memory is as wanted; tells whether it ever is.
    pub fn sees(&mut self, is_wanted: impl Fn(&str) -> bool) -> bool {
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.next(left) {
                None => return false,
                Some(WatchEvent::Mode(_)) => {}
                Some(WatchEvent::Changed) => {
                    let memory = self.memory();
                    self.watch();
                    if is_wanted(&memory) {
                        return true;
                    }
                }
            }
        }
    }
}

/// Runs the row.
pub fn run(scale: Scale) -> Outcome {
    let count = scale.of(2, 50, 500);
    let mut faults = Vec::new();
    let mut figures = Vec::new();
    for (mode, bound) in [("native", 500), ("polling", 2000)] {
        let latencies = Mutex::new(Vec::new());
        faults.extend(each(WAYS.len(), WAYS.to_vec(), |(way, save)| {
            let name = format!("{mode}, {way}");
            tried(&name, || {
                let found = save_often(mode, save, count);
                latencies.lock().unwrap().extend(found);
            })
        }));
        let mut latencies = latencies.into_inner().unwrap();
        let missed = WAYS.len() * count - latencies.len();
        let p99 = percentile(&mut latencies, 99);
        let longest = percentile(&mut latencies, 100);
        if missed > 0 {
            faults.push(format!("{mode}: {missed} saves were missed"));
        }
        if p99 > Duration::from_millis(bound) * scale.slack() {
            faults.push(format!("{mode}: p99 is {p99:?}"));
        }
        figures.push(format!(
            "{mode}: {} of {} seen, p99 {} ms, longest {} ms",
            latencies.len(),
            WAYS.len() * count,
            p99.as_millis(),
            longest.as_millis()
        ));
    }
    Outcome::new(figures.join("; "), faults)
}

fn save_often(mode: &str, save: Save, count: usize) -> Vec<Duration> {
    let place = Place::new();
    let is_native = mode == "native";
    let mut follower = Follower::new(&place.root(), Timing::default(), move |handler| {
        if is_native {
            return native::system(handler);
        }
        let none_left = std::io::Error::from_raw_os_error(libc::EMFILE);
        Err(notify::Error::io(none_left))
    });
    assert!(follower.sees(|memory| memory == "before"), "the first look");
    let mut latencies = Vec::new();
    for turn in 0..count {
        // One length for all, so that nothing but the content tells them apart.
        let text = format!("save {turn:05}");
        save(&place, &text, turn);
        let saved = Instant::now();
        if follower.sees(|memory| memory.ends_with(&text)) {
            latencies.push(saved.elapsed());
        }
    }
    latencies
}
