//! Which settings can be played again.

use super::mind::Mind;
use crate::kernel::Covariance;
use crate::space::{Params, Space};

/// With fewer distinct settings every round may add one: they cost next to nothing.
const MANY: usize = 192;
/// Tried settings that are looked at: those most similar to the maximum.
const SIMILAR: usize = 6;

impl Mind {
    /// Whether settings tried before are to be played again where that is as good. Repeats merge exactly, so models grow
    /// with the settings that differ, not with the rounds.
    pub(super) fn is_thrifty(&self) -> bool {
        self.plan.thrift > 0.0 && self.models.on_values(0).0.factor().len() >= MANY
    }

    /// Settings tried before that the model of the objective takes to be most similar to `x`.
    pub(super) fn similar(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let factor = self.models.on_values(0).0.factor();
        let mut similarity = vec![0.0; factor.len()];
        factor.kernel().row(x, factor.inputs().view(), &mut similarity);
        let mut order: Vec<usize> = (0..similarity.len()).collect();
        let more = |a: &usize, b: &usize| similarity[*b].total_cmp(&similarity[*a]).then(a.cmp(b));
        if order.len() > SIMILAR {
            order.select_nth_unstable_by(SIMILAR, more);
            order.truncate(SIMILAR);
        }
        order.sort_unstable_by(more);
        let tried = order.into_iter().map(|i| factor.inputs().point(i));
        tried.filter(|x| is_repeatable(&self.spec.params, x)).collect()
    }
}

/// Whether the parameters of a point lead back to it, bit for bit.
pub(super) fn is_repeatable(space: &Space, x: &[f64]) -> bool {
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
