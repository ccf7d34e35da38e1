//! How far the runs are, on stderr where that is a terminal.

use std::collections::BTreeMap;

use crate::lab::batch::bar;
use indicatif::{MultiProgress, ProgressBar};
use rpol_lab::paper::{Experiment, Job};

/// A bar for every experiment and one for all, which knows how much time is left.
pub(super) struct Bars {
    screen: MultiProgress,
    all: ProgressBar,
    each: BTreeMap<Experiment, ProgressBar>,
}

impl Bars {
    pub(super) fn new(jobs: &[Job]) -> Self {
        let screen = MultiProgress::new();
        let bar = |name: &'static str, length: u64, template: &str| {
            screen.add(bar(length, template).with_prefix(name))
        };
        let mut work: BTreeMap<Experiment, u64> = BTreeMap::new();
        for job in jobs {
            *work.entry(job.experiment).or_default() += effort(job);
        }
        let total = work.values().sum();
        let one = "{prefix:<10} {bar:32} {percent:>3} %";
        let each = work.into_iter().map(|(e, length)| (e, bar(e.name(), length, one))).collect();
        let all = bar("all", total, "{prefix:<10} {bar:32} {percent:>3} %, {eta} left");
        Self { screen, all, each }
    }

    pub(super) fn clear(&self) {
        // A screen that cannot be cleared is not worth failing for.
        let _ = self.screen.clear();
    }

    /// A round of the job was played.
    pub(super) fn round(&self, job: &Job) {
        self.all.inc(job.effort());
        if let Some(bar) = self.each.get(&job.experiment) {
            bar.inc(job.effort());
        }
    }
}

/// Runs differ in length: counted in work, the time left is nearly even.
fn effort(job: &Job) -> u64 {
    job.effort() * job.environment.horizon as u64
}
