//! Every algorithm decision for decision against a straight transcription of the paper's formulas in
//! NumPy, on a finite space; see `golden/trace_golden.py`.
#![allow(clippy::unwrap_used)]

use rpol::study::{Spec, Study};
use serde_json::{Value, json};

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/traces.json")).unwrap()
}

fn strategy(run: &Value) -> Value {
    let s = &run["strategy"];
    match s["kind"].as_str().unwrap() {
        "ucb" | "arrived" => json!({"type": "ucb"}),
        "hallucinated" => json!({"type": "hallucinated"}),
        "censored" => json!({"type": "censored", "within": s["m"],
            "bound": {"reward": s["bound_r"], "cost": s["bound_c"]}}),
        "sliding_window" => json!({"type": "sliding_window", "window": s["window"]}),
        "restart" => json!({"type": "restart", "period": s["period"]}),
        "discounted" => json!({"type": "discounted", "factor": s["eta"]}),
        other => panic!("{other}"),
    }
}

fn policy(run: &Value) -> Value {
    let p = &run["policy"];
    match p["kind"].as_str().unwrap() {
        "rectified" => json!({"type": "rectified"}),
        "constrained" => json!({"type": "constrained"}),
        "unconstrained" => json!({"type": "unconstrained"}),
        "fixed_penalty" => json!({"type": "fixed_penalty", "penalty": p["rho"]}),
        "epoch_penalty" => json!({"type": "epoch_penalty", "epoch": p["epoch"], "step": p["step"]}),
        "primal_dual" => json!({"type": "primal_dual", "bound_objective": p["bound_f"],
            "bound_constraint": p["bound_g"], "cap": p["rho"], "step": p["v"]}),
        other => panic!("{other}"),
    }
}

fn width(run: &Value, golden: &Value) -> Value {
    let kind = run["width"]["kind"].as_str().unwrap();
    if kind == "constant" {
        return json!({"type": "constant", "beta": run["width"]["beta"]});
    }
    json!({"type": kind, "p": golden["p"],
        "bound": {"reward": golden["norm_f"], "cost": golden["norm_g"]},
        "noise": {"reward": golden["noise_f"], "cost": golden["noise_g"]}})
}

fn spec(run: &Value, golden: &Value, horizon: u64) -> Spec {
    let mut strategy = strategy(run);
    if run["policy"]["kind"] == "epoch_penalty" {
        strategy = json!({"type": "ucb"}); // the epochs are the policy's own
    }
    let spec = json!({
        "name": run["name"], "objective": "maximize reward", "constraints": ["cost <= 0"],
        "params": {"x1": {"type": "int", "low": 0, "high": 12}, "x2": {"type": "int", "low": 0, "high": 12}},
        "horizon": horizon, "preset": "printed",
        "model": {"lengthscale": golden["lengthscale"], "noise": run["lambda"]},
        "confidence": {"width": width(run, golden)},
        "policy": policy(run), "strategy": strategy,
    });
    Spec::from_json(&spec.to_string()).unwrap()
}

struct Round<'a>(&'a Value, usize);

impl Round<'_> {
    fn get(&self, column: &str) -> &Value {
        &self.0["rounds"][column][self.1]
    }

    /// Compares with a number of the trace, where the trace has one.
    fn near(&self, column: &str, found: Option<f64>) {
        let Some(expected) = self.get(column).as_f64() else { return };
        let found = found.unwrap_or(f64::NAN);
        let error = (found - expected).abs() / expected.abs().max(1.0);
        let at = format!("{} round {}", self.0["name"], self.1 + 1);
        assert!(error < 1e-9, "{at}: {column} is {found} instead of {expected}");
    }
}

fn follow(run: &Value, golden: &Value) {
    let environment = &golden["environments"][run["environment"].as_str().unwrap()];
    let horizon = environment["horizon"].as_u64().unwrap();
    let mut study = Study::create(spec(run, golden, horizon)).unwrap();
    for t in 0..horizon as usize {
        let round = Round(run, t);
        round.near("penalty", study.penalties().first().copied());
        let chosen = round.get("chosen").as_i64().unwrap();
        let suggestion = if round.get("forced").as_bool().unwrap() {
            let params = [("x1", chosen / 13), ("x2", chosen % 13)];
            study
                .ask_for(params.map(|(n, v)| (n.to_string(), v.into())).into_iter().collect())
                .unwrap()
        } else {
            study.ask().unwrap()
        };
        let x = |name: &str| suggestion.params[name].to_string().parse::<i64>().unwrap();
        let found = x("x1") * 13 + x("x2");
        assert_eq!(found, chosen, "{} round {}", run["name"], t + 1);
        let decision = study.trials()[t].decision.clone().unwrap();
        round.near("f_hat", decision.upper);
        round.near("g_check", decision.lower.first().copied());
        round.near("score", decision.score);
        for s in 0..=t {
            for (metric, delay, column) in
                [("reward", "delay_f", "reward"), ("cost", "delay_g", "cost")]
            {
                if s + environment[delay][s].as_u64().unwrap() as usize == t {
                    let value = run["rounds"][column][s].as_f64().unwrap();
                    study.tell(s as u64, [(metric, value)]).unwrap();
                }
            }
        }
    }
}

#[test]
fn decisions_multipliers_and_bands_follow_the_transcription() {
    let golden = golden();
    let runs = golden["runs"].as_array().unwrap();
    runs.iter().for_each(|run| follow(run, &golden));
    assert_eq!(runs.len(), 31);
}
