//! Who plays: a name, and the study it stands for.

use super::cell::{cells, policies, strategies, tag};
use super::change::{self, Change};
use super::course::Course;
use super::error::BadName;
use super::start::safe_start;
use crate::experiment;
use anyhow::{Context, Result};
use rpol::policy::Policy;
use rpol::study::{ALGORITHMS, Baseline, Preset, Spec};
use rpol::{Params, Value};
use std::str::FromStr;

/// The practical preset as it is.
pub const PRACTICAL: &str = "rpol";

/// A name, and the study it stands for on any course.
///
/// ```
/// use rpol_lab::arena::{Conditions, Contestant, Course};
/// let course = Course::named("classical", &Conditions { rounds: 50, noise: 0.1, delay: None })?;
/// let contestant: Contestant = "constrained/sliding_window@initial=3,strategy.window=7".parse()?;
/// let spec = contestant.spec(&course, 0)?;
/// assert_eq!(spec.initial, Some(3));
/// assert!("konfig".parse::<Contestant>().unwrap_err().to_string().contains("`config`"));
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contestant {
    /// As on the command line.
    pub name: String,
    base: Base,
    changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq)]
enum Base {
    Practical,
    Algorithm(String),
    /// The names of a policy and a strategy.
    Cell(String, String),
}

/// Every name without changes: the practical preset, the literature's, every policy with every strategy.
pub fn names() -> Vec<String> {
    let literature = ALGORITHMS.iter().map(|name| (*name).to_string());
    std::iter::once(PRACTICAL.to_string()).chain(literature).chain(cells()).collect()
}

/// Those that a list names, divided by commas; `literature` stands for the names of the literature, `cells` for every policy with every
/// strategy, `all` for everybody.
///
/// ```
/// use rpol_lab::arena::contestants;
/// let two = contestants("rpol@initial=3,model.learn=false,config")?;
/// assert_eq!(two[0].name, "rpol@initial=3,model.learn=false");
/// assert_eq!(contestants("cells")?.len(), 99);
/// # Ok::<(), rpol_lab::arena::BadName>(())
/// ```
pub fn list(text: &str) -> Result<Vec<Contestant>, BadName> {
    let mut wanted: Vec<String> = Vec::new();
    for part in change::divided(text, &[',']).into_iter().map(str::trim) {
        match part {
            "all" => wanted.extend(names()),
            "cells" => wanted.extend(cells()),
            "literature" => wanted.extend(ALGORITHMS.map(String::from)),
            part => match wanted.last_mut().filter(|_| change::continues(part)) {
                Some(last) => {
                    *last += &format!("{}{part}", if last.contains('@') { "," } else { "@" })
                }
                None => wanted.push(part.into()),
            },
        }
    }
    let mut contestants: Vec<Contestant> = Vec::new();
    for name in wanted {
        if !contestants.iter().any(|c| c.name == name) {
            contestants.push(name.parse()?);
        }
    }
    Ok(contestants)
}

impl FromStr for Contestant {
    type Err = BadName;

    fn from_str(name: &str) -> Result<Self, BadName> {
        let (base, changes) = name.split_once('@').unwrap_or((name, ""));
        if !names().iter().any(|known| known == base) {
            return Err(BadName::unknown("algorithm", base, &names()));
        }
        let base = match base.split_once('/') {
            Some((policy, strategy)) => Base::Cell(policy.into(), strategy.into()),
            None if base == PRACTICAL => Base::Practical,
            None => Base::Algorithm(base.into()),
        };
        let changes = change::read(changes).map_err(|e| BadName(format!("`{name}`: {e}")))?;
        Ok(Self { name: name.into(), base, changes })
    }
}

impl Contestant {
    /// The study of one run.
    pub fn spec(&self, course: &Course, seed: u64) -> Result<Spec> {
        let mut spec = experiment::spec(course.problem(), course.environment.horizon, seed)?;
        if self.starts_safe() {
            spec.baseline = Some(self.baseline(course)?);
        }
        self.applied(spec).with_context(|| format!("{} on {}", self.name, course.name))
    }

    /// A definition with what the name says about how it is played.
    pub fn applied(&self, mut spec: Spec) -> Result<Spec> {
        let rounds = spec.horizon.unwrap_or(1) as usize;
        match &self.base {
            Base::Practical => {}
            Base::Algorithm(name) => spec.algorithm = Some(name.clone()),
            Base::Cell(policy, strategy) => {
                spec.policy = policies().into_iter().find(|p| tag(p) == *policy);
                spec.strategy = strategies(rounds).into_iter().find(|s| tag(s) == *strategy);
            }
        }
        if self.changes.contains(&Change::Printed) {
            spec.preset = Preset::Printed;
        }
        change::apply(&self.changes, spec)
    }

    /// Whether it is given a feasible setting to begin with.
    pub fn starts_safe(&self) -> bool {
        self.is_safe() || self.changes.contains(&Change::SafeStart)
    }

    /// Whether it plays only what it holds to be safe, and cannot begin without a setting that is.
    fn is_safe(&self) -> bool {
        match &self.base {
            Base::Practical => false,
            Base::Algorithm(name) => ["safeopt", "stageopt"].contains(&name.as_str()),
            Base::Cell(policy, _) => *policy == tag(&Policy::Safe(Default::default())),
        }
    }

    fn baseline(&self, course: &Course) -> Result<Baseline> {
        let problem = course.problem();
        let start = safe_start(problem).with_context(|| {
            format!(
                "no feasible start for {} on {}: leave out one of the two",
                self.name, course.name
            )
        })?;
        let domain = problem.domain.iter().zip(start);
        let params: Params = domain.map(|(p, x)| (p.name.clone(), Value::Float(x))).collect();
        Ok(Baseline { params, metrics: Default::default() })
    }
}
