//! Notices that something in a workspace changed.
//!
//! What the system reports is a hint and no more: it may come late, twice or never, and says
//! little about what is on the disk by now. So all hints of a burst become one
//! [`WatchEvent::Changed`], on which everything is read again, and a slow look at the folders
//! finds what no hint told.
//!
//! Folders are watched, never files: a save that renames replaces the file, and a watch on the old
//! one would go deaf.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

mod fingerprint;
mod mounts;
pub mod native;
mod shared;
#[cfg(test)]
mod tests;
mod tracked;
mod worker;

use native::{Handler, Native};
use shared::{Shared, Wanted};
use worker::Worker;

/// How changes are noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchMode {
    /// The system reports them at once.
    Live,
    /// Some folder has to be looked at again and again.
    Polling {
        /// Why, in words for people.
        reason: String,
    },
}

/// What the watcher tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchEvent {
    /// Something changed, or may have: read everything again and watch the folders of now.
    Changed,
    /// The way of watching is this from now on; it comes first after the first set of folders.
    Mode(WatchMode),
}

/// How long the watcher waits for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// How long there must be no hint before a change is told.
    pub settle: Duration,
    /// How long after its first hint a change is told at the latest.
    pub max_wait: Duration,
    /// How often the folders are looked at when the system's reports are not enough.
    pub poll: Duration,
    /// How often they are looked at when the system reports all.
    pub reconcile: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            settle: Duration::from_millis(20),
            max_wait: Duration::from_millis(200),
            poll: Duration::from_secs(1),
            reconcile: Duration::from_secs(5),
        }
    }
}

/// A watcher of folders with threads of its own; they end when it is dropped.
#[derive(Debug)]
pub struct Watcher {
    shared: Arc<Shared>,
}

impl Watcher {
    /// Starts a watcher that watches nothing yet.
    #[must_use]
    pub fn start(events: UnboundedSender<WatchEvent>) -> Self {
        Self::with(events, Timing::default(), native::system)
    }

    /// Starts a watcher with other waiting times, over another native watcher.
    #[must_use]
    pub fn with<M>(events: UnboundedSender<WatchEvent>, timing: Timing, make: M) -> Self
    where
        M: FnMut(Handler) -> notify::Result<Box<dyn Native>> + Send + 'static,
    {
        let shared = Arc::new(Shared::new(timing));
        let to_caller = events.clone();
        let worker = Worker::new(Arc::clone(&shared), events, Box::new(make));
        let poller = Arc::clone(&shared);
        // Two threads, since a look at a folder can hang as long as its server does.
        let started = thread::Builder::new()
            .name("watch".into())
            .spawn(move || worker.run())
            .and_then(|_| {
                let poller_thread = thread::Builder::new().name("watch-poll".into());
                poller_thread.spawn(move || poll(&poller))
            });
        if let Err(error) = started {
            let reason = format!("changes are not noticed: no thread can be started: {error}");
            // Without a receiver there is nobody left to be told.
            let _ = to_caller.send(WatchEvent::Mode(WatchMode::Polling { reason }));
        }
        Self { shared }
    }

    /// Replaces the set of watched folders, each without what is below it.
    ///
    /// It returns at once. Folders that do not exist are skipped, and one that was made anew is
    /// watched anew. If any was added, one `Changed` follows: something may have been written
    /// there before the watch began.
    pub fn watch(&self, folders: BTreeSet<PathBuf>) {
        self.watch_also(folders, BTreeSet::new());
    }

    /// Replaces the set of watched folders, and that of single files or folders to be watched by
    /// name.
    ///
    /// The folder around a name is watched too, but whatever else happens there does not count.
    pub fn watch_also(&self, folders: BTreeSet<PathBuf>, names: BTreeSet<PathBuf>) {
        self.shared.want(Wanted { folders, names });
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

fn poll(shared: &Shared) {
    let mut known = fingerprint::Fingerprint::new();
    while let Some(tracked) = shared.next_look() {
        let now = fingerprint::take(&tracked);
        shared.looked(now != known);
        known = now;
    }
}
