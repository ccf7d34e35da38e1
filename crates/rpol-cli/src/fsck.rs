//! `rpol fsck`: whether a store holds what was written to it.

use crate::common::storage::Storage;
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rpol::store::{Store, check_snapshot};
use rpol::study::{ENGINE_VERSION, Event};
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
    let bar = progress();
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
    bar.set_length(entries as u64);
    let others = Study::audit(study.log(), |entry| bar.set_position(entry as u64))?;
    let another = study.created_by() != Some(ENGINE_VERSION);
    if let Some(number) = others.first().filter(|_| !another) {
        let (position, count) = (decision(&study, *number), others.len());
        let problem = format!(
            "the decision of trial {number} is not the one that the log leads to ({count} such decisions in all)"
        );
        return Err(Error::InvalidLog { position, problem });
    }
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
    Ok(match others.len() {
        0 => sound,
        // Checksums and order are what damage would break: only decisions differ.
        count => {
            let created =
                study.created_by().map_or("an older engine".into(), |v| format!("engine {v}"));
            format!(
                "{sound}; made by {created}, and engine {ENGINE_VERSION} of this build decides {count} of them differently"
            )
        }
    })
}

/// Where in the log a trial was asked for.
fn decision(study: &Study, trial: u64) -> usize {
    let asked = |e: &Event| matches!(e, Event::Asked { number, .. } if *number == trial);
    study.log().iter().position(asked).unwrap_or_default()
}

/// On stderr, and only where that is a terminal.
fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} entry {pos} of {len}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style)
}
