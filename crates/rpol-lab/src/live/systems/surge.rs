//! A web service whose load doubles half way.

use super::{Blueprint, Chance, Outcome, Setting, quantile};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "surge",
    about: "a web service of replicas and threads whose load doubles half way",
    definition: r#"
        objective = "minimize cost"
        constraints = ["p95_ms <= 220", "error_rate <= 0.02"]
        [params]
        replicas = { type = "int", low = 2, high = 40 }
        threads = { type = "int", low = 1, high = 64, log = true }
        cpu = { type = "float", low = 0.25, high = 4, log = true }
        backlog = { type = "int", low = 4, high = 512, log = true }
        [baseline]
        params = { replicas = 14, threads = 12, cpu = 1.6, backlog = 64 }
    "#,
    measure,
    best: &[
        (r#"{"replicas":2,"threads":16,"cpu":3.22223,"backlog":23}"#, 5.1446),
        (r#"{"replicas":4,"threads":16,"cpu":3.23569,"backlog":21}"#, 10.3213),
    ],
};

const REQUESTS: usize = 2000;
/// Requests a second in each phase.
const RATES: [f64; 2] = [450.0, 900.0];
/// Seconds of a request: computing on one core, and waiting for others.
const COMPUTE: f64 = 0.012;
const WAIT: f64 = 0.05;

/// One replica is followed request by request: it sees its share of them.
fn measure(setting: Setting<'_>, phase: usize, chance: &mut Chance) -> Outcome {
    let [replicas, cpu] = setting.numbers(["replicas", "cpu"]);
    let (threads, backlog) = (setting.count("threads"), setting.count("backlog"));
    // The balancer is not perfect: this replica gets a little more or less than its share.
    let rate = RATES[phase.min(1)] / replicas * chance.factor(0.03);
    // Threads beyond the cores share them, and switching costs.
    let switching = 1.0 + 0.012 * (threads as f64 - cpu).max(0.0);
    let mut free = vec![0.0_f64; threads];
    let mut core_free = 0.0_f64;
    let mut waiting: std::collections::VecDeque<f64> = Default::default();
    let (mut now, mut errors) = (0.0, 0);
    let mut latencies = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        now += chance.exponential(1.0 / rate);
        while waiting.front().is_some_and(|start| *start <= now) {
            waiting.pop_front();
        }
        if waiting.len() >= backlog {
            errors += 1;
            continue;
        }
        let mut first = 0;
        for w in 1..free.len() {
            if free[w] < free[first] {
                first = w;
            }
        }
        let start = free[first].max(now);
        if start > now {
            waiting.push_back(start);
        }
        let compute = COMPUTE * switching * (0.5 + chance.exponential(0.5)) / cpu;
        let away = chance.exponential(WAIT);
        core_free = core_free.max(start) + compute;
        let done = core_free + away;
        free[first] = done;
        latencies.push(done - now);
    }
    let p95 = 1000.0 * quantile(&mut latencies, 0.95);
    let cost = replicas * (0.35 + 0.65 * cpu + 0.008 * threads as f64);
    Outcome::Measured(vec![cost * chance.factor(0.01), p95, f64::from(errors) / REQUESTS as f64])
}
