//! Work on several threads at once.

use anyhow::Result;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What `work` makes of every job, in the order of the jobs; `None` for those that `stop` came before.
///
/// Where a result depends on its job alone, the number of threads decides the time it takes and nothing else. The longest by `effort`
/// go first: what is started last should be short, or one thread ends long after the others.
///
/// # Errors
/// The first that `work` meets; what is under way is finished, nothing more is begun.
pub fn work_all<J: Sync, T: Send>(
    jobs: &[J],
    threads: usize,
    stop: &AtomicBool,
    effort: impl Fn(&J) -> u64,
    work: impl Fn(&J) -> Result<Option<T>> + Sync,
) -> Result<Vec<Option<T>>> {
    let mut queue: Vec<usize> = (0..jobs.len()).collect();
    queue.sort_by_key(|i| Reverse(effort(&jobs[*i])));
    let next = AtomicUsize::new(0);
    let given_up = AtomicBool::new(false);
    let mut results: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
    let outcome = Mutex::new((&mut results, None));
    let worker = || {
        while !stop.load(Ordering::Relaxed) && !given_up.load(Ordering::Relaxed) {
            let Some(i) = queue.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let made = work(&jobs[*i]);
            let mut outcome = outcome.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match made {
                Ok(made) => outcome.0[*i] = made,
                Err(error) => {
                    given_up.store(true, Ordering::Relaxed);
                    outcome.1.get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(queue.len()) {
            scope.spawn(worker);
        }
    });
    let (_, failure) = outcome.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    failure.map_or(Ok(results), Err)
}
