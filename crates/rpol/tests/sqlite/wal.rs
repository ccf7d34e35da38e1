//! What a power cut or a `kill -9` leaves: a database and its write-ahead log, and damage in the latter.

use crate::{Folder, entry};
use rpol::random::Stream;
use rpol::store::{Sqlite, Store};
use std::fs;
use std::path::{Path, PathBuf};

const COMMITS: u64 = 12;
const HEADER: usize = 32;
const FRAME: usize = 24 + 4096;

/// A database whose owner was killed after that many commits of one entry each.
struct Killed {
    folder: Folder,
    database: Vec<u8>,
    log: Vec<u8>,
    /// Where the frames of the last commit begin.
    last: usize,
}

impl Killed {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let path = folder.file("live.db");
        let store = Sqlite::open(&path, true).unwrap();
        let mut last = 0;
        for number in 0..COMMITS {
            last = fs::read(log_of(&path)).map_or(0, |log| log.len());
            store.append("s", number as usize, &[entry(number)]).unwrap();
        }
        let (database, log) = (fs::read(&path).unwrap(), fs::read(log_of(&path)).unwrap());
        assert!(last > HEADER && log.len() > last && (log.len() - HEADER).is_multiple_of(FRAME));
        Self { folder, database, log, last }
    }

    /// How many entries are there with this log; none if it was refused.
    fn entries(&self, log: &[u8]) -> Option<u64> {
        let path = self.folder.file("copy.db");
        fs::write(&path, &self.database).unwrap();
        fs::write(log_of(&path), log).unwrap();
        let read = Sqlite::open(&path, false).and_then(|store| store.read("s", 0));
        let entries = read.ok()?;
        let length = entries.len() as u64;
        assert!(entries.into_iter().eq((0..length).map(entry)), "not what was written");
        Some(length)
    }

    fn flips(&self, count: usize) {
        let mut random = Stream::new(6, 0);
        for _ in 0..count {
            let bit = (random.uniform() * (self.log.len() * 8) as f64) as usize;
            let mut log = self.log.clone();
            log[bit / 8] ^= 1 << (bit % 8);
            match self.entries(&log) {
                None => {}
                // Just as if the power had gone while it was written.
                Some(length) if bit / 8 >= self.last => assert_eq!(length, COMMITS - 1),
                Some(length) => assert_eq!(length, COMMITS, "bit {bit}"),
            }
        }
    }

    fn cuts(&self, step: usize) {
        let mut before = 0;
        for length in (0..self.log.len()).step_by(step) {
            let Some(entries) = self.entries(&self.log[..length]) else { continue };
            assert!(before <= entries && entries < COMMITS, "{length} bytes gave {entries}");
            before = entries;
        }
    }
}

fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

#[test]
fn after_a_kill_everything_is_there() {
    let killed = Killed::new("kill");
    assert_eq!(killed.entries(&killed.log), Some(COMMITS));
}

#[test]
fn a_torn_last_commit_is_dropped_and_work_goes_on() {
    let killed = Killed::new("torn");
    let mut torn = killed.log.clone();
    torn[killed.last + 100] ^= 1;
    assert_eq!(killed.entries(&torn), Some(COMMITS - 1));
    let path = killed.folder.file("copy.db");
    let store = Sqlite::open(&path, false).unwrap();
    for number in COMMITS - 1..COMMITS + 3 {
        store.append("s", number as usize, &[entry(number)]).unwrap();
    }
    drop(store);
    assert_eq!(Sqlite::open(&path, false).unwrap().read("s", 0).unwrap().len() as u64, COMMITS + 3);
}

#[test]
fn damage_that_hides_finished_commits_is_noticed_and_touches_nothing() {
    let killed = Killed::new("hidden");
    for at in [3, HEADER + 5, HEADER + 30, killed.last - FRAME - 1] {
        let mut log = killed.log.clone();
        log[at] ^= 1;
        assert_eq!(killed.entries(&log), None, "byte {at}");
        let path = killed.folder.file("copy.db");
        assert!(
            fs::read(log_of(&path)).unwrap() == log && fs::read(path).unwrap() == killed.database
        );
    }
}

#[test]
fn a_flip_in_the_log_loses_the_last_commit_at_most() {
    Killed::new("wal-flips").flips(500);
}

#[test]
fn a_cut_log_gives_whole_commits_only() {
    Killed::new("wal-cuts").cuts(997);
}

#[test]
#[ignore = "takes long: cargo xtask torture"]
fn ten_thousand_flips_and_many_cuts_in_the_log() {
    let killed = Killed::new("wal-torture");
    killed.flips(10_000);
    killed.cuts(13);
}
