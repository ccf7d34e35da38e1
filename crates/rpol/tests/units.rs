//! Units change no decision: neither those of the metrics and their limits nor those of the parameters.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rpol::random::Stream;
use rpol::{Params, Spec, Study};
use serde_json::json;

/// The metrics: an objective, a latency with a limit from above, a throughput with one from below, one that never changes, one that
/// is always 0 under a limit of 0, and one that is always 0 under another limit.
const METRICS: [&str; 6] = ["cost", "p99", "rate", "flat", "errors", "drops"];

/// What counts as one: of each metric, and of the range of each parameter.
#[derive(Debug, Clone)]
struct Units {
    metrics: [f64; 6],
    /// Where the first parameter begins, and how long its range is.
    x: (f64, f64),
    /// What the second parameter, which is searched by ratios, is multiplied by.
    y: f64,
    /// Where the third, which is whole, begins.
    n: i64,
}

impl Units {
    fn plain() -> Self {
        Self { metrics: [1.0; 6], x: (0.0, 1.0), y: 1.0, n: 0 }
    }

    fn definition(&self, baseline: bool, seed: u64) -> Spec {
        let [_, p99, rate, flat, errors, drops] = self.metrics;
        let (low, length) = self.x;
        let mut spec = json!({
            "name": "units", "seed": seed, "objective": "minimize cost",
            "constraints": [
                {"expression": format!("p99 <= {:?}", 60.0 * p99), "budget": 4000.0 * p99},
                format!("rate >= {:?}", 100.0 * rate),
                format!("flat <= {:?}", 10.0 * flat),
                format!("errors <= {:?}", 0.0 * errors),
                format!("drops <= {:?}", 0.01 * drops),
            ],
            "params": {
                "x": {"type": "float", "low": low, "high": low + length},
                "y": {"type": "float", "low": self.y, "high": 64.0 * self.y, "log": true},
                "n": {"type": "int", "low": self.n, "high": self.n + 12},
                "mode": {"type": "categorical", "choices": ["a", "b"]},
            },
        });
        if baseline {
            let (x, y, n) = (low + 0.75 * length, 16.0 * self.y, self.n + 9);
            spec["baseline"] = json!({"params": {"x": x, "y": y, "n": n, "mode": "a"}});
        }
        Spec::from_json(&spec.to_string()).unwrap()
    }

    /// A setting as shares of the ranges; the levels of what is whole and of categories are kept.
    fn shares(&self, params: &Params) -> [f64; 4] {
        let at = |name: &str| params[name].as_f64().unwrap();
        let mode = f64::from(u8::from(params["mode"] == "b".into()));
        let (low, length) = self.x;
        [(at("x") - low) / length, (at("y") / self.y).log2() / 6.0, at("n") - self.n as f64, mode]
    }

    /// What a trial measures: a function of the shares, the same in every unit, and noise.
    fn measured(&self, params: &Params, number: u64) -> Vec<(&'static str, f64)> {
        let [x, y, n, mode] = self.shares(params);
        // Settings that differ by a rounding measure the same.
        let [x, y] = [x, y].map(|share| (share * 1e9).round() / 1e9);
        let size = 0.4 * x + 0.2 * y + 0.4 * n / 12.0;
        let mut noise = Stream::new(17, number);
        let mut noisy = |value: f64| value * (1.0 + 0.03 * noise.normal());
        let cost = noisy(5.0 + 20.0 * size + 3.0 * (y - 0.4).powi(2) - mode);
        let p99 = noisy(12.0 + 14.0 / (0.12 + size));
        let rate = noisy(60.0 + 120.0 * size + 5.0 * mode);
        let values = [cost, p99, rate, 3.0, 0.0, 0.0];
        let scaled = values.into_iter().zip(self.metrics).map(|(value, unit)| value * unit);
        METRICS.into_iter().zip(scaled).collect()
    }

    /// The settings of a run, as shares.
    fn play(&self, baseline: bool, seed: u64, rounds: u64) -> Vec<[f64; 4]> {
        let mut study = Study::create(self.definition(baseline, seed)).unwrap();
        let mut played = Vec::new();
        for _ in 0..rounds {
            let asked = study.ask().unwrap();
            let metrics = self.measured(&asked.params, asked.number);
            played.push(self.shares(&asked.params));
            study.tell(asked.number, metrics).unwrap();
        }
        played
    }
}

const ROUNDS: u64 = 25;

/// Whether two runs played the same settings, up to rounding.
fn agree(a: &[[f64; 4]], b: &[[f64; 4]], tolerance: f64) -> Result<(), String> {
    for (t, (a, b)) in a.iter().zip(b).enumerate() {
        if a.iter().zip(b).any(|(a, b)| (a - b).abs() > tolerance) {
            return Err(format!("round {}: {a:?} and {b:?}", t + 1));
        }
    }
    Ok(())
}

/// Powers of two round nothing: every bit is the same.
#[test]
fn each_metric_in_another_unit_leaves_every_bit_of_a_setting() {
    for baseline in [true, false] {
        let plain = Units::plain().play(baseline, 5, ROUNDS);
        for (i, metric) in METRICS.iter().enumerate() {
            for unit in [2f64.powi(-20), 2f64.powi(20)] {
                let mut units = Units::plain();
                units.metrics[i] = unit;
                let same = agree(&plain, &units.play(baseline, 5, ROUNDS), 0.0);
                assert_eq!(same, Ok(()), "{metric} times {unit}, with a baseline: {baseline}");
            }
        }
    }
}

#[test]
fn play_depends_on_more_than_the_units() {
    let [a, b] = [5, 6].map(|seed| Units::plain().play(true, seed, ROUNDS));
    assert!(agree(&a, &b, 1e-3).is_err(), "another seed is another run");
    // A limit that is not taken along is another limit.
    let units = Units { metrics: [1.0, 0.5, 1.0, 1.0, 1.0, 1.0], ..Units::plain() };
    let mut study = Study::create(units.definition(true, 5)).unwrap();
    let mut other = Vec::new();
    for _ in 0..ROUNDS {
        let asked = study.ask().unwrap();
        other.push(units.shares(&asked.params));
        study.tell(asked.number, Units::plain().measured(&asked.params, asked.number)).unwrap();
    }
    assert!(agree(&a, &other, 1e-3).is_err());
}

fn unit() -> impl Strategy<Value = f64> {
    (-6.0..6.0f64).prop_map(|power| 10f64.powf(power))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 6, ..Default::default() })]

    #[test]
    fn any_units_give_the_same_settings(
        metrics in prop::array::uniform6(unit()),
        low in -1e3..1e3f64, length in unit(), y in unit(), n in -500..500i64,
        baseline: bool,
        seed in 0..1000u64,
    ) {
        // Where a range begins far from 0 for its length its values have few digits.
        let units = Units { metrics, x: (low * length / 10.0, length), y, n };
        let plain = Units::plain().play(baseline, seed, ROUNDS);
        let same = agree(&plain, &units.play(baseline, seed, ROUNDS), 1e-6);
        prop_assert_eq!(same, Ok(()), "{:?}", units);
    }
}
