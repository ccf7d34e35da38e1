//! The systems, a file each.

mod autoscale;
mod broker;
mod cache;
mod compressor;
mod control;
mod database;
mod heating;
mod llm;
mod pipeline;
mod pool;
mod queue;
mod reactor;
mod rotor;
mod search;
mod spark;
mod surge;

use super::chance::Chance;
use super::setting::Setting;
use super::system::{Blueprint, Outcome, System};
use super::{REPORTED_ON, TUNED_ON};
use crate::arena::BadName;
use anyhow::Result;

const ALL: [Blueprint; 16] = [
    queue::SYSTEM,
    autoscale::SYSTEM,
    llm::SYSTEM,
    pool::SYSTEM,
    reactor::SYSTEM,
    compressor::SYSTEM,
    cache::SYSTEM,
    surge::SYSTEM,
    heating::SYSTEM,
    spark::SYSTEM,
    rotor::SYSTEM,
    search::SYSTEM,
    database::SYSTEM,
    broker::SYSTEM,
    pipeline::SYSTEM,
    control::SYSTEM,
];

/// The name of every system.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|blueprint| blueprint.name).collect()
}

/// Every system.
pub fn all() -> Result<Vec<System>> {
    ALL.iter().map(System::new).collect()
}

/// Those that a list names, divided by commas: `tuned`, `reported` and `all` stand for groups.
///
/// ```
/// use rpol_lab::live::{TUNED_ON, list};
/// assert_eq!(list("tuned,queue")?.len(), TUNED_ON.len() + 1);
/// assert!(list("quene").unwrap_err().to_string().contains("`queue`"));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn list(text: &str) -> Result<Vec<System>> {
    let mut wanted: Vec<&str> = Vec::new();
    for part in text.split(',').map(str::trim) {
        match part {
            "all" => wanted.extend(names()),
            "tuned" => wanted.extend(TUNED_ON),
            "reported" => wanted.extend(REPORTED_ON),
            name => wanted.push(name),
        }
    }
    let mut systems: Vec<System> = Vec::new();
    for name in wanted {
        if !systems.iter().any(|system| system.name == name) {
            systems.push(System::named(name)?);
        }
    }
    Ok(systems)
}

impl System {
    /// The system of that name.
    ///
    /// # Errors
    /// Where there is none, with the nearest there is.
    pub fn named(name: &str) -> Result<Self> {
        let found = ALL.iter().find(|blueprint| blueprint.name == name);
        let known = || names().into_iter().map(String::from).collect::<Vec<_>>();
        Self::new(found.ok_or_else(|| BadName::unknown("live system", name, &known()))?)
    }
}

/// The value that a share of the sample is at most; sorts as far as is needed. 0 for an empty sample.
fn quantile(sample: &mut [f64], share: f64) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let at = ((share * sample.len() as f64).ceil() as usize).clamp(1, sample.len()) - 1;
    *sample.select_nth_unstable_by(at, f64::total_cmp).1
}
