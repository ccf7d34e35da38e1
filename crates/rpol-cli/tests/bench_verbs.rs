//! `rpol lab bench` from outside: what is printed, not how long it takes.
#![cfg(feature = "lab")]
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::{Command, Output};

fn bench(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    command.args(["lab", "bench"]).args(arguments.split_whitespace()).output().unwrap()
}

fn stdout(arguments: &str) -> String {
    let output = bench(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&stdout(&format!("{arguments} --json"))).unwrap()
}

#[test]
fn an_ask_is_shown_part_by_part_beside_its_floor() {
    let text = stdout("ask --observations 100 --rounds 3");
    let parts = ["refit", "update", "score", "polish", "rest", "ask", "tell"];
    for part in parts.iter().chain(&["floor ms", "ratio", "GB/s", "GFlop/s", "the first ask: "]) {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(text.contains("target: ask + tell, ms: ") && text.contains("at most 1: "), "{text}");
}

#[test]
fn the_parts_of_an_ask_are_numbers_that_fit_together() {
    let all = json("ask --dims 3 --constraints 2 --observations 12,20 --rounds 4");
    let sizes: Vec<_> = all.as_array().unwrap().iter().map(|m| &m["observations"]).collect();
    assert_eq!(sizes, [12, 20]);
    for measured in all.as_array().unwrap() {
        let number = |value: &Value| value.as_f64().unwrap();
        let size = &measured["size"];
        assert!(number(&size["points"]) > number(&measured["observations"]), "{size}");
        assert_eq!((&size["dims"], &size["outputs"]), (&3.into(), &3.into()));
        for part in measured["parts"].as_array().unwrap() {
            let must = number(&part["work"]["bytes"]) > 0.0;
            assert_eq!(number(&part["floor_ms"]) > 0.0, must, "{part}");
        }
        assert!(number(&measured["fit_ms"]) < number(&measured["first_ms"]), "{measured}");
    }
}

#[test]
fn an_endless_run_is_decided_by_its_seeds_whose_mean_is_told() {
    let first = json("endless --rounds 30 --seed 3 --seeds 2");
    let rows = first["rows"].as_array().unwrap();
    let rounds: Vec<_> = rows.iter().map(|row| row["round"].as_u64().unwrap()).collect();
    assert_eq!((rounds, &first["seeds"]), (vec![30], &2.into()));
    let regret = |seed: u64| {
        let run = json(&format!("endless --rounds 30 --seed {seed}"));
        run["rows"][0]["regret"].as_f64().unwrap()
    };
    let mean = (regret(3) + regret(4)) / 2.0;
    assert!((rows[0]["regret"].as_f64().unwrap() - mean).abs() < 1e-12 && regret(3) != regret(4));
}

#[test]
fn a_window_bounds_the_points_and_its_rounding_is_told() {
    let text = stdout("endless --rounds 40 --window 9");
    assert!(text.contains("ms a round") && text.contains("largest |L L^T - K|"), "{text}");
    let run = json("endless --rounds 40 --window 9");
    assert_eq!(run["rows"][0]["points"], 9.0);
    let rounding = run["rounding"].as_f64().unwrap();
    assert!(rounding > 0.0 && rounding < 1e-9, "{rounding}");
}

#[test]
fn bad_arguments_exit_with_2_and_a_remedy() {
    for (arguments, remedy) in [
        ("ask --dims 0", "from 1 to 30"),
        ("ask --dims 31", "from 1 to 30"),
        ("ask --dims two", "from 1 to 30"),
        ("ask --constraints -1", "from 0 to 10"),
        ("ask --constraints 11", "from 0 to 10"),
        ("ask --observations 0", "from 1 to 5000"),
        ("ask --observations 100,,500", "from 1 to 5000"),
        ("ask --observations 100,lots", "from 1 to 5000"),
        ("ask --observations 1e3", "from 1 to 5000"),
        ("ask --observations 5001", "from 1 to 5000"),
        ("ask --rounds 0", "from 1 to 10000"),
        ("ask --seed -1", "--seed"),
        ("endless --rounds 0", "from 1 to 100000000"),
        ("endless --rounds -5", "from 1 to 100000000"),
        ("endless --seeds 0", "from 1 to 10000"),
        ("endless --window 0", "from 1 to 5000"),
        ("endless --window 1e9", "from 1 to 5000"),
        ("tell", "Usage"),
        ("", "Usage"),
    ] {
        let output = bench(arguments);
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {talk}");
        assert!(talk.contains(remedy) && output.stdout.is_empty(), "{arguments}: {talk}");
    }
}
