//! A pipeline of ten stages, each with a size of its own.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "pipeline",
    about: "a pipeline of ten stages, each with a capacity: smooth, ten-dimensional",
    definition: r#"
        objective = "minimize cost"
        constraints = ["latency_ms <= 70", "watts <= 800"]
        [params]
        parse = { type = "int", low = 2, high = 60, log = true }
        dedupe = { type = "int", low = 2, high = 60, log = true }
        geocode = { type = "int", low = 10, high = 1000, log = true }
        score = { type = "int", low = 2, high = 60, log = true }
        join = { type = "int", low = 5, high = 400, log = true }
        filter = { type = "float", low = 1, high = 40, log = true }
        enrich = { type = "float", low = 2, high = 60, log = true }
        rank = { type = "float", low = 2, high = 60, log = true }
        render = { type = "float", low = 1, high = 40, log = true }
        store = { type = "float", low = 2, high = 60, log = true }
        [baseline]
        params = { parse = 20, dedupe = 20, geocode = 100, score = 20, join = 60, filter = 10, enrich = 20, rank = 20, render = 10, store = 20 }
    "#,
    measure,
    best: &[(
        r#"{"parse":8,"dedupe":8,"geocode":62,"score":7,"join":29,"filter":2.87936,"enrich":9.03889,"rank":5.92828,"render":4.04639,"store":11.46066}"#,
        112.114,
    )],
};

/// Name, price of a unit, work in millisecond units, watts of a unit.
const STAGES: [(&str, f64, f64, f64); 10] = [
    ("parse", 1.0, 30.0, 2.0),
    ("dedupe", 2.5, 60.0, 2.0),
    ("geocode", 0.15, 300.0, 0.4),
    ("score", 4.0, 90.0, 6.0),
    ("join", 0.5, 200.0, 1.2),
    ("filter", 2.0, 12.0, 3.0),
    ("enrich", 1.5, 60.0, 2.0),
    ("rank", 3.0, 45.0, 5.0),
    ("render", 2.2, 20.0, 4.0),
    ("store", 0.8, 50.0, 1.5),
];

/// Every stage takes its work over its capacity; a stage that is slower than the one before it makes that one wait.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let (mut cost, mut latency, mut watts, mut before) = (4.0, 3.0, 60.0, 0.0_f64);
    for (name, price, work, power) in STAGES {
        let capacity = setting.number(name);
        let time = work / capacity;
        let blocked = (time * time - before * time).max(0.0) / (time + before + 1.0);
        cost += price * capacity.powf(0.9);
        latency += time + 0.25 * blocked;
        watts += power * capacity;
        before = time;
    }
    Outcome::Measured(vec![
        cost * chance.factor(0.01),
        latency * chance.factor(0.04),
        watts * chance.factor(0.02),
    ])
}
