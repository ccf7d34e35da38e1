//! A running `rpol pipe`.
#![allow(dead_code, clippy::unwrap_used)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

pub(crate) struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Pipe {
    pub(crate) fn new() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rpol"))
            .arg("pipe")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, input, output }
    }

    /// With the study of [`definition`].
    pub(crate) fn created() -> Self {
        let mut pipe = Self::new();
        assert_eq!(pipe.create(&definition()), json!({"created": "s"}));
        pipe
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// One line there and one back.
    pub(crate) fn send_raw(&mut self, line: impl AsRef<[u8]>) -> String {
        self.write(line.as_ref());
        self.write(b"\n");
        let mut answer = String::new();
        self.output.as_mut().unwrap().read_line(&mut answer).unwrap();
        answer.strip_suffix('\n').expect("an answer").to_string()
    }

    pub(crate) fn send(&mut self, line: impl AsRef<[u8]>) -> Value {
        serde_json::from_str(&self.send_raw(line)).unwrap()
    }

    pub(crate) fn create(&mut self, spec: &Value) -> Value {
        self.send(json!({ "create": spec }).to_string())
    }

    pub(crate) fn ask(&mut self) -> Value {
        self.send(r#"{"ask":{}}"#)
    }

    pub(crate) fn tell(&mut self, number: u64, metrics: &Value) -> Value {
        self.send(json!({ "tell": {"number": number, "metrics": metrics} }).to_string())
    }

    pub(crate) fn state(&mut self) -> [String; 2] {
        [self.send_raw(r#"{"status":{}}"#), self.send_raw(r#"{"log":{}}"#)]
    }

    /// Reads no more.
    pub(crate) fn deafen(&mut self) {
        self.output = None;
    }

    pub(crate) fn end(self) -> ExitStatus {
        self.end_with_stderr().0
    }

    pub(crate) fn end_with_stderr(mut self) -> (ExitStatus, String) {
        self.input = None;
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap(), text)
    }
}

/// A test that fails must not leave a process behind.
impl Drop for Pipe {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two parameters, one objective and one constraint, both with a bound.
pub(crate) fn definition() -> Value {
    json!({
        "name": "s",
        "objective": {"metric": "reward", "direction": "maximize", "bound": 1e6},
        "constraints": [{"expression": "cost <= 0", "bound": 1e3}],
        "track": ["memory"],
        "params": {"x": float(-5.0, 10.0), "n": {"type": "int", "low": 1, "high": 8}},
    })
}

/// The definition with one field changed; the pointer is that of JSON.
pub(crate) fn with(pointer: &str, value: Value) -> Value {
    let mut spec = definition();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    spec.pointer_mut(parent).unwrap().as_object_mut().unwrap().insert(key.into(), value);
    spec
}

pub(crate) fn float(low: f64, high: f64) -> Value {
    json!({"type": "float", "low": low, "high": high})
}
