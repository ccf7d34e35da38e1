//! What the models see: in step with the strategy, watched for change, fitted on schedule.

use super::event::{Event, Fitted};
use super::mind::Mind;
use super::model::{Seen, Wanted};
use super::study::FIT;
use super::trial::Trial;
use crate::error::Result;
use crate::gp::evidence::{Data, Hyper};
use crate::gp::{Lengths, Scale, fit};
use crate::policy::Policy;
use crate::random::Stream;
use crate::strategy::{Memory, Residual, Strategy, Surprise, Target};

/// Hyper-parameters are fitted again when so many values more have arrived: the cost of all fits stays
/// a constant number of times the last one's.
const GROWTH: f64 = 1.15;
/// Fewer values than this say less of lengthscales and noise than the last fit does.
const FEW: u64 = 8;
/// What the practical preset expects of the objective: open to long ones, along which a trend goes on.
const OBJECTIVE: Lengths = Lengths { typical: 0.25, deviation: 0.8 };
/// And of a constraint. Short: to believe too early that a limit has no gap is dearer than a second look.
const CONSTRAINT: Lengths = Lengths { typical: 0.2, deviation: 0.5 };
/// The spread of a constraint is at least this share of its distance from the limit: a limit is there to be kept, so
/// it must be within reach of the prior.
const WITHIN_REACH: f64 = 0.5;
/// A standard error below this share of the output's spread is taken as this much.
const FINEST: f64 = 1e-6;
/// And one above this many spreads as that much: its square must be a number.
const COARSEST: f64 = 1e100;

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
        let wanted = self.wanted(t, &memory);
        let inputs: Vec<&[f64]> =
            self.state.trials.iter().map(|trial| trial.x.as_slice()).collect();
        self.models.sync(&wanted, &inputs)
    }

    /// Whether what was revealed in the open round tells of a change.
    pub(super) fn watch(&self, t: u64) -> Result<Option<Event>> {
        if let Strategy::Watchful(strategy) = &self.plan.strategy {
            let first = self.surprises().filter_map(|s| strategy.change(&s)).min();
            return Ok(first.map(|since| Event::Changed { since }));
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

    /// What the values of each output say of a change since the last one.
    fn surprises(&self) -> impl Iterator<Item = Vec<Surprise>> {
        (0..1 + self.spec.constraints.len()).map(|q| self.state.surprises(q))
    }

    fn suspects_change(&self) -> bool {
        match &self.plan.strategy {
            Strategy::Watchful(strategy) => self.surprises().any(|s| strategy.suspects(&s)),
            _ => false,
        }
    }

    /// Values revealed in the open round against what the models believed before them, with the
    /// round each was asked in.
    fn new_residuals(&self, t: u64) -> Result<Vec<Vec<(u64, Residual)>>> {
        let mut all = vec![Vec::new(); self.residuals.len()];
        if !self.models.ready() {
            return Ok(all);
        }
        for trial in &self.state.trials {
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

    /// What the model of each output is to contain for decision `t`.
    fn wanted(&self, t: u64, memory: &Memory) -> Vec<Wanted> {
        (0..1 + self.spec.constraints.len())
            .map(|q| {
                let fitted =
                    self.state.fitted.as_ref().map_or_else(|| self.prior(), |f| f[q].clone());
                let mut wanted = Wanted::new(&fitted);
                let see = |(i, trial): (usize, &Trial)| self.see(t, memory, i, trial, q, &fitted);
                wanted.seen = self.state.trials.iter().enumerate().filter_map(see).collect();
                if q > 0 && matches!(self.plan.policy, Policy::Cautious(_)) {
                    // What is pending makes no limit any better known.
                    wanted.seen.retain(|seen| seen.value.is_some());
                }
                wanted
            })
            .collect()
    }

    fn prior(&self) -> Fitted {
        let (kernel, noise) = (self.plan.kernel.clone(), self.plan.noise);
        Fitted { kernel, noise, scale: Scale::default(), degraded: None }
    }

    fn see(
        &self,
        t: u64,
        memory: &Memory,
        index: usize,
        trial: &Trial,
        q: usize,
        fitted: &Fitted,
    ) -> Option<Seen> {
        let timing = trial.timing(q);
        if !trial.counts(q) || timing.asked < self.plan.policy.rule().data_from(t) {
            return None;
        }
        let sight = self.plan.strategy.learning().sees(memory, t, timing)?;
        let arrival = trial.values[q];
        let value = match sight.target {
            Target::Value => Some(arrival?.value),
            Target::Zero => Some(fitted.scale.centre),
            Target::Nothing => None,
        };
        let own = |sem: f64| (sem / fitted.scale.spread).clamp(FINEST, COARSEST).powi(2);
        let noise = arrival.and_then(|a| a.sem).map_or(fitted.noise, own);
        Some(Seen { trial: index, value, noise: noise * sight.stretch })
    }

    /// Fits scale and hyper-parameters of every output, when the plan says so and it is time.
    pub(super) fn refit(&self, t: u64) -> Result<Option<Event>> {
        if !self.plan.learn && !self.plan.standardize {
            return Ok(None);
        }
        let memory = self.state.closed(&self.spec, &self.plan).1;
        let wanted = self.wanted(t, &memory);
        let valued = |w: &Wanted| w.seen.iter().filter(|seen| seen.value.is_some()).count() as u64;
        let observations = wanted.iter().map(valued).min().unwrap_or(0);
        if !self.fit_is_due(observations) || self.suspects_change() {
            return Ok(None);
        }
        let mut stream = Stream::new(self.spec.seed, t).fork(FIT);
        let outputs = (0..wanted.len()).map(|q| self.fit_output(&wanted[q], q, &mut stream));
        let outputs = outputs.collect::<Result<_>>()?;
        Ok(Some(Event::Fitted { observations, outputs }))
    }

    /// After a change few values are left: the old hyper-parameters serve until there are some more.
    fn fit_is_due(&self, observations: u64) -> bool {
        let last = self.state.fitted_on;
        let new = self.state.arrived().saturating_sub(self.state.fitted_after);
        let growth = ((GROWTH - 1.0) * last as f64).ceil() as u64;
        observations >= last.clamp(1, FEW) && new >= growth.max(1)
    }

    fn fit_output(&self, wanted: &Wanted, q: usize, stream: &mut Stream) -> Result<Fitted> {
        let seen: Vec<(&Trial, f64)> = wanted
            .seen
            .iter()
            .filter_map(|seen| Some((&self.state.trials[seen.trial], seen.value?)))
            .collect();
        let scale = if self.plan.standardize { scale_of(&seen, q)? } else { Scale::default() };
        if !self.plan.learn {
            return Ok(Fitted { scale, ..self.prior() });
        }
        let mut data = Data::new(self.spec.params.dims(), scale);
        for (trial, value) in &seen {
            let finest = FINEST * scale.spread;
            let sem = trial.values[q].and_then(|a| a.sem);
            let variance = sem.map(|sem| standard_variance(sem.max(finest), scale.spread));
            data.observe_standard(&trial.x, *value, variance)?;
        }
        let warm = self.state.fitted.as_ref().map(|fitted| {
            let Fitted { kernel, noise, .. } = fitted[q].clone();
            Hyper { kernel, noise, mean: 0.0 }
        });
        let extra = usize::from(seen.len() < 50);
        let lengths = if q == 0 { OBJECTIVE } else { CONSTRAINT };
        let fitted = fit(&data, &self.plan.kernel, lengths, warm.as_ref(), extra, stream)?;
        let centre = scale.restore(fitted.hyper.mean);
        let degraded = fitted.degraded();
        let Hyper { kernel, noise, .. } = fitted.hyper;
        Ok(Fitted { kernel, noise, scale: Scale { centre, ..scale }, degraded })
    }
}

/// The square of a deviation, in standard units.
fn standard_variance(deviation: f64, spread: f64) -> f64 {
    let variance = deviation.powi(2) / spread / spread;
    // Divided first only where the square is beyond all bounds: logs are replayed bit for bit.
    match variance.is_normal() {
        true => variance,
        false => (deviation / spread).clamp(FINEST, COARSEST).powi(2),
    }
}

/// The unit of an output. Settings played again and again say no more of it than one: else the spread would shrink to
/// the noise as play settles down.
fn scale_of(seen: &[(&Trial, f64)], q: usize) -> Result<Scale> {
    let scale = Scale::robust(&by_place(seen))?;
    let least = if q == 0 { 0.0 } else { WITHIN_REACH * scale.centre.abs() };
    Ok(Scale { spread: scale.spread.max(least), ..scale })
}

/// Mean values of places: a setting less than this away from the first of a place, in every coordinate, belongs to it.
fn by_place(seen: &[(&Trial, f64)]) -> Vec<f64> {
    const NEAR: f64 = 0.1;
    let mut places: Vec<(&[f64], f64, f64)> = Vec::new();
    for (trial, value) in seen {
        let near = |x: &[f64]| x.iter().zip(&trial.x).all(|(a, b)| (a - b).abs() < NEAR);
        match places.iter_mut().find(|(x, ..)| near(x)) {
            Some((_, mean, count)) => {
                *count += 1.0;
                // Divided first: two huge values may have no finite difference.
                *mean += value / *count - *mean / *count;
            }
            None => places.push((&trial.x, *value, 1.0)),
        }
    }
    places.into_iter().map(|(_, mean, _)| mean).collect()
}
