//! Work on several threads at once.

use anyhow::Result;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What came of work that may be stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending<T> {
    /// All that was to be made.
    Played(T),
    /// It was stopped after so many runs.
    Stopped(usize),
}

impl<T> Ending<Vec<T>> {
    /// Of the results of [`work_all`], all of them made further where none is missing.
    pub(crate) fn of<R>(results: Vec<Option<R>>, further: impl FnOnce(Vec<R>) -> Vec<T>) -> Self {
        let jobs = results.len();
        let made: Vec<R> = results.into_iter().flatten().collect();
        if made.len() < jobs { Self::Stopped(made.len()) } else { Self::Played(further(made)) }
    }
}

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

#[cfg(test)]
mod tests {
    use super::work_all;
    use anyhow::{Result, bail};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    const JOBS: [u64; 5] = [3, 1, 4, 1, 5];

    #[test]
    fn results_are_in_the_order_of_the_jobs() -> Result<()> {
        let calm = AtomicBool::new(false);
        for threads in [1, 3, 9] {
            let squares = work_all(&JOBS, threads, &calm, |job| *job, |job| Ok(Some(job * job)))?;
            assert_eq!(squares, [9, 1, 16, 1, 25].map(Some));
        }
        Ok(())
    }

    #[test]
    fn an_error_ends_the_work() {
        let (calm, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
        let work = |job: &u64| -> Result<Option<()>> {
            begun.fetch_add(1, Ordering::Relaxed);
            bail!("job {job} is bad")
        };
        let error = work_all(&JOBS, 1, &calm, |job| *job, work).err();
        assert_eq!(error.map(|error| error.to_string()), Some("job 5 is bad".into()));
        assert_eq!(begun.into_inner(), 1, "the longest is first, and alone");
    }

    #[test]
    fn a_stop_leaves_the_rest() -> Result<()> {
        let stop = AtomicBool::new(false);
        let work = |job: &u64| {
            stop.store(*job == 4, Ordering::Relaxed);
            Ok(Some(*job))
        };
        let made = work_all(&JOBS, 1, &stop, |job| *job, work)?;
        assert_eq!(made, [None, None, Some(4), None, Some(5)]);
        Ok(())
    }
}
