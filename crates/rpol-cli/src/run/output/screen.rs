//! What is seen of a run while it goes on: a live screen on a terminal, else a plain line a trial. All on stderr.

use super::live::LiveScreen;
use crate::common::output::talk;
use crate::common::{lines, text};
use rpol::Study;
use rpol::study::Suggestion;
use std::fmt::Arguments;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hears of everything that happens in a run.
pub(crate) trait Screen: Sync {
    /// A trial was begun.
    fn began(&self, study: &Study, trial: &Suggestion);
    /// The trial of this number has ended, and is on the books.
    fn ended(&self, study: &Study, number: u64);
    /// Something the user should know.
    fn note(&self, text: &str);
    /// The run is over.
    fn close(&self);
}

/// The screen that suits stderr; none where only the result is wanted.
pub(crate) fn screen(rounds: u64, study: &Study, is_quiet: bool) -> Box<dyn Screen> {
    if is_quiet {
        Box::new(NoScreen)
    } else if std::io::stderr().is_terminal() {
        Box::new(LiveScreen::new(rounds, study))
    } else {
        Box::new(PlainScreen { talk, lost: AtomicU64::new(0) })
    }
}

struct NoScreen;

impl Screen for NoScreen {
    fn began(&self, _: &Study, _: &Suggestion) {}
    fn ended(&self, _: &Study, _: u64) {}
    fn note(&self, _: &str) {}
    fn close(&self) {}
}

/// A line a trial. Where stderr is a file on a full disk, or a pipe that nobody reads, lines are lost and the run goes
/// on: once there is room again, it says how many.
struct PlainScreen {
    talk: fn(Arguments<'_>) -> bool,
    lost: AtomicU64,
}

impl PlainScreen {
    fn say(&self, line: &str) {
        let lost = self.lost.load(Ordering::Relaxed);
        if lost > 0 && (self.talk)(format_args!("note: {lost} lines could not be written here")) {
            self.lost.store(0, Ordering::Relaxed);
        }
        if !(self.talk)(format_args!("{line}")) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Screen for PlainScreen {
    fn began(&self, _: &Study, _: &Suggestion) {}

    fn ended(&self, study: &Study, number: u64) {
        if let Some(trial) = study.trials().get(number as usize) {
            self.say(&lines::trial(study, trial));
        }
    }

    fn note(&self, text: &str) {
        self.say(&format!("note: {}", text::line(text, 600)));
    }

    fn close(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    static IS_FULL: AtomicBool = AtomicBool::new(true);
    static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

    fn disk(words: Arguments<'_>) -> bool {
        let is_full = IS_FULL.load(Ordering::Relaxed);
        let written = WRITTEN.lock().map(|mut written| {
            written.extend((!is_full).then(|| words.to_string()));
        });
        written.is_ok() && !is_full
    }

    #[test]
    fn lines_that_are_lost_are_counted_and_said_once() {
        let screen = PlainScreen { talk: disk, lost: AtomicU64::new(0) };
        ["a", "b", "c"].into_iter().for_each(|line| screen.say(line));
        IS_FULL.store(false, Ordering::Relaxed);
        ["d", "e"].into_iter().for_each(|line| screen.say(line));
        let expected = ["note: 3 lines could not be written here", "d", "e"];
        assert_eq!(WRITTEN.lock().map(|written| written.clone()).unwrap_or_default(), expected);
    }
}
