//! Settings tried before are played again where that is as good.

use super::mind::Mind;
use crate::argmax::{Beliefs, ranks};
use crate::confidence::Band;
use crate::error::Result;
use crate::kernel::Covariance;
use crate::points::Points;
use crate::policy::score::{Rank, Score};
use crate::space::{Params, Space};

/// With fewer distinct settings every round may add one: they cost next to nothing.
const MANY: usize = 256;
/// Tried settings that are looked at: those most similar to the maximum.
const SIMILAR: usize = 8;

impl Mind {
    /// A setting tried before whose score is at most $\eta\,\beta\sigma(x)$ below that of the maximum $x$: a share of the
    /// optimism that the maximum owes its score to. As that vanishes so does what is passed over, and all
    /// of it together is at most $\eta\sum_t\beta_t\sigma_t(x_t)$: the share $\eta/2$ of the usual bound
    /// $2\sum_t\beta_t\sigma_t(x_t)$ on regret.
    ///
    /// Repeats merge exactly, so models grow with the settings that differ, not with the rounds.
    pub(super) fn tried_before(
        &self,
        score: &Score,
        bands: &[Band],
        x: &[f64],
        found: Rank,
    ) -> Result<Option<Vec<f64>>> {
        let factor = self.models.on_values(0).0.factor();
        if self.plan.thrift <= 0.0 || factor.len() < MANY || score.hinges().is_none() {
            return Ok(None);
        }
        let deviation = Beliefs::estimate(&self.models, x)?[0].deviation;
        let passed_over = (self.plan.thrift * bands[0].reach(deviation)).max(0.0);
        let mut similarity = vec![0.0; factor.len()];
        factor.kernel().row(x, factor.inputs().view(), &mut similarity);
        let mut order: Vec<usize> = (0..similarity.len()).collect();
        let more = |a: &usize, b: &usize| similarity[*b].total_cmp(&similarity[*a]).then(a.cmp(b));
        order.select_nth_unstable_by(SIMILAR, more);
        order.truncate(SIMILAR);
        order.sort_unstable_by(more);
        let tried: Vec<Vec<f64>> = order.iter().map(|i| factor.inputs().point(*i)).collect();
        let tried: Vec<Vec<f64>> =
            tried.into_iter().filter(|x| is_repeatable(&self.spec.params, x)).collect();
        let points = Points::from_rows(x.len(), &tried);
        let ranks = ranks(score, &Beliefs::estimate_many(&self.models, points.view()));
        let good = |rank: &Rank| {
            rank.violation == found.violation && rank.value >= found.value - passed_over
        };
        let mut best: Option<(Rank, &Vec<f64>)> = None;
        for (rank, x) in ranks.into_iter().zip(&tried) {
            if good(&rank) && best.is_none_or(|(best, _)| rank.beats(best)) {
                best = Some((rank, x));
            }
        }
        Ok(best.map(|(_, x)| x.clone()))
    }
}

/// Whether the parameters of a point lead back to it, bit for bit.
fn is_repeatable(space: &Space, x: &[f64]) -> bool {
    space.encode(&space.decode(x)).is_ok_and(|again| again == x)
}

/// The parameters of `x`, or others a rounding away whose point leads back to them: else what is tried could not be
/// tried again.
pub(super) fn repeatable(space: &Space, x: &[f64]) -> Params {
    let mut params = space.decode(x);
    for _ in 0..4 {
        match space.encode(&params).map(|x| space.decode(&x)) {
            Ok(again) if again != params => params = again,
            _ => break,
        }
    }
    params
}
