//! One player on one system under one seed.

use super::clock::cpu_ms;
use super::system::{Outcome, System};
use anyhow::Result;
use rpol::Params;
use rpol::study::{Outlook, Recommendation, Spec, Study};
use serde::Serialize;

/// What happened in a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// From 1.
    pub round: usize,
    /// What was tried.
    pub params: Params,
    /// What was measured: the objective, then the limits' metrics; empty where it failed.
    pub metrics: Vec<f64>,
    /// By how much each limit was broken as measured, in its own unit; empty where it failed.
    pub excesses: Vec<f64>,
    /// Why it failed.
    pub failed: Option<String>,
    /// What chose the setting.
    pub by: String,
    /// CPU time of the ask, in milliseconds.
    pub ask_ms: f64,
}

impl Round {
    /// Whether a limit was broken as measured; what failed breaks them all.
    pub fn is_over(&self) -> bool {
        self.failed.is_some() || self.excesses.iter().any(|g| *g > 0.0)
    }
}

/// A run: every round, and the setting that is recommended at its end.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// What was measured, with which seed.
    pub seed: u64,
    /// Every round, in order.
    pub rounds: Vec<Round>,
    /// The study's incumbent, or the baseline where it has none.
    pub recommended: Params,
    /// What was promised of it.
    pub promised: Option<Recommendation>,
    /// What was promised of every setting that was measured.
    pub outlooks: Vec<Outlook>,
    /// Share of the trials that may go over a limit, by the definition.
    pub risk: f64,
}

/// The share of trials that may go over a limit where the definition says nothing.
const USUAL_RISK: f64 = 0.1;

/// Plays a study of `spec` on a system for `horizon` rounds, telling of each; `None` when `on_round` says no.
///
/// ```
/// use rpol_lab::live::{Player, System, play};
/// let system = System::named("reactor")?;
/// let spec = "random".parse::<Player>()?.spec(&system, 0, 5)?;
/// let run = play(&system, spec, 0, 5, |_| true)?.expect("nobody stops it");
/// assert_eq!((run.rounds.len(), &run.rounds[0].params), (5, &system.baseline));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn play(
    system: &System,
    spec: Spec,
    seed: u64,
    horizon: usize,
    mut on_round: impl FnMut(&Round) -> bool,
) -> Result<Option<Run>> {
    let risk = risk_of(&spec);
    let mut study = Study::create(spec)?;
    let mut rounds = Vec::with_capacity(horizon);
    for round in 1..=horizon {
        let played = one(system, &mut study, seed, round, horizon)?;
        let goes_on = on_round(&played);
        rounds.push(played);
        if !goes_on {
            return Ok(None);
        }
    }
    let promised = study.recommendation()?;
    let recommended = promised.as_ref().map_or(&system.baseline, |r| &r.outlook.params).clone();
    let outlooks = study.outlooks()?;
    Ok(Some(Run { seed, rounds, recommended, promised, outlooks, risk }))
}

fn one(
    system: &System,
    study: &mut Study,
    seed: u64,
    round: usize,
    horizon: usize,
) -> Result<Round> {
    let start = cpu_ms();
    let asked = study.ask()?;
    let ask_ms = cpu_ms() - start;
    let decision = study.trials().last().and_then(|trial| trial.decision.as_ref());
    let by = decision.and_then(|d| serde_json::to_value(d.by).ok());
    let by = by.and_then(|by| by.as_str().map(String::from)).unwrap_or_default();
    let phase = system.phase_at(round, horizon);
    let outcome = system.measure(&asked.params, phase, seed, round as u64)?;
    let (metrics, failed) = match outcome {
        Outcome::Measured(metrics) => {
            let names = system.spec.metrics();
            study.tell(asked.number, names.into_iter().zip(metrics.iter().copied()))?;
            (metrics, None)
        }
        Outcome::Failed(reason) => {
            study.fail(asked.number, &reason)?;
            (Vec::new(), Some(reason))
        }
    };
    let excesses = if failed.is_none() { system.excesses(&metrics) } else { Vec::new() };
    Ok(Round { round, params: asked.params, metrics, excesses, failed, by, ask_ms })
}

/// By its name in the definition.
fn risk_of(spec: &Spec) -> f64 {
    let tree = serde_json::to_value(spec).unwrap_or_default();
    tree["risk"].as_f64().unwrap_or(USUAL_RISK)
}
