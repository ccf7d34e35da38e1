//! Bad definitions: the error names the field, the value and the remedy.

use super::says;
use rpol::{Param, Params, Space, Value};

#[track_caller]
fn refused(params: Vec<(&str, Param)>, words: &[&str]) {
    says(Space::new(params).unwrap_err(), "InvalidSpec", words);
}

fn unit() -> Param {
    Param::float(0.0, 1.0)
}

#[test]
fn low_above_high() {
    refused(vec![("x1", Param::float(2.0, 1.5))], &["params.x1.low", "2.0", "1.5", "swap"]);
    refused(vec![("n", Param::int(9, 3))], &["params.n.low", "9", "3", "swap"]);
}

#[test]
fn log_from_zero_or_below() {
    refused(vec![("x", Param::float(0.0, 1.0).log())], &["params.x.low", "0.0", "above 0"]);
    refused(vec![("x", Param::float(-0.5, 1.0).log())], &["params.x.low", "-0.5", "above 0"]);
    refused(vec![("n", Param::int(0, 9).log())], &["params.n.low", "0 on a log scale", "to 1"]);
}

#[test]
fn no_parameters() {
    refused(vec![], &["params", "0 parameters", "define one"]);
}

#[test]
fn duplicate_names_also_after_case_folding() {
    for (a, b) in [("x", "x"), ("Rate", "rATE"), ("\u{212a}", "k"), ("straße", "STRASSE")] {
        refused(vec![(a, unit()), (b, unit())], &["params", a, b, "rename"]);
    }
    let error = serde_json::from_str::<Space>(
        r#"{"x": {"type": "int", "low": 1, "high": 2}, "x": {"type": "int", "low": 1, "high": 3}}"#,
    );
    assert!(error.unwrap_err().to_string().contains("rename"));
}

#[test]
fn unusable_names() {
    for name in ["", "  "] {
        refused(vec![(name, unit())], &["params.", "is empty", "give it a letter"]);
    }
    for (name, shown) in [("a\0b", r"\0"), ("a\nb", r"\n"), ("\u{1b}[31mred", r"\u{1b}")] {
        refused(vec![(name, unit())], &["params.", shown, "leave it out"]);
    }
    refused(vec![(&"n".repeat(10_000), unit())], &["params.", "10000", "200 or fewer"]);
}

#[test]
fn odd_names_are_plain_text() {
    for name in ["../../etc/passwd", "'; DROP TABLE", "<img onerror=x>", "=cmd()", "größe", "a b"]
    {
        let space = Space::new([(name, unit())]).unwrap();
        assert_eq!(space.decode(&[1.0])[name], Value::Float(1.0));
    }
    let quoted = vec![("a b", Param::float(2.0, 1.0))];
    refused(quoted, &[r#"params."a b".low"#]);
}

#[test]
fn bounds_that_are_not_finite_or_overflow() {
    refused(vec![("x", Param::float(f64::NAN, 1.0))], &["params.x.low", "NaN", "give a finite"]);
    let infinite = vec![("x", Param::float(0.0, f64::INFINITY))];
    refused(infinite, &["params.x.high", "inf", "give a finite"]);
    let wide = vec![("x", Param::float(-1e308, 1e308))];
    refused(wide, &["params.x.high", "1e308", "overflows", "closer"]);
    assert!(toml::from_str::<Space>("[x]\ntype = 'float'\nlow = nan\nhigh = 1").is_err());
    assert!(serde_json::from_str::<Param>(r#"{"type":"float","low":0,"high":1e999}"#).is_err());
}

#[test]
fn integers_beyond_exact_numbers() {
    let limit = 1i64 << 53;
    for value in [limit + 1, i64::MAX, i64::MIN, -limit - 1] {
        let fixed = vec![("n", Param::int(value, value))];
        refused(fixed, &["params.n.low", &value.to_string(), "2^53"]);
    }
    for ends in [(limit - 5, limit), (-limit, 5 - limit)] {
        let space = Space::new([("n", Param::int(ends.0, ends.1))]).unwrap();
        for v in ends.0..=ends.1 {
            let params = Params::from([("n".into(), v.into())]);
            assert_eq!(space.decode(&space.encode(&params).unwrap()), params);
        }
    }
    refused(vec![("n", Param::int(-limit, limit))], &["params.n.high", "use type float"]);
    refused(vec![("n", Param::int(1, 1 << 50).log())], &["params.n.high", "use type float"]);
}

#[test]
fn choices_that_are_none_twice_or_not_finite() {
    refused(vec![("m", Param::categorical([]))], &["params.m.choices", "0 choices", "give one"]);
    let twice = Param::categorical(["a".into(), "b".into(), "a".into()]);
    refused(vec![("m", twice)], &["params.m.choices[2]", r#""a""#, "drop one"]);
    let numbers = Param::categorical([1.into(), 1.0.into()]);
    refused(vec![("m", numbers)], &["params.m.choices[1]", "1.0", "drop one"]);
    let nan = Param::categorical([f64::NAN.into()]);
    refused(vec![("m", nan)], &["params.m.choices[0]", "NaN", "finite"]);
    refused(vec![("m", Param::categorical(["\0".into()]))], &["params.m.choices[0]", "NUL"]);
}

#[test]
fn unknown_fields_and_types_are_named() {
    for (text, word) in [
        (r#"{"x": {"type": "float", "low": 0, "high": 1, "step": 1}}"#, "step"),
        (r#"{"x": {"type": "uniform", "low": 0, "high": 1}}"#, "uniform"),
        (r#"{"x": {"type": "float", "low": 0}}"#, "high"),
        (r#"{"x": {"type": "categorical", "choices": [null]}}"#, "a text or a boolean"),
        (r#"{"x": {"type": "int", "low": 0.5, "high": 2}}"#, "0.5"),
    ] {
        let message = serde_json::from_str::<Space>(text).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn one_value_is_a_fixed_parameter() {
    for param in [Param::float(2.0, 2.0), Param::int(2, 2), Param::categorical([2.into()])] {
        let space = Space::new([("x", param)]).unwrap();
        assert_eq!((space.dims(), space.size()), (0, Some(1)));
        assert!(space.point(0).is_empty());
        let params = space.decode(&[]);
        assert!(params["x"].same(&2.into()));
        assert!(space.encode(&params).unwrap().is_empty());
    }
}

#[test]
fn bounds_one_ulp_apart_work() {
    for low in [1.0, 1e10, 1e-300, f64::from_bits(1), f64::MAX.next_down()] {
        for log in [false, true] {
            let high = low.next_up();
            let space = Space::new([("x", Param::Float { low, high, log })]).unwrap();
            for (v, x) in [(low, 0.0), (high, 1.0)] {
                let params = Params::from([("x".into(), v.into())]);
                assert_eq!(space.encode(&params).unwrap(), [x]);
                assert_eq!(space.decode(&[x]), params);
            }
            assert!(matches!(space.decode(&[0.3])["x"], Value::Float(v) if v == low || v == high));
        }
    }
}

#[test]
fn negative_zero_is_zero() {
    let space = Space::new([
        ("x", Param::float(-0.0, 1.0)),
        ("y", Param::float(-1.0, -0.0)),
        ("z", Param::categorical([(-0.0).into(), 1.into()])),
    ])
    .unwrap();
    for (value, name) in space.decode(&[-0.0, 1.0, 0.0]).values().zip(["x", "y", "z"]) {
        assert!(matches!(value, Value::Float(v) if v.to_bits() == 0), "{name} {value:?}");
    }
    let mut x = [-0.0, 0.5, -0.0];
    space.snap(&mut x);
    assert_eq!((x[0].to_bits(), x[2].to_bits()), (0, 0));
    let params = Params::from([
        ("x".into(), (-0.0).into()),
        ("y".into(), (-0.0).into()),
        ("z".into(), 0.into()),
    ]);
    assert!(space.encode(&params).unwrap().iter().all(|x| x.is_sign_positive()));
}
