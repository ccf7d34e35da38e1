//! The queue of the README, `examples/queue/queue.awk`, line for line; only the random numbers are others.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "queue",
    about: "a service in front of a slow database: workers, batching window, cache",
    definition: r#"
        objective = "minimize cost"
        constraints = ["p99_ms <= 60", "error_rate <= 0.01"]
        [params]
        workers = { type = "int", low = 2, high = 16 }
        batch_ms = { type = "float", low = 1, high = 30, log = true }
        cache_mb = { type = "int", low = 64, high = 1024, log = true }
        [baseline]
        params = { workers = 14, batch_ms = 4, cache_mb = 512 }
    "#,
    measure,
    best: &[(r#"{"workers":3,"batch_ms":7.0,"cache_mb":507}"#, 9.49328)],
};

const REQUESTS: u32 = 5000;
/// Requests a second.
const RATE: f64 = 1500.0;
/// Seconds of waiting after which a batch is turned away.
const PATIENCE: f64 = 0.25;
/// Latencies are counted in bins of a quarter of a millisecond.
const BINS: f64 = 4000.0;

/// Requests come at random. One found in the cache is answered at once; the others are collected for a window and sent to the database
/// together by the worker that is free first.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [workers, cache] = setting.numbers(["workers", "cache_mb"]);
    let window = setting.number("batch_ms") / 1000.0;
    let hit = 0.7 * (1.0 - (-cache / 250.0).exp());
    let mut desk = Desk { free: vec![0.0; workers as usize], ..Desk::default() };
    let mut now = 0.0;
    for _ in 0..REQUESTS {
        now += chance.exponential(1.0 / RATE);
        if !desk.waiting.is_empty() && now > desk.closes {
            desk.send(chance);
        }
        if chance.happens(hit) {
            desk.note(0.001 + chance.exponential(0.001));
            continue;
        }
        if desk.waiting.is_empty() {
            desk.closes = now + window;
        }
        desk.waiting.push(now);
    }
    if !desk.waiting.is_empty() {
        desk.send(chance);
    }
    let cost = workers + 0.006 * cache + 0.03 * desk.batches / now;
    Outcome::Measured(vec![cost, desk.percentile(0.99), desk.errors / f64::from(REQUESTS)])
}

/// The batch that is being collected, the workers, and what was answered.
#[derive(Default)]
struct Desk {
    /// When each worker is free.
    free: Vec<f64>,
    /// When the batch is sent.
    closes: f64,
    /// When those in the batch came.
    waiting: Vec<f64>,
    batches: f64,
    errors: f64,
    bins: Vec<u32>,
    noted: u32,
}

impl Desk {
    fn send(&mut self, chance: &mut Chance) {
        let mut first = 0;
        for w in 1..self.free.len() {
            if self.free[w] < self.free[first] {
                first = w;
            }
        }
        let start = self.closes.max(self.free[first]);
        let count = self.waiting.len() as f64;
        if start - self.closes > PATIENCE {
            self.errors += count;
            self.waiting.clear();
            return;
        }
        let done = start + (0.004 + 0.0035 * count) * (0.7 + chance.exponential(0.3));
        self.free[first] = done;
        for arrival in std::mem::take(&mut self.waiting) {
            self.note(done - arrival);
        }
        self.batches += 1.0;
    }

    fn note(&mut self, seconds: f64) {
        let bin = (seconds * BINS) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.noted += 1;
    }

    fn percentile(&self, share: f64) -> f64 {
        let (wanted, mut seen) = (share * f64::from(self.noted), 0.0);
        let reached = |count: &u32| {
            seen += f64::from(*count);
            seen >= wanted
        };
        let bin = self.bins.iter().position(reached).unwrap_or_default();
        (bin + 1) as f64 / 4.0
    }
}
