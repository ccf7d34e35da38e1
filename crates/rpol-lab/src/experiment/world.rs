//! What an environment adds to the values: noise and delay, the same whoever plays.

use super::spec::metric_names;
use crate::problem::{Delay, Environment};
use rpol::random::Stream;

/// Keeps the world's random numbers apart from those of a study with the same seed.
const WORLD: u64 = 0x006c_6162;

/// Noise and delays of an environment round by round, drawn for every output independently of what is played.
///
/// ```
/// use rpol_lab::experiment::World;
/// use rpol_lab::problem::{Environment, NoiseReading};
/// let environment = Environment::classical(NoiseReading::Variance);
/// let [reward, cost] = World::new(&environment, 0).next_round()[..] else { panic!() };
/// assert!(reward.noise != cost.noise && reward.delay == 0);
/// ```
#[derive(Debug)]
pub struct World {
    noise_std: f64,
    delay: Option<Delay>,
    /// Of each output, the stream of its noise and of its delays.
    outputs: Vec<[Stream; 2]>,
}

/// What becomes of one value on its way to the learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disturbance {
    /// Added to the true value.
    pub noise: f64,
    /// Rounds until it is told; 0 is before the next decision.
    pub delay: usize,
}

impl World {
    /// The draws under `seed`.
    pub fn new(environment: &Environment, seed: u64) -> Self {
        let world = Stream::new(seed, 0).fork(WORLD);
        let count = metric_names(environment.problem_at(1)).len() as u64;
        Self {
            noise_std: environment.noise_std,
            delay: environment.delay,
            outputs: (0..count).map(|q| [world.fork(2 * q), world.fork(2 * q + 1)]).collect(),
        }
    }

    /// The next round's, one an output.
    pub fn next_round(&mut self) -> Vec<Disturbance> {
        let draw = |[noise, delay]: &mut [Stream; 2]| Disturbance {
            noise: self.noise_std * noise.normal(),
            delay: match self.delay {
                None => 0,
                Some(Delay::Poisson { mean }) => delay.poisson(mean) as usize,
            },
        };
        self.outputs.iter_mut().map(draw).collect()
    }
}
