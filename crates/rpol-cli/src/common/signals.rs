//! Signals that ask a program to end.

use anyhow::{Context, Result};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

/// Calls `heard` at each of them: Ctrl-C, Ctrl-\, a hang-up, a request to end.
#[cfg(unix)]
pub(crate) fn on_end(mut heard: impl FnMut() + Send + 'static) -> Result<()> {
    // Who has started it with `nohup` wants it to go on.
    let all = [SIGINT, SIGQUIT, SIGTERM].into_iter().chain((!is_ignored(SIGHUP)).then_some(SIGHUP));
    let listened = signal_hook::iterator::Signals::new(all);
    let mut signals = listened.context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || signals.forever().for_each(|_| heard()));
    Ok(())
}

/// Whether the process was started with a signal ignored, as far as the system says so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
pub(crate) fn on_end(heard: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(heard).context("cannot listen for Ctrl-C")
}

/// A file that may grow no more (`ulimit -f`) is an error of whoever writes to it, and not the end of the program.
pub(crate) fn outlive_file_limits() {
    // Where it cannot be heard it ends the program, as it always did.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}
