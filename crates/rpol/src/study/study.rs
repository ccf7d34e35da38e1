//! Ask.

use crate::error::{Error, Result};
use crate::space::Params;
use crate::study::engine::cache::EngineCache;
use crate::study::engine::profile::AskProfile;
use crate::study::log::event::Event;
use crate::study::log::trial::Trial;
use crate::study::snapshot::{DROPPED, Origin};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use serde::Serialize;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Most trials one call may ask for.
const MOST: u64 = 1000;

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
    pub(in crate::study) spec: Arc<Spec>,
    pub(in crate::study) plan: Arc<Plan>,
    pub(in crate::study) log: Vec<Event>,
    /// What the log adds up to, except for the models.
    pub(in crate::study) state: State,
    /// The engine, once a decision or a prediction needed it. Copies of a study share them until one moves on.
    pub(in crate::study) engine: Mutex<EngineCache>,
    /// Where the log in memory begins, once something was forgotten.
    pub(in crate::study) origin: Option<Arc<Origin>>,
}

impl Clone for Study {
    fn clone(&self) -> Self {
        let (spec, plan) = (self.spec.clone(), self.plan.clone());
        let (log, state, origin) = (self.log.clone(), self.state.clone(), self.origin.clone());
        Self { spec, plan, log, state, engine: Mutex::new(self.locked().clone()), origin }
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

impl Study {
    /// Begins a study.
    pub fn create(spec: Spec) -> Result<Self> {
        spec.validate()?;
        spec.check_novel()?;
        let plan = Plan::new(&spec)?;
        Self::begin(spec, plan)
    }

    /// The next setting to try.
    pub fn ask(&mut self) -> Result<Suggestion> {
        self.open(None, None)
    }

    /// Opens a round with a setting of the user's own.
    pub fn ask_for(&mut self, params: Params) -> Result<Suggestion> {
        self.spec.params.encode(&params)?;
        self.open(Some(params), None)
    }

    /// The setting of a trial once more, for what another worker has measured of it.
    pub(in crate::study) fn ask_further(&mut self, number: u64) -> Result<Suggestion> {
        let params = self.trial(number)?.params.clone();
        self.open(Some(params), Some(number))
    }

    /// Several settings to try at once: each accounts for those before it as pending. All or none.
    pub fn ask_many(&mut self, count: u64) -> Result<Vec<Suggestion>> {
        if !(1..=MOST).contains(&count) {
            return Err(Error::spec("count", format!("{count} trials: ask for 1 to {MOST}")));
        }
        let length = self.length();
        let asked: Result<_> = (0..count).map(|_| self.ask()).collect();
        asked.or_else(|error| self.rewind(length).and(Err(error)))
    }

    fn open(&mut self, given: Option<Params>, further_of: Option<u64>) -> Result<Suggestion> {
        let (start, length) = (Instant::now(), self.length());
        // Out of its place: after an error it does not come back, and the next one is made from the log.
        let cached = std::mem::take(&mut *self.locked()).engine;
        let mut cached = self.in_step(cached)?;
        let engine = Arc::make_mut(&mut cached);
        let looked = Instant::now();
        let seen = engine.look(&self.state, self.state.round + 1)?;
        let (refit, refitted) = (looked.elapsed(), matches!(seen, Some(Event::Fitted { .. })));
        seen.into_iter().for_each(|event| self.record(event));
        let mut opened = match engine.open(&self.state, given) {
            Ok(opened) => opened,
            // What was seen stands in the log together with a decision, or not at all.
            Err(error) => return self.rewind(length).and(Err(error)),
        };
        if let Event::Asked { decision, .. } = &mut opened.asked {
            decision.further_of = further_of;
        }
        self.record(opened.asked.clone());
        let profile = AskProfile { refit, refitted, ..engine.opened(&self.state, opened) };
        let mut cache = self.locked();
        cache.engine = Some(cached);
        cache.profile = Some(profile.of(start.elapsed()));
        drop(cache);
        self.trial(self.state.trials.count() - 1).map(Suggestion::of)
    }

    /// A trial by its number: an error where there is no such trial, and where it was [dropped](Self::drop_history).
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#)?)?;
    /// let asked = study.ask()?;
    /// assert_eq!(study.trial(asked.number)?.params, asked.params);
    /// assert!(study.trial(7).is_err());
    /// # Ok::<(), rpol::Error>(())
    /// ```
    pub fn trial(&self, number: u64) -> Result<&Trial> {
        let count = self.state.trials.count();
        match self.state.trials.get(number) {
            Some(trial) => Ok(trial),
            None if number < count => Err(Error::Compacted { number, remedy: DROPPED }),
            None => Err(Error::UnknownTrial { number, count }),
        }
    }

    /// The [`ENGINE_VERSION`](crate::study::ENGINE_VERSION) that created the study; `None` where its log is older than that,
    /// or [dropped](Self::drop_history).
    #[must_use]
    pub fn created_by(&self) -> Option<u32> {
        match self.log.first() {
            Some(Event::Created { engine, .. }) => *engine,
            _ => None,
        }
    }

    /// The definition.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Everything that happened, in order; after [`drop_history`](Self::drop_history) what happened since.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// Every trial, in the order of their numbers; after [`drop_history`](Self::drop_history) the first are missing.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        self.state.trials.kept()
    }

    /// Trials that are not compacted: all that may still be open.
    pub(crate) fn uncompacted(&self) -> &[Trial] {
        self.state.uncompacted()
    }

    /// The multipliers the next decision will use, one a constraint ($Q$, $\phi$ or $\kappa$).
    #[must_use]
    pub fn penalties(&self) -> Vec<f64> {
        let mut multipliers = self.state.closed(&self.spec, &self.plan).multipliers.clone();
        multipliers.truncate(self.spec.constraints.len());
        multipliers
    }
}
