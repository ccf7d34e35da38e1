//! Ask and tell.

use super::algorithm::Plan;
use super::event::{Event, Fitted, Metrics, Reported};
use super::mind::Mind;
use super::spec::Spec;
use super::state::{Amendments, State};
use super::trial::Trial;
use crate::error::{Error, Result};
use crate::gp::Scale;
use crate::name;
use crate::space::Params;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most trials one call may ask for.
const MOST: u64 = 1000;
/// Labels of the random streams under the study's seed.
pub(super) const POOL: u64 = 1;
pub(super) const DESIGN: u64 = 2;
pub(super) const FIT: u64 = 3;

/// A study: a definition, a log, and what the log adds up to.
///
/// [`tell`](Self::tell) only records; [`ask`](Self::ask) closes the round before it with everything
/// revealed since, and decides the next. Any number of asks may be open: a pending trial is a delayed one.
///
/// ```
/// use rpol::study::{Spec, Study};
/// let spec = Spec::from_toml(r#"
///     name = "demo"
///     objective = "maximize reward"
///     constraints = ["cost <= 0"]
///     [params]
///     x = { type = "float", low = 0, high = 1 }
/// "#).unwrap();
/// let mut study = Study::create(spec).unwrap();
/// for _ in 0..6 {
///     let trial = study.ask().unwrap();
///     let x: f64 = trial.params["x"].to_string().parse().unwrap();
///     study.tell(trial.number, [("reward", x), ("cost", x - 0.7)]).unwrap();
/// }
/// // What happened is the log, and the log is all there is to know.
/// let again = Study::replay(study.log().to_vec()).unwrap();
/// assert_eq!(again.penalties(), study.penalties());
/// ```
#[derive(Debug)]
pub struct Study {
    pub(super) spec: Arc<Spec>,
    pub(super) plan: Arc<Plan>,
    pub(super) log: Vec<Event>,
    /// What the log adds up to, except for the models.
    pub(super) state: State,
    /// The models, as far as somebody has asked for them. Copies of a study share them until one moves on.
    mind: Mutex<Kept>,
}

/// Minds are dear: what was made is kept.
#[derive(Debug, Clone, Default)]
struct Kept {
    /// As the last ask left it.
    mind: Option<Arc<Mind>>,
    /// The same with all that was told since, and the length of the log then.
    informed: Option<(usize, Arc<Mind>)>,
}

impl Clone for Study {
    fn clone(&self) -> Self {
        let (spec, plan) = (self.spec.clone(), self.plan.clone());
        let (log, state) = (self.log.clone(), self.state.clone());
        Self { spec, plan, log, state, mind: Mutex::new(self.locked().clone()) }
    }
}

/// A setting to try.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    /// The trial's number: tell with it.
    pub number: u64,
    /// The setting.
    pub params: Params,
    /// Whether the model believes that no setting is feasible.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub infeasible: bool,
}

impl Suggestion {
    /// A trial that was asked for.
    pub(crate) fn of(trial: &Trial) -> Self {
        let infeasible = trial.decision.as_ref().is_some_and(|d| d.infeasible);
        Self { number: trial.number, params: trial.params.clone(), infeasible }
    }
}

/// What became of a tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Recorded.
    New,
    /// All of it was on record already, with the same values.
    Repeated,
}

impl Study {
    /// Begins a study.
    pub fn create(spec: Spec) -> Result<Self> {
        spec.validate()?;
        Self::fold(spec, Vec::new())
    }

    /// A study from its log: the same answers as the one that wrote it.
    pub fn replay(log: Vec<Event>) -> Result<Self> {
        let Some(Event::Created { spec }) = log.first() else {
            let problem = "it must begin with `created`".to_string();
            return Err(Error::InvalidLog { position: 0, problem });
        };
        let spec = (**spec).clone();
        spec.validate()?;
        Self::fold(spec, log)
    }

    fn fold(spec: Spec, log: Vec<Event>) -> Result<Self> {
        let (plan, spec) = (Arc::new(Plan::new(&spec)?), Arc::new(spec));
        let log = if log.is_empty() {
            vec![Event::Created { spec: Box::new((*spec).clone()) }]
        } else {
            log
        };
        let state = State::new(&spec, &plan, Amendments::of(&log));
        let mut study = Self { spec, plan, log: Vec::new(), state, mind: Mutex::default() };
        log.into_iter().try_for_each(|event| study.advance(event))?;
        Ok(study)
    }

    /// Folds one more event of a log.
    fn advance(&mut self, event: Event) -> Result<()> {
        let position = self.log.len();
        self.check(&event).map_err(|problem| Error::InvalidLog { position, problem })?;
        self.record(event);
        Ok(())
    }

    /// Folds what another writer has added to the log.
    pub fn extend(&mut self, events: Vec<Event>) -> Result<()> {
        if events.iter().any(amends) {
            let log = self.log.iter().cloned().chain(events).collect();
            *self = Self::fold((*self.spec).clone(), log)?;
            return Ok(());
        }
        events.into_iter().try_for_each(|event| self.advance(event))
    }

    /// What is believed, in step with the log.
    pub(super) fn mind(&self) -> Result<Arc<Mind>> {
        self.remembered(&mut self.locked())
    }

    fn remembered(&self, kept: &mut Kept) -> Result<Arc<Mind>> {
        let mind = self.in_step(kept.mind.take())?;
        kept.mind = Some(mind.clone());
        Ok(mind)
    }

    /// What is believed now that more was told since the last ask: for those who look, not for decisions.
    pub(super) fn informed(&self) -> Result<Arc<Mind>> {
        let mut kept = self.locked();
        if let Some((_, mind)) = kept.informed.as_ref().filter(|(at, _)| *at == self.log.len()) {
            return Ok(mind.clone());
        }
        let mind = Arc::new(self.remembered(&mut kept)?.informed()?);
        kept.informed = Some((self.log.len(), mind.clone()));
        Ok(mind)
    }

    fn locked(&self) -> MutexGuard<'_, Kept> {
        // A panic leaves nothing half done here: a mind is out of its place while it is worked on.
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_step(&self, mind: Option<Arc<Mind>>) -> Result<Arc<Mind>> {
        let mut mind = match mind {
            Some(mind) => mind,
            None => {
                let start = State::new(&self.spec, &self.plan, Amendments::of(&self.log));
                Arc::new(Mind::new(self.spec.clone(), self.plan.clone(), start)?)
            }
        };
        if mind.position() < self.log.len() {
            Arc::make_mut(&mut mind).follow_log(&self.log)?;
        }
        Ok(mind)
    }

    /// Whether an event of a log can follow what is there.
    fn check(&self, event: &Event) -> std::result::Result<(), String> {
        let next = self.state.trials.len() as u64;
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
            Event::Created { .. } if self.log.is_empty() => Ok(()),
            Event::Created { .. } => Err("a study is created once".into()),
            Event::Asked { number, round, params, .. } => {
                fresh(number)?;
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
                let told = &self.state.trials[*number as usize].metrics;
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
            Event::Changed { .. } => Ok(()),
        }
    }

    fn usable(&self, metrics: &Metrics) -> std::result::Result<(), String> {
        self.checked(metrics.clone()).map(drop).map_err(|e| e.to_string())
    }

    fn fits_outputs(&self, outputs: &[Fitted]) -> std::result::Result<(), String> {
        if outputs.len() != 1 + self.spec.constraints.len() {
            return Err(format!("{} outputs were fitted", outputs.len()));
        }
        let above = |value: f64| value.is_finite() && value > 0.0;
        for fitted in outputs {
            fitted.kernel.validate(self.spec.params.dims()).map_err(|e| e.to_string())?;
            let Scale { centre, spread } = fitted.scale;
            if !(above(fitted.noise) && above(spread) && centre.is_finite()) {
                return Err("noise and spread must be finite and above 0".into());
            }
        }
        Ok(())
    }

    /// The next setting to try.
    pub fn ask(&mut self) -> Result<Suggestion> {
        self.open(None)
    }

    /// Opens a round with a setting of the user's own.
    pub fn ask_for(&mut self, params: Params) -> Result<Suggestion> {
        self.spec.params.encode(&params)?;
        self.open(Some(params))
    }

    /// Several settings to try at once: each accounts for those before it as pending. All or none.
    pub fn ask_many(&mut self, count: u64) -> Result<Vec<Suggestion>> {
        if !(1..=MOST).contains(&count) {
            return Err(Error::spec("count", format!("{count} trials: ask for 1 to {MOST}")));
        }
        let length = self.log.len();
        let asked: Result<_> = (0..count).map(|_| self.ask()).collect();
        asked.or_else(|error| self.rewind(length).and(Err(error)))
    }

    /// As it was when the log was so long.
    pub(crate) fn rewind(&mut self, length: usize) -> Result<()> {
        let undone = &self.log[length..];
        if undone.is_empty() {
            return Ok(());
        }
        let untouched = |mind: &Arc<Mind>| mind.position() <= length && !undone.iter().any(amends);
        let mind = std::mem::take(&mut *self.locked()).mind.filter(untouched);
        *self = Self::fold((*self.spec).clone(), self.log[..length].to_vec())?;
        self.locked().mind = mind;
        Ok(())
    }

    fn open(&mut self, given: Option<Params>) -> Result<Suggestion> {
        // Out of its place: after an error it does not come back, and the next one is made from the log.
        let mind = std::mem::take(&mut *self.locked()).mind;
        let mut mind = self.in_step(mind)?;
        let (number, events) =
            (self.state.trials.len() as u64, Arc::make_mut(&mut mind).open(given)?);
        self.locked().mind = Some(mind);
        events.into_iter().for_each(|event| self.record(event));
        self.trial(number).map(Suggestion::of)
    }

    /// Records metrics of a trial: all of them or some, in any order, early or late.
    pub fn tell<N, R>(
        &mut self,
        number: u64,
        metrics: impl IntoIterator<Item = (N, R)>,
    ) -> Result<Told>
    where
        N: Into<String>,
        R: IntoReported,
    {
        let trial = self.trial(number)?.clone();
        let metrics = self.checked(metrics)?;
        let mut fresh = Metrics::new();
        for (metric, new) in metrics {
            match trial.metrics.get(&metric) {
                None => {
                    fresh.insert(metric, new);
                }
                Some(old) if *old == new => {}
                Some(old) => {
                    let (old, new) = (old.value.get(), new.value.get());
                    return Err(Error::AlreadyTold { number, metric, old, new });
                }
            }
        }
        if fresh.is_empty() {
            return Ok(Told::Repeated);
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
        let number = self.state.trials.len() as u64;
        self.record(Event::Added { number, params, metrics });
        Ok(number)
    }

    /// Notes that a trial gave no result.
    pub fn fail(&mut self, number: u64, reason: impl Into<String>) -> Result<()> {
        self.trial(number)?;
        self.record(Event::Failed { number, reason: reason.into() });
        Ok(())
    }

    /// Notes that a worker has taken a trial on, or is still at it, until a time in milliseconds since the beginning
    /// of 1970. No decision depends on it.
    pub fn claim(&mut self, number: u64, worker: impl Into<String>, until: u64) -> Result<()> {
        self.trial(number)?;
        self.record(Event::Claimed { number, worker: worker.into(), until });
        Ok(())
    }

    /// Takes a trial's metrics out of everything, penalties and ledger too. The log keeps them.
    pub fn void(&mut self, number: u64, reason: impl Into<String>) -> Result<()> {
        self.trial(number)?;
        self.amend(Event::Voided { number, reason: reason.into() })
    }

    /// Replaces told metrics, as if the right values had been told in their place. The log keeps the old.
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

    /// An event that changes what earlier ones meant: the whole log is folded anew.
    fn amend(&mut self, event: Event) -> Result<()> {
        let mut log = self.log.clone();
        log.push(event);
        *self = Self::fold((*self.spec).clone(), log)?;
        Ok(())
    }

    fn record(&mut self, event: Event) {
        self.state.apply(&self.spec, &self.plan, &event);
        self.log.push(event);
    }

    fn trial(&self, number: u64) -> Result<&Trial> {
        let count = self.state.trials.len() as u64;
        usize::try_from(number)
            .ok()
            .and_then(|n| self.state.trials.get(n))
            .ok_or(Error::UnknownTrial { number, count })
    }

    /// Known names, finite values, nothing beyond a declared bound.
    fn checked<N: Into<String>, R: IntoReported>(
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

    /// The definition.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Everything that happened, in order.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// Every trial, in the order of their numbers.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        &self.state.trials
    }

    /// The multipliers the next decision will use, one a constraint ($Q$, $\phi$ or $\kappa$).
    #[must_use]
    pub fn penalties(&self) -> Vec<f64> {
        let mut multipliers = self.state.closed(&self.spec, &self.plan).0;
        multipliers.truncate(self.spec.constraints.len());
        multipliers
    }
}

/// Whether an event changes what earlier ones meant.
fn amends(event: &Event) -> bool {
    matches!(event, Event::Voided { .. } | Event::Corrected { .. })
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
