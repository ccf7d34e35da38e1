//! Information gains of the points played, by a factor of their own and not the study's.

use super::setting::Setting;
use super::trace::Round;
use super::world::World;
use anyhow::Result;
use rpol::gp::Factor;

/// $\tfrac12\ln\det(I + K/\lambda)$ of sets of points that were played.
pub(super) struct Gains {
    /// Of what each decision saw.
    pub(super) seen: Vec<f64>,
    /// Of everything.
    pub(super) all: f64,
    /// The largest of a block of W rounds.
    pub(super) block: f64,
}

impl Gains {
    pub(super) fn of(setting: &Setting, world: &World, rounds: &[Round]) -> Result<Self> {
        let (kernel, lambda, window) =
            (setting.model_kernel(), setting.lambda(), world.window as usize);
        let empty = Factor::new(kernel, setting.dims)?;
        let x = |round: &Round| world.points.point(round.point);
        let gain = |part: &[Round]| -> Result<f64> {
            let mut factor = empty.clone();
            part.iter().try_for_each(|r| factor.push(&x(r), lambda).map(drop))?;
            Ok(factor.gain())
        };
        let mut seen = Vec::with_capacity(rounds.len());
        let mut factor = empty.clone();
        for (t, round) in rounds.iter().enumerate() {
            if t > window {
                factor.remove(0)?;
            }
            seen.push(factor.gain());
            factor.push(&x(round), lambda)?;
        }
        let blocks = rounds.chunks(window).map(gain).collect::<Result<Vec<f64>>>()?;
        Ok(Self { seen, all: gain(rounds)?, block: blocks.into_iter().fold(0.0, f64::max) })
    }
}
