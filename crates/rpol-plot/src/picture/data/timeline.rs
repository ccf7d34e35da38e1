//! When each trial began and ended.

use rpol::Study;
use rpol::study::{Event, TrialState};

/// What became of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Complete, every constraint kept.
    Feasible,
    /// Complete, a constraint broken.
    Infeasible,
    /// Still waited for.
    Running,
    /// It failed.
    Failed,
    /// Its metrics count no more.
    Voided,
}

/// The time of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The trial's number.
    pub number: u64,
    /// Who had it last, if anybody said.
    pub worker: Option<String>,
    /// From the first claim, else the ask, to the last news, else the end of the log; in milliseconds since 1970.
    pub span: [u64; 2],
    /// What became of it.
    pub outcome: Outcome,
}

/// The trials that were asked for, in order; `times` says when each event of the log was written.
#[must_use]
pub fn timeline(study: &Study, times: &[u64]) -> Vec<Bar> {
    let Some(last) = times.last().copied() else { return Vec::new() };
    let mut times_of = vec![Times::default(); study.trials().len()];
    for (event, at) in study.log().iter().zip(times) {
        note(&mut times_of, event, *at);
    }
    let bar = |(trial, times): (&rpol::study::Trial, &Times)| {
        let from = times.claimed.or(times.asked)?;
        let running = trial.state == TrialState::Running;
        let to = times.ended.filter(|_| !running).unwrap_or(last);
        Some(Bar {
            number: trial.number,
            worker: trial.lease.as_ref().map(|lease| lease.worker.clone()),
            // A clock set back must not turn a bar around.
            span: [from, to.max(from)],
            outcome: outcome(trial),
        })
    };
    study.trials().iter().zip(&times_of).filter_map(bar).collect()
}

#[derive(Clone, Default)]
struct Times {
    asked: Option<u64>,
    claimed: Option<u64>,
    ended: Option<u64>,
}

fn note(times: &mut [Times], event: &Event, at: u64) {
    match event {
        Event::Asked { number, .. } => times[*number as usize].asked = Some(at),
        Event::Claimed { number, .. } => {
            times[*number as usize].claimed.get_or_insert(at);
        }
        Event::Told { number, .. } | Event::Failed { number, .. } => {
            times[*number as usize].ended = Some(at);
        }
        _ => {}
    }
}

fn outcome(trial: &rpol::study::Trial) -> Outcome {
    match trial.state {
        TrialState::Running | TrialState::Stale => Outcome::Running,
        TrialState::Fail => Outcome::Failed,
        TrialState::Abandoned => Outcome::Voided,
        TrialState::Complete if trial.is_feasible() == Some(false) => Outcome::Infeasible,
        TrialState::Complete => Outcome::Feasible,
    }
}
