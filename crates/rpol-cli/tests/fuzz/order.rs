//! What is to be done: `target=pipe seed=1 seconds=60 executions=0 limit_ms=1000`.

use std::fmt;

/// Where a worker finds its order.
pub(crate) const WORKER: &str = "RPOL_FUZZ_WORKER";

#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// All if empty.
    pub(crate) target: String,
    pub(crate) seed: u64,
    /// For so long, or where it is 0, so often.
    pub(crate) seconds: u64,
    pub(crate) executions: u64,
    /// CPU time of one input.
    pub(crate) limit_ms: u64,
}

impl Default for Order {
    /// The short one of every test run. Its time limit leaves room for a busy machine.
    fn default() -> Self {
        Self { target: String::new(), seed: 1, seconds: 0, executions: 3000, limit_ms: 5000 }
    }
}

impl Order {
    /// What `RPOL_FUZZ` says in place of the default.
    pub(crate) fn asked() -> Self {
        std::env::var("RPOL_FUZZ").map_or_else(|_| Self::default(), |text| Self::read(&text))
    }

    pub(crate) fn of_worker() -> Option<Self> {
        std::env::var(WORKER).ok().map(|text| Self::read(&text))
    }

    fn read(text: &str) -> Self {
        let mut order = Self::default();
        for (name, value) in text.split_whitespace().filter_map(|part| part.split_once('=')) {
            let number = || value.parse().unwrap();
            match name {
                "target" => order.target = value.into(),
                "seed" => order.seed = number(),
                "seconds" => order.seconds = number(),
                "executions" => order.executions = number(),
                "limit_ms" => order.limit_ms = number(),
                _ => panic!("{name} is not known"),
            }
        }
        order
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, seed, seconds, executions, limit_ms } = self;
        write!(
            f,
            "target={target} seed={seed} seconds={seconds} executions={executions} limit_ms={limit_ms}"
        )
    }
}
