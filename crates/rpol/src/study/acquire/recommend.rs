//! What to run now.
//!
//! Only measured settings are recommended: the best of all settings by the surrogate is often one
//! where the surrogate is wrong in its favour. Among them the best looks better than it is, for the
//! same reason (the winner's curse). So before the horizon ends the leader is measured again: as
//! often as its noise and its margin ask for, until the means keep all limits with the confidence
//! asked for or it has lost its place. These trials are charged to the allowance like all others.

use super::breakdown::Breakdown;
use super::guard::{Leader, Rules};
use super::looked::{Looked, best};
use super::outlook::{Metric, Outlook, Own};
use super::risk::Limits;
use crate::study::data::table::SettingTable;
use crate::study::data::visible::View;
use crate::study::log::event::Fitted;
use crate::study::surrogate::context::Context;

/// Measurements of its own that a recommended setting needs: the one it was chosen by and another.
const CONFIRMED: u64 = 2;
/// What a candidate is worth less for every measurement that it still needs: any of them may end its hopes.
const PATIENCE: f64 = 0.9;
/// One trial in this number of a recommended setting may have gone over a limit.
const SELDOM: u64 = 10;
/// Rounds to spare when the leader is measured again: another may have to take its place.
const SPARE: u64 = 2;

/// A measured setting and what it promises.
#[derive(Debug, Clone)]
pub(in crate::study) struct Prospect {
    pub(in crate::study) x: Vec<f64>,
    /// How often it was measured.
    pub(in crate::study) measured: u64,
    /// The objective, then every limit.
    pub(in crate::study) outlooks: Vec<Outlook>,
    /// The probability that it fails.
    pub(in crate::study) fails: f64,
    /// How often it was tried, and how often it then went over a limit or failed.
    pub(in crate::study) tried: (u64, u64),
    /// How near it is to settings that broke down: the largest correlation.
    pub(in crate::study) near: f64,
    /// $\mu_f$ in standard units.
    pub(in crate::study) worth: f64,
    /// Whether its own trials and the promised risk allow it to be recommended.
    pub(in crate::study) sound: bool,
}

impl Prospect {
    /// The probability that all means keep their limits.
    pub(in crate::study) fn mean_within(&self) -> f64 {
        let kept = self.limits().map(Outlook::mean_within).product::<f64>() * (1.0 - self.fails);
        self.breakdown().mean(kept)
    }

    /// The probability that the next measurement keeps every limit.
    pub(in crate::study) fn next_within(&self) -> f64 {
        self.breakdown().next(self.model_next())
    }

    /// The same by the models alone.
    fn model_next(&self) -> f64 {
        self.limits().map(Outlook::next_within).product::<f64>() * (1.0 - self.fails)
    }

    /// Whether the setting breaks down in a way that no model foretells.
    pub(in crate::study) fn breakdown(&self) -> Breakdown {
        let blind = self.limits().any(Outlook::is_blind);
        let prior = Breakdown::prior(blind, self.near);
        Breakdown::new(prior, self.tried.0, self.tried.1, self.model_next())
    }

    fn limits(&self) -> impl Iterator<Item = &Outlook> {
        self.outlooks[1..].iter()
    }

    pub(in crate::study) fn is_confirmed(&self, confidence: f64) -> bool {
        self.measured >= CONFIRMED && self.is_likely(confidence)
    }

    pub(in crate::study) fn is_likely(&self, confidence: f64) -> bool {
        self.sound && self.mean_within() >= confidence
    }

    /// How many more measurements would confirm it if they agree with what is believed; `None` where more than `most` would.
    fn needs(&self, confidence: f64, most: u64) -> Option<u64> {
        let likely = |more: u64| {
            let outlooks = self.outlooks.iter().map(|outlook| outlook.after(more as f64)).collect();
            let tried = (self.tried.0 + more, self.tried.1);
            Self { outlooks, tried, x: Vec::new(), ..*self }.mean_within() >= confidence
        };
        let least = CONFIRMED.saturating_sub(self.measured).max(1);
        (least..=most).find(|more| likely(*more))
    }
}

impl Context<'_> {
    /// Every setting that was measured, and what it promises.
    pub(in crate::study) fn prospects(&self) -> Vec<Prospect> {
        let limits = self.limits();
        let tried = self.believed(self.tried_settings());
        self.prospects_of(&tried, &limits)
    }

    fn prospects_of(&self, tried: &Looked, limits: &Limits) -> Vec<Prospect> {
        let memory = &self.closed().memory;
        let fitted = self.state.beliefs(self.plan);
        let (plan, t) = (self.plan, self.state.round + 1);
        let table = self.gather(&View { plan, memory, t, fitted: &fitted, alike: false });
        let place = |x: &[f64]| table.rows().iter().position(|row| &*row.x == x);
        let measured = (0..tried.points.len()).filter_map(|j| Some((j, place(&tried.points[j])?)));
        let prospect = |(j, place)| self.prospect(tried, j, limits, &table, place, &fitted);
        measured.filter_map(prospect).collect()
    }

    fn prospect(
        &self,
        tried: &Looked,
        j: usize,
        limits: &Limits,
        table: &SettingTable,
        place: usize,
        fitted: &[Fitted],
    ) -> Option<Prospect> {
        let x = tried.points[j].clone();
        let outlook = |q: usize| {
            let unit = self.models.unit(q);
            let mut believed = tried.output(q, j);
            believed.deviation *= self.stretch(q);
            let stats = &table.at(place)[q];
            let own = Own::of(stats, unit, &fitted[q])?;
            let prior = self.models.on_values(q).0.factor().kernel().value(&x, &x);
            let metric = Metric { warp: self.models.warp(q), unit, noise: self.models.noise(q) };
            Some((Outlook::new(believed, prior, own, metric), stats.count))
        };
        let outputs: Vec<(Outlook, u64)> =
            (0..=self.spec.constraints.len()).map(outlook).collect::<Option<_>>()?;
        let measured = outputs.iter().map(|(_, count)| *count).min()?;
        let outlooks: Vec<Outlook> = outputs.into_iter().map(|(outlook, _)| outlook).collect();
        let fails = limits.fails(|q| tried.output(q, j));
        let worth = tried.mean(j);
        let near = self.nearest_breakdown(&x);
        let (failed, over) = self.state.record.broken(&x);
        let tried = (measured + failed, over + failed);
        let mut prospect =
            Prospect { x, measured, outlooks, fails, tried, near, worth, sound: true };
        prospect.sound = self.keeps_promise(&prospect);
        Some(prospect)
    }

    /// Where there is a baseline, what is recommended keeps the promise too: by the models its next measurement goes over with a
    /// probability of at most the risk, and of its own trials none failed and one of ten at most went over. Without a baseline the noise
    /// may be deeper than the limits: then single measurements prove nothing.
    fn keeps_promise(&self, prospect: &Prospect) -> bool {
        let Some(policy) = self.plan.policy.rule().promise() else { return true };
        if self.spec.baseline.is_none() {
            return true;
        }
        let keeps = !self.state.record.baseline_keeps(policy.risk)
            || 1.0 - prospect.model_next() <= policy.risk.max(policy.known());
        keeps && self.state.record.speaks_for(&prospect.x, prospect.measured / SELDOM)
    }

    /// The setting that is to be measured again now because it may be recommended and is not confirmed; `None` while there
    /// is time, or where nothing that may be played would be recommended.
    pub(in crate::study) fn confirm(
        &self,
        t: u64,
        tried: &Looked,
        rules: &Rules<'_>,
    ) -> Option<Leader> {
        let remaining = (self.spec.horizon?).checked_sub(t - 1)?;
        let confidence = self.confidence();
        // Far from the end nothing is looked at: no confirmation takes a third of a study.
        if remaining == 0 || remaining > self.spec.horizon? / 3 {
            return None;
        }
        let prospects = self.prospects_of(tried, rules.limits);
        let held = prospects.iter().filter(|p| p.is_confirmed(confidence) || self.is_home(&p.x));
        let least = prospects.iter().map(|p| p.worth).fold(f64::INFINITY, f64::min);
        let held = held.map(|p| p.worth).fold(least, f64::max);
        let hope = |(p, needs): (&Prospect, u64)| {
            p.mean_within() * (p.worth - held) * PATIENCE.powi(needs as i32)
        };
        let open: Vec<(&Prospect, u64)> = prospects
            .iter()
            .filter(|p| p.worth >= held && p.sound && !p.is_confirmed(confidence))
            .filter_map(|p| Some((p, p.needs(confidence, remaining)?)))
            .collect();
        let playable = |i: &usize| {
            let j = tried.points.iter().position(|x| *x == open[*i].0.x);
            j.is_some_and(|j| rules.worth(tried, j).is_some())
        };
        let i = best((0..open.len()).filter(playable), |i| hope(open[i]))?;
        let (prospect, needs) = open[i];
        if remaining > needs + SPARE {
            return None;
        }
        let j = tried.points.iter().position(|x| *x == prospect.x)?;
        let (x, at) = (tried.points[j].clone(), tried.at(j));
        Some(Leader { worth: prospect.worth, x, at, tried: true })
    }

    fn is_home(&self, x: &[f64]) -> bool {
        self.baseline_point().is_some_and(|home| home == x)
    }

    /// How probable it must be that the means of a recommended setting keep all limits.
    pub(in crate::study) fn confidence(&self) -> f64 {
        self.spec.confidence.level()
    }
}
