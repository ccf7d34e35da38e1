//! What the hyper-parameters of an output are learned from.
//!
//! *Categories* under a promise: the kernel of a mixed space is a product, Matern over the numbers
//! times $e^{-1/\ell}$ for every category that differs. $\ell = 3$ is expected, a correlation of
//! 0.72, and the evidence moves it. With $\ell$ near the lengths of the numbers it was 0.24, and
//! what was learned with one choice hardly counted for another.

use super::background_fit::{FitInput, Rival};
use super::context::Context;
use crate::error::Result;
use crate::gp::evidence::{Data, Hyper};
use crate::gp::{Lengths, Priors, Scale, Warp};
use crate::study::data::stats::{Plain, Valued};
use crate::study::data::table::SettingTable;
use crate::study::data::visible::View;
use crate::study::log::event::Fitted;
use crate::study::log::trial::Trial;

/// Fewer values than this say less of lengthscales and noise than the last fit does.
pub(in crate::study) const FEW: u64 = 8;

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
/// Settings that an output is learned from, over the square root of the number of outputs: of more, so many that are evenly
/// spread over the order in which they were first tried.
const MOST: f64 = 1024.0;
/// For the first fit, which nobody can go on without.
const MOST_AT_ONCE: f64 = 256.0;
/// The spread of a constraint is at least this share of its distance from the limit: a limit is there to be kept, so
/// it must be within reach of the prior.
const WITHIN_REACH: f64 = 0.5;

impl Context<'_> {
    /// What a decision sees: the compacted history, then the other trials.
    pub(in crate::study) fn gather(&self, view: &View<'_>) -> SettingTable {
        let mut table = self.state.compacted.table.clone();
        self.in_sight(view).for_each(|trial| view.gather(trial, &mut table));
        table
    }

    /// Trials that are not compacted and may be seen.
    pub(in crate::study) fn in_sight(&self, view: &View<'_>) -> impl Iterator<Item = &Trial> {
        let first = self.plan.strategy.learning().first(view.memory, view.t);
        let uncompacted = self.state.uncompacted();
        uncompacted[uncompacted.partition_point(|trial| trial.round.max(1) < first)..].iter()
    }

    /// What the hyper-parameters of an output are to be learned from.
    pub(in crate::study) fn fit_input(&self, view: &View<'_>, q: usize) -> Result<FitInput> {
        let kernel = self.plan.kernel.clone();
        if !self.plan.learn {
            let scale =
                if self.plan.standardize { self.scale_of(view, q)? } else { Scale::default() };
            let (noise, warp) = (self.plan.noise, Warp::default());
            return Ok(FitInput::Known(Fitted { kernel, noise, warp, scale, degraded: None }));
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
        Ok(FitInput::Learned { rivals, kernel, priors: self.priors(q), warm, extra, quick })
    }

    /// The values of an output under a transform.
    fn rival(&self, view: &View<'_>, q: usize, warp: Warp) -> Result<Rival> {
        let mut fitted = view.fitted.to_vec();
        fitted[q].warp = warp;
        let view = View { fitted: &fitted, ..*view };
        let scale = if self.plan.standardize { self.scale_of(&view, q)? } else { Scale::default() };
        let (data, share) = self.data(&self.gather(&view), q, scale)?;
        let told = self.in_sight(&view).filter(|trial| view.visible_value(trial, q).is_some());
        let values = told.filter_map(|trial| trial.values[q]);
        let jacobian: f64 =
            values.map(|arrival| (warp.slope(arrival.value) / scale.spread).ln()).sum();
        let jacobian = share * jacobian;
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

    /// How many settings an output is learned from.
    fn most_settings(&self) -> usize {
        let outputs = 1 + self.spec.constraints.len();
        let most = if self.state.fitted.is_none() { MOST_AT_ONCE } else { MOST };
        (most / (outputs as f64).sqrt()) as usize
    }

    /// What was seen of an output, a row a setting, and which share of the settings that is.
    fn data(&self, table: &SettingTable, q: usize, scale: Scale) -> Result<(Data, f64)> {
        let mut data = Data::new(self.spec.params.dims(), scale);
        let (all, most) = (table.of(q).count(), self.most_settings());
        let kept = |i: &usize| all <= most || i * most / all != (i + 1) * most / all;
        let rows = table.of(q).enumerate().filter(|(i, _)| kept(i)).map(|(_, row)| row);
        for (row, seen) in rows {
            let Plain { weight, mean, scatter } = seen.plain;
            if weight > 0.0 {
                data.add_shared(&row.x, weight, mean, scatter)?;
            }
            for Valued { value, noise } in seen.known(scale.spread) {
                data.add_known(&row.x, value, noise)?;
            }
        }
        Ok((data, (most as f64 / all.max(1) as f64).min(1.0)))
    }

    /// The unit of an output. Settings played again and again say no more of it than one: else the spread would shrink to
    /// the noise as play settles down.
    fn scale_of(&self, view: &View<'_>, q: usize) -> Result<Scale> {
        let mut bins = self.state.compacted.bins[q].clone();
        for trial in self.in_sight(view) {
            if let Some(value) = view.visible_value(trial, q).and_then(|seen| seen.value) {
                bins.note(&trial.x, value);
            }
        }
        if q > self.spec.constraints.len() {
            // Failed or not: 1 or -1.
            return Ok(Scale::default());
        }
        let means = bins.means();
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
