//! `rpol fsck`: whether a store holds what was written to it.

use crate::common::decisions;
use crate::common::storage::Storage;
use anyhow::{Result, bail};
use indicatif::ProgressBar;
use rpol::store::{Store, check_snapshot};
use rpol::{Error, Study};
use std::io::Write;

/// Check a store: its file, the checksum of every entry, and that each log leads to the decisions it holds
///
/// Every decision is made again from what stood before it, and compared to the last bit; on another kind of processor
/// than the one that made it the last bits may differ without damage. A log that another version of the engine made may lead to other
/// decisions: that is said, and is no damage. Nothing is changed. Exits with 1 when something is damaged or the store cannot be read, and with 2 when there is no such store or study.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol fsck                 every study of the store
  rpol fsck cache           only this one")]
pub(crate) struct Args {
    /// Only these studies
    studies: Vec<String>,
    #[command(flatten)]
    storage: Storage,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let store = args.storage.existing(None)?;
    let mut damage = store.faults()?;
    match store.studies() {
        Ok(known) => check_studies(&*store, args, known, &mut damage)?,
        Err(error) => damage.push(error.to_string()),
    }
    if damage.is_empty() {
        return Ok(());
    }
    bail!("damaged:\n  {}", damage.join("\n  "))
}

fn check_studies(
    store: &dyn Store,
    args: &Args,
    known: Vec<String>,
    damage: &mut Vec<String>,
) -> Result<()> {
    if let Some(name) = args.studies.iter().find(|name| !known.contains(name)) {
        let known = format!("there are {known:?}");
        return Err(Error::UnknownStudy { name: name.clone(), known }.into());
    }
    let wanted = if args.studies.is_empty() { known } else { args.studies.clone() };
    let bar = decisions::progress();
    for name in wanted {
        let line = match check(store, &name, &bar) {
            Ok(account) => format!("{name:?}: {account}"),
            Err(error) => {
                damage.push(format!("study {name:?}: {error}"));
                format!("{name:?}: DAMAGED")
            }
        };
        bar.suspend(|| writeln!(anstream::stdout(), "{line}"))?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Reads a log, which checks its checksums; folds it, which checks that its events follow from each other; and makes
/// its decisions again.
fn check(store: &dyn Store, name: &str, bar: &ProgressBar) -> rpol::Result<String> {
    let log: Vec<_> = store.read(name, 0)?.into_iter().map(|entry| entry.event).collect();
    let entries = log.len();
    let study = Study::replay(log)?;
    let differing = decisions::again(&study, bar)?;
    if study.spec().name != name {
        let problem = format!("its definition names it {:?}", study.spec().name);
        return Err(Error::InvalidLog { position: 0, problem });
    }
    if !check_snapshot(store, name)? {
        let problem = "its snapshot is not what its log adds up to; the log is sound: move it to another store by export and import";
        let (place, problem) = (format!("{name:?}"), problem.into());
        return Err(Error::Damaged { place, problem });
    }
    let sound = format!("sound, {entries} entries, {} trials", study.trials().len());
    // Checksums and order are what damage would break: only decisions differ.
    Ok(differing.map_or(sound.clone(), |differing| format!("{sound}; {differing}")))
}
