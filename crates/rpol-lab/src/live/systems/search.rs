//! A search service that asks many shards: the slowest answers last, and now and then something pauses.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "search",
    about: "a search over shards with hedged requests: heavy tails, outliers of 5 to 20 times",
    definition: r#"
        objective = "minimize cost"
        constraints = ["p99_ms <= 200"]
        [params]
        shards = { type = "int", low = 1, high = 64, log = true }
        replicas = { type = "int", low = 1, high = 6 }
        hedge_ms = { type = "float", low = 2, high = 300, log = true }
        index = { type = "categorical", choices = ["full", "pruned", "tiered"] }
        [baseline]
        params = { shards = 12, replicas = 4, hedge_ms = 40, index = "full" }
    "#,
    measure,
    best: &[(r#"{"shards":8,"replicas":2,"hedge_ms":51.56418,"index":"tiered"}"#, 26.6278)],
};

/// Share of the measurements with a pause in the tail, and of those where somebody else's bill is in ours.
const PAUSES: f64 = 0.005;
const OTHERS: f64 = 0.04;
/// Queries a second.
const RATE: f64 = 120.0;
/// Index of the tail of a shard's latency.
const TAIL: f64 = 2.1;

/// The 99th percentile of the largest of `shards` Pareto latencies, each asked again after a while.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    // First of all, so that every setting meets the same.
    let pause = if chance.happens(PAUSES) { 5.0 * 4.0_f64.powf(chance.uniform()) } else { 1.0 };
    let bill = if chance.happens(OTHERS) { 5.0 * 4.0_f64.powf(chance.uniform()) } else { 1.0 };
    let [shards, replicas, hedge] = setting.numbers(["shards", "replicas", "hedge_ms"]);
    // Megabytes to be read for a query, and the price of keeping them.
    let (work_ms, price) = match setting.choice("index") {
        "full" => (52.0, 1.0),
        "pruned" => (30.0, 1.25),
        _ => (38.0, 0.85),
    };
    let own = work_ms / shards.powf(0.85) + 1.2;
    // What is asked twice is more work.
    let again = if replicas > 1.0 { (1.0 + hedge / own).powf(-TAIL) } else { 0.0 };
    let busy = (RATE * own / 1000.0 * (1.0 + again) / replicas * 1.6).min(0.97);
    let scale = own / (1.0 - busy);
    let slow = 1.0 - 0.99_f64.powf(1.0 / shards);
    let single = |share: f64| scale * (share.powf(-1.0 / TAIL) - 1.0) + own;
    let hedged = if replicas > 1.0 {
        // P(both late) = share: the second starts later and runs beside the first.
        (hedge + single(slow.sqrt())).min(single(slow))
    } else {
        single(slow)
    };
    // A query is given up after two seconds.
    let p99 = (hedged + 0.5 * shards + 4.0).min(2000.0);
    let cost = replicas * (shards * 0.55 + 6.0 * price) * (1.0 + 0.25 * again) + 0.1 * shards;
    Outcome::Measured(vec![
        cost * chance.factor(0.02) * bill,
        (p99 * chance.factor(0.06) * pause).min(4000.0),
    ])
}
