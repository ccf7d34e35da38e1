//! A study from its log.
//!
//! Surrogates are updated by small steps whose rounding depends on their order. A replay takes the
//! same steps: at every `asked` it brings the surrogates to where that decision had them. A
//! correction or a void changes what earlier events meant, so the whole log is folded again with it
//! known from the start. Costs revealed in one round are summed in the order of their trials, so
//! the order of tells within a round does not matter.

use crate::error::{Error, Result};
use crate::gp::Scale;
use crate::space::Params;
use crate::study::engine::Engine;
use crate::study::log::amendments::Amendments;
use crate::study::log::event::{Decision, ENGINE_VERSION, Event, Fitted, Metrics};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use crate::study::study::Study;
use std::sync::{Arc, Mutex};

impl Study {
    /// A study from its log: the same answers as the one that wrote it.
    pub fn replay(log: Vec<Event>) -> Result<Self> {
        let Some(Event::Created { spec, .. }) = log.first() else {
            let problem = "it must begin with `created`".to_string();
            return Err(Error::InvalidLog { position: 0, problem });
        };
        let spec = (**spec).clone();
        spec.validate()?;
        let plan = Plan::new(&spec)?;
        Self::empty(spec, plan).refolded(log)
    }

    /// Begins a study under a plan.
    pub(in crate::study) fn begin(spec: Spec, plan: Plan) -> Result<Self> {
        let engine = Some(ENGINE_VERSION);
        let created = Event::Created { spec: Box::new(spec.clone()), engine };
        Self::empty(spec, plan).refolded(vec![created])
    }

    fn empty(spec: Spec, plan: Plan) -> Self {
        let state = State::new(&spec, &plan, Amendments::default());
        let (spec, plan) = (Arc::new(spec), Arc::new(plan));
        Self { spec, plan, log: Vec::new(), state, engine: Mutex::default(), origin: None }
    }

    /// The same study with another log from its origin on.
    fn refolded(&self, log: Vec<Event>) -> Result<Self> {
        let (spec, plan) = self.first_definition(&log)?;
        let (origin, engine) = (self.origin.clone(), Mutex::default());
        let state = State::new(&spec, &plan, Amendments::default());
        let mut study = Self { spec, plan, log: Vec::new(), state, engine, origin };
        study.state = study.state_before(&log);
        for event in log {
            study.admit(&event)?;
            study.record(event);
        }
        Ok(study)
    }

    /// Refuses an event that cannot be next.
    fn admit(&self, event: &Event) -> Result<()> {
        let position = self.length();
        self.check(event).map_err(|problem| Error::InvalidLog { position, problem })
    }

    /// Folds what another writer has added to the log.
    pub fn extend(&mut self, events: Vec<Event>) -> Result<()> {
        if events.iter().any(Event::amends) {
            events.iter().try_for_each(|event| self.check_amendment(event))?;
            *self = self.refolded(self.log.iter().cloned().chain(events).collect())?;
            return Ok(());
        }
        let first = Engine::first_that_matters(&self.plan, &events);
        for (i, event) in events.into_iter().enumerate() {
            self.admit(&event)?;
            if i >= first { self.follow(event) } else { self.record(event) }
        }
        Ok(())
    }

    /// As it was when the log was so long.
    pub(crate) fn rewind(&mut self, length: usize) -> Result<()> {
        let undone = self.log_from(length)?;
        if undone.is_empty() {
            return Ok(());
        }
        let kept = self.log.len() - undone.len();
        let untouched =
            |engine: &Arc<Engine>| engine.position() <= length && !undone.iter().any(Event::amends);
        let engine = std::mem::take(&mut *self.locked()).engine.filter(untouched);
        *self = self.refolded(self.log[..kept].to_vec())?;
        self.locked().engine = engine;
        Ok(())
    }

    /// An event that changes what earlier ones meant: the whole log is folded again.
    pub(in crate::study) fn amend(&mut self, event: Event) -> Result<()> {
        self.check_amendment(&event)?;
        *self = self.refolded(self.log.iter().cloned().chain([event]).collect())?;
        Ok(())
    }

    pub(in crate::study) fn record(&mut self, event: Event) {
        self.state.apply(&self.spec, &self.plan, &event);
        if let Event::Revised(revision) = &event
            && let Ok((spec, plan)) = revision.revised(&self.spec)
        {
            (self.spec, self.plan) = (spec, plan);
        }
        self.log.push(event);
    }

    /// Whether an event of a log can follow what is there.
    fn check(&self, event: &Event) -> std::result::Result<(), String> {
        let next = self.state.trials.count();
        let known = |number: &u64| {
            if *number < next {
                Ok(())
            } else {
                Err(format!("there is no trial {number} before it"))
            }
        };
        let fits =
            |params: &Params| self.spec.params.encode(params).map(drop).map_err(|e| e.to_string());
        let fresh = |number: &u64| {
            if *number == next {
                Ok(())
            } else {
                Err(format!("trial {number} comes where {next} should"))
            }
        };
        match event {
            Event::Created { .. } if self.length() == 0 => Ok(()),
            Event::Created { .. } => Err("a study is created once".into()),
            Event::Asked { number, round, params, decision } => {
                fresh(number)?;
                self.fits_limits(decision)?;
                if *round != self.state.round + 1 {
                    return Err(format!("round {round} comes after round {}", self.state.round));
                }
                fits(params)
            }
            Event::Added { number, params, metrics } => {
                fresh(number)?;
                fits(params)?;
                self.usable(metrics)
            }
            Event::Told { number, metrics } => {
                known(number)?;
                let told = &self.trial(*number).map_err(|e| e.to_string())?.metrics;
                match metrics.keys().find(|metric| told.contains_key(*metric)) {
                    Some(metric) => Err(format!("{metric} of trial {number} is there twice")),
                    None => self.usable(metrics),
                }
            }
            Event::Corrected { number, metrics } => {
                known(number).and_then(|()| self.usable(metrics))
            }
            Event::Claimed { number, .. }
            | Event::Failed { number, .. }
            | Event::Voided { number, .. } => known(number),
            Event::Fitted { outputs, .. } => self.fits_outputs(outputs),
            Event::Changed { since } if *since > self.state.round + 1 => {
                Err(format!("a change of round {since} comes after round {}", self.state.round))
            }
            Event::Changed { .. } => Ok(()),
            Event::Revised(revision) => {
                revision.applied(&self.spec).map(drop).map_err(|e| e.to_string())
            }
        }
    }

    /// A decision without a model has no bounds, any other one for each limit.
    fn fits_limits(&self, decision: &Decision) -> std::result::Result<(), String> {
        let (bounds, limits) = (decision.lower.len(), self.spec.constraints.len());
        if bounds != 0 && bounds != limits {
            return Err(format!(
                "its decision has {bounds} lower bounds, where each limit has one: {limits}"
            ));
        }
        Ok(())
    }

    fn usable(&self, metrics: &Metrics) -> std::result::Result<(), String> {
        self.checked(metrics.clone()).map(drop).map_err(|e| e.to_string())
    }

    fn fits_outputs(&self, outputs: &[Fitted]) -> std::result::Result<(), String> {
        let limits = outputs.len().wrapping_sub(1 + self.spec.constraints.len());
        if limits > 1 {
            return Err(format!("{} outputs were fitted", outputs.len()));
        }
        let above = |value: f64| value.is_finite() && value > 0.0;
        for fitted in outputs {
            fitted.kernel.validate(self.spec.params.dims()).map_err(|e| e.to_string())?;
            let Scale { centre, spread } = fitted.scale;
            if !(above(fitted.noise)
                && above(spread)
                && centre.is_finite()
                && fitted.warp.is_sound())
            {
                return Err("noise and spread must be finite and above 0".into());
            }
        }
        Ok(())
    }
}
