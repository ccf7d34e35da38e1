//! The theory by simulation: every statement of the paper on functions of exactly known norm.
//!
//! Assumptions 1 and 2 hold here by construction: $f$ and $g$ are finite sums of kernels with
//! $\lVert f\rVert_k = B_f$, the noise is Gaussian with deviation $R$. $\mathcal X$ is a finite grid, a compact set like
//! any other, over which the study compares every point: $x_t$ is the exact maximiser and $f^\star$ the exact optimum,
//! as the proofs need. What is played is [`rpol::study::Study`] with the printed preset; only the controls put a broken
//! piece in its place.
//!
//! | family | what it says |
//! |---|---|
//! | confidence | Condition 1, which Lemmas GP-UCB, delay and sliding window give; the widths are the printed ones |
//! | penalty | what the proofs use of $Q_t$ |
//! | error sums | the three lemmas on $\sum_t \beta_t\sigma_t(x_t)$, with the gain of the points played |
//! | theorems | Theorem 1 wherever Condition 1 held; Theorems 2, 3, 4 with their constants |
//! | coverage | the widths `Anytime` and `Mixture` |
//! | growth | exponents of $R^+(T)$ and $V(T)$ below 1 |
//! | promise | the number of trials over a limit under a promised risk, by feedback alone, against adversaries |
//! | controls | half a width, no rectifier, no floor, a wrong sign, no feedback: each must be seen to fail |

mod confidence;
mod controls;
mod coverage;
mod effort;
mod error_sums;
mod gains;
mod growth;
mod messages;
mod model;
mod penalty;
mod play;
mod promise;
mod setting;
mod statement;
mod theorems;
mod trace;
mod world;

pub use effort::Effort;
pub use statement::{Family, Row, Sample, Statement};

use crate::pool::work_all;
use crate::problem::KernelKind::{Matern52, SquaredExponential};
use anyhow::Result;
use coverage::Regime;
use play::{Price, play};
use promise::{Adversary, RISKS};
use rpol::random::Stream;
use setting::{Form, Setting};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use world::World;

/// Probabilities at which the lemmas are tried.
const P: [f64; 3] = [0.5, 0.1, 0.05];
/// A kernel in so many dimensions.
const KERNELS: [(crate::problem::KernelKind, usize); 4] =
    [(SquaredExponential, 1), (Matern52, 1), (SquaredExponential, 2), (Matern52, 2)];

/// Every statement, to be tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    effort: Effort,
    scale: f64,
}

type Task = Box<dyn Fn() -> Result<Vec<Sample>> + Send + Sync>;

impl Verification {
    /// All of them, with so much effort.
    pub fn new(effort: Effort) -> Self {
        Self { effort, scale: 1.0 }
    }

    /// Judges every band as if it were `scale` times as wide: below 1, the confidence rows must turn.
    pub fn with_bands_scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// How often [`run`](Self::run) calls `tick`.
    pub fn steps(&self) -> usize {
        self.tasks().len() + growth::steps(&self.effort)
    }

    /// Runs everything on `jobs` threads; the rows do not depend on how many.
    pub fn run(&self, jobs: NonZeroUsize, tick: &(dyn Fn() + Sync)) -> Result<Vec<Row>> {
        let tasks = self.tasks();
        let samples = all(&tasks, jobs, tick, |task| task())?;
        let mut rows = statement::rows(samples.into_iter().flatten());
        rows.extend(growth::rows(&self.effort, jobs, tick)?);
        rows.sort_by_key(|row| row.family);
        Ok(rows)
    }

    fn tasks(&self) -> Vec<Task> {
        let mut tasks = self.theory();
        tasks.extend(self.coverage());
        let (horizon, scale) = (self.effort.horizon, self.scale);
        tasks.push(Box::new(controls::no_rectifier));
        for seed in 0..self.effort.control_runs as u64 {
            tasks.push(Box::new(move || controls::half_width(100, 1000 + seed, scale)));
            tasks.push(Box::new(move || controls::wrong_sign(horizon, seed)));
        }
        for seed in 0..self.effort.control_runs.min(8) as u64 {
            tasks.push(Box::new(move || controls::no_floor(seed)));
        }
        tasks.extend(self.promises());
        tasks
    }

    /// The runs that lemmas and theorems are read from.
    fn theory(&self) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        let mut seed = 0;
        for case in self.effort.cases() {
            for p in P {
                for (kernel, dims) in KERNELS {
                    let setting = Setting::new(kernel, dims, self.effort.horizon, case, p);
                    for _ in 0..self.effort.runs {
                        let (setting, scale) = (setting.clone(), self.scale);
                        tasks.push(Box::new(move || read(&setting, seed, scale)));
                        seed += 1;
                    }
                }
            }
        }
        tasks
    }

    /// Adversaries that only feedback holds back, and what comes of them without it.
    fn promises(&self) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        let rounds = self.effort.promise_horizon;
        for (i, adversary) in Adversary::ALL.into_iter().enumerate() {
            for k in 0..self.effort.promise_runs {
                // Every risk in turn, and not every adversary the same first.
                let (risk, seed) = (RISKS[(i + k) % RISKS.len()], (i + 100 * k) as u64);
                tasks.push(Box::new(move || promise::bounded(adversary, risk, rounds, seed)));
            }
        }
        for seed in 0..6 {
            let risk = RISKS[seed as usize % 2];
            tasks.push(Box::new(move || promise::without_feedback(risk, 40, seed)));
        }
        tasks
    }

    fn coverage(&self) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        let mut seed = 0;
        for form in [Form::Anytime, Form::Mixture] {
            for delta in P {
                for (kernel, dims) in KERNELS {
                    for regime in [Regime::Norm, Regime::Noise] {
                        let horizon = self.effort.coverage_horizon;
                        let cell = coverage::setting(regime, kernel, dims, horizon, form, delta);
                        for _ in 0..self.effort.coverage_runs {
                            let (cell, scale) = (cell.clone(), self.scale);
                            tasks.push(Box::new(move || {
                                coverage::samples(regime, &cell, seed, scale)
                            }));
                            seed += 1;
                        }
                    }
                }
            }
        }
        tasks
    }
}

/// Everything that one run says.
fn read(setting: &Setting, seed: u64, scale: f64) -> Result<Vec<Sample>> {
    let world = World::draw(setting, &mut Stream::new(seed, 0))?;
    let trace = play(setting, &world, seed, Price::Study)?;
    let mut samples =
        vec![confidence::held_with(setting, &trace, scale), confidence::widths(setting, &trace)];
    samples.extend(confidence::offsets(setting, &trace, &world.variation));
    samples.push(model::as_printed(setting, &world, &trace)?);
    samples.extend(penalty::laws(setting, &trace));
    samples.extend(error_sums::lemma(setting, &trace));
    samples.extend(theorems::first(setting, &trace));
    samples.extend(theorems::explicit(setting, &trace));
    Ok(samples)
}

/// What `work` makes of each, on so many threads; `tick` after each.
fn all<J: Sync, T: Send>(
    jobs: &[J],
    threads: NonZeroUsize,
    tick: &(dyn Fn() + Sync),
    work: impl Fn(&J) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let calm = AtomicBool::new(false);
    let ticked = |job: &J| work(job).inspect(|_| tick()).map(Some);
    Ok(work_all(jobs, threads.get(), &calm, |_| 1, ticked)?.into_iter().flatten().collect())
}
