//! How a command says its result: in words to people, as JSON to programs.

use super::output::{self, say};
use super::table::Format;
use super::terminal;
use super::text::wrapped;
use anyhow::Result;
use rpol::words::{message, visible};
use serde::Serialize;
use std::io::IsTerminal;

/// How a command that does one thing says what it did.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct Answer {
    /// Print JSON, as is done where stdout is no terminal
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    quiet: Quiet,
}

/// Whether anything but the result is said.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct Quiet {
    /// Print the result only: no progress, no notes
    #[arg(long, short)]
    quiet: bool,
}

impl Answer {
    pub(crate) fn new(json: bool, quiet: Quiet) -> Self {
        Self { json, quiet }
    }

    /// Whether a program reads the result.
    pub(crate) fn is_json(self) -> bool {
        self.json || !std::io::stdout().is_terminal()
    }

    pub(crate) fn is_quiet(self) -> bool {
        self.quiet.quiet
    }

    /// Says something beside the result, on stderr.
    pub(crate) fn note(self, text: &str) {
        self.quiet.note(text);
    }

    /// Prints the result.
    pub(crate) fn give(self, value: &impl Serialize, words: impl FnOnce() -> String) -> Result<()> {
        if self.is_json() {
            return output::json(value);
        }
        let width = terminal::of_stdout().unwrap_or(usize::MAX);
        let lines: String =
            words().lines().map(|line| wrapped(&visible(line), width) + "\n").collect();
        output::text(&lines)
    }
}

impl Quiet {
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            say!("rpol: {}", message(text));
        }
    }
}

/// How a command prints what it found. It says nothing else, so that to be quiet changes nothing.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Listing {
    /// How to print it [default: table on a terminal, else json]
    #[arg(long, short, value_enum)]
    format: Option<Format>,
    /// The same as -f json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    _quiet: Quiet,
}

impl Listing {
    pub(crate) fn format(self) -> Format {
        let fitting = || if std::io::stdout().is_terminal() { Format::Table } else { Format::Json };
        self.format.unwrap_or_else(|| if self.json { Format::Json } else { fitting() })
    }
}
