//! Everybody on every course.

use super::bout::Bout;
use super::contestant::Contestant;
use super::course::Course;
use super::score::Score;
use super::standing::{Standing, standings};
use crate::pool::{Ending, work_all};
use anyhow::Result;
use std::sync::atomic::AtomicBool;

/// Who plays what, how often.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// Who plays.
    pub contestants: Vec<Contestant>,
    /// What is played.
    pub courses: Vec<Course>,
    /// Seeds 0, 1, ..., one less than this.
    pub seeds: u64,
}

impl Tournament {
    /// Every run, by course, contestant and seed. What cannot be played is refused here.
    pub fn bouts(&self) -> Result<Vec<Bout<'_>>> {
        let mut bouts = Vec::new();
        for course in &self.courses {
            for contestant in &self.contestants {
                for seed in 0..self.seeds {
                    bouts.push(Bout::new(course, contestant, seed)?);
                }
            }
        }
        Ok(bouts)
    }

    /// Plays all `bouts` on so many threads, which decide the time it takes and nothing else: of each course, the standing
    /// of each contestant.
    pub fn play(
        &self,
        bouts: &[Bout<'_>],
        threads: usize,
        stop: &AtomicBool,
        on_round: &(dyn Fn(&Bout<'_>) + Sync),
    ) -> Result<Ending<Vec<Vec<Standing>>>> {
        let play = |bout: &Bout<'_>| bout.play(stop, || on_round(bout));
        let scores = work_all(bouts, threads, stop, Bout::effort, play)?;
        Ok(Ending::of(scores, |scores| {
            let contestants: Vec<Vec<Score>> =
                scores.chunks(self.seeds as usize).map(<[Score]>::to_vec).collect();
            let courses = contestants.chunks(self.contestants.len());
            courses.map(|course| standings(course.to_vec())).collect()
        }))
    }
}
