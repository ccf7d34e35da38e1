//! Laws of a policy.

use super::play::play;
use crate::confidence::Band;
use crate::policy::score::Estimate;
use crate::policy::{Closing, Policy, Situation};

/// Checks a policy: multipliers stay finite and at least 0, scores are never NaN and agree with their
/// slopes, the definition survives JSON, and a study with it runs and replays.
///
/// ```
/// rpol::check::policy(&rpol::policy::Policy::default());
/// ```
///
/// # Panics
/// With the law that is broken.
pub fn policy(policy: &Policy) {
    policy.rule().validate().expect("a definition that is usable");
    let json = serde_json::to_string(policy).expect("a definition that can be written");
    let read: Policy = serde_json::from_str(&json).expect("a definition that can be read");
    assert_eq!(&read, policy, "the definition does not survive JSON");
    multipliers_stay_sound(policy);
    slopes_are_derivatives(policy);
    play(&format!("\"policy\": {json}"));
}

fn multipliers_stay_sound(policy: &Policy) {
    let mut multipliers = policy.rule().start(2);
    for t in 1..200 {
        let cost = (t as f64 * 0.7).sin();
        let revealed = [vec![cost, -0.2], if t % 3 == 0 { vec![] } else { vec![-cost] }];
        let lower = [cost - 0.3, -cost];
        let over = f64::from(cost > 0.0);
        let (t, round) = (t, t);
        let closing =
            Closing { t, round, horizon: Some(200), revealed: &revealed, lower: &lower, over };
        policy.rule().close(&mut multipliers, &closing);
        let constraints = &multipliers[..multipliers.len().min(2)];
        assert!(constraints.iter().all(|m| m.is_finite() && *m >= 0.0), "{multipliers:?}");
    }
}

fn slopes_are_derivatives(policy: &Policy) {
    let bands = [
        Band { width: 1.3, offset: 0.1, ..Band::default() },
        Band { width: 2.0, taper: 0.4, power: 2, known: 0.3, ..Band::default() },
        Band { width: 0.7, ..Band::default() },
    ];
    let multipliers = {
        let mut start = policy.rule().start(2);
        start.iter_mut().for_each(|m| *m = m.max(0.6));
        start
    };
    for best in [None, Some(0.2)] {
        let situation =
            Situation { multipliers: &multipliers, bands: &bands, best, cautions: &[0.5, 0.8] };
        let score = policy.rule().score(&situation);
        for shift in [-0.9, 0.35, 1.6] {
            // Away from every kink, and on the kept side of hard constraints.
            let hard = score.hinges().is_some_and(|w| w.iter().any(|w| w.is_infinite()));
            let mean = |i: usize| if i > 0 && hard { -1.0 } else { shift + 0.11 * i as f64 };
            let at: Vec<Estimate> = (0..3)
                .map(|i| Estimate { mean: mean(i), deviation: 0.4 + 0.1 * i as f64 })
                .collect();
            let slopes = score.slopes(&at);
            for i in 0..3 {
                let value = |mean: f64, deviation: f64| {
                    let mut moved = at.clone();
                    moved[i].mean += mean;
                    moved[i].deviation += deviation;
                    score.rank(&moved).value
                };
                let h = 1e-6;
                let by_mean = (value(h, 0.0) - value(-h, 0.0)) / (2.0 * h);
                let by_deviation = (value(0.0, h) - value(0.0, -h)) / (2.0 * h);
                let close = |a: f64, b: f64| (a - b).abs() < 1e-4 * (1.0 + a.abs());
                assert!(close(slopes[i].mean, by_mean), "slope in mean {i}: {slopes:?} {by_mean}");
                assert!(close(slopes[i].deviation, by_deviation), "slope in deviation {i}");
            }
        }
    }
}
