//! Every player on every system.

use super::player::Player;
use super::run::play;
use super::score::Score;
use super::standing::Standing;
use super::system::System;
use super::yardstick::Yardstick;
use crate::pool::{Ending, work_all};
use anyhow::{Context, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who plays what, how often and for how long.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// What is played.
    pub systems: Vec<System>,
    /// Who plays.
    pub players: Vec<Player>,
    /// The seeds.
    pub seeds: Range<u64>,
    /// $T$.
    pub rounds: usize,
}

/// One run to be made.
#[derive(Debug, Clone, Copy)]
struct Job {
    system: usize,
    player: usize,
    seed: u64,
}

impl Tournament {
    /// Refuses what a player cannot be on a system.
    pub fn check(&self) -> Result<()> {
        for system in &self.systems {
            for player in &self.players {
                player.spec(system, 0, self.rounds)?;
            }
        }
        Ok(())
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.jobs().len()
    }

    /// How many rounds there are in all, one of a player with a model counted as many times as it takes longer.
    pub fn effort(&self) -> u64 {
        let runs = self.jobs();
        runs.iter().map(|job| self.players[job.player].effort()).sum::<u64>() * self.rounds as u64
    }

    /// Plays everything on so many threads, which decide the time it takes and nothing else; `on_round` hears of every round what
    /// part of the effort it was. The standing of every player on every system, players of a system together.
    pub fn play(
        &self,
        threads: usize,
        stop: &AtomicBool,
        on_round: &(dyn Fn(u64) + Sync),
    ) -> Result<Ending<Vec<Standing>>> {
        let yardsticks: Vec<Yardstick> = self.systems.iter().map(Yardstick::of).collect();
        let jobs = self.jobs();
        let effort = |job: &Job| self.players[job.player].effort();
        let work = |job: &Job| self.one(*job, &yardsticks[job.system], stop, on_round);
        let scores = work_all(&jobs, threads, stop, effort, work)?;
        let seeds = (self.seeds.end - self.seeds.start) as usize;
        let standing = |(job, scores): (&Job, &[Score])| {
            let (system, player) = (&self.systems[job.system], &self.players[job.player]);
            Standing::new(system.name, player.name(), scores.to_vec())
        };
        Ok(Ending::of(scores, |scores| {
            jobs.iter().step_by(seeds).zip(scores.chunks(seeds)).map(standing).collect()
        }))
    }

    fn one(
        &self,
        job: Job,
        yardstick: &Yardstick,
        stop: &AtomicBool,
        on_round: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Score>> {
        let (system, player) = (&self.systems[job.system], &self.players[job.player]);
        let spec = player.spec(system, job.seed, self.rounds)?;
        let run = play(system, spec, job.seed, self.rounds, |_| {
            on_round(player.effort());
            !stop.load(Ordering::Relaxed)
        });
        let failed = || {
            let (who, what, seed) = (player.name(), system.name, job.seed);
            format!("{who} on {what} under seed {seed} could not be played")
        };
        let run = run.with_context(failed)?;
        Ok(run.map(|run| Score::of(system, yardstick, &run)))
    }

    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for system in 0..self.systems.len() {
            for player in 0..self.players.len() {
                jobs.extend(self.seeds.clone().map(|seed| Job { system, player, seed }));
            }
        }
        jobs
    }
}
