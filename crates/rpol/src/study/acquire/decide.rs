//! One decision.

use super::guard::{Guarded, Ruling};
use super::recent::RecentSettings;
use super::reuse::repeatable;
use super::timed::{Search, Timed};
use crate::acquisition::{Beliefs, How, Reuse, argmax};
use crate::confidence::{Band, Gain, Moment};
use crate::error::{Error, Result};
use crate::gp::greedy_gain;
use crate::points::Points;
use crate::policy::Situation;
use crate::policy::score::{Estimate, Score};
use crate::random::Stream;
use crate::sobol::Sobol;
use crate::space::Params;
use crate::study::log::event::{By, Decision, Promise};
use crate::study::log::trial::Trial;
use crate::study::spec::streams::DESIGN;
use crate::study::surrogate::context::Context;

/// Points over which the greedy information gain is maximised.
const GAIN_POINTS: usize = 512;

/// A decision, and what it maximised.
pub(in crate::study) struct Decided {
    pub(in crate::study) params: Params,
    pub(in crate::study) decision: Decision,
    /// `None` where no model was asked.
    pub(in crate::study) score: Option<Score>,
    /// What finding it took.
    pub(in crate::study) search: Search,
    /// The recent settings, where they were computed.
    pub(in crate::study) recent: Option<RecentSettings>,
}

/// A point to play.
struct Chosen {
    x: Vec<f64>,
    /// What is believed there in standard units, where it was computed.
    at: Option<Vec<Estimate>>,
    by: By,
    infeasible: bool,
    promise: Promise,
    over: Option<f64>,
}

impl Chosen {
    fn new(x: Vec<f64>, by: By) -> Self {
        Self { x, at: None, by, infeasible: false, promise: Promise::default(), over: None }
    }
}

impl From<Guarded> for Chosen {
    fn from(guarded: Guarded) -> Self {
        let Guarded { x, at, by, promise, over } = guarded;
        Self { at: Some(at), promise, over: Some(over), ..Self::new(x, by) }
    }
}

impl Context<'_> {
    /// The decision of round `t`; the models are in step.
    pub(in crate::study) fn decide(&self, t: u64, given: Option<Params>) -> Result<Decided> {
        let fixed = given.map(|params| (params, By::User)).or_else(|| self.first_design(t));
        let space = &self.spec.params;
        if !self.models.ready()
            && let Some((params, by)) = fixed
        {
            return Ok(Decided {
                params: space.canonical(&params)?,
                decision: Decision::without_model(by),
                score: None,
                search: Search::default(),
                recent: None,
            });
        }
        let mut search = Search::default();
        let recent =
            if fixed.is_none() && self.reuses_settings() { self.recent_settings() } else { None };
        let (score, bands) = self.score(t)?;
        let (params, chosen) = match fixed {
            // Kept as given: through the unit cube a value may come back one rounding off.
            Some((params, by)) => {
                let x = space.encode(&params)?;
                let promise = if by == By::User { Promise::default() } else { self.last_promise() };
                (space.canonical(&params)?, Chosen { promise, ..Chosen::new(x, by) })
            }
            None => {
                let chosen = self.search(t, &score, &bands, recent.as_ref(), &mut search)?;
                let params = repeatable(space, &chosen.x);
                // At most one unit in the last place off: `at` stays valid.
                (params.clone(), Chosen { x: space.encode(&params)?, ..chosen })
            }
        };
        let Chosen { x, at, by, infeasible, promise, over } = chosen;
        let at = at.map_or_else(|| Beliefs::standard_estimate(self.models, &x), Ok)?;
        let (upper, lower) = self.bounds(&at, &bands);
        let over = over.or_else(|| self.charged(by, &at, promise));
        let decision = Decision {
            by,
            score: Some(score.rank(&at).value).filter(|value| value.is_finite()),
            upper: Some(upper),
            lower,
            infeasible,
            promise,
            over,
            further_of: None,
            forecast: self.forecast(&x, &at)?,
        };
        Ok(Decided { params, decision, score: Some(score), search, recent })
    }

    /// $\hat f$ and every $\check g_i$ of what is believed at a point, in the outputs' own units.
    pub(in crate::study) fn bounds(&self, at: &[Estimate], bands: &[Band]) -> (f64, Vec<f64>) {
        let upper = at[0].mean + bands[0].reach(at[0].deviation);
        let lower = |i: usize| {
            let lower = at[i].mean - bands[i].reach(at[i].deviation);
            self.models.warp(i).invert(self.models.unit(i).restore(lower))
        };
        let limits = 1..=self.spec.constraints.len();
        (
            self.models.warp(0).invert(self.models.unit(0).restore(upper)),
            limits.map(lower).collect(),
        )
    }

    /// What decision `t` maximises, and the bands it is made of; the models are in step.
    pub(in crate::study) fn score(&self, t: u64) -> Result<(Score, Vec<Band>)> {
        let multipliers = &self.closed().multipliers;
        let cautions = self.cautions();
        let bands = self.bands(t, multipliers, &cautions)?;
        let best = self
            .state
            .best_trial()
            .and_then(|trial| trial.values[0])
            .map(|a| self.models.unit(0).standard(self.models.warp(0).apply(a.value)));
        let cautions = &cautions;
        let situation = Situation { multipliers, bands: &bands, best, cautions };
        Ok((self.plan.policy.rule().score(&situation), bands))
    }

    /// What was promised last: it goes on for a setting that no policy chose.
    pub(in crate::study) fn last_promise(&self) -> Promise {
        let decided = self.state.trials.kept().iter().rev();
        decided
            .filter_map(|trial| trial.decision.as_ref())
            .map(|d| d.promise)
            .next()
            .unwrap_or_default()
    }

    /// Settings that no policy has to choose: the baseline first, and again after a change; the initial design; what a doubt asks
    /// to be measured again.
    pub(in crate::study) fn first_design(&self, t: u64) -> Option<(Params, By)> {
        let baseline = self.spec.baseline.as_ref();
        if let Some(baseline) = baseline.filter(|_| self.state.round == 0)
            && !self.is_known_to_violate(&baseline.params)
        {
            return Some((baseline.params.clone(), By::Baseline));
        }
        let design = self.plan.initial + u64::from(baseline.is_some());
        if t + self.known_history() <= design || !self.plan.has_models() {
            return Some((self.spec.params.decode(&self.untried_design_point(t)), By::Design));
        }
        if let Some(baseline) = self.baseline_again() {
            return Some((baseline, By::Baseline));
        }
        Some((self.recheck()?, By::Checked))
    }

    /// The point of the design for round `t`, or a later one where history has a violation nearer than anything good.
    fn untried_design_point(&self, t: u64) -> Vec<f64> {
        const FURTHER: u64 = 64;
        // Beyond the design, so that no other round takes the same; odd, as every 2^k-th point lies in one part of the cube.
        let stride = (self.plan.initial + 1) | 1;
        let points = (0..=FURTHER).map(|k| self.design_point(t + k * stride));
        let mut points = points.skip_while(|x| self.is_near_a_violation(x));
        points.next().unwrap_or_else(|| self.design_point(t))
    }

    fn design_point(&self, t: u64) -> Vec<f64> {
        let space = &self.spec.params;
        let mut stream = Stream::new(self.spec.seed, 0).fork(DESIGN);
        let mut sobol = Sobol::scrambled(space.dims(), &mut stream).expect("as for the candidates");
        sobol.skip(t - 1);
        let mut u = vec![0.0; space.dims()];
        sobol.next_into(&mut u);
        space.from_cube(&u)
    }

    fn search(
        &self,
        t: u64,
        score: &Score,
        bands: &[Band],
        recent: Option<&RecentSettings>,
        search: &mut Search,
    ) -> Result<Chosen> {
        if let Some(safe) = self.plan.policy.rule().safe_set() {
            let x = self.safe_choice(safe, t, bands)?;
            return Ok(Chosen::new(x, By::Pool));
        }
        let explored = match self.guarded(t) {
            Some(Ruling::Play(guarded)) => return Ok(guarded.into()),
            Some(Ruling::Explore(promise)) => Some(promise),
            Some(Ruling::Search) => {
                if let Some(near) = self.search_near(t, score) {
                    return Ok(Chosen { at: Some(near.at), ..Chosen::new(near.x, By::Pool) });
                }
                None
            }
            None => None,
        };
        let timed = Timed::new(self.models);
        let similar = |x: &[f64]| self.similar(x, recent);
        let recent = recent.map_or_else(Vec::new, |recent| self.tried(recent));
        let reuse = Reuse { share: self.reuse_share(), recent: &recent, similar: &similar };
        let reuse = self.reuses_settings().then_some(&reuse);
        let found = argmax(&self.spec.params, &timed, score, &self.hints(), reuse)?;
        *search = timed.taken();
        let infeasible = found.rank.violation > 0.0;
        if infeasible && self.plan.policy.rule().stops_when_infeasible() {
            return Err(Error::Infeasible { excess: found.rank.violation });
        }
        let by = match found.how {
            How::Exhaustive => By::Exhaustive,
            How::Polished => By::Polished,
            How::Pool => By::Pool,
            How::Repeated => By::Repeated,
        };
        let chosen = Chosen { at: found.at, infeasible, ..Chosen::new(found.x, by) };
        Ok(match explored {
            // Without a baseline the rule plays most rounds: one that found nothing new may be followed by a rest.
            Some(promise) if by == By::Repeated && self.spec.baseline.is_none() => {
                Chosen { promise, over: Some(1.0), ..chosen }
            }
            Some(promise) => Chosen { by: By::Explored, promise, over: Some(1.0), ..chosen },
            None => chosen,
        })
    }

    /// Points worth a look beside the pool: the last decisions and the best so far.
    fn hints(&self) -> Vec<Vec<f64>> {
        let recent = self.state.trials.kept().iter().rev().take(2).map(|trial| trial.x.clone());
        recent.chain(self.state.best_trial().map(|trial| trial.x.clone())).collect()
    }

    /// The band of the objective, then of each constraint.
    fn bands(&self, t: u64, multipliers: &[f64], cautions: &[f64]) -> Result<Vec<Band>> {
        let metrics = self.spec.outputs();
        let constraints = self.spec.constraints.len();
        let learning = self.plan.strategy.learning();
        let (stretch, extra_bound) = if self.plan.policy.rule().bounds_the_sum() {
            self.sum_of_outputs(&multipliers[..constraints], &metrics)?
        } else {
            (1.0, 0.0)
        };
        let mut bands = Vec::with_capacity(metrics.len());
        for (q, metric) in metrics.iter().enumerate() {
            let (lambda, gain) = (self.models.noise(q), self.gain(q));
            let moment = Moment {
                t: self.state.rounds_that_count(self.plan) + 1,
                horizon: self.spec.horizon,
                dims: self.spec.params.dims(),
                constraints,
                output: q,
                metric,
                gain,
                lambda,
                noise: lambda.sqrt(),
                stretch,
                extra_bound,
            };
            let mut band = self.plan.width.band(&moment)?;
            let stretch = self.stretch(q);
            band = match q.checked_sub(1).and_then(|i| cautions.get(i)) {
                Some(caution) => self.cautious_band(*caution, band, &moment, stretch)?,
                None => band.widened(stretch),
            };
            let rounds = self.spec.horizon.unwrap_or(t).max(t);
            let constants = self.plan.width.constants(metric)?;
            let factor = learning.slack(metric, constants, rounds)?;
            if factor > 0.0 {
                band.width += factor * self.widening(t, q);
            }
            band.offset += learning.offset(t, lambda, gain);
            bands.push(band);
        }
        // Failing may be ruled out no sooner than it is seen.
        bands.resize(self.models.outputs(), Band { width: 1.0, ..Band::default() });
        Ok(bands)
    }

    /// How much wider than the model's the intervals of an output are to be; a model that is given is taken at its word.
    pub(in crate::study) fn stretch(&self, q: usize) -> f64 {
        let watched = q <= self.spec.constraints.len();
        if self.plan.learn && watched { self.state.stretch(q) } else { 1.0 }
    }

    /// How much larger noise and norm of $f - \sum\kappa_jg_j$ are than those of $f$.
    fn sum_of_outputs(&self, kappa: &[f64], metrics: &[&str]) -> Result<(f64, f64)> {
        let mut extra = 0.0;
        for (kappa, metric) in kappa.iter().zip(&metrics[1..]) {
            extra += kappa * self.plan.width.constants(metric)?.map_or(0.0, |(bound, _)| bound);
        }
        Ok(((1.0 + kappa.iter().map(|k| k * k).sum::<f64>()).sqrt(), extra))
    }

    /// $\sum_s\sigma_t(x_s)$ over the points that widen the band, in standard units.
    fn widening(&self, t: u64, q: usize) -> f64 {
        let learning = self.plan.strategy.learning();
        let widens = |trial: &&Trial| trial.counts(q) && learning.widens(t, trial.timing(q));
        let points: Vec<&[f64]> = self
            .state
            .uncompacted()
            .iter()
            .filter(widens)
            .map(|trial| trial.x.as_slice())
            .collect();
        let points = Points::from_rows(self.spec.params.dims(), &points);
        self.models.wide(q).sigma_many(points.view()).iter().sum()
    }

    /// $\gamma$ of an output's model.
    pub(in crate::study) fn gain(&self, q: usize) -> f64 {
        let factor = self.models.wide(q).factor();
        match self.plan.gain {
            Gain::Realised => factor.gain(),
            Gain::Given(gain) => gain,
            Gain::Greedy => {
                let candidates = self.models.candidates();
                let points = candidates.view().range(0..GAIN_POINTS.min(candidates.len()));
                let gains =
                    greedy_gain(factor.kernel(), self.models.noise(q), points, factor.len());
                gains.last().copied().unwrap_or(0.0)
            }
        }
    }
}
