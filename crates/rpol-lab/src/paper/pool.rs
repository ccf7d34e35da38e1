//! Runs on several threads at once.

use super::archive::Archive;
use super::job::Job;
use anyhow::Result;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Hears how far things are; from several threads.
pub trait Watch: Sync {
    /// A round of `job` was played.
    fn round(&self, job: &Job);
}

/// Plays `jobs` on so many threads and keeps each run as it ends; how many were kept before `stop` was raised.
///
/// A run depends on its job alone, so the number of threads decides the time it takes and nothing else. The longest go first: what is
/// started last should be short, or one thread ends long after the others.
pub fn play_all(
    jobs: &[Job],
    archive: &Archive,
    threads: usize,
    stop: &AtomicBool,
    watch: &dyn Watch,
) -> Result<usize> {
    let mut queue: Vec<&Job> = jobs.iter().collect();
    queue.sort_by_key(|job| Reverse(job.effort()));
    let (next, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let given_up = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) && !given_up.load(Ordering::Relaxed) {
            let Some(job) = queue.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let played = job.play(stop, || watch.round(job));
            match played.and_then(|run| run.map(|run| archive.keep(job, run)).transpose()) {
                Ok(Some(())) => drop(kept.fetch_add(1, Ordering::Relaxed)),
                Ok(None) => return,
                Err(error) => {
                    given_up.store(true, Ordering::Relaxed);
                    failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).replace(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(queue.len()) {
            scope.spawn(work);
        }
    });
    match failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some(error) => Err(error),
        None => Ok(kept.into_inner()),
    }
}
