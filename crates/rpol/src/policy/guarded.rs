//! A promised risk, kept.

use super::cautious::Cautious;
use super::score::Score;
use super::{Closing, Rule, Situation};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// At most a share `risk` of the trials goes over a limit, as measured.
///
/// Two layers keep it. *By the model*: a setting is played only where the next measurement keeps every limit with
/// probability at least $1 - a_t$. *By feedback*, whatever the model gets wrong: an allowance $b$, counted in trials, gains $r_t$ a
/// round and loses 1 for every trial that goes over,
///
/// $$b_{t+1} = \min(b_t + r_t,\ B) - v_t, \qquad r_t = r\min\big(1, \sqrt{t_0/t}\big), \qquad
///   a_t = r_t\min(1, b_t).$$
///
/// Where that is below $\epsilon$, so when little is left, a setting may still be played that is as sure as $\epsilon$ by a model
/// with heavier tails: one near what was measured. Where $b_t \le -o$ only the baseline is played. So every trial that goes over,
/// but one of the baseline, finds $b_t > -o$ and leaves $b_{t+1} > -1 - o$; as $b_{t+1} \le b_t + r_t - v_t$, summing over the rounds gives, on every path,
///
/// $$N_T \le b_1 - b_{T+1} + \sum_{t \le T} r_t \le 1.8 + \sum_{t \le T} r_t \le 1.8 + 2r\sqrt{t_0T}$$
///
/// trials over a limit, without any assumption on the model, the noise or their distribution, beside those of the baseline
/// itself. With results still on their way their number is added.
///
/// Without a baseline the promise is about means, and the surest setting takes the baseline's place. Then $N_T$ is not a number of
/// measurements over a limit: a trial counts for $(2p - 1)^+$, where $p$ is the believed probability, after its measurement, that
/// a mean is over, and a failed one for 1. And $b_1$ is larger by $20r(d+1)$ in $d$ dimensions, at the default risk two for each
/// setting of the first design: what RPOL's rule spends to learn where the limits are. So
///
/// $$N_T \le 1.8 + 20r(d+1) + \sum_{t \le T} r_t,$$
///
/// beside trials before anything was known that keeps the limits and those of the surest setting while nothing is left.
///
/// This is one-sided adaptive conformal inference (Gibbs & Candès 2021) with a ceiling that falls: without it the rate of
/// trials over a limit would rise until it meets $r$ for ever.
///
/// Before any setting is known that keeps the limits there is nothing to guard, and RPOL's optimistic rule searches for one;
/// with `risk = 1` nothing ever is guarded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guarded {
    /// $r$, from 0 to 1.
    #[serde(default = "default_risk")]
    pub risk: f64,
}

fn default_risk() -> f64 {
    Guarded::DEFAULT
}

impl Default for Guarded {
    fn default() -> Self {
        Self { risk: Self::DEFAULT }
    }
}

/// $b_1$. With $o$ it makes the bound of sixty rounds the risk and three points.
const START: f64 = 0.2;
/// $B$: no more than this is saved up.
const MOST: f64 = 2.0;
/// $t_0$: rounds until the ceiling begins to fall.
const LEVEL: f64 = 60.0;
/// $\epsilon$: what is as sure as this, by a model with heavier tails, counts as sure.
const SURE: f64 = 0.01;
/// $o$: how far below 0 the allowance may be while anything but the baseline is played.
const LAST: f64 = 0.6;
/// How often a setting that was measured before and is known to keep the limits may go over at the least, and at the most.
const KNOWN: [f64; 2] = [0.003, 0.03];
/// The part of the risk that is spent on purpose from a baseline on.
const EXPLORING: f64 = 0.03;
/// The caution of RPOL's rule under a promise without a baseline.
const WITHIN: f64 = 0.8;
/// Rounds whose allowance is paid in advance, for each setting of a first design, without a baseline.
const ADVANCE: f64 = 20.0;
/// What weighs on a setting that is expected to fail.
const FAILURE: f64 = 10.0;

impl Guarded {
    /// $r$ by default.
    pub const DEFAULT: f64 = 0.1;

    /// The risk that a caution from 0 to 1 stands for: its odds against, a tenth at even odds.
    pub(crate) fn of_caution(caution: f64) -> f64 {
        if caution <= 0.0 { 1.0 } else { (Self::DEFAULT * (1.0 - caution) / caution).min(1.0) }
    }

    /// $r_t$.
    pub(crate) fn rate(&self, t: u64) -> f64 {
        self.risk * (LEVEL / t as f64).sqrt().min(1.0)
    }

    /// $a_t$, where so much of the allowance is left, at least $\epsilon$; `None` where it is used up.
    pub(crate) fn allowed(&self, t: u64, left: f64) -> Option<f64> {
        (!Self::is_spent(left)).then(|| (self.rate(t) * left.clamp(0.0, 1.0)).max(SURE))
    }

    /// Whether this is so little that a setting has to be sure by a model with heavier tails.
    pub(crate) fn is_little(allowed: f64) -> bool {
        allowed <= SURE
    }

    /// What is allowed where no more than this can be borne.
    pub(crate) fn borne(allowed: f64, bearable: f64) -> f64 {
        allowed.min(bearable).max(SURE)
    }

    /// Whether nothing but the baseline may be played, where so much of the allowance is left.
    pub(crate) fn is_spent(left: f64) -> bool {
        left <= -LAST
    }

    /// Whether RPOL's optimistic rule may play in round `t`, after `explored` trials of it, while something of the allowance is
    /// left. The allowance is all that holds it back, unless there is a baseline: a study that starts from one has more to lose, and
    /// a part of the risk is the rule's, its first trial when half of one is saved up.
    pub(crate) fn explores(&self, t: u64, from_baseline: bool, explored: u64) -> bool {
        !from_baseline || EXPLORING * self.total_rate(t) >= explored as f64 + 0.5
    }

    /// What the allowance starts with beside $b_1$ without a baseline, in `dims` dimensions: where the limits are is unknown.
    pub(crate) fn advance(&self, dims: usize) -> f64 {
        ADVANCE * self.risk * (dims + 1) as f64
    }

    /// $\sum_{s \le t}r_s$, up to less than $r$.
    fn total_rate(&self, t: u64) -> f64 {
        let t = t as f64;
        let late = 2.0 * (LEVEL * t).sqrt() - LEVEL;
        self.risk * if t <= LEVEL { t } else { late }
    }

    /// How often a setting that is known to keep the limits may still go over.
    pub(crate) fn known(&self) -> f64 {
        (0.3 * self.risk).clamp(KNOWN[0], KNOWN[1])
    }

    /// The most trials over a limit in a number of rounds, by the feedback alone.
    #[must_use]
    pub fn bound(&self, rounds: u64) -> f64 {
        START + LAST + 1.0 + self.total_rate(rounds)
    }
}

impl Rule for Guarded {
    fn is_practical(&self) -> bool {
        true
    }

    fn promise(&self) -> Option<&Guarded> {
        Some(self)
    }

    /// The caution of RPOL's rule where it plays. What it breaks is charged, so without a baseline, where it plays often, it
    /// looks for the limits from within.
    fn caution(&self, from_baseline: bool) -> Option<f64> {
        let bold = from_baseline || self.risk >= 1.0;
        Some(if bold { Cautious::DEFAULT } else { WITHIN })
    }

    /// The multipliers of RPOL's rule, then the allowance.
    fn start(&self, constraints: usize) -> Vec<f64> {
        let mut start = Cautious::default().start(constraints);
        start.push(START);
        start
    }

    fn close(&self, multipliers: &mut [f64], closing: &Closing<'_>) {
        let Some((allowance, penalties)) = multipliers.split_last_mut() else { return };
        Cautious::default().close(penalties, closing);
        *allowance = (*allowance + self.rate(closing.round)).min(MOST) - closing.over;
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let constraints = situation.cautions.len();
        let score = Cautious::default().score(&Situation {
            multipliers: &situation.multipliers[..constraints],
            ..situation.clone()
        });
        // Failures are one more limit, once there were any.
        score.limited(situation.bands.len() - 1, FAILURE)
    }

    fn validate(&self) -> Result<()> {
        if (0.0..=1.0).contains(&self.risk) {
            return Ok(());
        }
        let problem = format!("{} is not a share: give a number from 0 to 1", self.risk);
        Err(Error::spec("risk", problem))
    }
}
