//! Work on more than one core.
//!
//! Only whole pieces of work of 128 settings and more whose results do not depend on their order:
//! fits of several outputs, and surrogates of several outputs that are rebuilt. Without a thread
//! the same work is done on one.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `work` with every item, each on a thread of its own where one is to be had; what comes of it in the order of
/// the items, as if it had been done one after the other.
pub(in crate::study) fn each<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let to_do: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let done: Vec<_> = to_do.iter().map(|_| Mutex::new(None)).collect();
    let take = &|i: usize| {
        let item = to_do[i].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(item) = item {
            let outcome = work(item);
            *done[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        }
    };
    thread::scope(|scope| {
        for i in 1..to_do.len() {
            // A thread that cannot be started is not missed: what no thread has taken is done here.
            let _ = thread::Builder::new().spawn_scoped(scope, move || take(i));
        }
        (0..to_do.len()).for_each(take);
    });
    done.into_iter()
        .filter_map(|r| r.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn everything_is_done_once_and_in_order() {
        let items: Vec<u64> = (0..20).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        assert_eq!(super::each(items, |i| i * i), squares);
        assert!(super::each(Vec::<u64>::new(), |i| i).is_empty());
    }
}
