//! A short study on a toy problem, for suites that check one part of it.

use crate::study::{Spec, Study};

/// Plays a few rounds with a known-safe start, some of them late, and compares with a replay.
pub(super) fn play(part: &str) {
    let text = format!(
        r#"{{"name": "check", "objective": "maximize y", "constraints": ["c <= 0"], "preset": "printed",
            "model": {{"noise": 0.1}}, "confidence": {{"width": {{"type": "constant", "beta": 1.5}}}},
            "params": {{"x": {{"type": "float", "low": 0, "high": 1}}, "n": {{"type": "int", "low": 1, "high": 4}}}},
            "baseline": {{"params": {{"x": 0.2, "n": 1}}}}, {part}}}"#
    );
    let mut study =
        Study::create(Spec::from_json(&text).expect("a usable study")).expect("a study");
    let mut late = None;
    for t in 0..14 {
        let suggestion = study.ask().expect("a suggestion");
        let number =
            |name: &str| suggestion.params[name].to_string().parse::<f64>().unwrap_or(f64::NAN);
        let (x, n) = (number("x"), number("n"));
        assert!((0.0..=1.0).contains(&x) && [1.0, 2.0, 3.0, 4.0].contains(&n), "out of the space");
        let metrics = [("y", x + 0.1 * n), ("c", x * n - 1.5)];
        if t % 4 == 2 {
            late = Some((suggestion.number, metrics));
        } else {
            study.tell(suggestion.number, metrics).expect("a tell");
        }
        if t % 4 == 0
            && let Some((number, metrics)) = late.take()
        {
            study.tell(number, metrics).expect("a late tell");
        }
    }
    let mut again = Study::replay(study.log().to_vec()).expect("a replay");
    assert_eq!(again.penalties(), study.penalties(), "a replay has other multipliers");
    assert_eq!(again.ask(), study.ask(), "a replay decides otherwise");
}
