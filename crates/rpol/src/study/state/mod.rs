//! The fold over the log.

pub(in crate::study) mod calibration;
pub(in crate::study) mod change_test;
pub(in crate::study) mod compaction;
pub(in crate::study) mod forecast_errors;
pub(in crate::study) mod outputs;
pub(in crate::study) mod pace;
pub(in crate::study) mod promise_record;
pub(in crate::study) mod repeat_test;
pub(in crate::study) mod repeatable;
pub(in crate::study) mod setting_ids;
pub(in crate::study) mod trials;

use crate::gp::{Scale, Warp};
use crate::policy::Closing;
use crate::space::{Coordinate, Params};
use crate::strategy::{Memory, Outcome};
use crate::study::compact::Compacted;
use crate::study::log::amendments::Amendments;
use crate::study::log::event::{By, Decision, Event, Fitted, Metrics};
use crate::study::log::trial::{Lease, Trial, TrialState};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use change_test::ChangeTest;
use forecast_errors::ForecastErrors;
use indexmap::IndexMap;
use pace::Pace;
use promise_record::{PromiseRecord, home};
use serde::{Deserialize, Serialize};
use setting_ids::Settings;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use trials::Trials;

/// Everything the log adds up to, except for the models.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct State {
    #[serde(skip)]
    pub(in crate::study) trials: Trials,
    /// What those at the beginning add up to.
    pub(in crate::study) compacted: Compacted,
    /// How forecasts of each output were answered since the last change was noticed.
    pub(in crate::study) forecast_errors: Vec<ForecastErrors>,
    /// What they say of the next.
    pub(in crate::study) change_test: ChangeTest,
    /// The best feasible trial as observed.
    #[serde(skip)]
    pub(in crate::study) best: Option<Trial>,
    /// How many values of the objective have arrived.
    pub(in crate::study) arrived: u64,
    settings: Settings,
    /// How many rounds have been opened.
    pub(in crate::study) round: u64,
    /// As they stand once the rounds before the open one are closed.
    pub(in crate::study) multipliers: Vec<f64>,
    pub(in crate::study) memory: Memory,
    /// When a search is due.
    pub(in crate::study) pace: Pace,
    pub(in crate::study) fitted: Option<Vec<Fitted>>,
    /// Observations the last fit rested on.
    pub(in crate::study) fitted_on: u64,
    /// Values of the objective that had arrived at the last fit.
    pub(in crate::study) fitted_after: u64,
    /// Whether the system was seen to change in the open round.
    pub(in crate::study) changed: bool,
    /// The first round whose decision knew of the last change.
    pub(in crate::study) noticed: u64,
    /// Metrics of the baseline, as far as they are known: those that limits are relative to.
    pub(in crate::study) baseline: IndexMap<String, f64>,
    /// The same as measured since the last change.
    pub(in crate::study) baseline_today: IndexMap<String, f64>,
    /// Whether a change was noticed and the baseline was not asked for since.
    pub(in crate::study) unmeasured: bool,
    /// What counts as one of each output, and of what, as the open round's decision saw it; `None` before anything was
    /// fitted.
    units: Option<Vec<(Warp, f64)>>,
    /// Choices of categories that were made: the coordinate and the choice.
    pub(in crate::study) choices: BTreeSet<(usize, u64)>,
    /// Trials that were allowed to fail on purpose.
    pub(in crate::study) explored: u64,
    /// Trials that are known to have failed.
    pub(in crate::study) failures: u64,
    /// What became of promises about single settings.
    pub(in crate::study) record: PromiseRecord,
    /// How many trials are known since the open round to have gone over a limit.
    pub(in crate::study) over: f64,
    /// Costs of each constraint revealed in the open round, with their trials.
    pub(in crate::study) revealed: Vec<Vec<(u64, f64)>>,
    pub(in crate::study) amendments: Amendments,
    /// The open round as it closes with what was revealed so far, once somebody has asked.
    #[serde(skip)]
    closed: OnceLock<Closed>,
}

/// What the next decision uses, once the open round is closed.
#[derive(Debug, Clone)]
pub(in crate::study) struct Closed {
    pub(in crate::study) multipliers: Vec<f64>,
    /// What the strategy remembers beside the data.
    pub(in crate::study) memory: Memory,
}

impl State {
    pub(in crate::study) fn new(spec: &Spec, plan: &Plan, amendments: Amendments) -> Self {
        let constraints = spec.constraints.len();
        let schedule = plan.strategy.learning().schedule(spec.seed);
        Self {
            trials: Trials::default(),
            compacted: Compacted::new(constraints),
            forecast_errors: vec![ForecastErrors::default(); 1 + constraints],
            change_test: ChangeTest::new(1 + constraints, home(spec)),
            best: None,
            arrived: 0,
            settings: Settings::default(),
            round: 0,
            multipliers: plan.policy.rule().start(constraints),
            memory: Memory { since: 0, schedule },
            pace: Pace::default(),
            fitted: None,
            fitted_on: 0,
            fitted_after: 0,
            changed: false,
            noticed: 0,
            baseline: spec.baseline.as_ref().map(|b| b.metrics.clone()).unwrap_or_default(),
            baseline_today: IndexMap::new(),
            unmeasured: false,
            units: (!plan.standardize).then(|| vec![(Warp::default(), 1.0); 1 + constraints]),
            choices: BTreeSet::new(),
            explored: 0,
            failures: 0,
            record: PromiseRecord::default(),
            over: 0.0,
            revealed: vec![Vec::new(); constraints],
            amendments,
            closed: OnceLock::new(),
        }
    }

    /// The multipliers and the memory once the open round is closed: what the next decision uses.
    pub(in crate::study) fn closed(&self, spec: &Spec, plan: &Plan) -> &Closed {
        self.closed.get_or_init(|| self.close(spec, plan))
    }

    fn close(&self, spec: &Spec, plan: &Plan) -> Closed {
        let (mut multipliers, mut memory) = (self.multipliers.clone(), self.memory.clone());
        if self.round == 0 {
            return Closed { multipliers, memory };
        }
        let decision = self.trials.kept().iter().rev().find_map(|t| t.decision.as_ref());
        let revealed: Vec<Vec<f64>> = (0..self.revealed.len())
            .map(|i| by_trial(&self.revealed[i]).map(|cost| self.standard(i, cost)).collect())
            .collect();
        let lower = decision.map_or(&[][..], |d| &d.lower).iter().enumerate();
        let lower: Vec<f64> = lower.map(|(i, bound)| self.standard(i, *bound)).collect();
        let closing = Closing {
            t: self.rounds_that_count(plan),
            round: self.round,
            over: self.over,
            horizon: spec.horizon,
            revealed: &revealed,
            lower: &lower,
        };
        plan.policy.rule().close(&mut multipliers, &closing);
        if let Some(schedule) = &mut memory.schedule {
            plan.strategy.learning().close(schedule, self.round, &self.outcomes());
        }
        Closed { multipliers, memory }
    }

    /// A cost in standard units; before there are any, every violation counts as one.
    fn standard(&self, i: usize, cost: f64) -> f64 {
        match &self.units {
            Some(units) => units[i + 1].0.apply(cost) / units[i + 1].1,
            None if cost > 0.0 => 1.0,
            None => 0.0,
        }
    }

    /// Rounds opened since the multipliers began.
    pub(in crate::study) fn rounds_that_count(&self, plan: &Plan) -> u64 {
        match plan.strategy.learning().repeat_test() {
            Some(_) => self.round + 1 - self.memory.since.max(1),
            None => self.round,
        }
    }

    /// The best feasible trial as observed. Ties go to the earlier one.
    pub(in crate::study) fn best_trial(&self) -> Option<&Trial> {
        let best = self.best.as_ref()?;
        // As it is now, while it is there: it may have been told more.
        self.trials.get(best.number).or(Some(best))
    }

    /// How many values of the objective have arrived.
    pub(in crate::study) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Hyper-parameters of every output: fitted, or as the plan has them.
    pub(in crate::study) fn beliefs(&self, plan: &Plan) -> Vec<Fitted> {
        let mut outputs = self.fitted.clone().unwrap_or_default();
        let (kernel, noise) = (plan.kernel.clone(), plan.noise);
        let (warp, scale) = (Warp::default(), Scale::default());
        let prior = Fitted { kernel, noise, warp, scale, degraded: None };
        outputs.resize(self.forecast_errors.len() + usize::from(self.learns_failures(plan)), prior);
        outputs
    }

    /// Whether failing is modelled, as one more limit after those of the definition.
    pub(in crate::study) fn learns_failures(&self, plan: &Plan) -> bool {
        self.failures > 0 && plan.guards()
    }

    fn outcomes(&self) -> Vec<Outcome> {
        let outcome = |trial: &Trial| {
            let decision = trial.decision.as_ref()?;
            let value = |q: usize| trial.values[q].map(|a| a.value);
            let mut outputs = vec![(decision.upper?, value(0))];
            let costs = decision.lower.iter().enumerate();
            outputs.extend(costs.map(|(i, lower)| (-lower, value(i + 1).map(|c| -c))));
            Some(Outcome { round: trial.round, outputs })
        };
        self.trials.kept().iter().filter_map(outcome).collect()
    }

    /// Applies an event that has been checked.
    pub(in crate::study) fn apply(&mut self, spec: &Spec, plan: &Plan, event: &Event) {
        let closed = self.closed.take();
        match event {
            // A definition comes with the next event that is folded under it.
            Event::Created { .. } | Event::Corrected { .. } | Event::Revised(_) => {}
            // What it takes back was known before the fold began.
            Event::Voided { number, reason } => {
                if let Some(trial) = self.trials.get_mut(*number) {
                    trial.reason = Some(reason.clone());
                }
            }
            Event::Claimed { number, lease, again } => {
                if let Some(trial) = self.trials.get_mut(*number) {
                    // Logs of before it was noted have another name there.
                    let another = |before: &Lease| before.worker != lease.worker;
                    let again = *again || trial.lease.as_ref().is_some_and(another);
                    trial.reissued += u64::from(again);
                    trial.lease = Some(lease.clone());
                }
            }
            Event::Asked { number, round, params, decision } => {
                Closed { multipliers: self.multipliers, memory: self.memory } =
                    closed.unwrap_or_else(|| self.close(spec, plan));
                self.revealed.iter_mut().for_each(Vec::clear);
                self.over = 0.0;
                self.change_test = self.change_test(plan);
                self.forecast_errors.iter_mut().for_each(ForecastErrors::close);
                if let Some(fitted) = &self.fitted {
                    let unit = |output: &Fitted| (output.warp, output.scale.spread);
                    self.units = Some(fitted.iter().map(unit).collect());
                }
                self.round = *round;
                self.changed = false;
                self.unmeasured &= decision.by != By::Baseline;
                self.pace.note(decision.by);
                self.explored += u64::from(decision.by == By::Explored);
                self.begin(spec, *number, params, Some(decision));
                self.compact(spec, plan);
            }
            Event::Added { number, params, metrics } => {
                self.begin(spec, *number, params, None);
                self.tell(spec, *number, metrics);
            }
            Event::Told { number, metrics } => self.tell(spec, *number, metrics),
            Event::Failed { number, reason } => {
                self.fail(*number, reason);
            }
            Event::Changed { since } => {
                self.memory.since = *since;
                self.changed = true;
                self.noticed = self.round + 1;
                self.forecast_errors
                    .iter_mut()
                    .for_each(|watch| *watch = ForecastErrors::default());
                self.change_test = ChangeTest::new(self.forecast_errors.len(), home(spec));
                if plan.strategy.learning().repeat_test().is_some() {
                    self.unmeasured = spec.baseline.is_some();
                    self.baseline_today.clear();
                    self.compacted.outdate();
                    // What a policy keeps beside the penalties does not begin again.
                    let start = plan.policy.rule().start(spec.constraints.len());
                    let penalties = self.multipliers.iter_mut().take(spec.constraints.len());
                    penalties.zip(start).for_each(|(old, new)| *old = new);
                }
            }
            Event::Fitted { observations, outputs } => {
                self.fitted_on = *observations;
                self.fitted_after = self.arrived;
                self.fitted = Some(outputs.clone());
            }
        }
    }

    /// A trial that nothing was told of yet.
    fn begin(&mut self, spec: &Spec, number: u64, params: &Params, decision: Option<&Decision>) {
        let x = spec.params.encode(params).expect("checked when it was logged");
        let point = self.settings.number(&x);
        let coordinates = spec.params.coordinates().iter().enumerate();
        let categories = coordinates.filter(|(_, c)| matches!(c, Coordinate::Category(_)));
        self.choices.extend(categories.map(|(d, _)| (d, x[d].to_bits())));
        let voided = self.amendments.is_voided(number);
        self.trials.push(Trial {
            number,
            round: self.round,
            state: if voided { TrialState::Abandoned } else { TrialState::Running },
            params: params.clone(),
            metrics: Metrics::new(),
            decision: decision.cloned(),
            lease: None,
            reason: None,
            reissued: 0,
            x,
            point,
            values: vec![None; 2 + spec.constraints.len()],
        });
    }

    /// Drops settings that neither a trial nor the compacted history knows.
    pub(in crate::study) fn drop_setting_ids(&mut self) {
        let compacted = self.compacted.table.rows().iter().map(|row| row.point);
        let recent = self.trials.from(self.compacted.trials).iter().map(|trial| trial.point);
        self.settings.retain(recent.chain(compacted));
    }

    /// The same where the log that follows takes back or corrects some of itself.
    pub(in crate::study) fn amended(&self, log: &[Event]) -> Self {
        let mut state = Self { closed: OnceLock::new(), ..self.clone() };
        log.iter().for_each(|event| state.amendments.note(event));
        state
    }

    /// Forgets trials before `number`; what they taught stays.
    pub(in crate::study) fn forget_before(&mut self, number: u64) {
        if self.best.as_ref().is_some_and(|best| best.number < number) {
            self.best = self.best_trial().cloned();
        }
        self.trials.forget_before(number);
    }
}

/// Sums must not depend on the order in which tells of one round came in.
fn by_trial(costs: &[(u64, f64)]) -> impl Iterator<Item = f64> {
    let mut sorted = costs.to_vec();
    sorted.sort_by_key(|(trial, _)| *trial);
    sorted.into_iter().map(|(_, cost)| cost)
}
