//! One run to be made.

use super::contestant::Contestant;
use super::course::Course;
use super::score::Score;
use crate::experiment::Simulation;
use anyhow::{Context, Result};
use rpol::policy::Policy;
use rpol::study::Spec;
use std::sync::atomic::{AtomicBool, Ordering};

/// One contestant on one course under one seed.
#[derive(Debug, Clone)]
pub struct Bout<'a> {
    /// What is played.
    pub course: &'a Course,
    /// Who plays.
    pub contestant: &'a Contestant,
    /// Decides the noise, the delays and the candidates.
    pub seed: u64,
    /// How it decides.
    pub spec: Spec,
}

impl<'a> Bout<'a> {
    /// Refuses what the contestant cannot be on this course.
    pub fn new(course: &'a Course, contestant: &'a Contestant, seed: u64) -> Result<Self> {
        Ok(Self { course, contestant, seed, spec: contestant.spec(course, seed)? })
    }

    /// Plays every round, telling of each; `None` when `stop` was raised before the end.
    pub fn play(&self, stop: &AtomicBool, mut on_round: impl FnMut()) -> Result<Option<Score>> {
        let failed = || {
            let (who, course, seed) = (&self.contestant.name, &self.course.name, self.seed);
            format!("{who} on {course} under seed {seed} could not be played")
        };
        let environment = self.course.environment.clone();
        let mut simulation =
            Simulation::new(environment, self.spec.clone(), self.seed).with_context(failed)?;
        while simulation.step().with_context(failed)?.is_some() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            on_round();
        }
        Ok(Some(Score::of(self.course, simulation.rounds(), simulation.ask_ms())))
    }

    /// How long a round takes, roughly: what decides the order and the estimate of the time left, and nothing else.
    pub fn effort(&self) -> u64 {
        let random = matches!(self.spec.policy, Some(Policy::Random(_)))
            || self.spec.algorithm.as_deref() == Some("random");
        let outputs = self.course.environment.noise.len();
        if random { 1 } else { (10 * outputs * self.course.problem().dims()) as u64 }
    }
}
