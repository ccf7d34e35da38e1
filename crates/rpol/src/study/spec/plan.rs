//! From a definition to the cell of the table: policy, strategy, width and model, with no gap left.

use super::drift::Drift;
use super::{Preset, Spec};
use crate::confidence::{Gain, PerOutput, Width};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::policy::{self, Policy};
use crate::space::Coordinate;
use crate::strategy::{self, Strategy};

/// Everything a decision depends on beside the data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub(crate) policy: Policy,
    pub(crate) strategy: Strategy,
    pub(crate) width: Width,
    pub(crate) gain: Gain,
    pub(crate) kernel: Kernel,
    /// Noise variance of one observation before anything is fitted.
    pub(crate) noise: f64,
    pub(crate) learn: bool,
    pub(crate) standardize: bool,
    pub(crate) initial: u64,
    /// Most settings that compacted trials are kept at.
    pub(crate) distinct: usize,
    /// How much of a score's optimism a setting tried before may lack and still be played.
    pub(crate) reuse: f64,
    /// How many trials stay as they are.
    pub(crate) keep: usize,
}

/// Names of the literature, and what they stand for.
pub const ALGORITHMS: [&str; 19] = [
    "rpol-ucb",
    "rpol-censored-ucb",
    "rpol-sw-ucb",
    "rpol-hallucinated-ucb",
    "rpol-event-triggered-ucb",
    "ckb-ucb",
    "ckb-restart-ucb",
    "ckb-sw-ucb",
    "config",
    "epbo",
    "epoch-penalty",
    "safeopt",
    "stageopt",
    "constrained-ei",
    "gp-ucb",
    "sw-gp-ucb",
    "r-gp-ucb",
    "w-gp-ucb",
    "random",
];

/// How many trials at least stay as they are.
const KEEP: usize = 256;
/// Settings that compacted trials are kept at by default, and the fewest.
const DISTINCT: u64 = 1024;
/// How much of a score's optimism a repeat may lack where reuse is full.
const THRIFT: f64 = 0.2;
const FEWEST: u64 = 16;

/// Rounds a window or a block has by default: a fifth of the horizon.
fn default_window(horizon: Option<u64>) -> u64 {
    horizon.map_or(100, |t| (t / 5).max(1))
}

fn named(name: &str, horizon: Option<u64>) -> Option<(Policy, Strategy)> {
    let window = default_window(horizon);
    let ucb = Strategy::default;
    let sliding = || {
        Strategy::SlidingWindow(strategy::SlidingWindow { window, drift: strategy::Drift::Zero })
    };
    let restart = || Strategy::Restart(strategy::Restart { period: window });
    let censored = || Strategy::Censored(strategy::Censored::default());
    let rectified = Policy::default;
    let primal_dual = || Policy::PrimalDual(policy::PrimalDual::default());
    let unconstrained = || Policy::Unconstrained(policy::Unconstrained {});
    Some(match name {
        "rpol-ucb" => (rectified(), ucb()),
        "rpol-censored-ucb" => (rectified(), censored()),
        "rpol-sw-ucb" => (rectified(), sliding()),
        "rpol-hallucinated-ucb" => (rectified(), Strategy::Hallucinated(strategy::Hallucinated {})),
        "rpol-event-triggered-ucb" => {
            (rectified(), Strategy::EventTriggered(strategy::EventTriggered::default()))
        }
        "ckb-ucb" => (primal_dual(), ucb()),
        "ckb-restart-ucb" => (primal_dual(), restart()),
        "ckb-sw-ucb" => (primal_dual(), sliding()),
        "config" => (Policy::Constrained(policy::Constrained::default()), ucb()),
        "epbo" => (Policy::FixedPenalty(policy::FixedPenalty::default()), ucb()),
        "epoch-penalty" => (Policy::EpochPenalty(policy::EpochPenalty::default()), ucb()),
        "safeopt" => (Policy::Safe(policy::Safe { expand: None }), ucb()),
        "stageopt" => (Policy::Safe(policy::Safe { expand: Some(window) }), ucb()),
        "constrained-ei" => (Policy::ConstrainedEi(policy::ConstrainedEi {}), ucb()),
        "gp-ucb" | "igp-ucb" => (unconstrained(), ucb()),
        "sw-gp-ucb" => (unconstrained(), sliding()),
        "r-gp-ucb" => (unconstrained(), restart()),
        "w-gp-ucb" => {
            (unconstrained(), Strategy::Discounted(strategy::Discounted { factor: 0.99 }))
        }
        "gp-ucb-sdf" => (unconstrained(), censored()),
        "random" => (Policy::Random(policy::Random {}), ucb()),
        _ => return None,
    })
}

impl Plan {
    pub(crate) fn new(spec: &Spec) -> Result<Self> {
        let (mut policy, mut strategy) = (default_policy(spec)?, default_strategy(spec));
        if let Some(name) = &spec.algorithm {
            (policy, strategy) = named(name, spec.horizon).ok_or_else(|| {
                let known = ALGORITHMS.join(", ");
                Error::spec("algorithm", format!("`{name}` is not known: choose one of {known}"))
            })?;
        }
        policy = spec.policy.clone().unwrap_or(policy);
        strategy = spec.strategy.clone().unwrap_or(strategy);
        Drift::check(spec)?;
        policy.rule().validate()?;
        strategy.learning().validate()?;
        let width = spec.confidence.width.clone();
        let width = width.unwrap_or_else(|| default_width(spec.preset, &policy, &strategy));
        width.validate(&spec.outputs())?;
        if let Gain::Given(gain) = spec.confidence.gain
            && !(gain.is_finite() && gain >= 0.0)
        {
            let problem = format!("{gain} is not a gain: give a finite number of at least 0");
            return Err(Error::spec("confidence.gain", problem));
        }
        let practical = spec.preset == Preset::Practical;
        let learn = spec.model.learn.unwrap_or(practical);
        let plan = Self {
            kernel: kernel(spec, learn)?,
            noise: noise(spec)?,
            learn,
            standardize: spec.model.standardize.unwrap_or(practical),
            initial: spec.initial.unwrap_or_else(|| first_design(spec, &policy)),
            distinct: distinct(spec)?,
            reuse: reuse(spec)?,
            keep: KEEP,
            gain: spec.confidence.gain,
            policy,
            strategy,
            width,
        };
        plan.kernel.validate(spec.params.dims()).map_err(|e| e.under("model"))?;
        Ok(plan)
    }

    /// Whether a risk is promised.
    pub(in crate::study) fn guards(&self) -> bool {
        self.policy.rule().promise().is_some()
    }

    /// Whether what was seen once is seen the same way until a change.
    pub(in crate::study) fn accumulates(&self) -> bool {
        let sees_all = self.policy.rule().data_from(u64::MAX) == 0;
        sees_all && self.strategy.learning().accumulates()
    }

    /// Whether the policy looks at models at all.
    pub(in crate::study) fn has_models(&self) -> bool {
        self.policy.rule().needs_models()
    }
}

/// How many quasi-random settings come first. A study that starts from a setting known to be good and promises
/// something wants none.
fn first_design(spec: &Spec, policy: &Policy) -> u64 {
    let sure = match policy {
        Policy::Safe(_) => true,
        Policy::Guarded(policy) => policy.risk < 1.0 && spec.baseline.is_some(),
        Policy::Cautious(policy) => policy.caution >= 1.0 && spec.baseline.is_some(),
        _ => false,
    };
    match spec.preset {
        Preset::Practical if !sure => spec.params.dims() as u64 + 1,
        _ => 0,
    }
}

/// The promise belongs to the policy that makes one.
fn default_policy(spec: &Spec) -> Result<Policy> {
    let given = match (spec.risk, spec.caution) {
        (Some(_), Some(_)) => {
            let problem = "caution says the same in other words: leave out one of the two";
            return Err(Error::spec("risk", problem));
        }
        (Some(risk), None) => Some(("risk", risk)),
        (None, Some(caution)) => {
            policy::Cautious { caution }.check()?;
            Some(("caution", policy::Guarded::of_caution(caution)))
        }
        (None, None) => None,
    };
    match (spec.decided_by(spec.policy.is_some(), "the policy"), given) {
        (None, given) => {
            let risk = given.map_or(policy::Guarded::DEFAULT, |(_, risk)| risk);
            Ok(Policy::Guarded(policy::Guarded { risk }))
        }
        (Some(what), Some((field, _))) => {
            let problem = format!("{what} makes no such promise: leave out one of the two");
            Err(Error::spec(field, problem))
        }
        (Some(_), None) => Ok(Policy::default()),
    }
}

/// A pending trial is a delayed one: in practice several may be open at any time, and systems change.
fn default_strategy(spec: &Spec) -> Strategy {
    match spec.preset {
        Preset::Practical => spec.drift.unwrap_or_default().strategy(),
        Preset::Printed => Strategy::default(),
    }
}

/// The constants the paper does not print: $B = 1$, $R = 1/4$, $p = 0.1$ for unit-sized outputs.
fn default_width(preset: Preset, policy: &Policy, strategy: &Strategy) -> Width {
    let (bound, noise, p) = (PerOutput::All(1.0), PerOutput::All(0.25), 0.1);
    match (preset, strategy) {
        (Preset::Practical, _) if policy.rule().is_practical() => {
            Width::Growing { objective: 1.4, constraint: 2.5, rate: 0.4 }
        }
        (Preset::Practical, _) => Width::Tapered { beta: PerOutput::All(3.0), tau: 0.3 },
        (Preset::Printed, Strategy::Censored(_)) => Width::Censored { bound, noise, p },
        (Preset::Printed, Strategy::SlidingWindow(_)) => Width::Window { bound, noise, p },
        (Preset::Printed, _) => Width::Igp { bound, noise, p },
    }
}

fn kernel(spec: &Spec, learn: bool) -> Result<Kernel> {
    if let Some(kernel) = &spec.model.kernel {
        if spec.model.lengthscale.is_some() {
            let problem = "a kernel has its own lengthscales: leave out one of the two";
            return Err(Error::spec("model.lengthscale", problem));
        }
        return Ok(kernel.clone());
    }
    let length = spec.model.lengthscale.unwrap_or(0.25);
    if !(length.is_finite() && length > 0.0) {
        let problem = format!("{length} is not a length: give a finite number above 0");
        return Err(Error::spec("model.lengthscale", problem));
    }
    let category = |c: &Coordinate| matches!(c, Coordinate::Category(_));
    let (mut smooth, mut categories) = (Vec::new(), Vec::new());
    for (d, coordinate) in spec.params.coordinates().iter().enumerate() {
        if category(coordinate) { categories.push(d) } else { smooth.push(d) }
    }
    let numbers = vec![length; smooth.len()];
    let base = |l| if learn { Kernel::matern52(l) } else { Kernel::squared_exponential(l) };
    let kernel = match (smooth.is_empty(), categories.is_empty()) {
        (false, true) => base(numbers),
        (true, _) => Kernel::hamming(vec![1.0; categories.len()]),
        (false, false) => {
            let hamming = Kernel::hamming(vec![1.0; categories.len()]).on(&categories);
            base(numbers).on(&smooth) * hamming
        }
    };
    Ok(if learn { kernel.scaled(1.0) } else { kernel })
}

fn reuse(spec: &Spec) -> Result<f64> {
    let preset = if spec.preset == Preset::Practical { THRIFT } else { 0.0 };
    let share = spec.model.reuse.unwrap_or(preset);
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let problem = format!("{share} is not a share: give a number from 0 (never) to 1");
    Err(Error::spec("model.reuse", problem))
}

fn distinct(spec: &Spec) -> Result<usize> {
    // What is printed is exact.
    let preset = if spec.preset == Preset::Practical { DISTINCT } else { u64::MAX };
    match spec.model.distinct.unwrap_or(preset) {
        few if few < FEWEST => {
            let problem = format!("{few} settings are too few to model: give at least {FEWEST}");
            Err(Error::spec("model.distinct", problem))
        }
        enough => Ok(usize::try_from(enough).unwrap_or(usize::MAX)),
    }
}

fn noise(spec: &Spec) -> Result<f64> {
    let printed = || spec.horizon.map_or(1.0, |t| 1.0 + 2.0 / t as f64);
    let noise = spec.model.noise.unwrap_or_else(|| match spec.preset {
        Preset::Printed => printed(),
        Preset::Practical => 0.05,
    });
    if noise.is_finite() && noise > 0.0 {
        return Ok(noise);
    }
    let problem = format!("{noise} is not a variance: give a finite number above 0");
    Err(Error::spec("model.noise", problem))
}
