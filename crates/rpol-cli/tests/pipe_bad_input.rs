//! Bad input through `rpol pipe`: one test for each row of the tables.
#![allow(clippy::unwrap_used)]

mod pipe;

use pipe::{Pipe, definition, float, with};
use serde_json::{Value, json};

/// Answered with an error of this kind and these words, and the state before equals the state after.
#[track_caller]
fn refused(pipe: &mut Pipe, line: impl AsRef<[u8]>, kind: &str, words: &[&str]) {
    let before = (pipe.send(r#"{"status":{}}"#), pipe.send(r#"{"log":{}}"#));
    let answer = pipe.send(line);
    let error = &answer["error"];
    assert_eq!(error["kind"], kind, "{answer}");
    let message = error["message"].as_str().unwrap();
    for word in words {
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
    assert!(!message.chars().any(char::is_control) && message.len() < 1200, "{message:?}");
    assert_eq!(answer.as_object().unwrap().len(), 1);
    assert_eq!(before, (pipe.send(r#"{"status":{}}"#), pipe.send(r#"{"log":{}}"#)));
}

/// Four trials told, the fifth open.
fn running() -> Pipe {
    let mut pipe = Pipe::created();
    for number in 0..4 {
        assert_eq!(pipe.ask()["number"], number);
        let metrics = json!({"reward": number, "cost": 0.5 - f64::from(number) * 0.2});
        assert_eq!(pipe.tell(number as u64, &metrics), json!({"told": number}));
    }
    pipe.ask();
    pipe
}

fn tell(metrics: &str) -> String {
    format!(r#"{{"tell":{{"number":4,"metrics":{metrics}}}}}"#)
}

fn ask_for(params: &str) -> String {
    format!(r#"{{"ask":{{"params":{params}}}}}"#)
}

// Requests

#[test]
fn lines_that_are_no_request() {
    let mut pipe = running();
    let cases: [(&[u8], &str); 12] = [
        (b"{", "the request"),
        (b"nonsense", "the request"),
        (b"[]", "an object"),
        (b"3", "an object"),
        (b"{}", "0 commands"),
        (br#"{"ask":{},"status":{}}"#, "2 commands"),
        (br#"{"ask":{},"ask":{}}"#, "twice"),
        (br#"{"asks":{}}"#, "use one of create, ask"),
        (br#"{"ask":[]}"#, "an object"),
        (br#"{"ask":{}} {"ask":{}}"#, "trailing characters"),
        (b"{\"ask\":{\"params\":\"\xff\"}}", "not UTF-8"),
        (br#"{"status":{"x":1}}"#, "unknown field \"x\""),
    ];
    for (line, word) in cases {
        refused(&mut pipe, line, "InvalidRequest", &[word]);
    }
    refused(&mut pipe, "[".repeat(100_000), "InvalidRequest", &["the request"]);
    let deep = format!("{{\"ask\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&mut pipe, deep, "InvalidRequest", &["an object"]);
    let escape = json!({ "\u{1b}[2J".repeat(3000): {} });
    refused(&mut pipe, escape.to_string(), "InvalidRequest", &["is not known"]);
}

#[test]
fn empty_lines_and_line_ends() {
    let mut pipe = running();
    pipe.write(b"\n   \n\r\n");
    assert_eq!(pipe.send("{\"ask\":{}}\r")["number"], 5);
    assert_eq!(pipe.send("  {\"ask\" : {} }  ")["number"], 6);
}

#[test]
fn a_line_that_is_too_long() {
    let mut pipe = running();
    let line = format!("{{\"ask\":\"{}\"}}", "x".repeat(16 << 20));
    refused(&mut pipe, line, "InvalidRequest", &["longer than 16 MiB", "send less"]);
}

#[test]
fn nothing_before_a_study() {
    let mut pipe = Pipe::new();
    for line in [
        r#"{"ask":{}}"#,
        r#"{"status":{}}"#,
        r#"{"trials":{}}"#,
        r#"{"log":{}}"#,
        r#"{"tell":{"number":0,"metrics":{"reward":1}}}"#,
        r#"{"void":{"number":0}}"#,
    ] {
        let answer = pipe.send(line);
        assert_eq!(answer["error"]["kind"], "NoStudy", "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("create or replay"));
    }
    assert_eq!(pipe.create(&definition()), json!({"created": "s"}));
}

#[test]
fn the_end_of_input_and_a_reader_that_went_away() {
    assert!(Pipe::created().end().success());
    let mut pipe = Pipe::created();
    pipe.deafen();
    pipe.write(b"{\"status\":{}}\n{\"status\":{}}\n");
    let (status, stderr) = pipe.end_with_stderr();
    assert!(status.success() && stderr.is_empty(), "{status} {stderr}");
    let mut pipe = Pipe::created();
    pipe.write(b"{\"status\":{}}");
    assert!(pipe.end().success(), "the last line needs no end");
}

// Trials

#[test]
fn an_unknown_number() {
    let mut pipe = running();
    for command in ["tell", "correct"] {
        let line = json!({ command: {"number": 9, "metrics": {"reward": 1}} });
        refused(&mut pipe, line.to_string(), "UnknownTrial", &["no trial 9", "5 so far", "from 0"]);
    }
    for command in ["fail", "void"] {
        let line = json!({ command: {"number": u64::MAX, "reason": "why"} });
        refused(&mut pipe, line.to_string(), "UnknownTrial", &["18446744073709551615"]);
    }
    for number in ["-1", "0.5", "1e0", "\"0\"", "null", "18446744073709551616", "[0]", "NaN"] {
        let line = format!(r#"{{"tell":{{"number":{number},"metrics":{{"reward":1}}}}}}"#);
        refused(&mut pipe, line, "WrongType", &["number", number, "the number of a trial"]);
    }
    refused(&mut pipe, r#"{"tell":{"metrics":{}}}"#, "Missing", &["number", "\"metrics\""]);
    refused(&mut pipe, r#"{"tell":{"number":4}}"#, "Missing", &["metrics", "\"number\""]);
    let line = r#"{"fail":{"number":4,"reason":3}}"#;
    refused(&mut pipe, line, "WrongType", &["reason", "3", "a text"]);
}

#[test]
fn the_same_tell_twice() {
    let mut pipe = running();
    let metrics = json!({"reward": 0.1, "cost": -0.2});
    assert_eq!(pipe.tell(4, &metrics), json!({"told": 4}));
    let before = pipe.state();
    assert_eq!(pipe.tell(4, &metrics), json!({"told": 4, "repeated": true}));
    assert_eq!(before, pipe.state());
}

#[test]
fn a_second_tell_with_other_values() {
    let mut pipe = running();
    let line = r#"{"tell":{"number":1,"metrics":{"memory":1,"reward":9}}}"#;
    let words = ["reward of trial 1", "told as 1 and now as 9", "correct it"];
    refused(&mut pipe, line, "AlreadyTold", &words);
    let line = r#"{"correct":{"number":1,"metrics":{"reward":9}}}"#;
    assert_eq!(pipe.send(line), json!({"corrected": 1}));
    let log = pipe.send(r#"{"log":{}}"#);
    assert_eq!(log["log"].as_array().unwrap().last().unwrap()["event"], "corrected");
}

#[test]
fn tells_out_of_order_and_in_parts() {
    let mut pipe = Pipe::created();
    assert_eq!(pipe.send(r#"{"ask":{"count":3}}"#)["trials"].as_array().unwrap().len(), 3);
    for (number, metrics) in [
        (2, json!({"reward": [1.0, 0.1], "cost": 2})),
        (0, json!({"reward": 5})),
        (1, json!({"cost": 0.25})),
        (0, json!({"cost": 1})),
    ] {
        assert_eq!(pipe.tell(number, &metrics), json!({"told": number}));
    }
    let status = pipe.send(r#"{"status":{}}"#);
    assert_eq!(status["ledger"][0]["total"], 3.25);
    assert_eq!((&status["running"], &status["best"]), (&json!(1), &Value::Null));
}

#[test]
fn a_missing_constraint_value_is_never_feasible() {
    let mut pipe = Pipe::created();
    pipe.ask();
    pipe.tell(0, &json!({"reward": 5}));
    assert_eq!(pipe.send(r#"{"status":{}}"#)["best"], Value::Null);
}

#[test]
fn unknown_metrics_and_wrong_numbers_of_values() {
    let mut pipe = running();
    let known = r#"use one of "reward", "cost", "memory""#;
    refused(&mut pipe, tell(r#"{"Reward":1}"#), "UnknownName", &["\"Reward\"", known]);
    refused(&mut pipe, tell(r#"{"reward":1,"x y":1}"#), "UnknownName", &["\"x y\"", known]);
    refused(&mut pipe, tell("{}"), "Missing", &["metrics", "\"reward\", \"cost\""]);
    refused(&mut pipe, tell("[1,2]"), "InvalidRequest", &["metrics", "an object"]);
    refused(
        &mut pipe,
        tell(r#"{"reward":1,"reward":2}"#),
        "InvalidRequest",
        &["\"reward\" stands there twice"],
    );
    for list in ["[]", "[1]", "[1,2,3]"] {
        let line = tell(&format!(r#"{{"reward":{list}}}"#));
        refused(&mut pipe, line, "WrongLength", &["metrics.reward", "2 are needed"]);
    }
}

#[test]
fn a_late_tell_is_kept_and_counts() {
    let mut pipe = running();
    assert_eq!(pipe.send(r#"{"fail":{"number":4,"reason":"lease"}}"#), json!({"failed": 4}));
    pipe.ask();
    assert_eq!(pipe.tell(4, &json!({"reward": 99, "cost": -1})), json!({"told": 4}));
    assert_eq!(pipe.send(r#"{"status":{}}"#)["best"]["number"], 4);
}

#[test]
fn two_asks_at_once() {
    let mut pipe = running();
    let (first, second) = (pipe.ask(), pipe.ask());
    assert_eq!((&first["number"], &second["number"]), (&json!(5), &json!(6)));
    let trials = pipe.send(r#"{"trials":{}}"#)["trials"].clone();
    assert_eq!((&trials[5]["params"], &trials[6]["params"]), (&first["params"], &second["params"]));
}

#[test]
fn counts_that_are_no_counts() {
    let mut pipe = running();
    for count in ["0", "-1", "1e9", "1000000000", "1001", "2.5", "\"3\"", "null", "NaN"] {
        let line = format!(r#"{{"ask":{{"count":{count}}}}}"#);
        refused(&mut pipe, line, "InvalidSpec", &["count", count, "ask for 1 to 1000"]);
    }
    let line = r#"{"ask":{"count":1,"params":{"x":1,"n":1}}}"#;
    refused(&mut pipe, line, "InvalidRequest", &["params and count", "leave out one"]);
    assert_eq!(pipe.send(r#"{"ask":{"count":1}}"#)["trials"][0]["number"], 5);
}

#[test]
fn params_in_a_tell() {
    let mut pipe = running();
    let line = r#"{"tell":{"number":4,"params":{"x":1},"metrics":{"reward":1}}}"#;
    refused(&mut pipe, line, "InvalidRequest", &["\"params\"", "\"number\", \"metrics\""]);
}

#[test]
fn a_voided_trial_counts_no_more() {
    let mut pipe = running();
    assert_eq!(pipe.send(r#"{"void":{"number":0,"reason":"bad host"}}"#), json!({"voided": 0}));
    assert_eq!(pipe.send(r#"{"status":{}}"#)["ledger"][0]["observed"], 3);
}

// Numbers

#[test]
fn numbers_that_are_not_finite() {
    let mut pipe = running();
    for value in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"] {
        for metric in ["reward", "cost", "memory"] {
            let words = [&format!("metrics.{metric} is {value}"), "a finite number is needed"];
            let words: [&str; 2] = [words[0], words[1]];
            refused(&mut pipe, tell(&format!(r#"{{"{metric}":{value}}}"#)), "NotFinite", &words);
        }
        let line = tell(&format!(r#"{{"reward":[1,{value}]}}"#));
        refused(&mut pipe, line, "NotFinite", &["metrics.reward (standard error)", value]);
        let line = ask_for(&format!(r#"{{"x":{value},"n":1}}"#));
        refused(&mut pipe, line, "NotFinite", &["params.x", value, "a finite number"]);
        let line =
            format!(r#"{{"add":{{"params":{{"x":1,"n":1}},"metrics":{{"cost":{value}}}}}}}"#);
        refused(&mut pipe, line, "NotFinite", &["metrics.cost", value]);
        let line = format!(r#"{{"correct":{{"number":0,"metrics":{{"cost":{value}}}}}}}"#);
        refused(&mut pipe, line, "NotFinite", &["metrics.cost", value]);
    }
    // A name that looks like such a literal stays a name.
    refused(&mut pipe, tell(r#"{"NaN":NaN}"#), "NotFinite", &["metrics.NaN is NaN"]);
    refused(&mut pipe, tell(r#"{"a\"NaN":1,"b":nan}"#), "InvalidRequest", &["the request"]);
}

#[test]
fn values_of_another_type() {
    let mut pipe = running();
    for value in ["null", "\"0.5\"", "true", "{}", "\"NaN\""] {
        let words = ["metrics.reward", value, "a number or [mean, standard error] is needed"];
        refused(&mut pipe, tell(&format!(r#"{{"reward":{value}}}"#)), "WrongType", &words);
        let line = tell(&format!(r#"{{"reward":[{value},1]}}"#));
        refused(&mut pipe, line, "WrongType", &["metrics.reward", value, "a number is needed"]);
    }
    for value in ["null", "[1]", "{}"] {
        let line = ask_for(&format!(r#"{{"x":{value},"n":1}}"#));
        let words = ["params.x", value, "a number, a text or a boolean is needed"];
        refused(&mut pipe, line, "WrongType", &words);
    }
    refused(&mut pipe, ask_for(r#"{"x":"0.5","n":1}"#), "WrongType", &["params.x", "\"0.5\""]);
    refused(&mut pipe, ask_for(r#"{"x":0.5,"n":true}"#), "WrongType", &["params.n", "true"]);
}

#[test]
fn minus_zero_and_every_digit() {
    let mut pipe = running();
    assert_eq!(pipe.tell(4, &json!({"reward": -0.0, "cost": -0.0})), json!({"told": 4}));
    pipe.send(r#"{"add":{"params":{"x":-0.0,"n":1},"metrics":{"reward":-0}}}"#);
    assert_eq!(
        pipe.send_raw(ask_for(r#"{"n":1,"x":-0}"#)),
        r#"{"number":6,"params":{"n":1,"x":0.0}}"#
    );
    for text in ["5e-324", "-2.2e-310", "0.30000000000000004", "999999.9999999999"] {
        let line =
            format!(r#"{{"add":{{"params":{{"x":1,"n":1}},"metrics":{{"reward":{text}}}}}}}"#);
        assert!(pipe.send(&line)["number"].is_u64());
        assert!(
            pipe.send_raw(r#"{"trials":{}}"#).contains(&format!("\"reward\":{text}}}")),
            "{text}"
        );
    }
    let log = pipe.send_raw(r#"{"log":{}}"#);
    assert!(!log.contains("-0.0,") && !log.contains("-0.0}") && !log.contains("-0.0]"), "{log}");
}

#[test]
fn absurd_values_beyond_the_bound() {
    let mut pipe = running();
    refused(
        &mut pipe,
        tell(r#"{"reward":1000001}"#),
        "OutOfBounds",
        &["reward", "1000001", "[-1000000, 1000000]"],
    );
    refused(
        &mut pipe,
        tell(r#"{"cost":-1e4}"#),
        "OutOfBounds",
        &["cost", "-10000", "[-1000, 1000]"],
    );
}

#[test]
fn settings_out_of_bounds_and_of_another_dimension() {
    let mut pipe = running();
    let line = ask_for(r#"{"x":10.000000000000002,"n":1}"#);
    refused(&mut pipe, line, "OutOfBounds", &["params.x", "10.000000000000002", "[-5, 10]"]);
    refused(&mut pipe, ask_for(r#"{"x":0,"n":9}"#), "OutOfBounds", &["params.n", "9", "[1, 8]"]);
    refused(&mut pipe, ask_for(r#"{"x":0}"#), "Missing", &["params.n", "\"n\", \"x\""]);
    refused(
        &mut pipe,
        ask_for(r#"{"x":0,"n":1,"y":1}"#),
        "UnknownName",
        &["\"y\"", "\"n\", \"x\""],
    );
    refused(&mut pipe, ask_for(r#"{"x":0,"x":0,"n":1}"#), "InvalidRequest", &["\"x\"", "twice"]);
    refused(&mut pipe, ask_for("[0,1]"), "InvalidRequest", &["params", "an object"]);
}

// Study definitions

/// Refused before and after a study is there, with this path.
#[track_caller]
fn undefined(spec: &Value, path: &str, words: &[&str]) {
    undefined_text(&spec.to_string(), path, words);
}

#[track_caller]
fn undefined_text(spec: &str, path: &str, words: &[&str]) {
    let line = format!(r#"{{"create":{spec}}}"#);
    let at = format!("{path}: ");
    let words: Vec<&str> = words.iter().copied().chain([at.as_str()]).collect();
    let mut pipe = Pipe::new();
    refused(&mut pipe, &line, "InvalidSpec", &words);
    assert_eq!(pipe.create(&definition()), json!({"created": "s"}));
    refused(&mut pipe, &line, "InvalidSpec", &words);
}

#[test]
fn bad_bounds() {
    undefined(&with("/params/x", float(2.0, 1.5)), "params.x.low", &["2.0", "1.5", "swap"]);
    let log = json!({"type": "float", "low": 0, "high": 1, "log": true});
    undefined(&with("/params/x", log), "params.x.low", &["0.0", "raise it above 0"]);
    undefined(&with("/params/x", float(-1e308, 1e308)), "params.x.high", &["overflows", "closer"]);
    undefined(&with("/params/x/low", json!("0")), "params.x.low", &["\"0\"", "a number"]);
    for number in ["1e999", "NaN", "-Infinity"] {
        let text = definition().to_string().replace("\"low\":-5.0", &format!("\"low\":{number}"));
        undefined_text(&text, "params.x.low", &["number out of range", "give a finite number"]);
    }
}

#[test]
fn bad_parameter_names() {
    undefined(&with("/params", json!({})), "params", &["0 parameters", "define one"]);
    undefined(&with("/params/X", float(0.0, 1.0)), "params", &["\"x\"", "\"X\"", "rename one"]);
    let x = float(0.0, 1.0);
    let twice = format!(r#"{{"name":"s","objective":"y","params":{{"x":{x},"x":{x}}}}}"#);
    undefined_text(&twice, "params", &["\"x\"", "rename one"]);
    for (name, word) in [("", "empty"), ("a\0b", r"\0"), ("a\nb", r"\n"), ("\u{1b}[31m", r"\u{1b}")]
    {
        undefined(&with("/name", json!(name)), "name", &[word]);
        let path = format!("params.{name:?}");
        undefined(&with(&format!("/params/{name}"), float(0.0, 1.0)), &path, &[word]);
    }
    let long = "n".repeat(10_000);
    undefined(&with("/name", json!(long)), "name", &["10000", "200 or fewer"]);
    undefined(&with(&format!("/{long}"), json!(1)), "\"...", &["unknown field", "line 1 column"]);
}

#[test]
fn unknown_names_of_things_and_fields() {
    undefined(
        &with("/model", json!({"kernel": {"type": "matern7"}})),
        "model.kernel.type",
        &["matern52"],
    );
    undefined(&with("/policy", json!({"type": "greedy"})), "policy.type", &["greedy", "rectified"]);
    undefined(&with("/strategy", json!({"type": "oracle"})), "strategy.type", &["oracle", "ucb"]);
    undefined(&with("/extra", json!(1)), "extra", &["unknown field", "objective"]);
    undefined(&with("/model", json!({"noize": 1})), "model.noize", &["noize", "noise"]);
    undefined(&with("/constraints", json!(["a <= 1", "b < 2"])), "constraints[1]", &["use <="]);
}

#[test]
fn constants_outside_their_range() {
    undefined(&with("/model", json!({"noise": 0})), "model.noise", &["0", "above 0"]);
    let width = json!({"width": {"type": "igp", "bound": 1, "noise": 1, "p": 1}});
    undefined(&with("/confidence", width), "confidence.width.p", &["1", "between 0 and 1"]);
    let window = json!({"type": "sliding_window", "window": 0});
    undefined(&with("/strategy", window), "strategy.window", &["0", "at least 1"]);
    let censored = json!({"type": "censored", "within": 0});
    undefined(&with("/strategy", censored), "strategy.within", &["0", "at least 1"]);
    undefined(&with("/model", json!({"lengthscale": -1})), "model.lengthscale", &["-1", "above 0"]);
}

#[test]
fn fixed_and_narrow_parameters() {
    let mut pipe = Pipe::new();
    pipe.create(&with("/params/x", float(3.5, 3.5)));
    assert_eq!(pipe.ask()["params"]["x"], 3.5);
    let mut pipe = Pipe::new();
    pipe.create(&with("/params/x", float(1.0, 1f64.next_up())));
    let x = pipe.ask()["params"]["x"].as_f64().unwrap();
    assert!((1.0..=1f64.next_up()).contains(&x));
}

#[test]
fn names_are_plain_text() {
    for name in ["../../etc/passwd", "'; DROP TABLE", "<img onerror=x>", "=cmd()"] {
        let mut spec = with("/name", json!(name));
        spec["params"][name] = float(0.0, 1.0);
        spec["track"] = json!([name]);
        let mut pipe = Pipe::new();
        assert_eq!(pipe.create(&spec), json!({"created": name}));
        assert!(pipe.ask()["params"][name].is_f64());
        assert_eq!(pipe.tell(0, &json!({ name: 1 })), json!({"told": 0}));
    }
}

#[test]
fn an_existing_study() {
    let mut pipe = running();
    let before = pipe.state();
    assert_eq!(pipe.create(&definition()), json!({"created": "s", "resumed": true}));
    assert_eq!(before, pipe.state());
    let other = json!({ "create": with("/seed", json!(7)) }).to_string();
    refused(
        &mut pipe,
        other,
        "StudyExists",
        &["\"s\"", "seed was 0 and is 7", "start another pipe"],
    );
    refused(&mut pipe, r#"{"replay":[]}"#, "StudyExists", &["\"s\"", "start another pipe"]);
}

#[test]
fn logs_that_cannot_be_replayed() {
    let log = running().send(r#"{"log":{}}"#)["log"].clone();
    let mut pipe = Pipe::new();
    let replay = |log: &Value| json!({ "replay": log }).to_string();
    refused(&mut pipe, replay(&json!([])), "InvalidLog", &["entry 0", "`created`"]);
    refused(&mut pipe, replay(&json!({})), "InvalidRequest", &["a list of events"]);
    refused(&mut pipe, replay(&json!([{"event": "gone"}])), "InvalidLog", &["entry 0", "gone"]);
    let mut wrong = log.clone();
    wrong[2]["number"] = json!(3);
    refused(&mut pipe, replay(&wrong), "InvalidLog", &["entry 2", "no trial 3"]);
    let mut wrong = log.clone();
    wrong[0]["spec"]["params"]["x"]["low"] = json!(99);
    refused(&mut pipe, replay(&wrong), "InvalidLog", &["entry 0", "params.x.low"]);
    assert_eq!(pipe.send(replay(&log)), json!({"created": "s"}));
    assert_eq!(pipe.send(r#"{"log":{}}"#)["log"], log);
}
