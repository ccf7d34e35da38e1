//! What the feedback of a promised risk keeps by itself, whatever is believed of a system.
//!
//! No function is behind these trials: an adversary answers each after seeing what was played and what the model believed of it,
//! so that nothing that was learned holds. Only the baseline keeps its limits.

use super::statement::{Family, Sample, Statement, largest};
use anyhow::Result;
use rpol::random::Stream;
use rpol::study::{Spec, Study, Trial};
use std::collections::BTreeSet;

/// Shares that are promised.
pub(super) const RISKS: [f64; 5] = [0.02, 0.05, 0.1, 0.2, 0.4];
/// A model that gives a limit to be broken no more than this is sure of a setting.
const SURE: f64 = 0.05;
/// Results that are on their way at any time, where results are late.
const LATE: usize = 4;

/// Who answers the trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adversary {
    /// Every setting but the baseline goes over.
    Everywhere,
    /// Even odds, whatever is played.
    Coin,
    /// What the model is sure of goes over, and nothing else.
    Ambush,
    /// Everything is kept in the first half of the rounds, and nothing in the second.
    Turncoat,
    /// What is new is kept, what was tried before goes over.
    Repeats,
    /// Every setting but the baseline fails.
    Failing,
    /// Results come four rounds late, all over.
    Late,
}

impl Adversary {
    pub(super) const ALL: [Self; 7] = [
        Self::Everywhere,
        Self::Coin,
        Self::Ambush,
        Self::Turncoat,
        Self::Repeats,
        Self::Failing,
        Self::Late,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "all but the baseline goes over",
            Self::Coin => "even odds of going over",
            Self::Ambush => "what is believed safe goes over",
            Self::Turncoat => "all goes over from half way on",
            Self::Repeats => "what was tried before goes over",
            Self::Failing => "all but the baseline fails",
            Self::Late => "all goes over, told four rounds late",
        }
    }

    /// Trials that may be pending: each adds one to the bound.
    fn pending(self) -> usize {
        if self == Self::Late { LATE } else { 0 }
    }
}

/// Whether what was broken reaches the allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feedback {
    /// As it is.
    On,
    /// Every round is the first that anything is promised of: what was tried is history, which is learned from and not charged.
    Off,
}

/// Plays against an adversary: at every time no more trials were over a limit than feedback allows.
pub(super) fn bounded(
    adversary: Adversary,
    risk: f64,
    rounds: u64,
    seed: u64,
) -> Result<Vec<Sample>> {
    let pending = if adversary.pending() > 0 { " + pending" } else { "" };
    let statement = Statement::new(
        Family::Promise,
        format!("Promise, {}", adversary.name()),
        format!(
            "for all t: trials over a limit <= 1.8 + sum r_s{pending}, r_s = r min(1, sqrt(60/s))"
        ),
        1.0,
    );
    let game = Game::new(adversary, risk, rounds, seed)?;
    Ok(vec![statement.sample(game.play(Feedback::On)?)])
}

/// The same rule by the model alone, against what is believed safe and goes over.
pub(super) fn without_feedback(risk: f64, rounds: u64, seed: u64) -> Result<Vec<Sample>> {
    let statement = Statement::new(
        Family::Control,
        "A promise without feedback",
        "for all t: trials over a limit <= 1.8 + sum r_s, with a model that is wrong alone",
        1.0,
    );
    let game = Game::new(Adversary::Ambush, risk, rounds, seed)?;
    Ok(vec![statement.sample(game.play(Feedback::Off)?)])
}

/// A run against an adversary.
struct Game {
    adversary: Adversary,
    spec: Spec,
    rounds: u64,
    stream: Stream,
    tried: BTreeSet<String>,
}

/// What came of a trial.
struct Answer {
    over: bool,
    metrics: Option<[(&'static str, f64); 2]>,
}

impl Game {
    fn new(adversary: Adversary, risk: f64, rounds: u64, seed: u64) -> Result<Self> {
        let spec = Spec::from_toml(&format!(
            r#"
            name = "promise"
            objective = "maximize reward"
            constraints = ["load <= 1"]
            seed = {seed}
            risk = {risk}
            [params]
            x = {{ type = "float", low = 0, high = 1 }}
            n = {{ type = "int", low = 0, high = 20 }}
            [baseline]
            params = {{ x = 0.5, n = 10 }}
            "#
        ))?;
        let stream = Stream::new(seed, 1);
        Ok(Self { adversary, spec, rounds, stream, tried: BTreeSet::new() })
    }

    /// Largest share of what is allowed that the trials over a limit came to at any time.
    fn play(mut self, feedback: Feedback) -> Result<f64> {
        let mut study = Study::create(self.spec.clone())?;
        let (mut over, mut shares, mut late) = (0, Vec::new(), Vec::new());
        for t in 1..=self.rounds {
            if feedback == Feedback::Off && t > 1 {
                study = self.begun_anew(&study)?;
            }
            let number = study.ask()?.number;
            let answer = self.answer(last(&study), t);
            over += u64::from(answer.over);
            late.push((number, answer));
            if late.len() > self.adversary.pending() {
                let (number, answer) = late.remove(0);
                tell(&mut study, number, &answer)?;
            }
            shares.push(over as f64 / self.allowed(t));
        }
        Ok(largest(shares))
    }

    /// $1.8 + \sum_{s\le t}r_s$ and what may be pending.
    fn allowed(&self, t: u64) -> f64 {
        let bound = self.spec.promised().map_or(0.0, |promise| promise.bound(t));
        bound + self.adversary.pending() as f64
    }

    /// Another study that knows of every trial and has promised nothing yet; its first round is the baseline's.
    fn begun_anew(&mut self, study: &Study) -> Result<Study> {
        let mut anew = Study::create(self.spec.clone())?;
        for trial in study.trials() {
            let metrics =
                trial.metrics.iter().map(|(name, told)| (name.as_str(), told.value.get()));
            anew.add(trial.params.clone(), metrics.collect::<Vec<_>>())?;
        }
        let number = anew.ask()?.number;
        let kept = self.measured(false, 0.0);
        anew.tell(number, kept)?;
        Ok(anew)
    }

    fn answer(&mut self, trial: &Trial, t: u64) -> Answer {
        let is_baseline = self.spec.baseline.as_ref().is_some_and(|b| b.params == trial.params);
        let is_new = self.tried.insert(format!("{:?}", trial.params));
        let decision = trial.decision.as_ref();
        let coin = self.stream.uniform() < 0.5;
        let wants = match self.adversary {
            Adversary::Everywhere | Adversary::Failing | Adversary::Late => true,
            Adversary::Coin => coin,
            Adversary::Ambush => decision.and_then(|d| d.over).is_some_and(|over| over <= SURE),
            Adversary::Turncoat => 2 * t > self.rounds,
            Adversary::Repeats => !is_new,
        };
        let over = wants && !is_baseline;
        let fails = over && self.adversary == Adversary::Failing;
        // What is not the baseline is worth more: it is played wherever it may be.
        let reward = if is_baseline { 0.0 } else { 1.0 };
        let metrics = self.measured(over, reward);
        Answer { over, metrics: (!fails).then_some(metrics) }
    }

    /// Well within the limit, or a little over it.
    fn measured(&mut self, over: bool, reward: f64) -> [(&'static str, f64); 2] {
        let load = if over { 1.01 } else { 0.5 + 0.02 * self.stream.normal() };
        [("reward", reward + 0.1 * self.stream.normal()), ("load", load)]
    }
}

fn last(study: &Study) -> &Trial {
    study.trials().last().expect("there was an ask")
}

fn tell(study: &mut Study, number: u64, answer: &Answer) -> Result<()> {
    match answer.metrics {
        Some(metrics) => study.tell(number, metrics).map(drop)?,
        None => study.fail(number, "it did not run")?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A check that no adversary comes near shows nothing.
    #[test]
    fn adversaries_use_up_most_of_what_is_allowed() -> Result<()> {
        for adversary in Adversary::ALL {
            let ratio = Game::new(adversary, 0.2, 40, 3)?.play(Feedback::On)?;
            assert!((0.5..=1.0).contains(&ratio), "{adversary:?}: {ratio}");
        }
        Ok(())
    }
}
