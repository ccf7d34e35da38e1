//! `rpol fsck`: whether a store holds what was written to it.

use crate::storage::Storage;
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rpol::store::Store;
use rpol::{Error, Study};
use std::io::Write;

/// Check a store: its file, the checksum of every entry, and that each log adds up to a study
///
/// Nothing is changed. Exits with 1 when something is damaged, and with 2 when the store cannot be opened.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these studies
    studies: Vec<String>,
    #[command(flatten)]
    storage: Storage,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let store = match args.storage.existing(None) {
        Ok(store) => store,
        Err(error) => match error.downcast_ref::<Error>() {
            Some(damage @ Error::Damaged { .. }) => bail!("{damage}"),
            _ => return Err(error),
        },
    };
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
    let bar = progress(wanted.len() as u64);
    for name in wanted {
        let line = match check(store, &name) {
            Ok(account) => format!("{name:?}: {account}"),
            Err(error) => {
                damage.push(format!("study {name:?}: {error}"));
                format!("{name:?}: DAMAGED")
            }
        };
        bar.suspend(|| writeln!(anstream::stdout(), "{line}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Reads a log, which checks its checksums, and folds it, which checks that its events follow from each other.
fn check(store: &dyn Store, name: &str) -> rpol::Result<String> {
    let log: Vec<_> = store.read(name, 0)?.into_iter().map(|entry| entry.event).collect();
    let entries = log.len();
    let study = Study::replay(log)?;
    if study.spec().name != name {
        let problem = format!("its definition names it {:?}", study.spec().name);
        return Err(Error::InvalidLog { position: 0, problem });
    }
    Ok(format!("sound, {entries} entries, {} trials", study.trials().len()))
}

/// On stderr, and only where that is a terminal.
fn progress(studies: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} study {pos} of {len}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(studies).with_style(style)
}
