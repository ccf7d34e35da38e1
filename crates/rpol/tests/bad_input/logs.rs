//! Logs that nothing wrote so.

use rpol::study::{Event, Study};

/// Four events of a study with one limit; the first decision has these lower bounds.
fn log(lower: &str) -> Vec<Event> {
    let lines = [
        r#"{"event":"created","spec":{"name":"s","params":{"x":{"type":"float","low":0,"high":1}},"objective":"maximize y",
            "constraints":["z <= 0"],"horizon":9,"preset":"printed"}}"#,
        &format!(
            r#"{{"event":"asked","number":0,"round":1,"params":{{"x":0.5}},"decision":{{"by":"pool","score":1,"lower":[{lower}]}}}}"#
        ),
        r#"{"event":"told","number":0,"metrics":{"y":1,"z":2}}"#,
        r#"{"event":"asked","number":1,"round":2,"params":{"x":0.25},"decision":{"by":"pool","score":1,"lower":[-1]}}"#,
    ];
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// It was a panic: one byte more, and a number was two.
#[test]
fn a_decision_has_a_lower_bound_for_each_limit_or_none() {
    for lower in ["", "-1"] {
        assert!(Study::replay(log(lower)).is_ok(), "{lower}");
    }
    for lower in ["-1,8", "-1,8,3"] {
        let error = Study::replay(log(lower)).unwrap_err();
        assert_eq!(error.kind(), "InvalidLog", "{error}");
        let said = error.to_string();
        assert!(said.contains("lower bounds, where each limit has one: 1"), "{said}");
    }
}
