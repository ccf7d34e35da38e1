//! One test for each way to write a constraint wrong.

use super::read;
use rpol::Constraint;
use rpol::constraint::{Direction, Threshold};

#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let error = text.parse::<Constraint>().unwrap_err();
    assert_eq!(error.kind(), "InvalidSpec");
    let message = error.to_string();
    for word in words.iter().chain(&["constraint", r#"write it like "p99_ms <= 250""#]) {
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
    assert!(!message.chars().any(char::is_control) && message.len() < 600, "{message:?}");
}

#[test]
fn strict_and_equal_comparisons() {
    refused("p99_ms < 250", &[r#""p99_ms < 250""#, r#""<" at 8"#, "use <="]);
    refused("qps > 1", &[r#"">" at 5"#, "use >="]);
    for (text, found) in [("a == 1", "=="), ("a = 1", "="), ("a != 1", "!=")] {
        refused(text, &[&format!("{found:?} at 3"), "use <= or >="]);
    }
    refused("a =< 1", &["=<", "use <="]);
    refused("a => 1", &["=>", "use >="]);
}

#[test]
fn missing_parts() {
    refused("", &["at 1", "a comparison <= or >= is needed"]);
    refused("p99_ms", &["at 7", "a comparison <= or >= is needed"]);
    refused("p99_ms <=", &["at 10", "is missing here"]);
    refused(">= 3", &["at 1", "is missing here"]);
    refused("3 <= 4", &[r#""4" at 6"#, "one side must be a metric"]);
    refused("3 <= baseline", &["one side must be a metric"]);
    refused("'p99 <= 3", &["at 1", "closing quote"]);
}

#[test]
fn thresholds_that_are_no_numbers() {
    refused("p99 <= 250ms", &[r#""250ms" at 8"#, "without units"]);
    refused("250ms >= p99", &[r#""250ms" at 1"#, "without units"]);
    refused("a <= b", &[r#""b" at 6"#, "number"]);
    for number in ["nan", "inf", "-inf", "1e999", "Infinity"] {
        refused(&format!("a <= {number}"), &[&format!("{number:?} at 6"), "finite number"]);
    }
    refused("a <= 1,000", &[r#""," at 7"#, "not understood"]);
    refused("a <= 95%", &[r#""%" at 8"#, "not understood"]);
    for number in ["1__0", "1_", "1.2.3", "0.95baseline"] {
        refused(&format!("a <= {number}"), &[&format!("{number:?} at 6"), "number"]);
    }
}

#[test]
fn sides_of_more_than_one_part() {
    refused("1 <= x <= 5", &[r#""<=" at 8"#, "two constraints"]);
    refused("2 * x <= 5", &[r#""*" at 3"#, "one metric"]);
    refused("p99 ms <= 5", &[r#""ms" at 5"#, "quote names"]);
    refused("x <= baseline + 5", &[r#""+" at 15"#, "no +"]);
    refused("x <= 2 * 3 * baseline", &["one number"]);
    refused("x <= __import__('os')", &[r#""(" at 16"#, "not understood"]);
    refused("x <= 3 'y'", &["one metric"]);
}

#[test]
fn unusable_metric_names() {
    refused("'' <= 1", &["at 1", "is empty"]);
    refused("'a\nb' <= 1", &[r"\n", "leave it out"]);
    refused("'\u{1b}[2J' <= 1", &[r"\u{1b}", "leave it out"]);
    refused("\u{1b} <= 1", &[r"\u{1b}", "not understood"]);
    refused(&format!("{} <= 1", "n".repeat(10_000)), &["10000", "200 or fewer"]);
    refused("-a <= 1", &[r#""-a" at 1"#, "in quotes"]);
}

#[test]
fn tables_with_bad_fields() {
    for (json, words) in [
        (r#"{"expression": "a <= 1", "budgets": 1}"#, ["budgets", "unknown field"]),
        (r#"{"budget": 1}"#, ["expression", "missing field"]),
        (
            r#"{"expression": "a <= 1", "budget": -1}"#,
            ["constraint.budget", "-1.0 is negative: give 0"],
        ),
        (
            r#"{"expression": "a <= 1", "bound": 0}"#,
            ["constraint.bound", "0.0 is not positive: raise"],
        ),
        (
            r#"{"expression": "a <= 5", "bound": 2}"#,
            ["constraint.bound", "2.0 is below the threshold 5.0: raise"],
        ),
        (r#"{"expression": "a < 5"}"#, ["constraint", "use <="]),
        ("3", ["integer `3`", "p99_ms <= 250"]),
    ] {
        let message = serde_json::from_str::<Constraint>(json).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
    let error = Constraint::new("a", Direction::AtMost, Threshold::Fixed(f64::NAN)).unwrap_err();
    assert_eq!(error.to_string(), "constraint.threshold: NaN is not finite: give a finite number");
    assert!(read("a <= 1").with_budget(f64::INFINITY).is_err());
    assert!(read("a <= 1").with_bound(f64::NAN).is_err());
}

#[test]
fn absurd_values_quote_the_bound() {
    let limit = read("p99_ms <= 250").with_bound(1e6).unwrap();
    for value in [-1e7, 1e6f64.next_up()] {
        let error = limit.admit(value).unwrap_err();
        assert_eq!(error.kind(), "OutOfBounds");
        assert!(
            error.to_string().contains("metrics.p99_ms") && error.to_string().contains("1000000")
        );
    }
    assert_eq!(limit.admit(f64::NAN).unwrap_err().kind(), "NotFinite");
    assert_eq!(limit.admit(-1e6).unwrap().get(), -1e6);
}
