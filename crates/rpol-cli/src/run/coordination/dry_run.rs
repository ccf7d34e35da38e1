//! `--dry-run`: what would be run, without running or storing anything.

use super::config::Config;
use crate::common::text;
use crate::run::output::counts;
use anyhow::Result;
use rpol::store::{Memory, Shared, Store, Worker};
use std::io::Write;
use std::sync::Arc;

/// How many commands are shown.
const SHOWN: u64 = 5;

/// Prints the commands of the next settings, from a copy of the study in memory.
pub(crate) fn show(config: &Config, stored: Option<Arc<dyn Store>>) -> Result<()> {
    let name = &config.spec.name;
    let memory = Arc::new(Memory::default());
    if let Some(stored) = stored {
        memory.append(name, 0, &stored.read(name, 0)?)?;
    }
    let mut study = Shared::open(memory, config.spec.clone())?;
    let (worker, lease) = (Worker::own().name(), config.run.lease.duration());
    anstream::eprintln!("nothing is run and nothing is stored; these would be the next commands:");
    let mut out = anstream::stdout().lock();
    for _ in 0..SHOWN {
        let more = |study: &rpol::Study| counts::asked(study) < config.rounds();
        let issued = study.issue_while(&worker, lease, more)?;
        let Some(trial) = issued.map(|issued| issued.suggestion) else { break };
        writeln!(out, "{}", config.command.typed(&trial.params))?;
        anstream::eprintln!("  trial {}: {}", trial.number, text::params(&trial.params));
    }
    Ok(())
}
