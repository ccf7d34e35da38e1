//! What is seen of a run while it goes on: a live screen on a terminal, else a plain line a trial. All on stderr.

use super::live::LiveScreen;
use crate::common::{lines, text};
use rpol::Study;
use rpol::study::Suggestion;
use std::io::IsTerminal;

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
        Box::new(PlainScreen)
    }
}

struct NoScreen;

impl Screen for NoScreen {
    fn began(&self, _: &Study, _: &Suggestion) {}
    fn ended(&self, _: &Study, _: u64) {}
    fn note(&self, _: &str) {}
    fn close(&self) {}
}

struct PlainScreen;

impl Screen for PlainScreen {
    fn began(&self, _: &Study, _: &Suggestion) {}

    fn ended(&self, study: &Study, number: u64) {
        if let Some(trial) = study.trials().get(number as usize) {
            anstream::eprintln!("{}", lines::trial(study, trial));
        }
    }

    fn note(&self, text: &str) {
        anstream::eprintln!("note: {}", text::line(text, 600));
    }

    fn close(&self) {}
}
