//! How much memory this process has.

/// Bytes that are resident, where the system says so.
pub(super) fn resident() -> Option<u64> {
    of_status(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// From a line such as `VmRSS:     4096 kB`.
fn of_status(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read() {
        let status = "Name:\trpol\nVmHWM:\t   9000 kB\nVmRSS:\t    4096 kB\nThreads:\t1\n";
        assert_eq!(of_status(status), Some(4096 * 1024));
        assert_eq!(of_status("Name:\trpol\n"), None);
    }
}
