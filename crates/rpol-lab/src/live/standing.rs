//! A player's runs on a system, taken together.

use super::score::Score;
use crate::statistics::{mean, median};
use serde::Serialize;

/// Means over the seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The system.
    pub system: String,
    /// The player.
    pub player: String,
    /// Share of the trials over a limit.
    pub over: f64,
    /// The same in the second half.
    pub over_late: f64,
    /// Failed trials a run.
    pub failures: f64,
    /// Violation relative to random play's.
    pub normal_violation: f64,
    /// Mean gain of the recommended setting.
    pub gain: f64,
    /// Its median.
    pub gain_median: f64,
    /// The smallest.
    pub gain_least: f64,
    /// Share of the runs whose recommended setting truly keeps its limits.
    pub sound: f64,
    /// The risk that was promised.
    pub risk: f64,
    /// Share of the runs that went over by more than their risk and three points.
    pub broken: f64,
    /// Mean CPU time of an ask, in milliseconds.
    pub ask_ms: f64,
    /// Every run, by seed; none of a mean over systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Score>,
}

impl Standing {
    /// Averages at least one score.
    pub fn new(system: &str, player: &str, scores: Vec<Score>) -> Self {
        let mean = |of: &dyn Fn(&Score) -> f64| mean(&scores.iter().map(of).collect::<Vec<_>>());
        let share = |of: &dyn Fn(&Score) -> bool| mean(&|score| f64::from(u8::from(of(score))));
        let gains: Vec<f64> = scores.iter().map(|score| score.gain).collect();
        Self {
            system: system.into(),
            player: player.into(),
            over: mean(&|s| s.over),
            over_late: mean(&|s| s.over_late),
            failures: mean(&|s| s.failures as f64),
            normal_violation: mean(&|s| s.normal_violation),
            gain: mean(&|s| s.gain),
            gain_least: gains.iter().copied().fold(f64::INFINITY, f64::min),
            gain_median: median(gains),
            sound: share(&|s| s.sound),
            risk: mean(&|s| s.risk),
            broken: share(&|s| !s.kept),
            ask_ms: mean(&|s| s.ask_ms),
            scores,
        }
    }

    /// What a player's standings on several systems come to, each counted once; the least gain is the least of all.
    pub(super) fn over(player: &str, standings: &[Self]) -> Self {
        let own: Vec<&Self> = standings.iter().filter(|s| s.player == player).collect();
        let mean = |of: &dyn Fn(&Self) -> f64| mean(&own.iter().map(|s| of(s)).collect::<Vec<_>>());
        Self {
            system: "over all".into(),
            player: player.into(),
            over: mean(&|s| s.over),
            over_late: mean(&|s| s.over_late),
            failures: mean(&|s| s.failures),
            normal_violation: mean(&|s| s.normal_violation),
            gain: mean(&|s| s.gain),
            gain_median: mean(&|s| s.gain_median),
            gain_least: own.iter().map(|s| s.gain_least).fold(f64::INFINITY, f64::min),
            sound: mean(&|s| s.sound),
            risk: mean(&|s| s.risk),
            broken: mean(&|s| s.broken),
            ask_ms: mean(&|s| s.ask_ms),
            scores: Vec::new(),
        }
    }
}
