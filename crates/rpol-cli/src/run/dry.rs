//! `--dry-run`: what would be run, without running or storing anything.

use super::identity::Identity;
use super::plan::Plan;
use super::show;
use super::stop;
use anyhow::Result;
use rpol::store::{Memory, Shared, Store};
use std::io::Write;
use std::sync::Arc;

/// How many commands are shown.
const SHOWN: u64 = 5;

/// Prints the commands of the next settings, from a copy of the study in memory.
pub(super) fn show(plan: &Plan, stored: Option<Arc<dyn Store>>) -> Result<()> {
    let name = &plan.spec.name;
    let memory = Arc::new(Memory::default());
    if let Some(stored) = stored {
        memory.append(name, 0, &stored.read(name, 0)?)?;
    }
    let mut study = Shared::open(memory, plan.spec.clone())?;
    let (worker, lease) = (Identity::own(), plan.run.lease.duration());
    let gone = |lease: &rpol::study::Lease| worker.knows_gone(lease);
    anstream::eprintln!("nothing is run and nothing is stored; these would be the next commands:");
    let mut out = anstream::stdout().lock();
    for _ in 0..SHOWN {
        let more = |study: &rpol::Study| stop::asked(study) < plan.rounds();
        let issued = study.issue_while(&worker.name(), lease, gone, more)?;
        let Some(trial) = issued.map(|issued| issued.suggestion) else { break };
        writeln!(out, "{}", plan.command.typed(&trial.params))?;
        anstream::eprintln!("  trial {}: {}", trial.number, show::params(&trial.params));
    }
    Ok(())
}
