//! Runs side by side, the same results whatever the number of threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `work(0), ..., work(count - 1)` in this order, done by `jobs` threads; `tick` after each.
pub(super) fn map<T: Send>(
    count: usize,
    jobs: NonZeroUsize,
    tick: &(dyn Fn() + Sync),
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..jobs.get().min(count) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let result = work(i);
                    tick();
                    done.lock()
                        .expect("no worker panics while it holds the lock")
                        .push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the lock");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
