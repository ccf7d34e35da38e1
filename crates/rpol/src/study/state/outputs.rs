//! From metrics that were told to values of the outputs.

use super::State;
use super::forecast_errors::Answer;
use super::promise_record::is_baseline;
use crate::study::log::event::Metrics;
use crate::study::log::trial::{Arrival, Trial, TrialState};
use crate::study::spec::Spec;

/// What counts of a value beyond this: sums of many must stay finite, as an infinite penalty is one
/// for ever. The metric itself is kept as it was told.
const LARGEST: f64 = 1e300;

impl State {
    /// Notes what was told of a trial. Of a compacted one it changes nothing else.
    pub(in crate::study) fn tell(&mut self, spec: &Spec, number: u64, metrics: &Metrics) {
        let compacted = number < self.compacted.trials;
        let Some(trial) = self.trials.get_mut(number) else { return };
        for (metric, value) in metrics {
            let right = self.amendments.right(number, metric, *value);
            trial.metrics.insert(metric.clone(), right);
        }
        if compacted || trial.state == TrialState::Abandoned {
            return;
        }
        if is_baseline(spec, trial) && self.learn_baseline(number) {
            // A threshold relative to the baseline may just have become known to every trial.
            (self.compacted.trials..self.trials.count()).for_each(|i| self.reveal(spec, i));
        } else {
            self.reveal(spec, number);
        }
    }

    /// Notes that a trial gave no result.
    pub(in crate::study) fn fail(&mut self, number: u64, reason: &str) {
        let (round, compacted) = (self.round, number < self.compacted.trials);
        let Some(trial) = self.trials.get_mut(number) else { return };
        // What was voided stays so: else a later tell would count.
        if trial.state == TrialState::Abandoned {
            return;
        }
        let was_over = trial.is_feasible() == Some(false);
        trial.state = TrialState::Fail;
        trial.reason = Some(reason.into());
        if !compacted && trial.failed(round) {
            self.failures += 1;
            self.record.note_failure(trial);
            self.record.note_breakdown(trial);
            self.over += trial.newly_over(was_over, false);
        }
    }

    /// Takes metrics of the baseline from a trial that measured it; whether any were new.
    fn learn_baseline(&mut self, number: u64) -> bool {
        let known = self.baseline.len();
        let Some(trial) = self.trials.get(number) else { return false };
        // Limits stay what they are after a change, units do not.
        let renews = self.noticed > 0 && trial.round >= self.noticed;
        for (metric, reported) in &trial.metrics {
            let value = reported.value.get();
            self.baseline.entry(metric.clone()).or_insert(value);
            if renews {
                self.baseline_today.entry(metric.clone()).or_insert(value);
            }
        }
        self.baseline.len() > known
    }

    /// Turns metrics that have arrived into values of the outputs, each once.
    fn reveal(&mut self, spec: &Spec, number: u64) {
        let round = self.round;
        let Some(trial) = self.trials.get_mut(number) else { return };
        if trial.state == TrialState::Abandoned {
            return;
        }
        let was_over = trial.is_feasible() == Some(false);
        let was_complete = trial.has_all();
        for (q, metric) in spec.outputs().into_iter().enumerate() {
            let Some(reported) = trial.metrics.get(metric).filter(|_| trial.values[q].is_none())
            else {
                continue;
            };
            let raw = reported.value.get();
            let value = match q {
                0 => Some(spec.objective.direction().signed(raw)),
                _ => spec.constraints[q - 1].g(raw, self.baseline.get(metric).copied()),
            };
            let Some(value) = value.map(|v| v.clamp(-LARGEST, LARGEST)) else { continue };
            trial.values[q] = Some(Arrival { value, sem: reported.sem.map(|s| s.get()), round });
            if q > 0 && trial.decision.is_some() {
                self.revealed[q - 1].push((trial.number, value));
            }
            self.arrived += u64::from(q == 0);
            if let Some(answer) = Answer::of(trial, q).filter(|_| trial.round >= self.noticed) {
                self.forecast_errors[q].hear(answer);
            }
        }
        self.over += trial.newly_over(was_over, was_complete);
        let is_over = trial.is_feasible() == Some(false);
        if is_over && !was_over {
            self.record.note_over(trial);
        }
        self.record.note_breakdown(trial);
        if trial.has_all() && !was_complete && is_baseline(spec, trial) {
            self.record.note_baseline(!is_over);
        }
        if trial.has_all() {
            trial.ran(round);
            trial.state = TrialState::Complete;
            if is_better(trial, self.best.as_ref()) {
                self.best = Some(trial.clone());
            }
        }
    }
}

/// Whether a trial kept every limit and is worth more than the best so far; of equals the earlier one is the better.
fn is_better(trial: &Trial, best: Option<&Trial>) -> bool {
    let value = |trial: &Trial| trial.values[0].map_or(f64::MIN, |arrival| arrival.value);
    let better = |best: &Trial| {
        value(trial) > value(best) || (value(trial) == value(best) && trial.number < best.number)
    };
    trial.is_feasible() == Some(true) && best.is_none_or(better)
}
