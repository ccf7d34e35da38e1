//! rpol: learn a live system's best setting while counting every violation of its limits.
//!
//! # The problem
//!
//! A system has settings $x$, a quantity to raise, $f(x)$, and limits to keep, $g_i(x) \le 0$. All
//! of them are unknown and can only be measured, with noise, by running the system at a setting:
//!
//! $$\max_{x \in \mathcal X} f(x) \quad\text{subject to}\quad g_i(x) \le 0, \qquad
//!   r_t = f(x_t) + \eta_t, \quad c_{i,t} = g_i(x_t) + \varepsilon_{i,t}.$$
//!
//! Every round counts, those of the search included. What is held down is therefore not the
//! violation of the final answer but the sum over all rounds, in which a safe round pays for no
//! other:
//!
//! $$R(T) = \sum_{t=1}^T \bigl(f(x^\star) - f(x_t)\bigr), \qquad
//!   V_i(T) = \sum_{t=1}^T \max(g_i(x_t), 0).$$
//!
//! # The default: a promised risk
//!
//! At most a share `risk` of the trials goes over a limit, as measured where a baseline is given and
//! by their means where none is. The surrogates keep it, and feedback that does not rely on them: see
//! [`policy::Guarded`] for the rule and the bound it keeps on every path.
//!
//! # The paper's algorithm
//!
//! By name (`algorithm = "rpol-ucb"`, `preset = "printed"`), and before anything is known that keeps the limits, in the
//! form of [`policy::Cautious`]: *Rectified pessimistic-optimistic learning* (Guo, Zhu & Liu), RPOL:
//!
//! ```text
//! Q_i <- 1 for every constraint i
//! for t = 1, 2, ..., T:
//!     upper(x)   <- mu_f(x) + w_f sigma_f(x)                the best f may be
//!     lower_i(x) <- mu_i(x) - w_i sigma_i(x)                the best g_i may be
//!     x_t        <- argmax over x of upper(x) - sum_i Q_i max(lower_i(x), 0)
//!     measure r_t and c_t at x_t
//!     Q_i        <- max(Q_i + max(c_i, 0), sqrt(t))
//!     learn (x_t, r_t, c_t)
//! ```
//!
//! With the right widths, under the paper's assumptions and for this rule, both $R(T)$ and $V(T)$ grow at most like $\gamma_T\sqrt T$, so regret and violation
//! per round vanish, and no safe starting point is needed.
//!
//! # Notation
//!
//! | symbol | in code | meaning |
//! |---|---|---|
//! | $x$, $d$ | `x`, `dims` | a point in model coordinates, and how many it has |
//! | $f$, $g_i$ | | objective, raised; constraint, kept at or below 0 |
//! | $k(x, x')$ | [`Kernel`] | prior covariance |
//! | $\Lambda$, $\lambda$ | `noise` | noise variances, one a point; their common value |
//! | $L$ | [`gp::Factor`] | lower triangle with $LL^\top = K + \Lambda$ |
//! | $z$, $\alpha$ | `whitened`, `weights` | $L^{-1}(y - m)$ and $L^{-\top}z$ |
//! | $\mu$, $\sigma$ | `mean`, `deviation` | posterior mean; latent deviation, without noise |
//! | $\gamma$ | `gain` | information gain, $\tfrac12\ln\det(I + \Lambda^{-1}K)$ |
//! | $w$, $\beta_t$ | [`confidence::Width`] | width of the band $\mu \pm w\sigma$ |
//! | $Q_i$ | `penalty` | price of a violation of constraint $i$ |
//! | $t$, $T$ | `t`, `horizon` | round from 1, and the last one |
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | study | a definition and its log: one system to tune, from the first trial to the last |
//! | trial | one setting to try and its outcome, with a number from 0 |
//! | setting | a value for every parameter |
//! | baseline | a setting that keeps the limits today: the first trial, and where guarded play starts |
//! | limit | a constraint, $g_i(x) \le 0$, written as text such as `"p99_ms <= 250"` |
//! | risk | the share of the trials that may go over a limit or fail |
//! | allowance | trials that may still go over: it grows by the risk and falls with every trial over |
//! | budget | what the violation of one limit may add up to, in its own unit |
//! | policy | how the band becomes a decision, and how multipliers move ([`policy`]) |
//! | strategy | which data the surrogate sees, and what its band adds for that ([`strategy`]) |
//! | surrogate | the Gaussian processes that stand for the objective, the limits and failing ([`gp`]) |
//! | posterior | what a surrogate believes after the data: mean and deviation at a point |
//! | acquisition | what a decision maximises over the space: the score of its policy |
//! | pool | a fixed set of candidates whose posterior follows every change ([`gp::Pool`]) |
//! | lease | who runs a trial, and until when; an expired one gives the trial to the next worker |
//! | snapshot | state and surrogates in place of a log that was dropped from memory |
//! | incumbent | the setting to run now, by all that is known ([`Study::incumbent`]) |
//!
//! # Example
//!
//! ```
//! use rpol::{Spec, Study};
//!
//! let mut study = Study::create(Spec::from_toml(r#"
//!     name = "cache"
//!     objective = "minimize cost"
//!     constraints = ["p99_ms <= 250"]
//!     [params]
//!     ttl_s = { type = "float", low = 1, high = 3600, log = true }
//! "#)?)?;
//! for _ in 0..20 {
//!     let trial = study.ask()?;
//!     let ttl = trial.params["ttl_s"].as_f64().unwrap_or(1.0);
//!     let (cost, p99) = (900.0 / ttl.sqrt(), 100.0 + 0.1 * ttl); // your system here
//!     study.tell(trial.number, [("cost", cost), ("p99_ms", p99)])?;
//! }
//! println!("run {:?}; {} ms over in all", study.incumbent()?, study.ledger()[0].total);
//! # Ok::<(), rpol::Error>(())
//! ```
//!
//! The engine underneath, for its own sake: observe, predict, follow a pool of candidates, fit.
//!
//! ```
//! use rpol::gp::{Factor, Lengths, Pool, Posterior, Scale, evidence::Data, fit};
//! use rpol::{Kernel, Points, random::Stream};
//!
//! let kernel = Kernel::matern52([0.3, 0.3]).scaled(1.0);
//! let mut gp = Posterior::new(Factor::new(kernel.clone(), 2)?, vec![Scale::default()]);
//! let mut pool = Pool::new(Points::from_rows(2, &[[0.1, 0.6], [0.9, 0.9]]), &gp);
//!
//! let change = gp.observe(&[0.2, 0.7], &[1.3], 0.05)?; // a point, its value, the noise variance
//! pool.follow(&gp, &change); // every candidate follows, without a new solve
//! assert!(pool.mean(0)[0] > pool.mean(0)[1] && pool.deviation(0)[0] < pool.deviation(0)[1]);
//! assert!(gp.predict(&[0.2, 0.7])?.deviation[0] < 0.05f64.sqrt());
//!
//! let mut data = Data::new(2, Scale::default());
//! data.observe(&[0.2, 0.7], 1.3, None)?;
//! let fitted = fit(&data, &kernel, Lengths::default(), None, 2, &mut Stream::new(1, 0))?; // kernel, noise and mean
//! assert!(fitted.converged && fitted.hyper.noise > 0.0);
//! # Ok::<(), rpol::Error>(())
//! ```
//!
//! The reasons are in `DESIGN.md`.
#![forbid(unsafe_code)]

mod acquisition;
pub mod check;
pub mod confidence;
pub mod constraint;
pub mod error;
pub mod finite;
pub mod gp;
pub mod kernel;
mod linalg;
mod minimize;
mod name;
pub mod points;
pub mod policy;
pub mod random;
mod registered;
mod simd;
pub mod sobol;
pub mod space;
pub mod store;
pub mod strategy;
pub mod study;
pub mod words;

pub use constraint::Constraint;
pub use error::{Error, Result};
pub use finite::Finite;
pub use kernel::Kernel;
pub use name::nearest;
pub use points::{Points, PointsView};
pub use space::{Param, Params, Space, Value};
pub use study::{Spec, Study};
