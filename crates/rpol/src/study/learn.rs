//! What the models see: in step with the strategy, watched for change, fitted on schedule.
//!
//! *Categories* under a promise: the kernel of a mixed space is a product, Matern over the numbers
//! times $e^{-1/\ell}$ for every category that differs. $\ell = 3$ is expected, a correlation of
//! 0.72, and the evidence moves it. With $\ell$ near the lengths of the numbers it was 0.24, and
//! what was learned with one choice hardly counted for another.

use super::event::{Event, Fitted};
use super::fitting::{Fitting, Lesson, Rival};
use super::gathered::{Plain, Valued};
use super::gathering::Gathering;
use super::mind::Mind;
use super::model::Wanted;
use super::study::FIT;
use super::trial::Trial;
use super::view::View;
use crate::error::Result;
use crate::gp::evidence::{Data, Hyper};
use crate::gp::{Lengths, Priors, Scale, Warp};
use crate::random::Stream;
use crate::strategy::{Residual, Strategy};

/// Hyper-parameters are fitted again when so many values more have arrived: the cost of all fits stays
/// a constant number of times the last one's.
const GROWTH: f64 = 1.15;
/// Fewer values than this say less of lengthscales and noise than the last fit does.
const FEW: u64 = 8;
/// What the practical preset expects of the objective: open to long ones, along which a trend goes on.
const OBJECTIVE: Lengths = Lengths { typical: 0.25, deviation: 0.8 };
/// And of a constraint. Short: to believe too early that a limit has no gap is dearer than a second look.
const CONSTRAINT: Lengths = Lengths { typical: 0.2, deviation: 0.5 };
/// And under a promise that starts from a baseline: no place is held for safer than its distance to what was measured
/// allows, so the deviation is at least the unit, which is at least the baseline's distance from the limit.
const GUARDED: Priors = Priors {
    lengths: Lengths { typical: 0.35, deviation: 0.7 },
    categories: None,
    mean: 0.5,
    variance: 1.0,
};
/// And of failing: one that failed tells of others far away, until some of those have run.
const FAILURE: Priors = Priors {
    lengths: Lengths { typical: 0.5, deviation: 0.7 },
    categories: None,
    mean: 0.5,
    variance: 1.0,
};
/// And of a change of category, under a promise: what is learned of the numbers with one choice mostly holds with another, so
/// two of them are expected to have a correlation of $e^{-1/3} = 0.72$.
const CATEGORIES: Lengths = Lengths { typical: 3.0, deviation: 1.0 };
/// The spread of a constraint is at least this share of its distance from the limit: a limit is there to be kept, so
/// it must be within reach of the prior.
const WITHIN_REACH: f64 = 0.5;

impl Mind {
    /// Brings models and residuals to where decision `t` needs them: the same for a live study and
    /// for a replay, so that both end with the same bits.
    pub(super) fn follow(&mut self, t: u64) -> Result<()> {
        if matches!(self.plan.strategy, Strategy::EventTriggered(_)) {
            if self.state.changed {
                self.residuals.iter_mut().for_each(Vec::clear);
            } else {
                let new = self.new_residuals(t)?;
                self.residuals.iter_mut().zip(new).for_each(|(old, new)| {
                    old.extend(new.into_iter().map(|(_, residual)| residual));
                });
            }
        }
        let memory = self.state.closed(&self.spec, &self.plan).1;
        let fitted = self.state.beliefs(&self.plan);
        let plan = &*self.plan;
        let gathering =
            self.gather(&View { plan, memory: &memory, t, fitted: &fitted, alike: false });
        let outputs = fitted.iter().enumerate();
        let wanted: Vec<Wanted> =
            outputs.map(|(q, fitted)| Wanted::new(&gathering, q, fitted)).collect();
        self.models.sync(&wanted)
    }

    /// What a decision sees: the settled history, then the other trials.
    fn gather(&self, view: &View<'_>) -> Gathering {
        let mut gathering = self.state.settled.gathering.clone();
        self.in_sight(view).for_each(|trial| view.gather(trial, &mut gathering));
        gathering
    }

    /// Trials that are not settled and may be seen.
    pub(super) fn in_sight(&self, view: &View<'_>) -> impl Iterator<Item = &Trial> {
        let first = self.plan.strategy.learning().first(view.memory, view.t);
        let unsettled = self.state.unsettled();
        unsettled[unsettled.partition_point(|trial| trial.round.max(1) < first)..].iter()
    }

    /// Whether what was revealed in the open round tells of a change.
    pub(super) fn watch(&self, t: u64) -> Result<Option<Event>> {
        if matches!(self.plan.strategy, Strategy::Watchful(_)) {
            let change = self.state.vigil(&self.plan).change();
            return Ok(change.map(|since| Event::Changed { since }));
        }
        let Strategy::EventTriggered(strategy) = &self.plan.strategy else { return Ok(None) };
        for (old, new) in self.residuals.iter().zip(self.new_residuals(t)?) {
            let mut seen = old.clone();
            for (since, residual) in new {
                seen.push(residual);
                if strategy.fires(t, &seen) {
                    return Ok(Some(Event::Changed { since }));
                }
            }
        }
        Ok(None)
    }

    fn suspects_change(&self) -> bool {
        self.state.vigil(&self.plan).doubt().is_some()
    }

    /// Values revealed in the open round against what the models believed before them, with the
    /// round each was asked in.
    fn new_residuals(&self, t: u64) -> Result<Vec<Vec<(u64, Residual)>>> {
        let mut all = vec![Vec::new(); self.residuals.len()];
        if !self.models.ready() {
            return Ok(all);
        }
        for trial in self.state.unsettled() {
            let fresh =
                |q: &usize| trial.counts(*q) && trial.values[*q].is_some_and(|a| a.round + 1 == t);
            let outputs: Vec<usize> = (0..all.len()).filter(fresh).collect();
            if outputs.is_empty() || trial.round < self.state.memory.since {
                continue;
            }
            let at = self.models.estimate(&trial.x)?;
            for q in outputs {
                let value = trial.values[q].map_or(0.0, |a| a.value);
                let noise = self.noise_level(q)? * self.models.scale(q).spread;
                let residual =
                    Residual { error: value - at[q].mean, deviation: at[q].deviation, noise };
                all[q].push((trial.round, residual));
            }
        }
        Ok(all)
    }

    /// $R$ in standard units: what the width states, where it does; else what the model says.
    fn noise_level(&self, q: usize) -> Result<f64> {
        let stated = self.plan.width.constants(self.spec.outputs()[q])?;
        Ok(stated.map_or_else(|| self.models.noise(q).sqrt(), |(_, noise)| noise))
    }

    /// Scale and hyper-parameters of every output, where a round is to use new ones.
    pub(super) fn refit(&mut self, t: u64) -> Result<Option<Event>> {
        self.prepare_fit(t)?;
        let ready = self.fitting.take_if(|fitting| fitting.round <= t);
        ready.map(Fitting::finish).transpose()
    }

    /// Gathers what a fit is to learn from, when the plan says so and it is time.
    pub(super) fn prepare_fit(&mut self, t: u64) -> Result<()> {
        if self.fitting.is_none() && (self.plan.learn || self.plan.standardize) {
            self.fitting = self.fit_due(t)?;
        }
        Ok(())
    }

    fn fit_due(&self, t: u64) -> Result<Option<Fitting>> {
        if !self.has_enough_new() {
            return Ok(None);
        }
        let memory = self.state.closed(&self.spec, &self.plan).1;
        let fitted = self.state.beliefs(&self.plan);
        let view = View { plan: &self.plan, memory: &memory, t, fitted: &fitted, alike: true };
        let gathering = self.gather(&view);
        let asked_for = &gathering.values[..=self.spec.constraints.len()];
        let observations = asked_for.iter().copied().min().unwrap_or(0);
        // After a change few values are left: the old hyper-parameters serve until there are some more.
        if observations < self.state.fitted_on.clamp(1, FEW) || self.suspects_change() {
            return Ok(None);
        }
        let outputs = (0..fitted.len()).map(|q| self.lesson(&view, q));
        let lessons = outputs.collect::<Result<_>>()?;
        let first = self.state.fitted.is_none();
        let stream = Stream::new(self.spec.seed, t).fork(FIT);
        Ok(Some(Fitting::due(t, observations, first, lessons, stream)))
    }

    /// Whether enough values have arrived since the last fit to make another worth its cost.
    fn has_enough_new(&self) -> bool {
        let known = self.state.fitted.as_ref().map_or(0, Vec::len);
        if known > 0 && known < self.state.beliefs(&self.plan).len() {
            return true;
        }
        let new = self.state.arrived().saturating_sub(self.state.fitted_after);
        let growth = ((GROWTH - 1.0) * self.state.fitted_on as f64).ceil() as u64;
        new >= growth.max(1)
    }

    /// What the hyper-parameters of an output are to be learned from.
    fn lesson(&self, view: &View<'_>, q: usize) -> Result<Lesson> {
        let kernel = self.plan.kernel.clone();
        if !self.plan.learn {
            let scale =
                if self.plan.standardize { self.scale_of(view, q)? } else { Scale::default() };
            let (noise, warp) = (self.plan.noise, Warp::default());
            return Ok(Lesson::Known(Fitted { kernel, noise, warp, scale, degraded: None }));
        }
        let warm = self.state.fitted.as_ref().and_then(|fitted| fitted.get(q)).map(|fitted| {
            let Fitted { kernel, noise, .. } = fitted.clone();
            Hyper { kernel, noise, mean: 0.0 }
        });
        let rivals = self.rivals(view, q).into_iter().map(|warp| self.rival(view, q, warp));
        let rivals: Vec<Rival> = rivals.collect::<Result<_>>()?;
        // A promise is kept by feedback too: it needs no second look for a better explanation.
        let few = if self.plan.guards() { FEW as usize } else { 50 };
        let extra = usize::from(rivals[0].data.len() < few);
        let quick = self.plan.guards() && self.spec.baseline.is_some();
        Ok(Lesson::Learned { rivals, kernel, priors: self.priors(q), warm, extra, quick })
    }

    /// The values of an output under a transform.
    fn rival(&self, view: &View<'_>, q: usize, warp: Warp) -> Result<Rival> {
        let mut fitted = view.fitted.to_vec();
        fitted[q].warp = warp;
        let view = View { fitted: &fitted, ..*view };
        let scale = if self.plan.standardize { self.scale_of(&view, q)? } else { Scale::default() };
        let data = self.data(&self.gather(&view), q, scale)?;
        let told = self.in_sight(&view).filter(|trial| view.sighting(trial, q).is_some());
        let values = told.filter_map(|trial| trial.values[q]);
        let jacobian = values.map(|arrival| (warp.slope(arrival.value) / scale.spread).ln()).sum();
        Ok(Rival { warp, scale, data, jacobian })
    }

    fn priors(&self, q: usize) -> Priors {
        let guided = self.plan.guards() && self.spec.baseline.is_some();
        let priors = match q {
            0 => OBJECTIVE.into(),
            q if q > self.spec.constraints.len() => FAILURE,
            _ if guided => GUARDED,
            _ => CONSTRAINT.into(),
        };
        Priors { categories: guided.then_some(CATEGORIES), ..priors }
    }

    /// What was seen of an output, a row a setting.
    fn data(&self, gathering: &Gathering, q: usize, scale: Scale) -> Result<Data> {
        let mut data = Data::new(self.spec.params.dims(), scale);
        for (spot, seen) in gathering.of(q) {
            let Plain { weight, mean, scatter } = seen.plain;
            if weight > 0.0 {
                data.add_shared(&spot.x, weight, mean, scatter)?;
            }
            for Valued { value, noise } in seen.known(scale.spread) {
                data.add_known(&spot.x, value, noise)?;
            }
        }
        Ok(data)
    }

    /// The unit of an output. Settings played again and again say no more of it than one: else the spread would shrink to
    /// the noise as play settles down.
    fn scale_of(&self, view: &View<'_>, q: usize) -> Result<Scale> {
        let mut places = self.state.settled.places[q].clone();
        for trial in self.in_sight(view) {
            if let Some(value) = view.sighting(trial, q).and_then(|seen| seen.value) {
                places.note(&trial.x, value);
            }
        }
        if q > self.spec.constraints.len() {
            // Failed or not: 1 or -1.
            return Ok(Scale::default());
        }
        let means = places.means();
        let Scale { centre, spread } = Scale::robust(&means)?;
        // A spread of 1 where all places agree would be of no unit. Other policies keep what their logs were decided by.
        let agree = self.plan.guards() && means.iter().all(|mean| *mean == means[0]);
        let spread = if agree { 0.0 } else { spread };
        if q > 0 && self.plan.guards() && self.spec.baseline.is_some() {
            return self.guarded_scale(view, q, spread);
        }
        let least = if q == 0 { 0.0 } else { WITHIN_REACH * centre.abs() };
        let own = [spread.max(least), centre.abs()].into_iter().find(|spread| spread.is_normal());
        Ok(Scale { centre, spread: own.unwrap_or(1.0) })
    }
}
