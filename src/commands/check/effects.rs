//! What `check` does outside: it looks at several workspaces at once.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Result;

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
}
