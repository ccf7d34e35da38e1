//! How long, how many, and with which faults.

use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) time: Duration,
    pub(crate) runs: usize,
    pub(crate) verbs: usize,
    pub(crate) seed: u64,
    /// Whether to try to mount a small disk, which can be filled.
    pub(crate) mounts: bool,
}

impl Plan {
    /// The short one of every test run, or what `RPOL_CHAOS="seconds=600 runs=8 verbs=32 seed=1 mounts=1"` says.
    pub(crate) fn asked() -> Self {
        let text = std::env::var("RPOL_CHAOS").unwrap_or_default();
        let number = |name: &str, default: u64| {
            let found = text.split_whitespace().find_map(|part| part.strip_prefix(name));
            found.map_or(default, |value| value[1..].parse().expect(name))
        };
        Self {
            time: Duration::from_secs(number("seconds", 6)),
            runs: number("runs", 2) as usize,
            verbs: number("verbs", 4) as usize,
            seed: number("seed", 1),
            mounts: number("mounts", 0) == 1,
        }
    }
}
