//! What long computations have in common: how often, on how many threads, where to, and until when.

use crate::BadInput;
use crate::common::output::say;
use crate::common::signals::on_end;
use crate::exit::{INTERRUPTED, Interrupted};
use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use rpol_lab::pool::Ending;
use rpol_plot::{Replace, check_place};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

/// More of anything is a slip of the finger.
const MOST: u64 = 10_000;

pub(crate) fn count(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST)
}

pub(crate) fn whole(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("give a whole number from {least} to {most}"))
}

pub(crate) fn level(text: &str) -> Result<f64, String> {
    let level = text.parse::<f64>().ok().filter(|level| level.is_finite() && *level >= 0.0);
    level.ok_or_else(|| "give a finite number of at least 0".into())
}

/// Makes the folder and tries it, before hours of work find out that nothing can be written there, or that somebody
/// else's files stand in the way.
pub(crate) fn writable(folder: &Path) -> Result<()> {
    let shown = folder.display();
    if folder.exists() && !folder.is_dir() {
        return Err(BadInput(format!("--out {shown} is a file: give a folder")).into());
    }
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let attempt = || {
        fs::create_dir_all(folder)?;
        fs::File::create_new(&probe)?;
        fs::remove_file(&probe)?;
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()
    };
    let there = attempt().map_err(|error: io::Error| {
        let remedy = "give a folder that can, with --out DIR";
        let problem = format!("--out {shown} cannot be written to ({error}): {remedy}");
        match error.kind() {
            io::ErrorKind::NotADirectory => anyhow::Error::from(BadInput(problem)),
            _ => anyhow!(problem),
        }
    })?;
    let foreign =
        |path: &&PathBuf| is_of_a_kind_we_write(path) && check_place(path, Replace::Own).is_err();
    there.iter().find(foreign).map_or(Ok(()), |path| {
        let remedy = "give a folder that is new, empty, or has results already, with --out DIR";
        Err(BadInput(format!(
            "--out {shown} has {}, which rpol did not write: {remedy}",
            path.display()
        ))
        .into())
    })
}

fn is_of_a_kind_we_write(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| ["csv", "html", "json", "png", "svg"].contains(&end))
}

/// One a core where nobody says.
pub(crate) fn threads(jobs: Option<u64>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    jobs.map_or_else(cores, |jobs| jobs as usize)
}

/// A flag that Ctrl-C raises; a second Ctrl-C does not wait for anything.
pub(crate) fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let raise = move || {
        if flag.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED.into());
        }
    };
    on_end(raise)?;
    Ok(stop)
}

/// All that was played; where it was stopped, the end.
pub(crate) fn played<T>(ending: Ending<T>, all: usize) -> Result<T> {
    match ending {
        Ending::Played(made) => Ok(made),
        Ending::Stopped(played) => {
            say!("interrupted: {played} of {all} runs were played; nothing was written");
            Err(Interrupted.into())
        }
    }
}

/// A bar on stderr, and only where that is a terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// As a shell reads it.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
