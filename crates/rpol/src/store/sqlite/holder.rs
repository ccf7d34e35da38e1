//! Who holds the lock that a writer waits for.

use std::path::Path;

/// The process that writes to a database now, in words; `None` where that cannot be found out.
pub(super) fn writer(database: &Path) -> Option<String> {
    let shared = super::open::beside(database, "-shm");
    let inode = inode(&shared)?;
    let known = std::fs::read_to_string("/proc/locks").ok()?;
    let pid = known.lines().find_map(|line| write_lock(line, inode))?;
    let of_process = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}"));
    let name = of_process("comm").map(|name| format!(" ({})", name.trim())).unwrap_or_default();
    let state = of_process("stat").unwrap_or_default();
    // The state follows the name, which may hold spaces.
    let is_stopped = state.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['T', 't']));
    let doing = if is_stopped { "is stopped while it writes" } else { "is writing" };
    Some(format!("process {pid}{name} {doing}"))
}

/// The process of a line of `/proc/locks`, where it says who may write to a write-ahead log: byte 120 of the shared memory.
fn write_lock(line: &str, inode: u64) -> Option<u32> {
    let mut fields = line.split_whitespace().filter(|field| *field != "->").skip(1);
    let (kind, _, mode) = (fields.next()?, fields.next()?, fields.next()?);
    let (pid, file, start) = (fields.next()?, fields.next()?, fields.next()?);
    let held = kind == "POSIX" && mode == "WRITE" && start == "120" && !line.contains("->");
    let same = file.rsplit(':').next()?.parse() == Ok(inode);
    (held && same).then(|| pid.parse().ok()).flatten()
}

#[cfg(unix)]
fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(std::fs::metadata(path).ok()?.ino())
}

#[cfg(not(unix))]
fn inode(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::write_lock;

    #[test]
    fn only_the_writer_s_lock_on_this_file_counts() {
        let of = |line: &str| write_lock(line, 77);
        assert_eq!(of("3: POSIX  ADVISORY  WRITE 41 fe:00:77 120 120"), Some(41));
        assert_eq!(of("3: -> POSIX  ADVISORY  WRITE 42 fe:00:77 120 120"), None, "it waits itself");
        assert_eq!(of("3: POSIX  ADVISORY  READ 41 fe:00:77 123 123"), None);
        assert_eq!(of("3: POSIX  ADVISORY  WRITE 41 fe:00:78 120 120"), None);
        assert_eq!(of("3: FLOCK  ADVISORY  WRITE 41 fe:00:77 0 EOF"), None);
        assert_eq!(of(""), None);
    }
}
