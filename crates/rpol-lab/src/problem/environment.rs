//! What a learner meets round by round: problems, noise and delay, as data.

use super::Problem;
use super::known::paper;

/// The paper's "N(0, 0.05)" names neither a variance nor a deviation, so both readings are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseReading {
    /// $\sigma^2 = 0.05$: the literal reading.
    Variance,
    /// $\sigma = 0.05$.
    Deviation,
}

impl NoiseReading {
    /// The noise's standard deviation under this reading.
    ///
    /// ```
    /// use rpol_lab::problem::NoiseReading::{Deviation, Variance};
    /// assert_eq!(Variance.std(), Deviation.std().sqrt());
    /// ```
    pub fn std(self) -> f64 {
        const PRINTED: f64 = 0.05;
        match self {
            Self::Variance => PRINTED.sqrt(),
            Self::Deviation => PRINTED,
        }
    }
}

/// How late an observation arrives, in rounds; drawn anew each round, for $f$ and for each $g_i$ separately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// $d_t \sim \mathrm{Poisson}(\text{mean})$; 0 means seen before the next round.
    Poisson {
        /// Mean delay in rounds.
        mean: f64,
    },
}

/// A problem and the round, counted from 1, where it starts to hold.
#[derive(Clone, Debug)]
pub struct Phase {
    /// First round of this phase.
    pub first_round: usize,
    /// What holds from then until the next phase.
    pub problem: Problem,
}

/// Problems by round, with the observation noise and delay of one experiment.
///
/// Rewards are $r_t = f_t(x_t) + \eta_t$ and costs $c_{i,t} = g_{i,t}(x_t) + \xi_{i,t}$, every noise an independent
/// $\mathcal N(0, \sigma_q^2)$ with $\sigma_q$ = `noise[q]` (paper, Experiments: all the same).
#[derive(Clone, Debug)]
pub struct Environment {
    /// `classical`, `delayed` or `drifting` for the paper's.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// In ascending order of round; the first starts at 1.
    pub phases: Vec<Phase>,
    /// Rounds played.
    pub horizon: usize,
    /// Standard deviation of the noise on the reward, then on each cost.
    pub noise: Vec<f64>,
    /// `None` when every observation is in time.
    pub delay: Option<Delay>,
}

impl Environment {
    /// The paper's first experiment: phase 1 throughout. The paper prints no horizon; 500 is ours.
    pub fn classical(noise: NoiseReading) -> Self {
        Self {
            name: "classical".into(),
            source: format!("{}, classical SCBwC", paper::SOURCE),
            phases: vec![Phase { first_round: 1, problem: paper::phase1() }],
            horizon: 500,
            noise: vec![noise.std(); 2],
            delay: None,
        }
    }

    /// The paper's second experiment: the first, with delays of $\mathrm{Poisson}(15)$ rounds on $f$ and $g$ separately.
    pub fn delayed(noise: NoiseReading) -> Self {
        Self {
            name: "delayed".into(),
            source: format!("{}, SCBwC with delayed feedback", paper::SOURCE),
            delay: Some(Delay::Poisson { mean: 15.0 }),
            ..Self::classical(noise)
        }
    }

    /// The paper's third experiment: phase 1 in rounds 1-100, phase 2 in 101-300, phase 3 in 301-500.
    ///
    /// ```
    /// use rpol_lab::problem::{Environment, NoiseReading};
    /// let drifting = Environment::drifting(NoiseReading::Variance);
    /// assert_eq!(drifting.problem_at(100).name, "paper_phase1");
    /// assert_eq!(drifting.problem_at(101).name, "paper_phase2");
    /// assert_eq!(drifting.problem_at(301).name, "paper_phase3");
    /// ```
    pub fn drifting(noise: NoiseReading) -> Self {
        let phase = |first_round, problem| Phase { first_round, problem };
        Self {
            name: "drifting".into(),
            source: format!("{}, SCBwC under non-stationary environment", paper::SOURCE),
            phases: vec![
                phase(1, paper::phase1()),
                phase(101, paper::phase2()),
                phase(301, paper::phase3()),
            ],
            ..Self::classical(noise)
        }
    }

    /// One problem throughout, every observation in time, with the same noise on every output.
    pub fn stationary(problem: Problem, horizon: usize, noise_std: f64) -> Self {
        Self {
            name: problem.name.clone(),
            source: problem.source.clone(),
            noise: vec![noise_std; 1 + problem.constraints.len()],
            phases: vec![Phase { first_round: 1, problem }],
            horizon,
            delay: None,
        }
    }

    /// The same environment with another noise, the same on every output.
    pub fn with_noise(self, noise_std: f64) -> Self {
        Self { noise: vec![noise_std; self.noise.len()], ..self }
    }

    /// The same environment in other units: see [`Problem::rescaled`]; the noise grows with its output.
    pub fn rescaled(mut self, domain: f64, f: f64, g: f64) -> Self {
        for phase in &mut self.phases {
            phase.problem = phase.problem.rescaled(domain, f, g);
        }
        let factors = std::iter::once(f).chain(std::iter::repeat(g));
        self.noise.iter_mut().zip(factors).for_each(|(noise, factor)| *noise *= factor);
        self
    }

    /// The same environment over another horizon, its switches moved in proportion.
    pub fn stretched(mut self, horizon: usize) -> Self {
        let factor = horizon as f64 / self.horizon as f64;
        for phase in &mut self.phases {
            phase.first_round = 1 + ((phase.first_round - 1) as f64 * factor).round() as usize;
        }
        self.horizon = horizon;
        self
    }

    /// The problem that holds in `round`, counted from 1; past the horizon the last phase stays.
    ///
    /// # Panics
    /// At round 0, which does not exist.
    pub fn problem_at(&self, round: usize) -> &Problem {
        assert!(round > 0, "rounds are counted from 1");
        let begun = self.phases.partition_point(|phase| phase.first_round <= round);
        &self.phases[begun - 1].problem
    }
}
