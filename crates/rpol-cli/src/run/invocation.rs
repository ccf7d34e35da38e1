//! The command of a trial, as it is given to the system: no shell, every value one argument, byte for byte.

use super::environment::variable;
use super::program;
use super::show;
use super::template::Template;
use crate::BadInput;
use rpol::study::Suggestion;
use rpol::{Params, Spec};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command of a study's trials.
#[derive(Debug)]
pub(super) struct Invocation {
    program: PathBuf,
    written: String,
    arguments: Vec<Template>,
    folder: PathBuf,
    study: String,
}

/// A command without parameters: before the first trial, or after the last.
#[derive(Debug)]
pub(super) struct Fixed(Invocation);

impl Invocation {
    pub(super) fn read(command: &[String], folder: &Path, spec: &Spec) -> Result<Self, BadInput> {
        let known: Vec<&str> = spec.params.params().keys().map(String::as_str).collect();
        Self::with_params("run.command", command, folder, &spec.name, &known)
    }

    fn with_params(
        field: &str,
        command: &[String],
        folder: &Path,
        study: &str,
        known: &[&str],
    ) -> Result<Self, BadInput> {
        let element =
            |(i, text): (usize, &String)| Template::read(&format!("{field}[{i}]"), text, known);
        let mut templates =
            command.iter().enumerate().map(element).collect::<Result<Vec<_>, _>>()?;
        let field = format!("{field}[0]");
        let written = templates.remove(0).fixed().ok_or_else(|| {
            let remedy = "name the program itself, and pass parameters as arguments";
            BadInput(format!("{field}: {:?} depends on a parameter: {remedy}", command[0]))
        })?;
        let search = std::env::var_os("PATH");
        let program = program::find(&field, &written, folder, search.as_deref())?;
        let (folder, study) = (folder.into(), study.into());
        Ok(Self { program, written, arguments: templates, folder, study })
    }

    /// The command of a trial, and what it is given on stdin.
    pub(super) fn of(&self, trial: &Suggestion) -> (Command, Vec<u8>) {
        let mut command = self.bare(&trial.params);
        let set = |(name, value): (&String, &rpol::Value)| (variable(name), value.to_string());
        command.envs(trial.params.iter().map(set)).env("RPOL_TRIAL", trial.number.to_string());
        let input = json!({ "number": trial.number, "params": trial.params });
        (command, format!("{input}\n").into_bytes())
    }

    fn bare(&self, params: &Params) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(|argument| argument.fill(params)));
        command.current_dir(&self.folder).env("RPOL_STUDY", &self.study);
        command
    }

    /// As one would type it in a shell.
    pub(super) fn typed(&self, params: &Params) -> String {
        let arguments = self.arguments.iter().map(|argument| argument.fill(params));
        let all = std::iter::once(self.written.clone()).chain(arguments);
        all.map(|argument| show::shell(&argument)).collect::<Vec<_>>().join(" ")
    }
}

impl Fixed {
    pub(super) fn read(
        field: &str,
        command: &[String],
        folder: &Path,
        study: &str,
    ) -> Result<Self, BadInput> {
        Invocation::with_params(field, command, folder, study, &[]).map(Self)
    }

    pub(super) fn command(&self) -> Command {
        self.0.bare(&Params::new())
    }
}
