//! Fits that are on their way while rounds go on.
//!
//! A fit is due when the values have grown by 15 %, so $t$ rounds have $O(\log t)$ fits. From 192
//! settings on a fit is used one round later for every 16 settings, and a thread works on it
//! meanwhile. The delay follows from the data, and the fit sees what was known when it was due, so
//! neither the thread's speed nor its absence changes a decision. A replay that begins in between
//! starts the same fit. Rounds that come faster than the thread wait for it. The first fit cannot
//! wait. A change of the system discards a fit under way.

use super::parallel;
use crate::error::Result;
use crate::gp::evidence::{Data, Hyper};
use crate::gp::{Fit, Priors, Scale, Warp, fit_quickly, fit_under};
use crate::kernel::Kernel;
use crate::random::Stream;
use crate::study::log::event::{Event, Fitted};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// A fit from fewer settings than this takes no longer than an ask.
const MANY: usize = 192;
/// From more it is used one round later for each such number.
const PER_ROUND: usize = 16;
/// And at most so many: models begin anew every 128 rounds, and what is not done by then is given up.
const LONGEST: usize = 64;
/// A transform is given up that before its search is behind by so much more, in log posterior, than the search of another
/// gained.
const BEHIND: f64 = 3.0;

/// A fit of every output, from what was known when it became due.
///
/// One that takes long is taken up some rounds later, a number that the data alone decide: meanwhile another thread works at
/// it, and who finishes first, round or thread, changes no decision.
#[derive(Debug, Clone)]
pub(in crate::study) struct Fitting {
    /// The round whose decision uses it.
    pub(in crate::study) round: u64,
    observations: u64,
    work: Arc<Work>,
}

#[derive(Debug)]
struct Work {
    fit_inputs: Vec<FitInput>,
    stream: Stream,
    /// Whether a thread was asked to do it.
    begun: AtomicBool,
    outcome: OnceLock<Result<Vec<Fitted>>>,
    /// A process that was forked off has no thread that works for it.
    process: u32,
}

/// What one output's hyper-parameters are learned from.
#[derive(Debug, Clone)]
pub(in crate::study) enum FitInput {
    /// They are given.
    Known(Fitted),
    /// They are those that explain the data best.
    Learned {
        /// The values under each transform that may explain them; at least one.
        rivals: Vec<Rival>,
        kernel: Kernel,
        priors: Priors,
        warm: Option<Hyper>,
        extra: usize,
        /// Whether a rough fit will do: the next is soon to come.
        quick: bool,
    },
}

/// The values of an output under one transform.
#[derive(Debug, Clone)]
pub(in crate::study) struct Rival {
    pub(in crate::study) warp: Warp,
    pub(in crate::study) scale: Scale,
    pub(in crate::study) data: Data,
    /// $\sum\ln(w'(g)/s)$ with $s$ the spread: what makes evidences comparable.
    pub(in crate::study) jacobian: f64,
}

impl Fitting {
    /// Due at a round; the first fit of all cannot wait.
    pub(in crate::study) fn due(
        round: u64,
        observations: u64,
        first: bool,
        fit_inputs: Vec<FitInput>,
        stream: Stream,
    ) -> Self {
        let settings = fit_inputs.iter().map(FitInput::len).max().unwrap_or(0);
        let wait = if first || settings < MANY { 0 } else { (settings / PER_ROUND).min(LONGEST) };
        let (begun, outcome, process) = (AtomicBool::new(false), OnceLock::new(), process::id());
        let work = Arc::new(Work { fit_inputs, stream, begun, outcome, process });
        Self { round: round + wait as u64, observations, work }
    }

    /// Lets a thread work at it. Where there is none to be had, the round that uses it does the work.
    pub(in crate::study) fn begin(&self) {
        let work = self.work.clone();
        if !work.begun.swap(true, Ordering::Relaxed) {
            let _ = thread::Builder::new()
                .name("rpol-fit".into())
                .spawn(move || drop(work.done(Work::one_by_one)));
        }
    }

    /// What was learned, once it is.
    pub(in crate::study) fn finish(self) -> Result<Event> {
        // An ask waits for it.
        let outputs = self.work.done(Work::side_by_side)?;
        Ok(Event::Fitted { observations: self.observations, outputs })
    }
}

impl Work {
    fn done(&self, learn: impl Fn(&Self) -> Result<Vec<Fitted>>) -> Result<Vec<Fitted>> {
        match self.process == process::id() {
            true => self.outcome.get_or_init(|| learn(self)).clone(),
            false => learn(self),
        }
    }

    fn one_by_one(&self) -> Result<Vec<Fitted>> {
        let mut stream = self.stream.clone();
        self.fit_inputs.iter().map(|fit_input| fit_input.learn(&mut stream)).collect()
    }

    /// The same on all cores, where there is much to learn: nothing is random then.
    fn side_by_side(&self) -> Result<Vec<Fitted>> {
        if self.fit_inputs.iter().any(|fit_input| fit_input.len() < MANY) {
            return self.one_by_one();
        }
        let learn = |fit_input: &FitInput| fit_input.learn(&mut self.stream.clone());
        parallel::each(self.fit_inputs.iter().collect(), learn).into_iter().collect()
    }
}

impl FitInput {
    fn len(&self) -> usize {
        match self {
            Self::Known(_) => 0,
            Self::Learned { rivals, .. } => rivals[0].data.len(),
        }
    }

    fn learn(&self, stream: &mut Stream) -> Result<Fitted> {
        match self {
            Self::Known(fitted) => Ok(fitted.clone()),
            Self::Learned { rivals, kernel, priors, warm, extra, quick } => {
                let warm = warm.as_ref();
                let mut best: Option<(f64, Fitted)> = None;
                // What a search has gained so far.
                let mut gained = 0f64;
                for rival in rivals {
                    let Rival { data, jacobian, .. } = rival;
                    let found = if *quick && data.len() < MANY {
                        let most = best.as_ref().map_or(f64::NEG_INFINITY, |(most, _)| *most);
                        let is_hopeless = |begun| begun + jacobian + gained + BEHIND < most;
                        let found =
                            fit_quickly(data, kernel, *priors, warm, *extra, stream, is_hopeless)?;
                        let Some((begun, found)) = found else { continue };
                        gained = gained.max(found.log_posterior - begun);
                        found
                    } else {
                        fit_under(data, kernel, *priors, warm, *extra, stream)?
                    };
                    let evidence = found.log_posterior + jacobian;
                    if best.as_ref().is_none_or(|(most, _)| evidence > *most) {
                        best = Some((evidence, rival.fitted(found)));
                    }
                }
                Ok(best.unwrap_or_else(|| unreachable!("there is at least one transform")).1)
            }
        }
    }
}

impl Rival {
    fn fitted(&self, found: Fit) -> Fitted {
        let degraded = found.degraded();
        let Hyper { kernel, noise, mean } = found.hyper;
        let scale = Scale { centre: self.scale.restore(mean), ..self.scale };
        Fitted { kernel, noise, warp: self.warp, scale, degraded }
    }
}

#[cfg(test)]
impl Fitting {
    /// As a forked process has it: a thread was at it when it was forked off, and is no more.
    pub(in crate::study) fn inherited(self) -> Self {
        let work = &self.work;
        let fit_inputs = work.fit_inputs.clone();
        let outcome = OnceLock::from(Err(crate::error::Error::Infeasible { excess: 1.0 }));
        let (stream, begun) = (work.stream.clone(), AtomicBool::new(true));
        let process = work.process.wrapping_add(1);
        let work = Arc::new(Work { fit_inputs, stream, begun, outcome, process });
        Self { work, ..self }
    }
}
