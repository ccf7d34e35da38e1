//! A tier of caches in front of a store.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "cache",
    about: "a cache tier: enough hits, nothing stale, at the least price",
    definition: r#"
        objective = "minimize cost"
        constraints = ["hit_ratio >= 0.8", "p99_ms <= 22", "stale_share <= 0.1"]
        [params]
        size_mb = { type = "int", low = 1024, high = 65536, log = true }
        ttl_s = { type = "float", low = 10, high = 20000, log = true }
        shards = { type = "int", low = 1, high = 24 }
        eviction = { type = "categorical", choices = ["fifo", "lru", "lfu"] }
        compress = { type = "categorical", choices = [false, true] }
        [baseline]
        params = { size_mb = 20000, ttl_s = 500, shards = 12, eviction = "lru", compress = false }
    "#,
    measure,
    best: &[(
        r#"{"size_mb":2693,"ttl_s":20000.0,"shards":4,"eviction":"lfu","compress":false}"#,
        13.0754,
    )],
};

/// Objects, megabytes of each, requests a second for all.
const OBJECTS: f64 = 4e6;
const OBJECT_MB: f64 = 0.012;
const RATE: f64 = 24_000.0;
/// Popularity falls with the rank to this power.
const ZIPF: f64 = 1.02;
/// Seconds after which an object changes, in the mean.
const CHANGES: f64 = 4000.0;
/// Groups of objects of like popularity.
const GROUPS: usize = 48;

/// The requests for an object of each group a second, and how many objects it has.
fn groups() -> [(f64, f64); GROUPS] {
    let edge = |i: usize| OBJECTS.powf(i as f64 / GROUPS as f64);
    let mut groups = std::array::from_fn(|i| {
        let (low, high) = (edge(i), edge(i + 1));
        ((low * high).sqrt().powf(-ZIPF), high - low)
    });
    let total: f64 = groups.iter().map(|(popularity, count)| popularity * count).sum();
    groups.iter_mut().for_each(|(popularity, _)| *popularity *= RATE / total);
    groups
}

/// Che's approximation: an object stays for a characteristic time, which is such that the cache is full (Che, Tung, Wang 2002).
fn kept(policy: &str, rate: f64, stay: f64) -> f64 {
    match policy {
        // First in, first out renews no stay; frequency keeps the popular for longer.
        "fifo" => rate * stay / (1.0 + rate * stay),
        "lru" => 1.0 - (-rate * stay).exp(),
        _ => 1.0 - (-(rate * stay).powf(1.5)).exp(),
    }
}

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [size, ttl] = setting.numbers(["size_mb", "ttl_s"]);
    let (shards, policy) = (setting.number("shards"), setting.choice("eviction"));
    let compress = setting.is_on("compress");
    let object = OBJECT_MB * if compress { 0.55 } else { 1.0 };
    // Keys are not spread evenly over the shards.
    let room = size / object * (1.0 - 0.012 * (shards - 1.0));
    let groups = groups();
    let filled = |stay: f64| groups.iter().map(|(r, n)| n * kept(policy, *r, stay)).sum::<f64>();
    let (mut low, mut high) = (-6.0_f64, 18.0_f64);
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if filled(middle.exp()) > room { high = middle } else { low = middle }
    }
    let stay = low.exp().min(ttl);
    let mut hits = 0.0;
    let mut stale = 0.0;
    for (rate, count) in groups {
        // A copy lives for ttl seconds at most, and is renewed by a miss.
        let renewed = rate * ttl / (1.0 + rate * ttl);
        let hit = kept(policy, rate, stay.min(low.exp())) * renewed;
        hits += rate * count * hit / RATE;
        let age = ttl.min(1.0 / rate + stay) / 2.0;
        stale += rate * count * hit / RATE * (1.0 - (-age / CHANGES).exp());
    }
    let hit = chance.share(6000, hits);
    // Locks of a shard, the time to unpack, and the store behind, which suffers from many misses.
    let load = RATE * if compress { 1.25 } else { 1.0 } / (shards * 9000.0);
    let busy = load.min(0.99) * if policy == "lfu" { 1.08 } else { 1.0 };
    let misses = RATE * (1.0 - hits) / 9000.0;
    let p99 = 1.5 / (1.0 - busy.min(0.985)) + 9.0 * (1.0 + misses.powi(3)) + 0.12 * shards;
    let cost = 0.0011 * size
        + 1.1 * shards
        + RATE * (1.0 - hit) * 0.0012
        + if compress { 3.0 } else { 0.0 };
    Outcome::Measured(vec![cost, hit, p99 * chance.factor(0.05), chance.share(6000, stale)])
}
