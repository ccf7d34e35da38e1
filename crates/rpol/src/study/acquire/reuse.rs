//! Which settings can be played again.
//!
//! Reuse of settings: from 192 distinct settings on, a setting tried before is played again when
//! its score lacks at most $\eta\beta_t\sigma_t(x)$ of the maximum, a share of the optimism in its
//! own upper bound. With $n$ settings $\eta = 0.2\min(1, n/1024)$ (`model.reuse`; 0 under the
//! printed preset): one more setting costs more the more there are. Compared are the 64 recent
//! settings, whose joint posterior is known before any search, and the two others most similar to
//! where the first step of a climb leads. A setting can be repeated if its parameters lead back to
//! its point bit for bit, so a decision is moved by one rounding where they would not.

use super::recent::RecentSettings;
use crate::acquisition::Tried;
use crate::kernel::{Covariance, KernelRow};
use crate::space::{Params, Space};
use crate::study::surrogate::context::Context;
use crate::study::surrogate::tracked::RECENT;

/// With fewer distinct settings every round may add one: they cost next to nothing.
const MANY: usize = 192;
/// Reuse grows with their number, as the cost of one more does, up to this one: full from the beginning it kept one run in twenty
/// from learning where the limit is.
const FULL: usize = 1024;
/// Tried settings that a solve is spent on: those most similar to the maximum that are not recent.
const SIMILAR: usize = 2;
/// The same where there are no recent ones.
const MORE_SIMILAR: usize = 6;

impl Context<'_> {
    /// Whether settings tried before are to be played again where that is as good. Repeats merge exactly, so models grow
    /// with the settings that differ, not with the rounds.
    pub(in crate::study) fn reuses_settings(&self) -> bool {
        self.plan.reuse > 0.0 && self.models.on_values(0).0.factor().len() >= MANY
    }

    /// How much of the optimism behind the best score a setting tried before may lack.
    pub(in crate::study) fn reuse_share(&self) -> f64 {
        let settings = self.models.on_values(0).0.factor().len();
        self.plan.reuse * (settings as f64 / FULL as f64).min(1.0)
    }

    /// The recent settings, and what is believed there.
    pub(in crate::study) fn tried(&self, recent: &RecentSettings) -> Vec<Tried> {
        let tried = |i: usize| (recent.x(i).to_vec(), recent.standard(self.models, i));
        (0..recent.len()).map(tried).collect()
    }

    /// Other settings tried before that the model of the objective takes to be most similar to `x`.
    pub(in crate::study) fn similar(
        &self,
        x: &[f64],
        recent: Option<&RecentSettings>,
    ) -> Vec<Vec<f64>> {
        let factor = self.models.on_values(0).0.factor();
        let mut similarity = vec![0.0; factor.len()];
        factor.kernel().row(KernelRow::new(x, factor.inputs().view()), &mut similarity);
        // The recent ones are the last.
        let (others, most) = match recent {
            Some(_) => (factor.len().saturating_sub(RECENT), SIMILAR),
            None => (factor.len(), MORE_SIMILAR),
        };
        let mut order: Vec<usize> = (0..others).collect();
        let more = |a: &usize, b: &usize| similarity[*b].total_cmp(&similarity[*a]).then(a.cmp(b));
        if order.len() > most {
            order.select_nth_unstable_by(most, more);
            order.truncate(most);
        }
        order.sort_unstable_by(more);
        let tried = order.into_iter().map(|i| factor.inputs().point(i));
        tried.filter(|x| is_repeatable(&self.spec.params, x)).collect()
    }
}

/// Whether the parameters of a point lead back to it, bit for bit.
pub(in crate::study) fn is_repeatable(space: &Space, x: &[f64]) -> bool {
    space.encode(&space.decode(x)).is_ok_and(|again| again == x)
}

/// The parameters of `x`, or others a rounding away whose point leads back to them: else what is tried could not be
/// tried again.
pub(in crate::study) fn repeatable(space: &Space, x: &[f64]) -> Params {
    let mut params = space.decode(x);
    for _ in 0..4 {
        match space.encode(&params).map(|x| space.decode(&x)) {
            Ok(again) if again != params => params = again,
            _ => break,
        }
    }
    params
}
