//! Bad settings: the error names the field, the value and the remedy.

use super::says;
use rpol::{Param, Params, Space, Value};

fn space() -> Space {
    Space::new([
        ("rate", Param::float(0.5, 2.0)),
        ("shards", Param::int(1, 8)),
        ("mode", Param::categorical(["fast".into(), 2.into(), true.into()])),
        ("zone", Param::categorical(["eu".into()])),
    ])
    .unwrap()
}

fn setting() -> Params {
    space().decode(&[0.5, 0.5, 0.0])
}

#[track_caller]
fn told(name: &str, value: impl Into<Value>, kind: &str, words: &[&str]) {
    let mut params = setting();
    params.insert(name.into(), value.into());
    says(space().encode(&params).unwrap_err(), kind, words);
}

#[test]
fn settings_out_of_bounds_by_one_ulp() {
    let above = 2f64.next_up();
    told("rate", above, "OutOfBounds", &["params.rate", &above.to_string(), "0.5", "2"]);
    told("rate", 0.5f64.next_down(), "OutOfBounds", &["params.rate"]);
    told("shards", 9, "OutOfBounds", &["params.shards", "9", "[1, 8]"]);
    told("shards", 0, "OutOfBounds", &["params.shards", "0", "[1, 8]"]);
    told("shards", i64::MAX, "OutOfBounds", &["params.shards", "[1, 8]"]);
    told("shards", 1e300, "OutOfBounds", &["params.shards", "[1, 8]"]);
}

#[test]
fn settings_of_the_wrong_type() {
    told("rate", "0.5", "WrongType", &["params.rate", r#""0.5""#, "a number is needed"]);
    told("rate", true, "WrongType", &["params.rate", "true", "a number is needed"]);
    told("shards", 2.5, "WrongType", &["params.shards", "2.5", "an integer is needed"]);
    told("shards", false, "WrongType", &["params.shards", "false", "an integer is needed"]);
    told("mode", "2", "UnknownName", &["params.mode", r#""2""#, r#""fast", 2, true"#]);
    told("mode", 1, "UnknownName", &["params.mode", "1", r#""fast", 2, true"#]);
}

#[test]
fn settings_that_are_not_finite() {
    for name in ["rate", "shards", "mode"] {
        told(name, f64::NAN, "NotFinite", &[name, "NaN", "a finite number is needed"]);
        told(name, f64::INFINITY, "NotFinite", &[name, "inf", "a finite number is needed"]);
    }
}

#[test]
fn unknown_and_missing_names_list_the_known() {
    let known = r#""rate", "shards", "mode", "zone""#;
    told("Rate", 1.0, "UnknownName", &["\"Rate\"", "use one of", known]);
    told("\u{1b}[2J", 1.0, "UnknownName", &[r"\u{1b}", "use one of", known]);
    for name in ["rate", "zone"] {
        let mut params = setting();
        params.shift_remove(name);
        let error = space().encode(&params).unwrap_err();
        says(error, "Missing", &[name, "is missing", "give all of", known]);
    }
}

#[test]
fn settings_that_move_a_fixed_parameter() {
    told("zone", "us", "UnknownName", &["params.zone", "us", "eu"]);
}
