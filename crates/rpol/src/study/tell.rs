//! What is told of trials.

use crate::error::{Error, Result};
use crate::name;
use crate::space::Params;
use crate::study::log::event::{Event, Metrics, Reported};
use crate::study::log::trial::{Lease, Trial};
use crate::study::study::Study;

/// What became of a tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Recorded.
    New,
    /// All of it was on record already, with the same values.
    Repeated,
    /// Recorded as this further trial of the same setting: another worker had been given the trial too, and has told
    /// other values of it.
    Further(u64),
}

impl Study {
    /// Records metrics of a trial: all of them or some, in any order, early or late.
    ///
    /// A trial that was issued again, as its worker had fallen silent, may be told by both: both have measured, and both
    /// results are on the ledger. The values that come second are those of a [further](Told::Further) trial of the same
    /// setting, as long as there are no more results than workers. The same values again change nothing, whoever tells them.
    ///
    /// # Errors
    /// [`AlreadyTold`](Error::AlreadyTold) for other values of a trial that no other worker has measured.
    pub fn tell<N, R>(
        &mut self,
        number: u64,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<Told>
    where
        N: Into<String>,
        R: IntoReported,
    {
        let reissued = self.trial(number)?.reissued;
        let metrics = self.checked(metrics)?;
        self.tell_any(number, &metrics, reissued)
    }

    /// As [`tell`](Self::tell), by a worker that is known to have measured: where others have told other values, these are
    /// of a further trial however often it was issued.
    pub fn tell_measured<N, R>(
        &mut self,
        number: u64,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<Told>
    where
        N: Into<String>,
        R: IntoReported,
    {
        self.trial(number)?;
        let metrics = self.checked(metrics)?;
        self.tell_any(number, &metrics, u64::MAX)
    }

    /// Of the trial itself, of a further one, or of a new one where there are fewer of those than there may be.
    fn tell_any(&mut self, number: u64, metrics: &Metrics, most: u64) -> Result<Told> {
        let refused = match self.tell_of(number, metrics) {
            Err(refused @ Error::AlreadyTold { .. }) => refused,
            other => return other,
        };
        let is_further = |trial: &&Trial| {
            trial.decision.as_ref().is_some_and(|decision| decision.further_of == Some(number))
        };
        let further: Vec<u64> =
            self.trials().iter().filter(is_further).map(|trial| trial.number).collect();
        for other in &further {
            match self.tell_of(*other, metrics) {
                Err(Error::AlreadyTold { .. }) => {}
                Ok(Told::New) => return Ok(Told::Further(*other)),
                other => return other,
            }
        }
        if further.len() as u64 >= most {
            return Err(refused);
        }
        // Who repeats a command need not know that its values were corrected meanwhile.
        let of_it = |told: &u64| *told == number || further.contains(told);
        let same = |told: &Metrics| metrics.iter().all(|(name, new)| told.get(name) == Some(new));
        let repeats = |event: &Event| matches!(event, Event::Told { number, metrics } if of_it(number) && same(metrics));
        if self.log.iter().any(repeats) {
            return Ok(Told::Repeated);
        }
        let new = self.ask_further(number)?.number;
        self.tell_of(new, metrics).map(|_| Told::Further(new))
    }

    fn tell_of(&mut self, number: u64, metrics: &Metrics) -> Result<Told> {
        let trial = self.trial(number)?;
        let mut fresh = Metrics::new();
        for (metric, new) in metrics {
            match trial.metrics.get(metric) {
                None => {
                    fresh.insert(metric.clone(), *new);
                }
                Some(old) if old == new => {}
                Some(old) => {
                    let (metric, old, new) = (metric.clone(), old.value.get(), new.value.get());
                    return Err(Error::AlreadyTold { number, metric, old, new });
                }
            }
        }
        if fresh.is_empty() {
            return Ok(Told::Repeated);
        }
        if number < self.state.compacted.trials
            && self.spec.outputs().iter().any(|output| fresh.contains_key(*output))
        {
            // It failed long ago: its value would no longer count, and no violation goes uncounted.
            let remedy = "add what was measured as history, or as a new trial";
            return Err(Error::Compacted { number, remedy });
        }
        self.record(Event::Told { number, metrics: fresh });
        Ok(Told::New)
    }

    /// Adds a trial that was not asked for: history. It informs the model; it is not on the ledger.
    pub fn add<N, R>(
        &mut self,
        params: Params,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<u64>
    where
        N: Into<String>,
        R: IntoReported,
    {
        let params = self.spec.params.canonical(&params)?;
        let metrics = self.checked(metrics)?;
        let number = self.state.trials.count();
        self.record(Event::Added { number, params, metrics });
        Ok(number)
    }

    /// Notes that a trial gave no result.
    pub fn fail(&mut self, number: u64, reason: impl Into<String>) -> Result<()> {
        self.trial(number)?;
        self.record(Event::Failed { number, reason: reason.into() });
        Ok(())
    }

    /// Notes that a worker has taken a trial on, or is still at it. No decision depends on it.
    pub fn claim(&mut self, number: u64, lease: Lease) -> Result<()> {
        self.claimed(number, lease, false)
    }

    /// The same for a trial that another worker had before and was not heard of again.
    pub(crate) fn claim_again(&mut self, number: u64, lease: Lease) -> Result<()> {
        self.claimed(number, lease, true)
    }

    fn claimed(&mut self, number: u64, lease: Lease, again: bool) -> Result<()> {
        self.trial(number)?;
        self.record(Event::Claimed { number, lease, again });
        Ok(())
    }

    /// Takes a trial's metrics out of everything, penalties and ledger too. The log keeps them.
    ///
    /// # Errors
    /// [`Compacted`](Error::Compacted) where the trial is older than the last [`drop_history`](Self::drop_history).
    pub fn void(&mut self, number: u64, reason: impl Into<String>) -> Result<()> {
        self.trial(number)?;
        self.amend(Event::Voided { number, reason: reason.into() })
    }

    /// Replaces told metrics, as if the right values had been told in their place. The log keeps the old.
    ///
    /// # Errors
    /// [`Compacted`](Error::Compacted) where the trial is older than the last [`drop_history`](Self::drop_history).
    pub fn correct<N, R>(
        &mut self,
        number: u64,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<()>
    where
        N: Into<String>,
        R: IntoReported,
    {
        let metrics = self.checked(metrics)?;
        let trial = self.trial(number)?;
        if let Some(metric) = metrics.keys().find(|metric| !trial.metrics.contains_key(*metric)) {
            let known: Vec<String> = trial.metrics.keys().map(|m| name::quoted(m)).collect();
            let field = format!("correction of trial {number}");
            let (value, known) = (name::quoted(metric), name::joined(&known));
            return Err(Error::UnknownName { field, value, known });
        }
        self.amend(Event::Corrected { number, metrics })
    }

    /// Known names, finite values, nothing beyond a declared bound.
    pub(in crate::study) fn checked<N: Into<String>, R: IntoReported>(
        &self,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<Metrics> {
        let mut checked = Metrics::new();
        let known = || {
            name::joined(&self.spec.metrics().iter().map(|m| name::quoted(m)).collect::<Vec<_>>())
        };
        for (metric, value) in metrics {
            let metric = metric.into();
            if !self.spec.metrics().contains(&metric.as_str()) {
                let value = name::quoted(&metric);
                return Err(Error::UnknownName { field: "metric".into(), value, known: known() });
            }
            let reported = value.reported(&metric)?;
            if let Some(bound) =
                self.spec.objective.bound().filter(|_| metric == self.spec.objective.metric())
                && reported.value.get().abs() > bound
            {
                let value = reported.value.get();
                return Err(Error::OutOfBounds { field: metric, value, low: -bound, high: bound });
            }
            for constraint in self.spec.constraints.iter().filter(|c| c.metric() == metric) {
                constraint.admit(reported.value.get())?;
            }
            checked.insert(metric, reported);
        }
        if checked.is_empty() {
            return Err(Error::Missing { field: "metrics".into(), known: known() });
        }
        Ok(checked)
    }
}

/// A value of a metric, with or without its standard error.
pub trait IntoReported {
    /// Checks the value; the error names `metric`.
    fn reported(self, metric: &str) -> Result<Reported>;
}

impl IntoReported for f64 {
    fn reported(self, metric: &str) -> Result<Reported> {
        Reported::new(metric, self, None)
    }
}

impl IntoReported for (f64, f64) {
    fn reported(self, metric: &str) -> Result<Reported> {
        Reported::new(metric, self.0, Some(self.1))
    }
}

impl IntoReported for Reported {
    fn reported(self, metric: &str) -> Result<Reported> {
        Reported::new(metric, self.value.get(), self.sem.map(|sem| sem.get()))
    }
}
