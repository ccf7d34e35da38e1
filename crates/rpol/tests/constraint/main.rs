//! Laws of constraints.

#![allow(clippy::unwrap_used)]

mod bad_input;

use proptest::prelude::*;
use rpol::Constraint;
use rpol::constraint::{Direction, Threshold};

fn read(text: &str) -> Constraint {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn parts(text: &str) -> (String, Direction, Threshold) {
    let constraint = read(text);
    (constraint.metric().into(), constraint.direction(), constraint.threshold())
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("finite", |v| v.is_finite()), -1e3..1e3, Just(1.0)]
}

fn metric() -> impl Strategy<Value = String> {
    let odd = [
        "baseline", "inf", "NaN", "1e3", "it's", "\"", "''", "5xx", "-a", "a+b", "a <= 3", "\\",
        ".",
    ];
    prop_oneof![
        "[a-zA-Z0-9_./:-]{1,12}",
        "\\PC{1,12}".prop_filter("not blank", |name| !name.trim().is_empty()),
        prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

fn constraint() -> impl Strategy<Value = Constraint> {
    (metric(), any::<bool>(), any::<bool>(), finite()).prop_map(|(metric, most, fixed, number)| {
        let direction = if most { Direction::AtMost } else { Direction::AtLeast };
        let threshold = match fixed {
            true => Threshold::Fixed(number),
            false => Threshold::TimesBaseline(number),
        };
        Constraint::new(&metric, direction, threshold).unwrap()
    })
}

proptest! {
    #[test]
    fn display_parses_back(constraint in constraint()) {
        prop_assert_eq!(read(&constraint.to_string()), constraint);
    }

    #[test]
    fn json_and_toml_round_trip(
        constraint in constraint(),
        budget in prop::option::of(0.0..1e300),
        bounded in any::<bool>(),
    ) {
        let mut constraint = constraint;
        if let Some(budget) = budget {
            constraint = constraint.with_budget(budget).unwrap();
        }
        if bounded {
            constraint = constraint.with_bound(f64::MAX).unwrap();
        }
        let json = serde_json::to_string(&constraint).unwrap();
        prop_assert_eq!(json.starts_with('"'), budget.is_none() && !bounded);
        prop_assert_eq!(&serde_json::from_str::<Constraint>(&json).unwrap(), &constraint);
        let table = std::collections::BTreeMap::from([("c", &constraint)]);
        let text = toml::to_string(&table).unwrap();
        let back: std::collections::BTreeMap<String, Constraint> = toml::from_str(&text).unwrap();
        prop_assert_eq!(&back["c"], &constraint);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        if let Ok(constraint) = text.parse::<Constraint>() {
            prop_assert_eq!(read(&constraint.to_string()), constraint);
        }
    }

    #[test]
    fn any_text_of_the_grammar_is_read_or_refused(
        words in prop::collection::vec(prop::sample::select(&["a", "'b c'", "<=", ">=", "<", "*", "baseline", "2", "-1e3", " ", "'"][..]), 0..7),
    ) {
        if let Ok(constraint) = words.concat().parse::<Constraint>() {
            prop_assert_eq!(read(&constraint.to_string()), constraint);
        }
    }

    #[test]
    fn feasible_iff_the_comparison_holds(constraint in constraint(), value in finite(), baseline in finite()) {
        let g = constraint.g(value, Some(baseline)).unwrap();
        prop_assert!(g.is_finite());
        let threshold = match constraint.threshold() {
            Threshold::Fixed(number) => number,
            Threshold::TimesBaseline(factor) => factor * baseline,
        };
        let holds = match constraint.direction() {
            Direction::AtMost => value <= threshold,
            Direction::AtLeast => value >= threshold,
        };
        // An overflowing threshold saturates at the value's own limit.
        prop_assert!((g <= 0.0) == holds || threshold.is_infinite());
    }

    #[test]
    fn the_sides_may_be_swapped(number in finite()) {
        prop_assert_eq!(read(&format!("{number:e} >= m")), read(&format!("m<={number:e}")));
        prop_assert_eq!(read(&format!("{number} * baseline <= m")), read(&format!("m>=baseline*{number}")));
    }
}

#[test]
fn the_usual_forms() {
    use Direction::{AtLeast, AtMost};
    use Threshold::{Fixed, TimesBaseline};
    for (text, metric, direction, threshold) in [
        ("p99_ms <= 250", "p99_ms", AtMost, Fixed(250.0)),
        ("250 >= p99_ms", "p99_ms", AtMost, Fixed(250.0)),
        (" qps>=1_000\t", "qps", AtLeast, Fixed(1000.0)),
        ("qps >= 0.95 * baseline", "qps", AtLeast, TimesBaseline(0.95)),
        ("err_rate <= baseline", "err_rate", AtMost, TimesBaseline(1.0)),
        ("latency <= 1.1*baseline", "latency", AtMost, TimesBaseline(1.1)),
        ("x<=-4", "x", AtMost, Fixed(-4.0)),
        ("x <= 1e-3", "x", AtMost, Fixed(1e-3)),
        ("x <= 1E+3", "x", AtMost, Fixed(1e3)),
        ("x <= .5", "x", AtMost, Fixed(0.5)),
        ("5xx_rate <= 0.01", "5xx_rate", AtMost, Fixed(0.01)),
        ("db/p99-ms:eu.1 <= 3", "db/p99-ms:eu.1", AtMost, Fixed(3.0)),
        ("'p99 ms' <= 3", "p99 ms", AtMost, Fixed(3.0)),
        ("3 <= \"p99 ms\"", "p99 ms", AtLeast, Fixed(3.0)),
        ("'baseline' <= baseline", "baseline", AtMost, TimesBaseline(1.0)),
        ("'it''s' <= 1", "it's", AtMost, Fixed(1.0)),
    ] {
        assert_eq!(parts(text), (metric.into(), direction, threshold), "{text}");
    }
}

#[test]
fn negative_zero_is_zero() {
    let Threshold::Fixed(value) = read("x <= -0.0").threshold() else { panic!() };
    assert_eq!(value.to_bits(), 0);
    assert_eq!(read("x >= 1").g(1.0, None).unwrap().to_bits(), 0);
}

#[test]
fn unknown_is_none_and_overflow_is_finite() {
    let relative = read("x <= 2 * baseline");
    assert_eq!(relative.g(1.0, None), None);
    assert_eq!(relative.g(1.0, Some(f64::NAN)), None);
    assert_eq!(relative.g(f64::NAN, Some(1.0)), None);
    assert_eq!(read("x <= -1e308").g(1e308, None), Some(f64::MAX));
}
