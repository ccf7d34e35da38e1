//! The other end of `rpol pipe`.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    transcript: String,
}

impl Pipe {
    pub(crate) fn open(program: &str) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("pipe").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let input = child.stdin.take().context("a pipe to the program")?;
        let output = BufReader::new(child.stdout.take().context("a pipe from the program")?);
        Ok(Self { child, input, output, transcript: String::new() })
    }

    /// Sends one line and reads the answer, which must not be an error.
    pub(crate) fn send(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.input, "{request}")?;
        let start = self.transcript.len();
        self.output.read_line(&mut self.transcript)?;
        let answer: Value = serde_json::from_str(&self.transcript[start..])?;
        ensure!(answer.get("error").is_none(), "{request} was answered {answer}");
        Ok(answer)
    }

    /// Ends the program and returns all it said.
    pub(crate) fn close(mut self) -> Result<String> {
        drop(self.input);
        let status = self.child.wait()?;
        ensure!(status.success(), "rpol pipe ended with {status}");
        Ok(self.transcript)
    }
}
