//! The live screen: how far the run is, the best so far, every constraint's account and the last trials.

use super::counts::ended;
use super::screen::Screen;
use crate::common::{lines, terminal, text};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rpol::Study;
use rpol::study::Suggestion;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many of the last trials are shown.
const LAST: usize = 5;

pub(crate) struct LiveScreen {
    screen: MultiProgress,
    progress: ProgressBar,
    best: ProgressBar,
    accounts: Vec<ProgressBar>,
    last: Vec<ProgressBar>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: u64,
    last: VecDeque<String>,
}

impl LiveScreen {
    pub(crate) fn new(rounds: u64, study: &Study) -> Self {
        let screen = MultiProgress::new();
        let row = |template: &str| {
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            screen.add(ProgressBar::new(rounds).with_style(style.progress_chars("#>-")))
        };
        // What is cut off at the right must not be what matters.
        let bar = if columns() < 80 { 10 } else { 30 };
        let progress = row(&format!(
            "{{pos:>4}} of {{len}} trials [{{bar:{bar}}}] {{eta}} left, {{wide_msg}}"
        ));
        // The time left is that of this run's trials, not of those before it.
        progress.set_position(ended(study));
        progress.reset_eta();
        progress.enable_steady_tick(Duration::from_millis(250));
        let best = row("{wide_msg}");
        let accounts = study.spec().constraints.iter().map(|_| row("{wide_msg}")).collect();
        let last = (0..LAST).map(|_| row("{wide_msg}")).collect();
        let live = Self { screen, progress, best, accounts, last, state: Mutex::default() };
        live.draw(study);
        live
    }

    fn draw(&self, study: &Study) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.set_message(format!("{} running", state.running));
        let best = study.best_trial().map(|trial| {
            let (setting, measured) = (text::params(&trial.params), text::metrics(&trial.metrics));
            format!("best   {measured}  {setting} (trial {})", trial.number)
        });
        self.best.set_message(best.unwrap_or_else(|| "best   none is feasible so far".into()));
        for (row, account) in self.accounts.iter().zip(study.ledger()) {
            let room = columns().saturating_sub("limit  ".len());
            row.set_message(format!("limit  {}", lines::account_within(&account, room)));
        }
        for (row, text) in self.last.iter().zip(&state.last) {
            row.set_message(text.clone());
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Columns of the terminal, as it is now.
fn columns() -> usize {
    terminal::of_stderr().unwrap_or(80)
}

impl Screen for LiveScreen {
    fn began(&self, study: &Study, _: &Suggestion) {
        self.change(|state| state.running += 1);
        self.draw(study);
    }

    fn ended(&self, study: &Study, number: u64) {
        let text = study.trials().get(number as usize).map(|trial| lines::brief(study, trial));
        self.change(|state| {
            state.running = state.running.saturating_sub(1);
            state.last.extend(text);
            let surplus = state.last.len().saturating_sub(LAST);
            state.last.drain(..surplus);
        });
        self.progress.set_position(ended(study));
        self.draw(study);
    }

    fn note(&self, text: &str) {
        // A line above the screen, there to stay.
        let _ = self.screen.println(format!("note: {}", text::line(text, 600)));
    }

    fn close(&self) {
        self.progress.disable_steady_tick();
        // A screen that cannot be cleared is not worth failing for.
        let _ = self.screen.clear();
    }
}
