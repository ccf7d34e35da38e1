//! A log made on a processor with AVX-512 passes an audit on one without, and the reverse.

use crate::random::Stream;
use crate::simd::narrow;
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::study::Study;
use serde_json::{Value, json};

fn played(overrides: &Value, rounds: u64) -> Vec<Event> {
    let mut spec = json!({
        "name": "registers", "seed": 11, "objective": "minimize cost", "constraints": ["load <= 5"],
        "params": {
            "x": {"type": "float", "low": 0, "high": 8},
            "y": {"type": "float", "low": 1, "high": 100, "log": true},
            "n": {"type": "int", "low": 1, "high": 9},
            "mode": {"type": "categorical", "choices": ["a", "b"]},
        },
    });
    for (key, value) in overrides.as_object().unwrap() {
        spec[key] = value.clone();
    }
    let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
    for _ in 0..rounds {
        let asked = study.ask().unwrap();
        let of = |name: &str| asked.params[name].as_f64().unwrap();
        let mut noise = Stream::new(5, asked.number);
        let cost = (of("x") - 6.0).powi(2) + of("y").ln() + 0.3 * of("n") + 0.1 * noise.normal();
        let load = of("x") + 0.2 * noise.normal();
        study.tell(asked.number, [("cost", cost), ("load", load)]).unwrap();
    }
    study.log().to_vec()
}

#[test]
fn a_log_passes_an_audit_whatever_the_width_of_the_registers() {
    let baseline = json!({"baseline": {"params": {"x": 2.0, "y": 10.0, "n": 4, "mode": "b"}}});
    for overrides in
        [json!({}), baseline, json!({"algorithm": "rpol-ucb", "model": {"noise": 0.1}})]
    {
        let audit = |log: &[Event]| Study::audit(log, |_| ()).unwrap();
        let wide = played(&overrides, 60);
        narrow::force(true);
        let (others, log) = (audit(&wide), played(&overrides, 60));
        narrow::force(false);
        assert!(others.is_empty(), "{overrides}: {others:?}");
        assert_eq!(log, wide, "{overrides}");
        assert!(audit(&log).is_empty(), "{overrides}");
    }
}
