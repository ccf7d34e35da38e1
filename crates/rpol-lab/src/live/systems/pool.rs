//! A pool of connections to a database that suffers when too many are used at once.

use super::{Blueprint, Chance, Outcome, Setting, quantile};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "pool",
    about: "a pool of connections: size, queue, timeout and retries in front of a database",
    definition: r#"
        objective = "minimize cost"
        constraints = ["error_rate <= 0.02", "db_load <= 0.55"]
        [params]
        pool_size = { type = "int", low = 2, high = 200, log = true }
        queue = { type = "int", low = 1, high = 500, log = true }
        timeout_ms = { type = "float", low = 5, high = 2000, log = true }
        retries = { type = "int", low = 0, high = 4 }
        prepared = { type = "categorical", choices = [false, true] }
        [baseline]
        params = { pool_size = 36, queue = 100, timeout_ms = 400, retries = 1, prepared = false }
    "#,
    measure,
    best: &[(
        r#"{"pool_size":10,"queue":8,"timeout_ms":7.20267,"retries":0,"prepared":true}"#,
        1.1416,
    )],
};

const REQUESTS: usize = 1500;
/// Requests a second.
const RATE: f64 = 900.0;
/// Connections at which the database's own locks double the time of a query.
const CROWD: f64 = 34.0;
/// What it can have at work before all others suffer.
const CAPACITY: f64 = 32.0;

/// A request that comes at a time, for the n-th time.
type Arrival = (Reverse<u64>, usize, u64);

/// Requests come at random, wait for a connection or are turned away, and those that were may come again.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let (size, queue) = (setting.count("pool_size"), setting.count("queue"));
    let timeout = setting.number("timeout_ms") / 1000.0;
    let retries = setting.count("retries");
    // Prepared statements are quicker and take memory on every connection.
    let (query, memory) = if setting.is_on("prepared") { (0.009, 0.075) } else { (0.012, 0.05) };
    let mut coming: BinaryHeap<Arrival> = BinaryHeap::with_capacity(2 * REQUESTS);
    let mut now = 0.0;
    for _ in 0..REQUESTS {
        now += chance.exponential(1.0 / RATE);
        coming.push((Reverse(ticks(now)), 0, ticks(now)));
    }
    let span = now;
    // When each connection is free, the first on top.
    let mut free: BinaryHeap<Reverse<u64>> = (0..size).map(|_| Reverse(0)).collect();
    let mut starts: std::collections::VecDeque<u64> = Default::default();
    let (mut busy, mut errors, mut latencies) = (0.0, 0_usize, Vec::with_capacity(REQUESTS));
    while let Some((Reverse(at), tries, first)) = coming.pop() {
        while starts.front().is_some_and(|start| *start <= at) {
            starts.pop_front();
        }
        let Some(Reverse(open)) = free.pop() else { break };
        let start = open.max(at);
        let late = seconds(start - at) > timeout || starts.len() >= queue && start > at;
        if late {
            free.push(Reverse(open));
            if tries < retries {
                let pause = timeout.min(0.05) * (1.0 + chance.uniform());
                coming.push((Reverse(at + ticks(pause)), tries + 1, first));
            } else {
                errors += 1;
            }
            continue;
        }
        if start > at {
            starts.push_back(start);
        }
        let active = free.iter().filter(|Reverse(until)| *until > start).count() as f64 + 1.0;
        let crowded = 1.0 + (active / CROWD).powi(2);
        let took = query * crowded * (0.6 + chance.exponential(0.4));
        busy += took;
        free.push(Reverse(start + ticks(took)));
        latencies.push(seconds(start + ticks(took) - first));
    }
    let p95_ms = 1000.0 * quantile(&mut latencies, 0.95);
    let cost = memory * size as f64 + 0.02 * p95_ms + 0.0004 * queue as f64;
    let load = busy / span / CAPACITY * (1.0 + 0.004 * size as f64);
    Outcome::Measured(vec![cost, errors as f64 / REQUESTS as f64, load])
}

/// Whole numbers of a microsecond can be compared and kept in a heap.
fn ticks(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / 1e6
}
