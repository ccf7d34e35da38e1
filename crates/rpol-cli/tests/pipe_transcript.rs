//! A whole session, pinned: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test pipe_transcript` rewrites it.
#![allow(clippy::unwrap_used)]

mod pipe;

use pipe::Pipe;
use serde_json::Value;
use std::fmt::Write;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/pipe.jsonl");

/// The lines that go in; those that come out follow each in the file.
fn requests(transcript: &str) -> Vec<&str> {
    transcript.lines().filter_map(|line| line.strip_prefix("> ")).collect()
}

fn played(requests: &[&str]) -> String {
    let mut pipe = Pipe::new();
    let mut transcript = String::new();
    for request in requests {
        let answer = pipe.send_raw(request);
        writeln!(transcript, "> {request}\n< {answer}").unwrap();
    }
    assert!(pipe.end().success());
    transcript
}

#[test]
fn the_session_is_as_pinned() {
    let pinned = std::fs::read_to_string(GOLDEN).unwrap();
    let played = played(&requests(&pinned));
    if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &played).unwrap();
        return;
    }
    assert_eq!(pinned.lines().count(), played.lines().count());
    for (pinned, played) in pinned.lines().zip(played.lines()) {
        assert!(pinned == played || close(&tree(pinned), &tree(played)), "{pinned}\n{played}");
    }
}

fn tree(line: &str) -> Value {
    serde_json::from_str(&line[2..]).unwrap_or_default()
}

/// Another processor rounds the model's sums differently; nothing else may differ.
fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| close(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1e-3)
        }
        _ => a == b,
    }
}

#[test]
fn the_same_bytes_in_give_the_same_bytes_out() {
    let pinned = std::fs::read_to_string(GOLDEN).unwrap();
    let requests = requests(&pinned);
    assert_eq!(played(&requests), played(&requests));
}

#[test]
fn a_replayed_log_goes_on_as_the_study_would() {
    let mut live = Pipe::created();
    for number in 0..6u64 {
        let x = live.ask()["params"]["x"].as_f64().unwrap();
        live.tell(number, &serde_json::json!({"reward": x.sin(), "cost": x - 3.0}));
    }
    let log = live.send_raw(r#"{"log":{}}"#);
    let events = log.strip_prefix(r#"{"log":"#).unwrap().strip_suffix('}').unwrap();
    let mut again = Pipe::new();
    assert_eq!(again.send_raw(format!(r#"{{"replay":{events}}}"#)), r#"{"created":"s"}"#);
    assert_eq!(live.state(), again.state());
    assert_eq!(live.send_raw(r#"{"ask":{}}"#), again.send_raw(r#"{"ask":{}}"#));
}

#[test]
fn the_schema_is_json_and_names_the_fields() {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_rpol")).arg("schema").output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    for field in ["name", "params", "objective", "constraints", "policy", "strategy", "confidence"]
    {
        assert!(schema["properties"].get(field).is_some(), "{field}");
    }
}
