//! The run itself: workers that take trials, run them and bring the results.

use super::config::Config;
use super::coordinator::{Coordinator, Next};
use super::renewal::Renewal;
use super::trial::{Outcome, run_trial};
use crate::run::output::screen::Screen;
use crate::run::output::stop_reason::StopReason;
use crate::run::process::interrupt::Interrupt;
use anyhow::{Result, bail};
use rpol::store::Shared;
use rpol::study::{Suggestion, WhenSpent};
use std::thread;
use std::time::Duration;

/// How often a worker that waits asks again.
const PAUSE: Duration = Duration::from_millis(100);

/// A run that has ended.
pub(crate) struct RunOutcome {
    pub(crate) stopped: StopReason,
    pub(crate) shared: Shared,
}

/// Runs trials until there is a reason to stop.
pub(crate) fn run_workers(
    config: &Config,
    shared: Shared,
    interrupt: &Interrupt,
    screen: &dyn Screen,
) -> Result<RunOutcome> {
    let coordinator = Coordinator::new(config, shared, screen);
    let work = Workers { config, coordinator: &coordinator, interrupt };
    thread::scope(|scope| {
        let start = |_| scope.spawn(|| work.run());
        let workers: Vec<_> = (0..config.run.workers).map(start).collect();
        // All are waited for, so that no result is lost to another's error.
        let ended: Vec<Result<()>> = workers.into_iter().map(joined).collect();
        ended.into_iter().collect::<Result<()>>()
    })?;
    if matches!(coordinator.stopped(), Some(StopReason::Spent(_)))
        && config.run.when_spent == WhenSpent::Baseline
    {
        work.leave_the_baseline()?;
    }
    let (stopped, shared) = coordinator.finish();
    Ok(RunOutcome { stopped: stopped.unwrap_or(StopReason::Interrupted), shared })
}

fn joined(worker: thread::ScopedJoinHandle<'_, Result<()>>) -> Result<()> {
    worker.join().unwrap_or_else(|_| bail!("a worker panicked: this is a fault in rpol"))
}

struct Workers<'a> {
    config: &'a Config,
    coordinator: &'a Coordinator<'a>,
    interrupt: &'a Interrupt,
}

impl Workers<'_> {
    fn run(&self) -> Result<()> {
        // Where one cannot go on, the others take no new trial.
        self.trials().inspect_err(|_| self.coordinator.stop(StopReason::Interrupted))
    }

    fn trials(&self) -> Result<()> {
        loop {
            if self.interrupt.is_raised() {
                self.coordinator.stop(StopReason::Interrupted);
            }
            match self.coordinator.next()? {
                Next::Trial(trial) => self.run_trial(&trial)?,
                Next::Wait => thread::sleep(PAUSE),
                Next::End => return Ok(()),
            }
        }
    }

    fn run_trial(&self, trial: &Suggestion) -> Result<()> {
        let mut renewal = Renewal::new(self.config.run.lease.duration());
        let mut alive = |elapsed| {
            if let Some(lease) = renewal.due(elapsed)
                && self.coordinator.renew(trial, lease)
            {
                renewal.renewed(elapsed);
            }
        };
        match run_trial(self.config, trial, self.interrupt, &mut alive) {
            Outcome::Done(reading) => self.coordinator.record_result(trial, &reading),
            Outcome::Interrupted => self.coordinator.release(trial),
        }
    }

    /// The baseline once more, so that it is what stays in place.
    fn leave_the_baseline(&self) -> Result<()> {
        let Some(trial) = self.coordinator.baseline()? else { return Ok(()) };
        self.run_trial(&trial)?;
        match self.coordinator.failure(&trial) {
            Some(reason) => {
                bail!("the budget is spent, but the baseline could not be put back: {reason}")
            }
            None => Ok(()),
        }
    }
}
