//! Changes of a system, noticed or not: alarms of a study beside what is true.

use super::chance::Chance;
use super::player::Player;
use super::system::{Outcome, System};
use crate::arena::BadName;
use anyhow::Result;
use rpol::study::{Event, Study};
use std::str::FromStr;

/// What is done to every metric of a system: the same law at all times, so nothing of it is a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Own,
    /// A factor whose logarithm is a tenth of a Student variable of two degrees of freedom.
    Student,
    /// A factor of 5 to 20, now and then.
    Outliers,
}

/// Seed of the tails, beside that of the system's own chance.
const SEED: u64 = 0x7461_696c;
/// Scale of the logarithm of the Student factors.
const SCALE: f64 = 0.1;
/// Share of the metrics that are outliers.
const SHARE: f64 = 0.02;

impl FromStr for Tail {
    type Err = BadName;

    fn from_str(name: &str) -> Result<Self, BadName> {
        let known = [("own", Self::Own), ("student", Self::Student), ("outliers", Self::Outliers)];
        let found = known.iter().find(|(known, _)| *known == name).map(|(_, tail)| *tail);
        let names = || known.map(|(name, _)| name.to_string()).to_vec();
        found.ok_or_else(|| BadName::unknown("tail", name, &names()))
    }
}

impl Tail {
    fn factor(self, chance: &mut Chance) -> f64 {
        match self {
            Self::Own => 1.0,
            // A normal over the root of a chi-square of two degrees, which is exponential.
            Self::Student => (SCALE * chance.normal() / chance.exponential(1.0).sqrt()).exp(),
            Self::Outliers if chance.happens(SHARE) => 5.0 * 4.0_f64.powf(chance.uniform()),
            Self::Outliers => 1.0,
        }
    }

    fn applied(self, metrics: Vec<f64>, seed: u64, round: usize) -> Vec<f64> {
        let mut chance = Chance::new(seed ^ SEED, round as u64);
        metrics.into_iter().map(|value| value * self.factor(&mut chance)).collect()
    }
}

/// A run that is watched for alarms.
#[derive(Debug, Clone)]
pub struct Vigil {
    /// What is played.
    pub system: System,
    /// What is done to its metrics.
    pub tail: Tail,
    /// Rounds of a run; a system of two phases changes half way.
    pub rounds: usize,
}

/// What a study took for changes, by the number of rounds it had seen: false ones before the system changed, then the first after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarms {
    /// Rounds with an alarm for nothing.
    pub false_ones: Vec<usize>,
    /// Rounds of the change that were seen before the first alarm after it.
    pub delay: Option<usize>,
}

impl Vigil {
    /// Plays a study; its log tells what it took for changes.
    pub fn play(&self, player: &Player, seed: u64) -> Result<Study> {
        let mut study = Study::create(player.spec(&self.system, seed, self.rounds)?)?;
        for round in 1..=self.rounds {
            let asked = study.ask()?;
            let phase = self.system.phase_at(round, self.rounds);
            match self.system.measure(&asked.params, phase, seed, round as u64)? {
                Outcome::Measured(metrics) => {
                    let metrics = self.tail.applied(metrics, seed, round);
                    study
                        .tell(asked.number, self.system.spec.metrics().into_iter().zip(metrics))?;
                }
                Outcome::Failed(reason) => study.fail(asked.number, &reason)?,
            }
        }
        Ok(study)
    }

    /// The first round of the last phase; none where there is only one.
    fn change(&self) -> usize {
        let changed = |round: &usize| self.system.phase_at(*round, self.rounds) > 0;
        (1..=self.rounds).find(changed).unwrap_or(usize::MAX)
    }

    /// What the log of a study says.
    pub fn alarms(&self, log: &[Event]) -> Alarms {
        let (mut seen, mut alarms) = (0, Alarms { false_ones: Vec::new(), delay: None });
        for event in log {
            match event {
                Event::Asked { .. } => seen += 1,
                Event::Changed { .. } if seen < self.change() => alarms.false_ones.push(seen),
                Event::Changed { .. } => {
                    alarms.delay.get_or_insert(seen + 1 - self.change());
                }
                _ => {}
            }
        }
        alarms
    }
}
