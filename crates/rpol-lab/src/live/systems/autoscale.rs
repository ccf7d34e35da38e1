//! A web service whose number of instances follows its load.

use super::{Blueprint, Chance, Outcome, Setting, quantile};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "autoscale",
    about: "an autoscaled web service under a changing load",
    definition: r#"
        objective = "minimize cost"
        constraints = ["p95_ms <= 110", "error_rate <= 0.01"]
        [params]
        target = { type = "float", low = 0.3, high = 0.98 }
        cooldown_s = { type = "int", low = 10, high = 600, log = true }
        min_instances = { type = "int", low = 1, high = 24 }
        max_instances = { type = "int", low = 6, high = 60 }
        instance = { type = "categorical", choices = ["small", "medium", "large"] }
        [baseline]
        params = { target = 0.5, cooldown_s = 120, min_instances = 16, max_instances = 48, instance = "medium" }
    "#,
    measure,
    best: &[(
        r#"{"target":0.71808,"cooldown_s":13,"min_instances":7,"max_instances":16,"instance":"medium"}"#,
        22.418,
    )],
};

/// Seconds of a step, and steps of a measurement.
const STEP: f64 = 10.0;
const STEPS: usize = 720;
/// Milliseconds of a request on an idle instance.
const SERVICE_MS: f64 = 60.0;
/// Seconds that a request waits before it is given up.
const PATIENCE: f64 = 1.5;

/// Requests a second that an instance serves, its price, and the seconds it takes to start.
fn instance(kind: &str) -> (f64, f64, f64) {
    match kind {
        "small" => (22.0, 1.0, 40.0),
        "medium" => (48.0, 2.0, 60.0),
        _ => (110.0, 4.3, 100.0),
    }
}

/// Every step the load moves, the scaler compares it with its target, and what cannot be served waits or is lost.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let (capacity, price, boot) = instance(setting.choice("instance"));
    let [target, least, most] = setting.numbers(["target", "min_instances", "max_instances"]);
    let most = most.max(least);
    let cooldown = setting.number("cooldown_s");
    let (mut running, mut starting, mut ready_at) = (least.max(1.0), 0.0, 0.0);
    let (mut rested_at, mut backlog, mut mood, mut burst) = (0.0, 0.0, 0.0, 0.0_f64);
    let phase = chance.uniform();
    let (mut instances, mut asked, mut lost) = (0.0, 0.0, 0.0);
    let mut latencies = Vec::with_capacity(STEPS);
    for step in 0..STEPS {
        let now = step as f64 * STEP;
        mood = 0.97 * mood + 0.03 * chance.normal();
        burst = if chance.happens(0.012) { 0.25 + 0.25 * chance.uniform() } else { burst * 0.85 };
        let tide = (std::f64::consts::TAU * (now / 3600.0 + phase)).sin();
        let load = 360.0 * (1.0 + 0.45 * tide) * (1.0 + mood + burst).max(0.2);
        if starting > 0.0 && now >= ready_at {
            running += starting;
            starting = 0.0;
        }
        let wanted = (load / (capacity * target)).ceil().clamp(least, most);
        if starting == 0.0 && now >= rested_at && wanted != running {
            if wanted > running {
                (starting, ready_at) = (wanted - running, now + boot);
            } else {
                running = wanted.max(1.0);
            }
            rested_at = now + cooldown;
        }
        let served = running * capacity;
        backlog = (backlog + (load - served) * STEP).max(0.0);
        let dropped = (backlog - PATIENCE * served).max(0.0);
        backlog -= dropped;
        let busy = (load / served).min(0.995);
        let wait_ms = 1000.0 * backlog / served;
        latencies.push(SERVICE_MS * (1.0 + busy.powi(6) / (1.0 - busy) / running.sqrt()) + wait_ms);
        (instances, asked, lost) =
            (instances + running + starting, asked + load * STEP, lost + dropped);
    }
    let cost = price * instances / STEPS as f64;
    let p95 = quantile(&mut latencies, 0.95) * chance.factor(0.02);
    Outcome::Measured(vec![cost, p95, chance.share(20_000, lost / asked)])
}
