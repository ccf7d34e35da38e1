//! Settings tried before are played again, and what that passes over is bounded.
#![allow(clippy::unwrap_used)]

use rpol::random::Stream;
use rpol::study::{By, Decision, Event, Spec, Study};
use rpol::{Params, Value};

const SETTINGS: usize = 220;
const ROUNDS: usize = 30;

/// Many settings, each measured three times.
fn study(reuse: f64) -> Study {
    let spec = Spec::from_toml(&format!(
        r#"
        name = "reuse"
        objective = "maximize reward"
        constraints = ["cost <= 0"]
        seed = 3
        policy = {{ type = "cautious" }}
        [model]
        reuse = {reuse}
        [params]
        x = {{ type = "float", low = -3, high = 5.5 }}
        y = {{ type = "float", low = 0, high = 0.7 }}
        "#
    ));
    let mut study = Study::create(spec.unwrap()).unwrap();
    let mut stream = Stream::new(5, 0);
    let near = |stream: &mut Stream| 0.5 + 0.08 * stream.normal();
    for _ in 0..SETTINGS {
        let x = (-3.0 + 8.5 * near(&mut stream)).clamp(-3.0, 5.5);
        let y = (0.7 * near(&mut stream)).clamp(0.0, 0.7);
        let params: Params = [("x", x), ("y", y)]
            .into_iter()
            .map(|(name, v)| (name.into(), Value::from(v)))
            .collect();
        for _ in 0..3 {
            let values = measured(&params, &mut stream);
            study.add(params.clone(), values).unwrap();
        }
    }
    study
}

fn measured(params: &Params, stream: &mut Stream) -> [(&'static str, f64); 2] {
    let at = |name: &str| params[name].as_f64().unwrap();
    let (u, v) = ((at("x") + 3.0) / 8.5 - 0.5, at("y") / 0.7 - 0.5);
    let reward = 1.0 - 3.0 * (u * u + v * v);
    [("reward", reward + 0.1 * stream.normal()), ("cost", u - 0.2 + 0.1 * stream.normal())]
}

fn next(study: &Study) -> (Params, Decision) {
    let mut ahead = study.clone();
    let number = ahead.ask().unwrap().number;
    let trial = &ahead.trials()[usize::try_from(number).unwrap()];
    (trial.params.clone(), trial.decision.clone().unwrap())
}

/// The same study and log, with or without reuse.
fn with_reuse(log: &[Event], reuse: f64) -> Study {
    let mut log = log.to_vec();
    if let Event::Created { spec, .. } = &mut log[0] {
        spec.model.reuse = Some(reuse);
    }
    Study::replay(log).unwrap()
}

#[test]
fn a_repeat_lacks_at_most_its_share_of_the_optimism() {
    let mut study = study(1.0);
    // It is full at 1024 settings.
    let share = (SETTINGS + ROUNDS) as f64 / 1024.0;
    let (mut stream, mut repeats) = (Stream::new(9, 0), 0);
    for _ in 0..ROUNDS {
        // Both see the same models: fits are in the log.
        let (_, spared) = next(&study);
        let (_, best) = next(&with_reuse(study.log(), 0.0));
        assert_ne!(best.by, By::Repeated);
        let asked = study.ask().unwrap();
        if spared.by == By::Repeated {
            repeats += 1;
            let same = |t: &&rpol::study::Trial| t.params == asked.params;
            assert!(study.trials().iter().filter(same).count() > 1, "it was tried before");
            let spread = study.log().iter().rev().find_map(|event| match event {
                Event::Fitted { outputs, .. } => Some(outputs[0].scale.spread),
                _ => None,
            });
            let optimism = (spared.upper.unwrap() - spared.forecast[0].mean) / spread.unwrap();
            let lacks = best.score.unwrap() - spared.score.unwrap();
            assert!(lacks <= share * optimism + 1e-6, "{lacks} of {optimism}");
        }
        study.tell(asked.number, measured(&asked.params, &mut stream)).unwrap();
    }
    assert!(repeats > 3, "{repeats} repeats");
}

#[test]
fn a_share_is_a_share() {
    for reuse in ["-0.1", "1.5", "nan"] {
        let text = format!(
            "name = \"a\"\nobjective = \"y\"\n[model]\nreuse = {reuse}\n[params]\nx = {{ type = \"float\", low = 0, high = 1 }}"
        );
        let error = Spec::from_toml(&text).and_then(Study::create).unwrap_err().to_string();
        assert!(error.contains("model.reuse") && error.contains("from 0"), "{error}");
    }
}
