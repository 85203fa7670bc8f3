//! The counting worker: the newest view of those that wait, and marked lines.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Counted, Event, View};
use crate::budget::Usage;
use crate::tokens::{Counter, Encoding};

/// What the counting worker is given.
#[derive(Debug)]
pub(super) enum Count {
    /// A view, by the number of the question that it answers.
    View(u64, Arc<View>),
    /// Marked lines, by the number of the request.
    Marked(u64, Arc<str>),
}

/// Counts until nobody asks any more.
pub(super) fn count_all(asked: &Receiver<Count>, events: &UnboundedSender<Event>) {
    let mut counter = None;
    while let Ok(first) = asked.recv() {
        // Of what waits, the newest view and the newest marked lines are enough.
        let (mut view, mut marked) = (None, None);
        for count in std::iter::once(first).chain(asked.try_iter()) {
            match count {
                Count::View(..) => view = Some(count),
                Count::Marked(..) => marked = Some(count),
            }
        }
        for count in [view, marked].into_iter().flatten() {
            if events.send(answer(count, &mut counter)).is_err() {
                return;
            }
        }
    }
}

fn answer(count: Count, counter: &mut Option<Counter>) -> Event {
    match count {
        Count::View(question, view) => {
            let mut ready = match counter.take() {
                Some(counter) if counter.encoding() == view.encoding => counter,
                _ => Counter::new(view.encoding),
            };
            let usage = Usage::count(&view.assembly, &mut ready);
            let is_real = Arc::ptr_eq(&view.assembly, &view.real);
            let real = (!is_real).then(|| Usage::count(&view.real, &mut ready));
            *counter = Some(ready);
            Event::Counted(Box::new(Counted {
                question,
                usage,
                real,
            }))
        }
        Count::Marked(number, text) => {
            // Lines can only be marked in a view, which was counted before.
            let counter = counter.get_or_insert_with(|| Counter::new(Encoding::O200kBase));
            Event::CountedMarked(number, counter.count(&text))
        }
    }
}
