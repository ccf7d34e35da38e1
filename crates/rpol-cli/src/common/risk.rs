//! What a study may break, in words.

use rpol::Spec;

/// What will be risked before anything runs.
pub(crate) fn words(spec: &Spec) -> String {
    let Some(promise) = spec.promised() else {
        return match spec.constraints.is_empty() {
            true => "there is no limit to break".into(),
            false => "nothing is promised: limits may be broken in any trial".into(),
        };
    };
    let share = format!("about {} % of the trials may go over a limit", percent(promise.risk));
    if spec.baseline.is_none() {
        // Single measurements are not what is promised then.
        let means = "by their means, once a setting is known that keeps the limits";
        return format!("{share} {means}; no baseline is given");
    }
    let share = match spec.horizon {
        Some(rounds) => {
            let bound = promise.bound(rounds).min(rounds as f64).floor();
            let long = format!("{} % in the long run", percent(promise.risk));
            format!("at most {bound:.0} of {rounds} trials go over a limit as measured, {long}")
        }
        None => format!("{share} as measured"),
    };
    format!("{share}, from the baseline on")
}

fn percent(share: f64) -> f64 {
    (1e4 * share).round() / 1e2
}

#[cfg(test)]
mod tests {
    use super::words;
    use rpol::Spec;
    use serde_json::{Value, json};

    fn of(more: Value) -> String {
        let mut spec = json!({
            "name": "a", "objective": "y", "constraints": ["z <= 1"],
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
        });
        for (field, value) in more.as_object().unwrap() {
            spec[field] = value.clone();
        }
        words(&Spec::from_json(&spec.to_string()).unwrap())
    }

    #[test]
    fn a_risk_is_told_with_its_numbers() {
        let told = of(json!({"horizon": 60, "baseline": {"params": {"x": 0.5}}}));
        assert!(told.contains("10 %") && told.contains("at most 7 of 60"), "{told}");
        assert!(of(json!({"risk": 0.025})).contains("2.5 %"));
        assert!(of(json!({})).contains("no baseline is given"));
        assert!(of(json!({"risk": 1})).contains("nothing is promised"));
        assert!(of(json!({"algorithm": "config"})).contains("nothing is promised"));
        assert!(of(json!({"constraints": []})).contains("no limit"));
    }
}
