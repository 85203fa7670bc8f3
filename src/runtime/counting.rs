//! The counting worker: the newest view of those that wait, what the rules find in it, and marked lines.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::mpsc::error::SendError;
use xxhash_rust::xxh3::xxh3_128;

use super::{faults, log};
use crate::app::{Counted, Event, View};
use crate::budget::Usage;
use crate::insight::audit::audit;
use crate::lint::{self, VariantUsage};
use crate::tokens::{Counter, Encoding};

/// What the counting worker is given.
#[derive(Debug)]
pub(super) enum Count {
    /// A view, by the number of the question that it answers.
    View(u64, Arc<View>),
    /// Marked lines, by the number of the request.
    Marked(u64, Arc<str>),
    /// The history of the last view.
    Audit,
}

/// Counts until nobody asks any more.
pub(super) fn count_all(asked: &Receiver<Count>, events: &UnboundedSender<Event>) {
    let mut worker = Worker::default();
    while let Ok(first) = asked.recv() {
        // Of what waits, the newest view and the newest marked lines are enough.
        let (mut view, mut marked, mut wants_audit) = (None, None, false);
        for count in std::iter::once(first).chain(asked.try_iter()) {
            match count {
                Count::View(question, newest) => view = Some((question, newest)),
                Count::Marked(number, text) => marked = Some((number, text)),
                Count::Audit => wants_audit = true,
            }
        }
        let answered = catch_unwind(AssertUnwindSafe(|| {
            worker.answer(view, marked, wants_audit, events)
        }));
        let sent = answered.unwrap_or_else(|_| {
            // What it was about to keep may be half done; the next save is counted from nothing.
            worker = Worker::default();
            events.send(Event::Failed(
                "promptscope itself failed to count this".to_owned(),
            ))
        });
        if sent.is_err() {
            return;
        }
    }
}

/// Below so many bytes of files the rules take no time that anybody would notice.
const QUICK: usize = 512 * 1024;

#[derive(Default)]
struct Worker {
    counter: Option<Counter>,
    /// The last view that was counted.
    view: Option<Arc<View>>,
    /// The tokens of the library's texts, by the texts' hashes, and their encoding.
    texts: (Option<Encoding>, BTreeMap<u128, usize>),
}

impl Worker {
    /// Answers; fails where nobody listens any more.
    fn answer(
        &mut self,
        view: Option<(u64, Arc<View>)>,
        marked: Option<(u64, Arc<str>)>,
        wants_audit: bool,
        events: &UnboundedSender<Event>,
    ) -> Result<(), SendError<Event>> {
        if let Some((question, view)) = view {
            self.view = Some(view.clone());
            let since = Instant::now();
            // A fault that is no panic has nothing to break off here.
            let _ = faults::at("count");
            let counter = self.counter(view.encoding);
            let usage = Usage::count(&view.assembly, counter);
            let is_real = Arc::ptr_eq(&view.assembly, &view.real);
            let real = (!is_real).then(|| Usage::count(&view.real, counter));
            let sent = real.as_ref().unwrap_or(&usage).clone();
            let library = self.library(&view);
            let counter = self.counter(view.encoding);
            let variants = view.variants.iter().map(|(name, assembly)| VariantUsage {
                name: name.clone(),
                usage: Usage::count(assembly, counter),
                assembly: assembly.clone(),
            });
            let variants: Vec<VariantUsage> = variants.collect();
            let subject = view.subject(&sent, &library, &variants);
            log::took("count", since, format_args!("question {question}"));
            let check = || lint::check(&subject, &view.lint).into();
            // What is checked at once is shown in the same frame; what takes long keeps no count waiting.
            let is_quick = view.survey.bytes() < QUICK;
            let found = is_quick.then(check);
            events.send(Event::Counted(Box::new(Counted {
                question,
                usage,
                real,
                found,
                library: library.clone(),
            })))?;
            if !is_quick {
                events.send(Event::Found(question, check()))?;
            }
        }
        if let Some((number, text)) = marked {
            // Lines can only be marked in a view, which was counted before.
            let encoding = self
                .view
                .as_ref()
                .map_or(Encoding::O200kBase, |view| view.encoding);
            let tokens = self.counter(encoding).count(&text);
            events.send(Event::CountedMarked(number, tokens))?;
        }
        if let (true, Some(view)) = (wants_audit, self.view.clone()) {
            let counter = self.counter(view.encoding);
            let lines = audit(&view.workspace, &view.real, counter);
            events.send(Event::Audited(lines.into()))?;
        }
        Ok(())
    }

    /// Counts every entry of the catalog; a text that was counted before is not counted again.
    fn library(&mut self, view: &View) -> Arc<[Option<usize>]> {
        let mut known = std::mem::take(&mut self.texts);
        let is_same = known.0 == Some(view.encoding);
        let mut counts = BTreeMap::new();
        let entries = view.catalog.entries.iter().map(|entry| {
            if !entry.built.is_whole() {
                return None;
            }
            let text = entry.built.text();
            let hash = xxh3_128(text.as_bytes());
            let before = known.1.remove(&hash).filter(|_| is_same);
            let before = before.or_else(|| counts.get(&hash).copied());
            let tokens = before.unwrap_or_else(|| self.counter(view.encoding).count(&text));
            counts.insert(hash, tokens);
            Some(tokens)
        });
        let library = entries.collect();
        self.texts = (Some(view.encoding), counts);
        library
    }

    /// Gives the counter of an encoding, which is loaded where it is not the last one's.
    fn counter(&mut self, encoding: Encoding) -> &mut Counter {
        if self
            .counter
            .as_ref()
            .is_none_or(|counter| counter.encoding() != encoding)
        {
            self.counter = None;
        }
        self.counter.get_or_insert_with(|| Counter::new(encoding))
    }
}
