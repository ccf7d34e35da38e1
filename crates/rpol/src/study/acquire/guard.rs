//! The best setting that keeps the promise.
//!
//! A setting may be played if `$\prod_i\Phi(-\mu_i/\sqrt{\sigma_i^2 + s_i^2}) \ge 1 - a_t$`, it
//! fails with a probability of at most 0.04, and it spares the budgets. Of these the one with the
//! largest $\mu_f + \sigma_f - p$ is played, in standard units, where $p$ is the probability that
//! it goes over or fails: a trial over costs the allowance of $1/r$ rounds, so the surer of equally
//! good settings is better. For a promise about means $s_i = 0$.
//!
//! *Region.* From a baseline nothing is played that is farther than 0.08 of the range, in any
//! coordinate, from all settings believed to keep the limits (0.7 or more). One level of an integer
//! is never too far, and categories do not count. Without a baseline there is no region.
//!
//! *First choices.* What another value of a category does is seen best where nothing else changes,
//! and at the baseline the margin is large. While the allowance is above 0, each value never played
//! is tried once with everything else as in the baseline, at most in every other round. Each
//! limit's mean must be kept with a probability of $1 - 5r$, and failing may be as probable as 0.3.
//! These trials are charged like any other.

use super::looked::{Looked, best};
use super::moves::{moved, within};
use super::risk::{Limit, Limits};
use super::search::likely;
use crate::acquisition::{Beliefs, is_exhaustive};
use crate::policy;
use crate::policy::score::Estimate;
use crate::random::Stream;
use crate::space::Coordinate;
use crate::study::log::event::{By, Promise};
use crate::study::log::trial::TrialState;
use crate::study::spec::streams::GUARD;
use crate::study::surrogate::context::Context;

/// A setting that goes over with more than this probability is no centre to move from, nor known to keep the limits.
pub(in crate::study) const DOUBTFUL: f64 = 0.3;
/// Deviations of the objective that count for a setting.
const HOPE: f64 = 1.0;
/// What a trial over a limit costs, in standard units of the objective: it uses up the allowance of 1/r rounds. Without it
/// play ran along the limits even where another setting was as good and surer.
const PRICE: f64 = 1.0;
/// The deviations where there is no baseline: RPOL's rule explores there, and guarded play fills the rounds between.
const HOPE_WITHOUT: f64 = 0.5;
/// From a baseline on, nothing is played that is farther than this from all settings that keep the limits, in some
/// coordinate: how a system breaks down is not foretold by how it works.
const REGION: f64 = 0.08;
/// Settings compared in each generation, and how far they are moved, as a share of the range.
const GENERATIONS: [(usize, f64, f64); 4] =
    [(320, 0.02, 0.5), (96, 0.01, 0.2), (64, 0.003, 0.05), (48, 0.0005, 0.01)];
/// With many settings every look is dear: so much fewer are compared.
const THRIFTY: usize = 4;
/// And a new one must promise so much more than those tried before, in standard units.
const WORTHWHILE: f64 = 0.02;
/// How probable failing may be, and how probable where a choice is made for the first time.
const FAILING: f64 = 0.04;
const FAILING_ONCE: f64 = 0.3;
/// How much less sure than the risk asks for a choice may be that is made for the first time.
const FIRST: f64 = 5.0;

/// What is to be played under a promise.
pub(in crate::study) enum Ruling {
    /// This setting.
    Play(Guarded),
    /// What RPOL's optimistic rule finds: nothing is known yet that keeps the limits.
    Search,
    /// The same, once: the risk allows for it.
    Explore(Promise),
}

/// A setting to play under a promise.
pub(in crate::study) struct Guarded {
    pub(in crate::study) x: Vec<f64>,
    pub(in crate::study) at: Vec<Estimate>,
    pub(in crate::study) by: By,
    pub(in crate::study) promise: Promise,
    /// The believed probability that it goes over a limit or fails.
    pub(in crate::study) over: f64,
}

/// What a setting has to keep.
pub(in crate::study) struct Rules<'a> {
    pub(in crate::study) limits: &'a Limits,
    promise: Promise,
    /// How probable it may be that it goes over a limit.
    allowed: f64,
    /// Deviations of the objective that count for it.
    hope: f64,
    /// What going over costs, in standard units of the objective.
    price: f64,
}

impl Rules<'_> {
    /// What playing a setting is worth, $\mu_f + \sigma_f$ less the price of what it risks; `None` where it may not be played.
    pub(in crate::study) fn worth(&self, looked: &Looked, j: usize) -> Option<f64> {
        let at = |q: usize| looked.output(q, j);
        let (over, fails) = (self.limits.over(at, self.promise), self.limits.fails(at));
        let may_be_played =
            over <= self.allowed && fails <= FAILING && self.limits.spares_budgets(at);
        may_be_played
            .then(|| looked.hope(j, self.hope) - self.price * (over + fails - over * fails))
    }
}

/// Whether two settings are one but for rounding.
fn is_same(x: &[f64], y: &[f64]) -> bool {
    x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-6)
}

/// A setting that keeps the rules, and what playing it is worth.
#[derive(Clone)]
pub(in crate::study) struct Leader {
    pub(in crate::study) worth: f64,
    pub(in crate::study) x: Vec<f64>,
    pub(in crate::study) at: Vec<Estimate>,
    pub(in crate::study) tried: bool,
}

impl Context<'_> {
    /// What is to be played under a promise in round `t`; `None` where none is made.
    pub(in crate::study) fn guarded(&self, t: u64) -> Option<Ruling> {
        let policy = self.plan.policy.rule().promise()?;
        self.guards_something().then(|| self.rule(t, policy))
    }

    /// Whether something is promised of the trials.
    fn guards_something(&self) -> bool {
        let promises = self.plan.policy.rule().promise().is_some_and(|policy| policy.risk < 1.0);
        promises && !self.spec.constraints.is_empty()
    }

    fn rule(&self, t: u64, policy: &policy::Guarded) -> Ruling {
        let limits = self.limits();
        let tried = self.believed(self.tried_settings());
        let (promise, over) = self.promise(policy, &limits, &tried);
        let good: Vec<usize> = (0..over.len()).filter(|j| over[*j] <= self.doubtful()).collect();
        let centre = match best(good.iter().copied(), |j| tried.mean(j)) {
            Some(centre) => centre,
            None if self.spec.baseline.is_none() => return Ruling::Search,
            None => best(0..over.len(), |j| -over[j]).unwrap_or(0),
        };
        let play = |leader: Leader, by: By| {
            let Leader { x, at, .. } = leader;
            let over = limits.over_or_fails(|q| at[q], promise);
            Ruling::Play(Guarded { x, at, by, promise, over })
        };
        let left = self.allowance_left();
        let bearable = self.bearable();
        let allowed =
            policy.allowed(t, left).map(|allowed| policy::Guarded::borne(allowed, bearable));
        let little = allowed.is_some_and(policy::Guarded::is_little);
        let heavier = little.then(|| limits.with_heavy_tails());
        let (hope, price) = match &self.spec.baseline {
            Some(_) => (HOPE, PRICE),
            None => (HOPE_WITHOUT, 0.0),
        };
        let limits_now = heavier.as_ref().unwrap_or(&limits);
        let rules =
            allowed.map(|allowed| Rules { limits: limits_now, promise, allowed, hope, price });
        if let Some(leader) = rules.as_ref().and_then(|rules| self.confirm(t, &tried, rules)) {
            return play(leader, By::Confirmed);
        }
        if left > 0.0 {
            if let Some(first) = self.first_choice(t, policy.risk.min(bearable), &limits) {
                return play(first, By::FirstChoice);
            }
            let from_baseline = self.spec.baseline.is_some();
            if bearable >= policy.risk && policy.explores(t, from_baseline, self.state.explored) {
                return Ruling::Explore(promise);
            }
        }
        let chosen = rules.and_then(|rules| self.search_guarded(t, &tried, centre, &good, &rules));
        if let Some(leader) = chosen {
            let by = if leader.tried { By::Repeated } else { By::Guarded };
            return play(leader, by);
        }
        let j = self.refuge(policy, &limits, &tried, &over, left).unwrap_or(centre);
        let (x, at) = (tried.points[j].clone(), tried.at(j));
        play(Leader { worth: 0.0, x, at, tried: true }, By::Known)
    }

    /// Of the settings tried before the best that is known to keep the limits. Where such a one went over too, only the baseline;
    /// where there is none, the surest.
    fn refuge(
        &self,
        policy: &policy::Guarded,
        limits: &Limits,
        tried: &Looked,
        over: &[f64],
        left: f64,
    ) -> Option<usize> {
        let spent = policy::Guarded::is_spent(left) && self.spec.baseline.is_some();
        let record = &self.state.record;
        let known = |j: &usize| {
            !spent
                && over[*j] <= policy.known()
                && record.speaks_for(&tried.points[*j], 0)
                && limits.spares_budgets(|q| tried.output(q, *j))
        };
        let pending = self.pending_settings();
        let free = |j: &usize| !pending.iter().any(|y| is_same(&tried.points[*j], y));
        let best_known = |free: &dyn Fn(&usize) -> bool| {
            best((0..over.len()).filter(known).filter(free), |j| tried.mean(j))
        };
        let best_known = best_known(&free).or_else(|| best_known(&|_| true));
        best_known.or_else(|| self.baseline_among(tried)).or_else(|| likely(tried, over))
    }

    /// How probable it is that a setting goes over that no search chose: what the strategy plays again is charged like any
    /// other trial.
    pub(in crate::study) fn charged(
        &self,
        by: By,
        at: &[Estimate],
        promise: Promise,
    ) -> Option<f64> {
        let own = matches!(by, By::Checked | By::Baseline) && self.guards_something();
        own.then(|| self.limits().over_or_fails(|q| at[q], promise))
    }

    /// Of settings whose beliefs these are, the best that is known to keep the limits; how probable it is that it does not, and
    /// by which measure.
    pub(in crate::study) fn known_recent(
        &self,
        at: &[Vec<Estimate>],
    ) -> Option<(usize, Promise, f64)> {
        let policy = self.plan.policy.rule().promise()?;
        // Playing the same again is charged like any other trial.
        if policy::Guarded::is_spent(self.allowance_left()) {
            return None;
        }
        let limits = self.limits();
        let known = |promise: Promise| {
            let over = |j: usize| limits.over_or_fails(|q| at[j][q], promise);
            let sure = (0..at.len()).filter(|j| over(*j) <= policy.known());
            best(sure, |j| at[j][0].mean).map(|j| (j, promise, over(j)))
        };
        match self.spec.baseline {
            Some(_) => known(Promise::Measured).or_else(|| known(Promise::Mean)),
            None => known(Promise::Mean),
        }
    }

    /// What can be promised, and how probable it is by that measure that each setting tried before goes over.
    ///
    /// Where the noise is deeper than the limits no setting keeps a promise about single measurements: then it is about means. So it
    /// is without a baseline: the optimum is mostly on a limit, where noise would use up the allowance and nothing is learned by it.
    fn promise(
        &self,
        policy: &policy::Guarded,
        limits: &Limits,
        tried: &Looked,
    ) -> (Promise, Vec<f64>) {
        let over = |promise: Promise| -> Vec<f64> {
            (0..tried.points.len()).map(|j| tried.over(limits, j, promise)).collect()
        };
        // What was seen of the baseline, not what is believed: a model may take a change of the system for noise.
        let can_be_kept =
            self.spec.baseline.is_some() && self.state.record.baseline_keeps(policy.risk);
        let promise = if can_be_kept { Promise::Measured } else { Promise::Mean };
        (promise, over(promise))
    }

    /// The best that keeps the rules, by generations of moves: the first from the centre and from the best of the pool, the
    /// next from the best so far, ever nearer.
    fn search_guarded(
        &self,
        t: u64,
        tried: &Looked,
        centre: usize,
        good: &[usize],
        rules: &Rules<'_>,
    ) -> Option<Leader> {
        let space = &self.spec.params;
        let thrifty = self.reuses_settings();
        let is_near = |x: &[f64]| {
            self.spec.baseline.is_none()
                || good.iter().any(|j| within(space, x, &tried.points[*j], REGION))
        };
        // What is being measured already is not asked for a second time.
        let pending = self.pending_settings();
        let better = |leader: Option<Leader>, looked: &Looked, tried: bool| {
            let free = |x: &[f64]| is_near(x) && !pending.iter().any(|y| is_same(x, y));
            let worth = |j: usize| Some((j, rules.worth(looked, j)?));
            let kept = (0..looked.points.len()).filter_map(worth);
            let kept = kept.filter(|(j, _)| free(&looked.points[*j]));
            let Some((j, worth)) = kept.reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
                return leader;
            };
            let needed = if thrifty { WORTHWHILE } else { 0.0 };
            let beats = |old: &Leader| worth > old.worth + if old.tried { needed } else { 0.0 };
            if leader.as_ref().is_none_or(beats) {
                let (x, at) = (looked.points[j].clone(), looked.at(j));
                return Some(Leader { worth, x, at, tried });
            }
            leader
        };
        let mut leader = better(None, tried, true);
        leader = better(leader, &self.pooled_settings(), false);
        if is_exhaustive(space, self.models.candidates()) {
            return leader;
        }
        let mut stream = Stream::new(self.spec.seed, t).fork(GUARD);
        for (count, near, far) in GENERATIONS {
            let count = if thrifty { count / THRIFTY } else { count };
            let points = (0..count).map(|i| {
                let from = match &leader {
                    Some(leader) if i % 2 == 0 => &leader.x,
                    _ => &tried.points[centre],
                };
                let scale = near * (far / near).powf(stream.uniform());
                moved(space, from, scale, &mut stream)
            });
            let points = points.filter(|x| is_near(x)).collect();
            leader = better(leader, &self.believed(points), false);
        }
        leader
    }

    fn pooled_settings(&self) -> Looked {
        let candidates = self.models.candidates();
        let points = (0..candidates.len()).map(|j| candidates.point(j)).collect();
        Looked { points, outputs: Beliefs::standard_pooled(self.models) }
    }

    /// A choice of a category that was never made, with everything else as in the baseline: the margin is large there, and
    /// what a category does is seen best where nothing else changes. In every other round at most.
    fn first_choice(&self, t: u64, risk: f64, limits: &Limits) -> Option<Leader> {
        let baseline = self.baseline_point().filter(|_| t.is_multiple_of(2))?;
        let was_made = |d: usize, choice: f64| {
            self.state.choices.contains(&(d, choice.to_bits())) || baseline[d] == choice
        };
        let mut untried = Vec::new();
        for (d, coordinate) in self.spec.params.coordinates().iter().enumerate() {
            let Coordinate::Category(count) = coordinate else { continue };
            for choice in (0..*count).map(|k| k as f64).filter(|choice| !was_made(d, *choice)) {
                let mut x = baseline.clone();
                x[d] = choice;
                untried.push(x);
            }
        }
        if untried.is_empty() {
            return None;
        }
        let looked = self.believed(untried);
        let sure = (1.0 - FIRST * risk).max(0.0);
        let may = |j: &usize| {
            let at = |q: usize| looked.output(q, *j);
            limits.each_kept(at, sure)
                && limits.spares_budgets(at)
                && limits.fails(at) <= FAILING_ONCE
        };
        let j = best((0..looked.points.len()).filter(may), |j| looked.hope(j, HOPE))?;
        Some(Leader { worth: 0.0, x: looked.points[j].clone(), at: looked.at(j), tried: false })
    }

    /// Settings that are being measured.
    fn pending_settings(&self) -> Vec<&[f64]> {
        let running = self.state.uncompacted().iter().filter(|t| t.state == TrialState::Running);
        running.map(|trial| trial.x.as_slice()).collect()
    }

    /// The limits as the next decision sees them.
    pub(in crate::study) fn limits(&self) -> Limits {
        let limit = |q: usize| Limit {
            stretch: self.stretch(q),
            noise: self.models.noise(q),
            most: self.most_to_spend(q),
        };
        let all: Vec<Limit> = (1..self.models.outputs()).map(limit).collect();
        let fails = all.len() > self.spec.constraints.len();
        Limits::new(all, fails)
    }

    /// What is left of the allowance, results still on their way taken for what they are expected to be; no more than the budgets
    /// can pay for.
    pub(in crate::study) fn allowance_left(&self) -> f64 {
        let multipliers = &self.closed().multipliers;
        let running = self.state.uncompacted().iter().filter(|t| t.state == TrialState::Running);
        let pending = running.filter_map(|trial| trial.decision.as_ref()?.over);
        let left = multipliers.last().copied().unwrap_or(0.0) - pending.sum::<f64>();
        (left + self.advance()).min(self.budgets_left())
    }

    /// What is paid in advance where there is no baseline.
    fn advance(&self) -> f64 {
        match self.plan.policy.rule().promise() {
            Some(policy) if self.spec.baseline.is_none() => policy.advance(self.spec.params.dims()),
            _ => 0.0,
        }
    }

    fn baseline_among(&self, tried: &Looked) -> Option<usize> {
        let baseline = self.baseline_point()?;
        tried.points.iter().position(|x| *x == baseline)
    }
}
