//! Runs on several threads at once.

use super::archive::Archive;
use super::job::Job;
use crate::pool::work_all;
use anyhow::Result;
use std::sync::atomic::AtomicBool;

/// Hears how far things are; from several threads.
pub trait Watch: Sync {
    /// A round of `job` was played.
    fn round(&self, job: &Job);
}

/// Plays `jobs` on so many threads and keeps each run as it ends; how many were kept before `stop` was raised.
pub fn play_all(
    jobs: &[Job],
    archive: &Archive,
    threads: usize,
    stop: &AtomicBool,
    watch: &dyn Watch,
) -> Result<usize> {
    let play = |job: &Job| {
        let run = job.play(stop, || watch.round(job))?;
        run.map(|run| archive.keep(job, run)).transpose()
    };
    let kept = work_all(jobs, threads, stop, Job::effort, play)?;
    Ok(kept.into_iter().flatten().count())
}
