//! A study without its past.
//!
//! A snapshot holds the state and the surrogates of its moment, so the next decisions are the same
//! to the bit, and a failed `ask_many` can still be undone. What needs the dropped log, to void or
//! correct an old trial, is refused.

use crate::error::{Error, Result};
use crate::study::engine::Engine;
use crate::study::log::amendments::Amendments;
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use crate::study::study::Study;
use std::sync::Arc;

/// What to do about a trial that is not in memory.
pub(in crate::study) const DROPPED: &str = "it was dropped from memory; replay the whole log from where it is stored to look at it or change it";

/// Where the log in memory begins: everything before it, added up.
#[derive(Debug)]
pub(in crate::study) struct Origin {
    /// Entries before it.
    pub(in crate::study) length: usize,
    pub(in crate::study) state: State,
    /// The models follow the log step by step, so they cannot be rebuilt without its beginning.
    pub(in crate::study) engine: Arc<Engine>,
}

impl Study {
    /// Drops from memory the log so far and the trials that are compacted: done, and followed by some hundred others. What they
    /// taught stays, so decisions, ledger and multipliers go on as if nothing had been dropped.
    ///
    /// Afterwards [`log`](Self::log), [`trials`](Self::trials) and [`penalty_trace`](Self::penalty_trace) begin later, the
    /// [ledger](Self::ledger) has no model's view, and what came before can be neither voided nor corrected. A log that is to
    /// be replayed must be stored elsewhere first. Called every thousand rounds it bounds the memory of an endless study.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let spec = Spec::from_toml(r#"
    ///     name = "endless"
    ///     objective = "minimize cost"
    ///     algorithm = "random"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap();
    /// let mut study = Study::create(spec).unwrap();
    /// for _ in 0..2000 {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("cost", trial.params["x"].as_f64().unwrap())]).unwrap();
    /// }
    /// let best = study.best_trial().unwrap().number;
    /// study.drop_history().unwrap();
    /// assert!(study.trials().len() < 600 && study.trials()[0].number > 1400);
    /// assert_eq!((study.best_trial().unwrap().number, study.ask().unwrap().number), (best, 2000));
    /// ```
    pub fn drop_history(&mut self) -> Result<()> {
        let engine = self.engine()?;
        self.state.forget_before(self.state.compacted.trials);
        let origin = Origin { length: self.length(), state: self.state.clone(), engine };
        self.origin = Some(Arc::new(origin));
        self.log = Vec::new();
        Ok(())
    }

    /// How many entries of the log are no longer in memory.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.origin.as_ref().map_or(0, |origin| origin.length)
    }

    /// How many entries the log has, dropped ones included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.dropped() + self.log.len()
    }

    /// The log from a position on, dropped entries counted.
    pub(crate) fn log_from(&self, position: usize) -> Result<&[Event]> {
        let kept = position.checked_sub(self.dropped()).and_then(|start| self.log.get(start..));
        kept.ok_or_else(|| {
            let problem =
                "it was dropped before it was stored: drop the history between two changes";
            Error::InvalidLog { position, problem: problem.into() }
        })
    }

    /// The state before the first entry of the log in memory.
    pub(in crate::study) fn first_state(&self) -> State {
        self.state_before(&self.log)
    }

    /// The state before a log that goes on from the origin.
    pub(in crate::study) fn state_before(&self, log: &[Event]) -> State {
        match &self.origin {
            Some(origin) => origin.state.amended(log),
            None => State::new(&self.spec, &self.plan, Amendments::of(log)),
        }
    }

    /// The definition before the first entry of a log that goes on from the origin, and what it means.
    pub(in crate::study) fn first_definition(
        &self,
        log: &[Event],
    ) -> Result<(Arc<Spec>, Arc<Plan>)> {
        match (&self.origin, log.first()) {
            (Some(origin), _) => Ok((origin.engine.spec.clone(), origin.engine.plan.clone())),
            (None, Some(Event::Created { spec, .. })) if **spec != *self.spec => {
                Ok((Arc::new((**spec).clone()), Arc::new(Plan::new(spec)?)))
            }
            _ => Ok((self.spec.clone(), self.plan.clone())),
        }
    }

    /// The engine before the first entry of the log in memory.
    pub(in crate::study) fn first_engine(&self) -> Result<Arc<Engine>> {
        match &self.origin {
            Some(origin) => Ok(origin.engine.clone()),
            None => {
                let (spec, plan) = self.first_definition(&self.log)?;
                Ok(Arc::new(Engine::new(spec, plan)?))
            }
        }
    }

    /// Refuses to change the meaning of what is no longer in memory.
    pub(in crate::study) fn check_amendment(&self, event: &Event) -> Result<()> {
        let (Event::Voided { number, .. } | Event::Corrected { number, .. }) = event else {
            return Ok(());
        };
        match &self.origin {
            Some(origin) if *number < origin.state.trials.count() => {
                Err(Error::Compacted { number: *number, remedy: DROPPED })
            }
            _ => Ok(()),
        }
    }
}
