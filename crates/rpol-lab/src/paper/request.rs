//! What is asked of a reproduction.

use crate::problem::{Environment, NoiseReading};
use rpol::study::Preset;

/// One of the paper's experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Experiment {
    /// One problem, every value in time.
    Classical,
    /// The same, values late.
    Delayed,
    /// Three problems, one after the other.
    Drifting,
}

impl Experiment {
    /// In the paper's order.
    pub const ALL: [Self; 3] = [Self::Classical, Self::Delayed, Self::Drifting];

    /// As in commands and names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classical => "classical",
            Self::Delayed => "delayed",
            Self::Drifting => "drifting",
        }
    }

    /// What its algorithms meet, over `rounds` rounds; switches are moved in proportion.
    pub fn environment(self, rounds: usize, noise: Noise) -> Environment {
        let printed = match self {
            Self::Classical => Environment::classical(NoiseReading::Variance),
            Self::Delayed => Environment::delayed(NoiseReading::Variance),
            Self::Drifting => Environment::drifting(NoiseReading::Variance),
        };
        printed.stretched(rounds).with_noise(noise.std())
    }
}

/// The noise, in the words it was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    /// $\sigma^2$.
    Variance(f64),
    /// $\sigma$.
    Deviation(f64),
}

impl Noise {
    /// $\sigma$.
    ///
    /// ```
    /// use rpol_lab::paper::Noise;
    /// assert_eq!(Noise::Variance(0.25).std(), Noise::Deviation(0.5).std());
    /// ```
    pub fn std(self) -> f64 {
        match self {
            Self::Variance(variance) => variance.sqrt(),
            Self::Deviation(deviation) => deviation,
        }
    }
}

/// Which experiments, how long, how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Those to run.
    pub experiments: Vec<Experiment>,
    /// Seeds 0, 1, ..., one less than this.
    pub seeds: u64,
    /// $T$.
    pub rounds: usize,
    /// The paper's settings or the library's.
    pub preset: Preset,
    /// On every value.
    pub noise: Noise,
}

impl Request {
    /// As in the settings file.
    pub fn preset_name(&self) -> &'static str {
        match self.preset {
            Preset::Printed => "printed",
            Preset::Practical => "practical",
        }
    }

    /// The command that asks for this; where the results go and how many threads work is not part of it.
    ///
    /// ```
    /// use rpol::study::Preset;
    /// use rpol_lab::paper::{Experiment, Noise, Request};
    /// let experiments = Experiment::ALL.to_vec();
    /// let (preset, noise) = (Preset::Printed, Noise::Variance(0.05));
    /// let request = Request { experiments, seeds: 20, rounds: 500, preset, noise };
    /// let all = "rpol lab paper all --seeds 20 --rounds 500 --preset printed --noise-var 0.05";
    /// assert_eq!(request.command(), all);
    /// ```
    pub fn command(&self) -> String {
        let what = match self.experiments.as_slice() {
            [one] => one.name(),
            _ => "all",
        };
        let noise = match self.noise {
            Noise::Variance(variance) => format!("--noise-var {variance}"),
            Noise::Deviation(deviation) => format!("--noise-std {deviation}"),
        };
        let (seeds, rounds, preset) = (self.seeds, self.rounds, self.preset_name());
        format!("rpol lab paper {what} --seeds {seeds} --rounds {rounds} --preset {preset} {noise}")
    }
}
