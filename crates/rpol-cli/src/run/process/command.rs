//! The command of a trial, as it is given to the system: no shell, every value one argument, byte for byte.

use super::environment::variable;
use super::program;
use super::template::ArgumentTemplate;
use crate::BadInput;
use crate::common::text;
use rpol::study::Suggestion;
use rpol::{Params, Spec};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command of a study's trials.
#[derive(Debug)]
pub(crate) struct CommandTemplate {
    program: PathBuf,
    written: String,
    arguments: Vec<ArgumentTemplate>,
    folder: PathBuf,
    study: String,
}

/// A command without parameters: before the first trial, or after the last.
#[derive(Debug)]
pub(crate) struct FixedCommand(CommandTemplate);

impl CommandTemplate {
    pub(crate) fn read(command: &[String], folder: &Path, spec: &Spec) -> Result<Self, BadInput> {
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
        let element = |(i, text): (usize, &String)| {
            ArgumentTemplate::read(&format!("{field}[{i}]"), text, known)
        };
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
    pub(crate) fn of(&self, trial: &Suggestion) -> (Command, Vec<u8>) {
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
    pub(crate) fn typed(&self, params: &Params) -> String {
        let arguments = self.arguments.iter().map(|argument| argument.fill(params));
        let all = std::iter::once(self.written.clone()).chain(arguments);
        all.map(|argument| text::shell(&argument)).collect::<Vec<_>>().join(" ")
    }
}

impl FixedCommand {
    pub(crate) fn read(
        field: &str,
        command: &[String],
        folder: &Path,
        study: &str,
    ) -> Result<Self, BadInput> {
        CommandTemplate::with_params(field, command, folder, study, &[]).map(Self)
    }

    pub(crate) fn command(&self) -> Command {
        self.0.bare(&Params::new())
    }
}

#[cfg(test)]
mod tests {
    use super::super::child::{End, capture};
    use super::super::interrupt::Interrupt;
    use super::*;
    use rpol::Value;

    /// Texts that a shell, a terminal or a careless program would stumble over.
    fn hostile(count: usize) -> Vec<String> {
        let seeds = [
            "a b",
            "'",
            "\"",
            "$(id)",
            "`id`",
            ";",
            "a\nb",
            "-rf",
            "--",
            "",
            " ",
            "*",
            "?[a]",
            "~",
            "!!",
            "\\",
            "\\n",
            "%s%n",
            "{x}",
            "{{",
            "}}",
            "ä€😀",
            "\u{202e}",
            "\x1b[31m",
            "\r\n",
            "\t",
            "$HOME",
            "&&",
            "|",
            "<>",
            "#",
            "../../etc/passwd",
            "'; DROP TABLE",
            "\u{7f}",
            "NaN",
            "=cmd()",
            "\\\n",
            "a'b\"c$d",
        ];
        let long = "x'\" $".repeat(2048);
        let text = |i: usize| match i % 25 {
            24 => format!("{i}{long}"),
            k => format!(
                "{}{}{}",
                seeds[i % seeds.len()],
                "\n".repeat(k % 2),
                seeds[i / seeds.len() % seeds.len()]
            ),
        };
        (0..count).map(text).collect()
    }

    fn recorded(script: &str, params: &Params) -> String {
        let definition = serde_json::json!({"name": "s;\"$x", "objective": "y", "params":
            params.iter().map(|(name, value)| (name, serde_json::json!({"type": "categorical", "choices": [value, 1]})))
                .collect::<std::collections::BTreeMap<_, _>>()});
        let spec = Spec::from_json(&definition.to_string()).expect("a definition");
        let mut command: Vec<String> = ["sh", "-c", script, "sh"].map(Into::into).into();
        command.extend(params.keys().map(|name| format!("{{{name}}}")));
        let invocation = CommandTemplate::read(&command, Path::new("/"), &spec).expect("a command");
        let trial = Suggestion { number: 7, params: params.clone(), infeasible: false };
        let (command, input) = invocation.of(&trial);
        let finished = capture(command, input, &Interrupt::default(), &mut |_| None).expect("sh");
        assert!(matches!(finished.end, End::Exited(status) if status.success()));
        finished.stdout.end
    }

    #[test]
    fn a_thousand_hostile_values_arrive_byte_for_byte_in_all_three_ways() {
        let script = "printf '%s\\0' \"$@\" \"$RPOL_PARAM_P0\" \"$RPOL_PARAM_P9\" \"$RPOL_TRIAL\" \"$RPOL_STUDY\"; cat";
        for values in hostile(1000).chunks(10) {
            let named =
                |(i, value): (usize, &String)| (format!("p{i}"), Value::Text(value.clone()));
            let params: Params = values.iter().enumerate().map(named).collect();
            let output = recorded(script, &params);
            let parts: Vec<&str> = output.split('\0').collect();
            assert_eq!(&parts[..10], values);
            assert_eq!(&parts[10..14], [&values[0], &values[9], "7", "s;\"$x"]);
            let input: serde_json::Value = serde_json::from_str(parts[14]).expect("JSON on stdin");
            assert_eq!(input, serde_json::json!({"number": 7, "params": params}));
        }
    }

    #[test]
    fn a_command_that_does_not_read_is_not_waited_for() {
        let named = |i: usize| (format!("p{i}"), Value::Text("x".repeat(100_000)));
        assert_eq!(recorded("echo ${{#1}}", &(0..3).map(named).collect()), "100000\n");
    }
}
