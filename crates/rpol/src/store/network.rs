//! Whether a store lies on a file system of a network, where locks and shared memory may not hold between machines.

use std::path::{Path, PathBuf};

/// File systems that other machines write to as well, as the system names them.
const NETWORK: [&str; 16] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "glusterfs",
    "lustre",
    "beegfs",
    "gpfs",
    "davfs",
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.s3fs",
];

/// What is to be said of a store that lies on a network file system; `None` for a local one, and where that cannot be found
/// out. SQLite's log in shared memory is for the processes of one machine: two that write to one store would lose data.
///
/// ```
/// assert_eq!(rpol::store::network_warning("sqlite:////proc/rpol.db"), None);
/// ```
#[must_use]
pub fn network_warning(address: &str) -> Option<String> {
    let place = super::path(address).ok()?;
    let path = std::path::absolute(place).ok()?;
    let folder = path.ancestors().find_map(|folder| folder.canonicalize().ok())?;
    let kind = kind_of(&folder, &std::fs::read_to_string("/proc/self/mountinfo").ok()?)?;
    Some(format!(
        "{place} is on a network file system ({kind}): data is lost where several machines write to it; keep it on a local disk"
    ))
}

/// The kind of file system of a folder, if it is one of a network, by what the system says of its mounts.
fn kind_of(folder: &Path, mounts: &str) -> Option<String> {
    let mount = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let point = unescaped(place.split(' ').nth(4)?);
        Some((point, kind.split(' ').next()?.to_string()))
    };
    let over = mounts.lines().filter_map(mount).filter(|(point, _)| folder.starts_with(point));
    // The innermost, and of those on one another the last.
    let (_, kind) = over.max_by_key(|(point, _)| point.components().count())?;
    NETWORK.contains(&kind.as_str()).then_some(kind)
}

/// Spaces and the like are written as three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let mut parts = text.split('\\');
    let mut path = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => path.extend([char::from(byte)]),
            None => path.push('\\'),
        }
        path.push_str(part.get(3..).unwrap_or_default());
    }
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:45 / /home rw,relatime shared:20 - nfs4 server:/export/home rw,vers=4.2
41 40 8:2 / /home/local rw - xfs /dev/sdb1 rw
42 22 0:46 / /mnt/my\\040share rw - cifs //server/share rw
43 22 0:47 / /homes rw - ext4 /dev/sdc1 rw
";

    #[test]
    fn the_innermost_mount_says_what_a_folder_is() {
        let kind = |folder: &str| kind_of(Path::new(folder), MOUNTS);
        assert_eq!(kind("/home/ann/studies").as_deref(), Some("nfs4"));
        assert_eq!(kind("/home").as_deref(), Some("nfs4"));
        assert_eq!(kind("/home/local/ann"), None);
        assert_eq!(kind("/mnt/my share/deep").as_deref(), Some("cifs"));
        assert_eq!(
            (kind("/homes/ann"), kind("/var/lib"), kind_of(Path::new("/"), "")),
            (None, None, None)
        );
    }
}
