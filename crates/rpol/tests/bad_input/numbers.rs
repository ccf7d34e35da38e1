//! The table "Numbers".

use super::{definition, refused, running, seen, setting};
use rpol::study::{Reported, Spec, Study};
use rpol::{Params, Value};
use serde_json::json;

#[test]
fn numbers_that_are_not_finite() {
    let mut study = running();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for metric in ["reward", "cost", "memory"] {
            let words = [metric, &value.to_string(), "a finite number is needed"];
            refused(&mut study, |s| s.tell(6, [(metric, value)]), "NotFinite", &words);
            refused(&mut study, |s| s.correct(0, [(metric, value)]), "NotFinite", &words);
            let history = |s: &mut Study| s.add(setting(0.0, 1), [(metric, value)]);
            refused(&mut study, history, "NotFinite", &words);
        }
        let words = ["reward (standard error)", "a finite number is needed"];
        refused(&mut study, |s| s.tell(6, [("reward", (1.0, value))]), "NotFinite", &words);
        let words = ["params.x", "a finite number is needed"];
        refused(&mut study, |s| s.ask_for(setting(value, 1)), "NotFinite", &words);
    }
    let words = ["reward (standard error)", "-0.5"];
    refused(&mut study, |s| s.tell(6, [("reward", (1.0, -0.5))]), "OutOfBounds", &words);
}

#[test]
fn texts_where_a_number_belongs() {
    for text in ["null", "\"0.5\"", "true", "1e999", "[1]", "[1,2,3]", "{}"] {
        assert!(serde_json::from_str::<Reported>(text).is_err(), "{text}");
    }
}

#[test]
fn values_that_are_no_numbers_in_a_setting() {
    let mut study = running();
    let words = ["params.x", "\"0.5\"", "a number is needed"];
    refused(&mut study, |s| s.ask_for(setting("0.5", 1)), "WrongType", &words);
    let words = ["params.n", "true", "an integer is needed"];
    refused(&mut study, |s| s.ask_for(setting(0.5, true)), "WrongType", &words);
}

#[test]
fn minus_zero_is_zero_everywhere() {
    let mut study = running();
    study.tell(6, [("reward", -0.0), ("cost", -0.0)]).unwrap();
    study.add(setting(-0.0, 1), [("reward", (-0.0, -0.0))]).unwrap();
    assert_eq!(study.ask_for(setting(-0.0, 1)).unwrap().params["x"].to_string(), "0.0");
    let signed = |text: &str| {
        text.split("-0.0").skip(1).any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    assert!(signed("[-0.0]") && !signed("[-0.01]") && !signed(&seen(&study)), "{}", seen(&study));
}

#[test]
fn every_finite_number_comes_back_bit_for_bit() {
    let values = [5e-324, -2.2e-310, 0.1 + 0.2, 1.0 - f64::EPSILON / 2.0, 999_999.999_999_999_9];
    let mut study = running();
    for value in values {
        let number = study.add(setting(value.clamp(-5.0, 10.0), 1), [("reward", value)]).unwrap();
        let log = serde_json::to_string(study.log()).unwrap();
        let again = Study::replay(serde_json::from_str(&log).unwrap()).unwrap();
        let back = again.trials()[number as usize].metrics["reward"].value.get();
        assert_eq!(back.to_bits(), value.to_bits());
    }
}

/// Through the unit cube 0.3 of [-5, 10] would come back as another number.
#[test]
fn a_setting_of_the_users_own_comes_back_bit_for_bit() {
    let mut study = running();
    for i in 0..40 {
        let x = -4.9 + f64::from(i) * 0.37;
        let asked = study.ask_for(setting(x, 2.0)).unwrap();
        assert_eq!(asked.params, setting(x, 2));
        study.fail(asked.number, "not run").unwrap();
    }
}

/// The first trial is the baseline, whatever its digits: else no relative limit is ever known.
#[test]
fn the_baseline_is_recognised_whatever_its_digits() {
    for i in 0..20 {
        let mut spec = definition();
        spec["constraints"] = json!(["cost <= 1.1 * baseline"]);
        let x = -4.9 + f64::from(i) * 0.37;
        spec["baseline"] = json!({"params": {"x": x, "n": 3}});
        let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
        let first = study.ask().unwrap();
        assert_eq!(first.params["x"].as_f64().map(f64::to_bits), Some(x.to_bits()));
        study.tell(first.number, [("reward", 1.0), ("cost", 2.0)]).unwrap();
        assert_eq!(study.trials()[0].is_feasible(), Some(true), "{:?}", first.params);
    }
}

#[test]
fn absurd_values_beyond_the_bound() {
    let mut study = running();
    let beyond = 1e6f64.next_up();
    for value in [beyond, -beyond, 1e300] {
        let words = ["reward", &value.to_string(), "[-1000000, 1000000]"];
        refused(&mut study, |s| s.tell(6, [("reward", value)]), "OutOfBounds", &words);
    }
    let words = ["cost", "1001", "[-1000, 1000]"];
    refused(&mut study, |s| s.tell(6, [("cost", 1001.0)]), "OutOfBounds", &words);
    refused(&mut study, |s| s.correct(0, [("cost", 1001.0)]), "OutOfBounds", &words);
    study.tell(6, [("reward", 1e6), ("cost", -1000.0), ("memory", 1e300)]).unwrap();
}

#[test]
fn settings_out_of_bounds_and_of_another_dimension() {
    let mut study = running();
    for x in [10f64.next_up(), (-5f64).next_down(), 1e300] {
        let words = ["params.x", &x.to_string(), "[-5, 10]"];
        refused(&mut study, |s| s.ask_for(setting(x, 1)), "OutOfBounds", &words);
        let history = |s: &mut Study| s.add(setting(x, 1), [("reward", 1.0)]);
        refused(&mut study, history, "OutOfBounds", &words);
    }
    refused(
        &mut study,
        |s| s.ask_for(setting(0.0, 9)),
        "OutOfBounds",
        &["params.n", "9", "[1, 8]"],
    );
    let short = Params::from([("x".into(), Value::Float(0.0))]);
    let known = r#""n", "x""#;
    refused(&mut study, |s| s.ask_for(short), "Missing", &["params.n is missing", known]);
    let mut long = setting(0.0, 1);
    long.insert("y".into(), Value::Float(0.0));
    refused(&mut study, |s| s.ask_for(long), "UnknownName", &["\"y\"", known]);
}
