//! A study's file and the flags, made into what can be run.

use crate::BadInput;
use crate::run::metrics::reader::Reader;
use crate::run::process::command::{CommandTemplate, FixedCommand};
use crate::run::process::environment;
use anyhow::Result;
use rpol::study::{Run, Span};
use rpol::{Params, Spec};
use std::path::Path;

/// A study that can be run: everything that could be wrong before the first trial has been looked at.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) spec: Spec,
    pub(crate) run: Run,
    pub(crate) command: CommandTemplate,
    pub(crate) setup: Option<FixedCommand>,
    pub(crate) teardown: Option<FixedCommand>,
    pub(crate) reader: Reader,
    /// Where the study is kept: as the file says, until the command line and the environment are looked at.
    pub(crate) storage: String,
}

/// What the command line says in place of the study's file.
#[derive(clap::Args, Default)]
pub(crate) struct Overrides {
    /// The study's name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// How many trials run at once
    #[arg(long, value_name = "N")]
    workers: Option<u32>,
    /// What one try of the command may take, such as 90s, 5m, 1h
    #[arg(long, value_name = "TIME")]
    timeout: Option<Span>,
    /// How often a failed command is tried again
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
    /// Trials the study is to have in all
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// No new trial after this time
    #[arg(long, value_name = "TIME")]
    time: Option<Span>,
    /// Write a page about the study here when the run ends
    #[arg(long, value_name = "FILE.html")]
    report: Option<String>,
}

/// Trials where nobody says how many.
const ROUNDS: u64 = 100;

impl Config {
    pub(crate) fn read(file: &Path, overrides: &Overrides) -> Result<Self> {
        let path = std::path::absolute(file)?;
        let spec =
            overrides.applied(crate::common::study_file::read(file, overrides.name.as_deref())?)?;
        let storage = crate::common::study_file::storage(file, &spec);
        Ok(Self::new(spec, path.parent().unwrap_or(Path::new("/")), storage)?)
    }

    fn new(spec: Spec, folder: &Path, storage: String) -> Result<Self, BadInput> {
        let Some(run) = spec.run.clone() else {
            let remedy = "give [run] with command = [\"./bench\", \"{name of a parameter}\"]";
            return Err(BadInput(format!("run: there is no command to run: {remedy}")));
        };
        environment::check(&spec.params)?;
        let fixed = |field: &str, command: &Vec<String>| match command.is_empty() {
            true => Ok(None),
            false => FixedCommand::read(field, command, folder, &spec.name).map(Some),
        };
        Ok(Self {
            command: CommandTemplate::read(&run.command, folder, &spec)?,
            setup: fixed("run.setup", &run.setup)?,
            teardown: fixed("run.teardown", &run.teardown)?,
            reader: Reader::new(&spec, &run)?,
            run,
            spec,
            storage,
        })
    }

    /// The command for a setting, as one would type it in a shell.
    pub(crate) fn typed(&self, params: &Params) -> String {
        self.command.typed(params)
    }

    /// Trials the study is to have in all.
    pub(crate) fn rounds(&self) -> u64 {
        self.run.rounds.or(self.spec.horizon).unwrap_or(ROUNDS)
    }
}

impl Overrides {
    fn applied(&self, mut spec: Spec) -> Result<Spec> {
        if let Some(run) = &mut spec.run {
            run.workers = self.workers.unwrap_or(run.workers);
            run.timeout = self.timeout.or(run.timeout);
            run.retries = self.retries.unwrap_or(run.retries);
            run.rounds = self.rounds.or(run.rounds);
            run.time = self.time.or(run.time);
            run.report = self.report.clone().or(run.report.take());
        }
        spec.validate()?;
        Ok(spec)
    }
}
