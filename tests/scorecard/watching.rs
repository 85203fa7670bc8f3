//! The watcher: saves, quiet, storms, and what breaks beneath it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use promptscope::runtime::watcher::native::{self, Handler, Native};
use promptscope::runtime::watcher::{Timing, WatchEvent, WatchMode};

use crate::process::Process;
use crate::row::{Outcome, Row, Scale, tried};
use crate::saves::{self, Follower};
use crate::session::{Start, is_settled, save_by_rename, text};

/// The rows of this group.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            id: "S4",
            measure: "saves: 12 patterns x native and polling",
            target: "0 missed; p99 at most 500 ms native, 2 s polling",
            run: saves::run,
            is_brief: false,
        },
        Row {
            id: "S5",
            measure: "quiet",
            target: "idle: 0 rebuilds, 0 bytes; one save: at most 2 rebuilds",
            run: quiet,
            is_brief: true,
        },
        Row {
            id: "S6",
            measure: "storm: 1,000 appends a second",
            target: "the screen follows within 1 s; bounded memory",
            run: storm,
            is_brief: false,
        },
        Row {
            id: "S7",
            measure: "faults of the watcher",
            target: "5 of 5 told where it can be known, and correct within one look",
            run: faults,
            is_brief: false,
        },
    ]
}

/// How often the workspace was read, as the log tells.
fn reads(log: &Path) -> usize {
    let text = fs::read_to_string(log).unwrap();
    text.lines().filter(|line| line.contains("Z read ")).count()
}

fn quiet(scale: Scale) -> Outcome {
    let idle = Duration::from_secs(scale.of(2, 12, 60));
    let saves = scale.of(1, 5, 20);
    let start = Start::at(120, 40);
    let log = start.workspace().parent().unwrap().join("log");
    let session = start.env("PROMPTSCOPE_LOG", log.to_str().unwrap()).ready();
    session.wait_for_text("1 error, 1 warning");
    let process = Process(session.pid());
    // What the watcher tells of its own start comes soon after it.
    session.bytes_within(Duration::from_millis(500));
    let (before, ticks) = (reads(&log), process.ticks());
    let bytes = session.bytes_within(idle);
    let rebuilds = reads(&log) - before;
    let ticks = process
        .ticks()
        .zip(ticks)
        .map(|(after, before)| after - before);
    let mut faults = Vec::new();
    if rebuilds + bytes > 0 {
        faults.push(format!("idle: {rebuilds} rebuilds, {bytes} bytes"));
    }
    let mut most = 0;
    for turn in 0..saves {
        let before = reads(&log);
        let line = format!("Save number {turn}.\n");
        save_by_rename(&session.path("AGENTS.md"), &line);
        session.wait_for_text(line.trim());
        session.wait_for("the counts", is_settled);
        // Long enough for a look at the folders that the save asked for.
        session.bytes_within(Duration::from_millis(600));
        most = most.max(reads(&log) - before);
    }
    if most > 2 {
        faults.push(format!("one save: {most} rebuilds"));
    }
    let seconds = idle.as_secs();
    let ticks = ticks.unwrap_or_default();
    Outcome::new(
        format!(
            "{seconds} s idle: {rebuilds} rebuilds, {bytes} bytes, {ticks} ticks of 10 ms; {saves} saves: at most {most}"
        ),
        faults,
    )
}

/// How many lines the open section has, as its title says.
fn lines(screen: &vt100::Screen) -> usize {
    let shown = text(screen);
    let title = shown.lines().nth(2).unwrap_or_default();
    let count = title.trim_end().rsplit('/').next();
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

fn storm(scale: Scale) -> Outcome {
    let time = Duration::from_secs(scale.of(1, 4, 30));
    let mut session = Start::at(80, 24).ready();
    let path = session.path("memory/MEMORY.md");
    fs::write(&path, "entry 1 x\n").unwrap();
    session.send("4");
    session.wait_for_text("entry 1 x");
    let process = Process(session.pid());
    let memory = process.kilobytes("VmRSS:");
    let writer = std::thread::spawn(move || {
        let started = Instant::now();
        let mut file = File::options().append(true).open(path).unwrap();
        let mut written = 1;
        while started.elapsed() < time {
            let due = usize::try_from(started.elapsed().as_millis()).unwrap();
            while written <= due {
                written += 1;
                writeln!(file, "entry {written} x").unwrap();
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        written
    });
    let (mut last, mut longest, mut shown, mut frames) = (Instant::now(), Duration::ZERO, 1, 0);
    while !writer.is_finished() {
        let found = session.glance(lines);
        if found > shown {
            (shown, frames) = (found, frames + 1);
            longest = longest.max(last.elapsed());
            last = Instant::now();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    longest = longest.max(last.elapsed());
    let written = writer.join().unwrap();
    let ended = Instant::now();
    session.wait_for("the last entry", |screen| lines(screen) >= written);
    let caught_up = ended.elapsed();
    let grown = process.kilobytes("VmHWM:").saturating_sub(memory) / 1024;
    let mut faults = Vec::new();
    if longest.max(caught_up) > Duration::from_secs(1) * scale.slack() {
        faults.push(format!(
            "{longest:?} without news; {caught_up:?} to the last"
        ));
    }
    if grown > 100 {
        faults.push(format!("it grew by {grown} MB"));
    }
    session.send("q");
    session.ends_with(0);
    Outcome::new(
        format!(
            "{written} appends: {frames} refreshes, at most {longest:.2?} apart, the last within {caught_up:.2?}, {grown} MB grown"
        ),
        faults,
    )
}

/// What is broken beneath the watcher.
#[derive(Debug, Clone, Copy)]
enum Broken {
    /// Every folder fails with this number of the system.
    Add(i32),
    /// The watcher itself cannot be made.
    Make(i32),
    /// All events but the news that some were lost.
    Overflow,
    /// All events.
    Dropped,
}

/// A native watcher that refuses every folder.
struct Refusing(i32);

impl Native for Refusing {
    fn add(&mut self, folder: &Path) -> notify::Result<()> {
        let refused = std::io::Error::from_raw_os_error(self.0);
        Err(notify::Error::io(refused).add_path(folder.into()))
    }

    fn remove(&mut self, _: &Path) -> notify::Result<()> {
        Ok(())
    }
}

fn broken(what: Broken, handler: Handler) -> notify::Result<Box<dyn Native>> {
    match what {
        Broken::Add(number) => Ok(Box::new(Refusing(number))),
        Broken::Make(number) => Err(notify::Error::io(std::io::Error::from_raw_os_error(number))),
        Broken::Dropped => native::system(Box::new(|_| {})),
        Broken::Overflow => native::system(Box::new(move |_| {
            let lost = notify::Event::new(notify::EventKind::Other);
            handler(Ok(lost.set_flag(notify::event::Flag::Rescan)));
        })),
    }
}

/// How many saves there are under each fault.
fn fault_saves(scale: Scale) -> usize {
    scale.of(1, 2, 10)
}

fn faults(scale: Scale) -> Outcome {
    let count = fault_saves(scale);
    let cases = [
        (
            "no watches left",
            Broken::Add(libc::ENOSPC),
            Some("max_user_watches"),
        ),
        (
            "no watchers left",
            Broken::Make(libc::EMFILE),
            Some("max_user_instances"),
        ),
        (
            "a folder refused",
            Broken::Add(libc::EACCES),
            Some("cannot be watched"),
        ),
        ("overflow", Broken::Overflow, None),
        ("events dropped", Broken::Dropped, None),
    ];
    let mut held = 0;
    let mut found = Vec::new();
    let mut longest = Duration::ZERO;
    for (name, what, told) in cases {
        let faults = tried(name, || {
            longest = longest.max(degrades(what, told, scale));
        });
        held += usize::from(faults.is_empty());
        found.extend(faults);
    }
    let figure = format!(
        "{held} of {}, {count} saves each, at most {longest:.1?}",
        cases.len()
    );
    Outcome::new(figure, found)
}

/// Saves under a fault; gives the longest time until it was seen.
fn degrades(what: Broken, told: Option<&str>, scale: Scale) -> Duration {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("memory");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("MEMORY.md"), "before").unwrap();
    let timing = Timing::default();
    let mut follower = Follower::new(dir.path(), timing, move |handler| broken(what, handler));
    let mode = follower.next(Duration::from_secs(10));
    match (&mode, told) {
        (Some(WatchEvent::Mode(WatchMode::Live)), None) => {}
        (Some(WatchEvent::Mode(WatchMode::Polling { reason })), Some(wanted)) => {
            assert!(reason.contains(wanted), "{reason}");
        }
        _ => panic!("{mode:?}"),
    }
    assert!(follower.sees(|memory| memory == "before"));
    let bound = if told.is_some() {
        timing.poll
    } else {
        timing.reconcile
    };
    let mut longest = Duration::ZERO;
    for turn in 0..fault_saves(scale) {
        let text = format!("save {turn}");
        save_by_rename(&folder.join("MEMORY.md"), &text);
        let saved = Instant::now();
        assert!(follower.sees(|memory| memory == text), "{text} was missed");
        let took = saved.elapsed();
        let slack = Duration::from_secs(1) * scale.slack();
        assert!(took < bound + slack, "{text} took {took:?}");
        longest = longest.max(took);
    }
    longest
}
