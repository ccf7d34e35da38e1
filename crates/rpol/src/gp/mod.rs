//! Exact Gaussian-process regression that grows and shrinks one observation at a time.
//!
//! Inputs decide the factor, targets decide the weights:
//!
//! | name | meaning |
//! |---|---|
//! | [`Factor`] | inputs $x_1..x_n$, noise $\Lambda$, and $L$ with $LL^\top = K + \Lambda$ |
//! | [`Posterior`] | a factor and what was observed: $z = L^{-1}y$, mean, deviation, gradients |
//! | [`Pool`] | a fixed candidate set whose mean and deviation follow every change |
//! | [`evidence`] | log marginal likelihood and its gradient; [`fit()`] maximises it under priors |
//!
//! Notation (Rasmussen & Williams 2006, chapter 2):
//!
//! $$\mu(x) = m + k(x)^\top (K + \Lambda)^{-1} (y - m), \qquad
//!   \sigma^2(x) = k(x,x) - k(x)^\top (K + \Lambda)^{-1} k(x).$$
//!
//! $\sigma$ is the *latent* deviation: no observation noise is added to it.

mod expand;
mod factor;
mod fit;
mod gain;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod hostile;
mod joint;
#[cfg(test)]
mod laws;
mod pool;
mod posterior;
mod scale;
mod warp;

pub mod evidence;

pub(crate) use expand::{Expansion, Quadratic, Star};
pub use factor::{Change, Factor};
pub use fit::{Fit, Lengths, fit};
pub(crate) use fit::{Priors, fit_quickly, fit_under};
pub use gain::greedy_gain;
pub(crate) use joint::Joint;
pub use pool::Pool;
pub use posterior::{Belief, Gradient, Posterior};
pub use scale::Scale;
pub use warp::{Shape, Warp};
