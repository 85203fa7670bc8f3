//! What the watcher's threads share: one burst of hints at a time, however many there are.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Timing;
use super::native::{self, Hint};
use super::tracked::Tracked;

/// What the caller asked to watch.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) names: BTreeSet<PathBuf>,
}

/// The folders whose watch may be on something else by now.
#[derive(Debug, Default)]
pub(super) struct Stale {
    all: bool,
    folders: BTreeSet<PathBuf>,
}

impl Stale {
    pub(super) fn is_empty(&self) -> bool {
        !self.all && self.folders.is_empty()
    }

    pub(super) fn contains(&self, folder: &PathBuf) -> bool {
        self.all || self.folders.contains(folder)
    }
}

/// What the worker has to do next.
pub(super) enum Step {
    Stop,
    Watch(Wanted, Stale),
    Report(Stale),
}

#[derive(Debug)]
pub(super) struct Shared {
    timing: Timing,
    state: Mutex<State>,
    work: Condvar,
    look: Condvar,
}

#[derive(Debug)]
struct State {
    stopped: bool,
    wanted: Option<Wanted>,
    tracked: Arc<Tracked>,
    stale: Stale,
    burst: Option<Burst>,
    look_now: bool,
    polling: bool,
}

/// Hints that are not told yet.
#[derive(Debug)]
struct Burst {
    first: Instant,
    last: Instant,
    /// A look was asked for since the last hint.
    looked: bool,
}

impl Shared {
    pub(super) fn new(timing: Timing) -> Self {
        Self {
            timing,
            state: Mutex::new(State {
                stopped: false,
                wanted: None,
                tracked: Arc::default(),
                stale: Stale::default(),
                burst: None,
                look_now: false,
                polling: false,
            }),
            work: Condvar::new(),
            look: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No state here is left half changed by a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn want(&self, wanted: Wanted) {
        self.state().wanted = Some(wanted);
        self.work.notify_one();
    }

    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.work.notify_one();
        self.look.notify_one();
    }

    /// Replaces what hints and looks are about.
    pub(super) fn track(&self, tracked: Tracked) {
        self.state().tracked = Arc::new(tracked);
    }

    pub(super) fn set_polling(&self, polling: bool) {
        self.state().polling = polling;
        self.look.notify_one();
    }

    /// Takes what the native watcher tells; it is called a thousand times a second in a storm.
    pub(super) fn record(&self, event: notify::Result<notify::Event>) {
        let Some(hint) = native::hint(event) else {
            return;
        };
        let mut state = self.state();
        if state.tracked.matters(&hint) {
            state.mark_stale(&hint);
            self.extend_burst(&mut state);
        }
    }

    /// Lets a `Changed` follow without a hint.
    pub(super) fn touch(&self) {
        self.extend_burst(&mut self.state());
    }

    fn extend_burst(&self, state: &mut State) {
        let now = Instant::now();
        let first = state.burst.as_ref().map_or(now, |burst| burst.first);
        if state.burst.is_none() {
            self.work.notify_one();
        }
        state.burst = Some(Burst {
            first,
            last: now,
            looked: false,
        });
    }

    /// Waits until there is something for the worker to do.
    pub(super) fn next_step(&self) -> Step {
        let mut state = self.state();
        loop {
            if state.stopped {
                return Step::Stop;
            }
            if let Some(wanted) = state.wanted.take() {
                return Step::Watch(wanted, std::mem::take(&mut state.stale));
            }
            let Some(burst) = &mut state.burst else {
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let now = Instant::now();
            let due = burst.last + self.timing.settle;
            let due = due.min(burst.first + self.timing.max_wait);
            if now >= due {
                state.burst = None;
                return Step::Report(std::mem::take(&mut state.stale));
            }
            // What the look finds now is covered by the `Changed` to come. Without it, the next
            // regular look would find the same difference and tell it a second time.
            let look_at = burst.last + self.timing.settle / 2;
            let wake_at = if burst.looked {
                due
            } else if now >= look_at {
                burst.looked = true;
                state.look_now = true;
                self.look.notify_one();
                due
            } else {
                look_at.min(due)
            };
            state = wait(&self.work, state, wake_at - now);
        }
    }

    /// Waits until the folders are to be looked at; `None` at the end.
    pub(super) fn next_look(&self) -> Option<Arc<Tracked>> {
        let since = Instant::now();
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            let every = if state.polling {
                self.timing.poll
            } else {
                self.timing.reconcile
            };
            let left = every.saturating_sub(since.elapsed());
            if state.look_now || left.is_zero() {
                state.look_now = false;
                return Some(Arc::clone(&state.tracked));
            }
            state = wait(&self.look, state, left);
        }
    }

    /// Takes the outcome of a look.
    pub(super) fn looked(&self, differs: bool) {
        let mut state = self.state();
        // The `Changed` of a burst that is open comes after the look, so it tells this as well.
        if differs && state.burst.is_none() {
            self.extend_burst(&mut state);
        }
    }
}

impl State {
    fn mark_stale(&mut self, hint: &Hint) {
        self.stale.all |= hint.lost;
        self.stale
            .folders
            .extend(self.tracked.voided(hint).cloned());
    }
}

fn wait<'a>(
    condvar: &Condvar,
    state: MutexGuard<'a, State>,
    time: Duration,
) -> MutexGuard<'a, State> {
    condvar
        .wait_timeout(state, time)
        .unwrap_or_else(PoisonError::into_inner)
        .0
}
