//! The thread that keeps the native watches in step with the folders, and tells of changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;

use super::mounts::SilentMounts;
use super::native::{self, Handler, Native};
use super::shared::{Shared, Stale, Step, Wanted};
use super::tracked::{Identity, Tracked};
use super::{WatchEvent, WatchMode};

/// The maker of native watchers.
type Make = Box<dyn FnMut(Handler) -> notify::Result<Box<dyn Native>> + Send>;

pub(super) struct Worker {
    shared: Arc<Shared>,
    events: UnboundedSender<WatchEvent>,
    make: Make,
    native: Option<Box<dyn Native>>,
    wanted: Wanted,
    /// The native watches, each with the path by which its events come.
    held: BTreeMap<Identity, PathBuf>,
    /// All folders that were there at the last turn, watched or not.
    known: BTreeSet<(Identity, PathBuf)>,
    mode: Option<WatchMode>,
}

impl Worker {
    pub(super) fn new(
        shared: Arc<Shared>,
        events: UnboundedSender<WatchEvent>,
        make: Make,
    ) -> Self {
        Self {
            shared,
            events,
            make,
            native: None,
            wanted: Wanted::default(),
            held: BTreeMap::new(),
            known: BTreeSet::new(),
            mode: None,
        }
    }

    pub(super) fn run(mut self) {
        loop {
            match self.shared.next_step() {
                Step::Stop => return,
                Step::Watch(wanted, stale) => {
                    self.wanted = wanted;
                    if self.renew(&stale) {
                        self.shared.touch();
                    }
                }
                Step::Report(stale) => {
                    // Watching anew before telling leaves no gap between the reading and the watch.
                    if !stale.is_empty() {
                        self.renew(&stale);
                    }
                    self.tell(WatchEvent::Changed);
                }
            }
        }
    }

    fn tell(&self, event: WatchEvent) {
        if self.events.send(event).is_err() {
            self.shared.stop();
        }
    }

    /// Brings the native watches in step with the folders; tells whether any was added.
    fn renew(&mut self, stale: &Stale) -> bool {
        let mut tracked = Tracked::resolve(&self.wanted.folders, &self.wanted.names);
        let groups = tracked.by_identity();
        tracked.open_shared_gates(&groups);
        // First the meaning, then the watches: events may come before the last one is added.
        self.shared.track(tracked);

        self.drop_void(&groups, stale);
        let (added, failure) = self.add_missing(&groups);
        let silent = || {
            let mounts = SilentMounts::read();
            groups.iter().find_map(|(identity, paths)| {
                let kind = mounts.kind(*identity)?;
                let folder = paths.first()?.display();
                Some(format!(
                    "{folder} is on {kind}, which does not report what other machines change"
                ))
            })
        };
        let reason = failure.or_else(silent);
        self.set_mode(reason.map_or(WatchMode::Live, |reason| WatchMode::Polling { reason }));

        let known: BTreeSet<_> = groups
            .into_iter()
            .flat_map(|(identity, paths)| paths.into_iter().map(move |path| (identity, path)))
            .collect();
        let new = !known.is_subset(&self.known);
        self.known = known;
        added || new
    }

    fn set_mode(&mut self, mode: WatchMode) {
        if self.mode.as_ref() != Some(&mode) {
            self.shared.set_polling(mode != WatchMode::Live);
            self.tell(WatchEvent::Mode(mode.clone()));
            self.mode = Some(mode);
        }
    }

    /// Ends the watches on what is gone, not wanted any more or something else by now.
    fn drop_void(&mut self, groups: &BTreeMap<Identity, Vec<PathBuf>>, stale: &Stale) {
        let native = &mut self.native;
        self.held.retain(|identity, path| {
            let wanted = groups
                .get(identity)
                .is_some_and(|paths| paths.contains(path));
            let keep = wanted && !stale.contains(path);
            if let (false, Some(native)) = (keep, native.as_mut()) {
                // The system ends the watch on a folder that is gone by itself, and then this fails.
                let _ = native.remove(path);
            }
            keep
        });
    }

    /// Adds the watches that are not held; tells whether any was added, and why one was not.
    fn add_missing(&mut self, groups: &BTreeMap<Identity, Vec<PathBuf>>) -> (bool, Option<String>) {
        if let Err(error) = self.ensure_native() {
            return (false, Some(native::reason(&error, None)));
        }
        let Some(native) = &mut self.native else {
            return (false, None);
        };
        let mut added = false;
        let mut failure = None;
        for (identity, paths) in groups {
            if self.held.contains_key(identity) {
                continue;
            }
            let Some(path) = paths.first() else { continue };
            match native.add(path) {
                Ok(()) => {
                    self.held.insert(*identity, path.clone());
                    added = true;
                }
                Err(error) if native::is_missing(&error) => {}
                Err(error) => {
                    failure.get_or_insert_with(|| native::reason(&error, Some(Path::new(path))));
                }
            }
        }
        (added, failure)
    }

    fn ensure_native(&mut self) -> notify::Result<()> {
        if self.native.is_none() {
            let shared = Arc::clone(&self.shared);
            self.native = Some((self.make)(Box::new(move |event| shared.record(event)))?);
        }
        Ok(())
    }
}
