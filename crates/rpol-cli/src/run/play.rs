//! The run itself: workers that take trials, run them and bring the results.

use super::attempt::{Outcome, attempt};
use super::desk::Desk;
use super::interrupt::Interrupt;
use super::plan::Plan;
use super::renewal::Renewal;
use super::screen::Screen;
use super::stop::Stopped;
use anyhow::{Result, bail};
use rpol::store::Shared;
use rpol::study::{Suggestion, WhenSpent};
use std::thread;

/// A run that has ended.
pub(super) struct Played {
    pub(super) stopped: Stopped,
    pub(super) shared: Shared,
}

/// Runs trials until there is a reason to stop.
pub(super) fn play(
    plan: &Plan,
    shared: Shared,
    interrupt: &Interrupt,
    screen: &dyn Screen,
) -> Result<Played> {
    let desk = Desk::new(plan, shared, screen);
    let floor = Floor { plan, desk: &desk, interrupt };
    thread::scope(|scope| {
        let start = |_| scope.spawn(|| floor.work());
        let workers: Vec<_> = (0..plan.run.workers).map(start).collect();
        // All are waited for, so that no result is lost to another's error.
        let ended: Vec<Result<()>> = workers.into_iter().map(joined).collect();
        ended.into_iter().collect::<Result<()>>()
    })?;
    if matches!(desk.stopped(), Some(Stopped::Spent(_)))
        && plan.run.when_spent == WhenSpent::Baseline
    {
        floor.leave_the_baseline()?;
    }
    let (stopped, shared) = desk.close();
    Ok(Played { stopped: stopped.unwrap_or(Stopped::Interrupted), shared })
}

fn joined(worker: thread::ScopedJoinHandle<'_, Result<()>>) -> Result<()> {
    worker.join().unwrap_or_else(|_| bail!("a worker panicked: this is a fault in rpol"))
}

struct Floor<'a> {
    plan: &'a Plan,
    desk: &'a Desk<'a>,
    interrupt: &'a Interrupt,
}

impl Floor<'_> {
    fn work(&self) -> Result<()> {
        // Where one cannot go on, the others take no new trial.
        self.trials().inspect_err(|_| self.desk.stop(Stopped::Interrupted))
    }

    fn trials(&self) -> Result<()> {
        loop {
            if self.interrupt.is_raised() {
                self.desk.stop(Stopped::Interrupted);
            }
            match self.desk.next()? {
                Some(trial) => self.run(&trial)?,
                None => return Ok(()),
            }
        }
    }

    fn run(&self, trial: &Suggestion) -> Result<()> {
        let mut renewal = Renewal::new(self.plan.run.lease.duration());
        let mut alive = |elapsed| {
            if let Some(lease) = renewal.due(elapsed)
                && self.desk.renew(trial, lease)
            {
                renewal.renewed(elapsed);
            }
        };
        match attempt(self.plan, trial, self.interrupt, &mut alive) {
            Outcome::Done(reading) => self.desk.settle(trial, &reading),
            Outcome::Interrupted => self.desk.release(trial),
        }
    }

    /// The baseline once more, so that it is what stays in place.
    fn leave_the_baseline(&self) -> Result<()> {
        let Some(trial) = self.desk.baseline()? else { return Ok(()) };
        self.run(&trial)?;
        match self.desk.failure(&trial) {
            Some(reason) => {
                bail!("the budget is spent, but the baseline could not be put back: {reason}")
            }
            None => Ok(()),
        }
    }
}
