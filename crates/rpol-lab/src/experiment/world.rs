//! What an environment adds to the values: noise and delay, the same whoever plays.

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
    delay: Option<Delay>,
    /// Of each output, the deviation of its noise, and the streams of its noise and of its delays.
    outputs: Vec<(f64, [Stream; 2])>,
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
        let streams = (0..).map(|q| [world.fork(2 * q), world.fork(2 * q + 1)]);
        let outputs = environment.noise.iter().copied().zip(streams).collect();
        Self { delay: environment.delay, outputs }
    }

    /// The next round's, one an output.
    pub fn next_round(&mut self) -> Vec<Disturbance> {
        let draw = |(deviation, [noise, delay]): &mut (f64, [Stream; 2])| Disturbance {
            noise: *deviation * noise.normal(),
            delay: match self.delay {
                None => 0,
                Some(Delay::Poisson { mean }) => delay.poisson(mean) as usize,
            },
        };
        self.outputs.iter_mut().map(draw).collect()
    }
}
