//! CPU time of a thread.

use std::sync::OnceLock;
use std::time::Instant;

/// Milliseconds of CPU that this thread has used, where Linux tells; else of the time since the first call.
///
/// A clock on the wall would count whatever else the machine does.
pub(crate) fn cpu_ms() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    used.map_or_else(wall_ms, |nanoseconds| nanoseconds / 1e6)
}

fn wall_ms() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    1e3 * BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
