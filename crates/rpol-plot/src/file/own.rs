//! Which files are ours, by what they begin with.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What files of rpol begin with, or have soon after their beginning.
const MARKS: [(&[u8], &[u8]); 13] = [
    (crate::page::BEGINNING.as_bytes(), b""),
    (crate::figure::svg::BEGINNING.as_bytes(), b""),
    (b"\x89PNG\r\n\x1a\n", b"tEXtSoftware\0rpol"),
    // Logs, with their head and as they were before they had one.
    (b"{\"rpol_log\":", b""),
    (b"{\"at\":", b",\"event\":\"created\","),
    // A study as one document.
    (b"{\n  \"spec\": {\n    \"name\": ", b""),
    // A page of the manual.
    (b".ie ", b".TH rpol"),
    // Results of the laboratory, as a document and as tables.
    (b"{\n  \"command\": \"rpol lab ", b""),
    (b"problem,algorithm,regret_plus_mean,", b""),
    (b"problem,algorithm,seed,regret_plus,", b""),
    (b"system,player,over,", b""),
    (b"system,player,seed,over,", b""),
    (b"round,algorithm,regret_mean,", b""),
];

/// How much of a file is looked at, at least.
const LOOKED_AT: usize = 4096;

/// Shorter than this no line says whose it is.
const SHORTEST: usize = 16;

/// Whether rpol wrote a file, or nobody did yet: by its mark, or as its first line is the same row of column names that
/// the new file begins with.
pub(super) fn is_own(path: &Path, new: &[u8]) -> bool {
    let header = first_line(new);
    // What cannot be read is somebody else's.
    let Some(old) = beginning(path, LOOKED_AT.max(header.len() + 1)) else { return false };
    let is_marked = |(begins, has): &(&[u8], &[u8])| {
        old.starts_with(begins) && old.windows(has.len().max(1)).any(|part| part.starts_with(has))
    };
    let is_table = header.len() >= SHORTEST && header.contains(&b',') && !header.starts_with(b"{");
    old.is_empty() || MARKS.iter().any(is_marked) || is_table && first_line(&old) == header
}

/// Whether a file is a database, or one that belongs to a database.
pub(super) fn is_of_store(path: &Path) -> bool {
    let is_store =
        |path: &Path| beginning(path, 16).is_some_and(|bytes| bytes == *b"SQLite format 3\0");
    let name = path.to_string_lossy();
    let owner = ["-wal", "-shm", "-journal"].iter().find_map(|end| name.strip_suffix(end));
    is_store(path) || owner.is_some_and(|owner| is_store(Path::new(owner)))
}

fn beginning(path: &Path, most: usize) -> Option<Vec<u8>> {
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten()?;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == b'\n').next().unwrap_or_default()
}
