//! What a run is judged by.

use super::run::{Round, Run};
use super::system::System;
use super::yardstick::Yardstick;
use serde::Serialize;

/// A run's share of trials over a limit may exceed its risk by this much before the promise counts as broken.
pub const LENIENCE: f64 = 0.03;

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Share of the trials that were over a limit as measured, or failed.
    pub over: f64,
    /// The same in the second half.
    pub over_late: f64,
    /// How many trials failed.
    pub failures: usize,
    /// The sum of what each limit was broken by, in its own unit; a failure counts as the worst of random play.
    pub violation: Vec<f64>,
    /// That relative to uniform random play: the mean over the limits that random play breaks.
    pub normal_violation: f64,
    /// How far the recommended setting comes from the baseline to the best known, by true means of the last phase.
    pub gain: f64,
    /// Whether the recommended setting truly keeps every limit, by its means.
    pub sound: bool,
    /// Share of measurements of the recommended setting that are over a limit or fail.
    pub recommended_over: f64,
    /// The best objective that was measured with every limit kept in the last phase.
    pub best_feasible: Option<f64>,
    /// The risk that was promised.
    pub risk: f64,
    /// Whether the share over stayed within the risk and three points.
    pub kept: bool,
    /// Mean CPU time of an ask, in milliseconds.
    pub ask_ms: f64,
}

impl Score {
    /// Judges a run.
    pub fn of(system: &System, yardstick: &Yardstick, run: &Run) -> Self {
        let rounds = &run.rounds;
        let over = share_over(rounds);
        let violation = violation(yardstick, rounds);
        let phase = system.phases() - 1;
        let recommended = system.truth(&run.recommended, phase);
        let from = system.truth(&system.baseline, phase).objective();
        let to = system.best[phase].objective;
        let count = rounds.len() as f64;
        Self {
            over,
            over_late: share_over(&rounds[rounds.len() / 2..]),
            failures: rounds.iter().filter(|round| round.failed.is_some()).count(),
            normal_violation: yardstick.relative(&violation, rounds.len()),
            violation,
            // What cannot be run at all gains nothing.
            gain: Some((recommended.objective() - from) / (to - from))
                .filter(|gain| gain.is_finite())
                .unwrap_or(0.0),
            sound: recommended.feasible,
            recommended_over: recommended.over,
            best_feasible: best_feasible(system, rounds),
            risk: run.risk,
            kept: over <= run.risk + LENIENCE + 1e-9,
            ask_ms: rounds.iter().map(|round| round.ask_ms).sum::<f64>() / count,
        }
    }
}

fn share_over(rounds: &[Round]) -> f64 {
    let over = rounds.iter().filter(|round| round.is_over()).count();
    over as f64 / rounds.len().max(1) as f64
}

fn violation(yardstick: &Yardstick, rounds: &[Round]) -> Vec<f64> {
    let mut sums = vec![0.0; yardstick.worst.len()];
    for round in rounds {
        let broken = if round.failed.is_some() { &yardstick.worst } else { &round.excesses };
        sums.iter_mut().zip(broken).for_each(|(sum, g)| *sum += g.max(0.0));
    }
    sums
}

fn best_feasible(system: &System, rounds: &[Round]) -> Option<f64> {
    let last = system.phases() - 1;
    let direction = system.spec.objective.direction();
    let in_last = |round: &&Round| system.phase_at(round.round, rounds.len()) == last;
    let kept = rounds.iter().filter(in_last).filter(|round| !round.is_over());
    let signed = kept.map(|round| direction.signed(round.metrics[0])).reduce(f64::max);
    signed.map(|best| direction.signed(best))
}
