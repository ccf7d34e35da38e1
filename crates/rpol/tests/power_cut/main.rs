//! The power goes at any moment, and everything that was acknowledged is there.
//!
//! All that SQLite does to the files of a store is [recorded](recorder). For every moment of that the files are made as
//! a [disk] may have them then, opened, and read. A process of its own: SQLite's file system is another in it.
#![allow(clippy::unwrap_used, unsafe_code)]

mod disk;
mod recorder;

use disk::{Disk, Luck};
use recorder::Operation;
use rpol::store::{Entry, Sqlite, Store};
use rpol::study::Event;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const COMMITS: u64 = 200;
/// Sometimes the store is closed, which empties its write-ahead log, and opened again.
const REOPEN: u64 = 70;

/// One that tells itself apart; every tenth fills many pages.
fn entry(number: u64) -> Entry {
    let length = if number % 10 == 3 { 100_000 } else { 40 };
    let reason = format!("reason {number}: {}", "x".repeat(length));
    Entry { at: 1_700_000_000_000 + number, event: Event::Failed { number, reason } }
}

/// What was done to a store while so many entries were appended, one a commit.
struct History {
    folder: PathBuf,
    before: Vec<u8>,
    done: Vec<Operation>,
}

/// Only one at a time is recorded.
static ALONE: Mutex<()> = Mutex::new(());

impl History {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("rpol-power-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let path = folder.join("live.db");
        drop(Sqlite::open(&path, true).unwrap());
        let before = fs::read(&path).unwrap();
        recorder::begin(path.to_str().unwrap());
        let mut store = Sqlite::open(&path, false).unwrap();
        for number in 0..COMMITS {
            if number % REOPEN == REOPEN - 1 {
                drop(store);
                store = Sqlite::open(&path, false).unwrap();
            }
            store.append("s", number as usize, &[entry(number)]).unwrap();
            recorder::acknowledge();
        }
        drop(store);
        Self { folder, before, done: recorder::end() }
    }

    fn name(&self) -> String {
        self.folder.join("live.db").to_str().unwrap().into()
    }

    /// Cuts the power after every `step`th operation, on a disk to which `syncs` may be meaningless. How often something
    /// acknowledged was lost, and how often it was looked.
    fn cuts(&self, step: usize, syncs: bool) -> (u64, u64) {
        let mut disk = Disk::with(&self.name(), self.before.clone());
        let (mut acknowledged, mut lost, mut looked) = (0, 0, 0);
        for (moment, operation) in self.done.iter().enumerate() {
            acknowledged += u64::from(matches!(operation, Operation::Acknowledge));
            if syncs || !matches!(operation, Operation::Sync { .. }) {
                disk.apply(operation);
            }
            if moment % step == 0 || moment + 1 == self.done.len() {
                for luck in [Luck::None, Luck::All, Luck::Some(moment as u64)] {
                    looked += 1;
                    lost += u64::from(!self.is_whole(&disk, luck, acknowledged));
                }
            }
        }
        assert_eq!(acknowledged, COMMITS);
        (lost, looked)
    }

    /// Whether a store is found that holds what was acknowledged, perhaps one more, and to which more can be added.
    fn is_whole(&self, disk: &Disk, luck: Luck, acknowledged: u64) -> bool {
        let path = self.folder.join("found.db");
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(beside(&path, suffix));
        }
        for (name, bytes) in disk.after_a_cut(luck) {
            let suffix = name.strip_prefix(&self.name()).unwrap();
            fs::write(beside(&path, suffix), bytes).unwrap();
        }
        // What was in memory may be there, and means nothing.
        fs::write(beside(&path, "-shm"), [7; 40_000]).unwrap();
        let found = || {
            let store = Sqlite::open(&path, false)?;
            let found = store.read("s", 0)?;
            store.append("s", found.len(), &[entry(found.len() as u64)])?;
            store.read("s", 0)
        };
        let Ok(found) = found() else { return false };
        let before = found.len() as u64 - 1;
        let is_right = found.into_iter().eq((0..=before).map(entry));
        is_right && (acknowledged..=acknowledged + 1).contains(&before)
    }
}

impl Drop for History {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    format!("{}{suffix}", path.display()).into()
}

#[test]
fn after_a_power_cut_everything_acknowledged_is_there() {
    let _alone = ALONE.lock();
    let history = History::new("sampled");
    let operations = |wanted: fn(&Operation) -> bool| history.done.iter().any(wanted);
    assert!(operations(|o| matches!(o, Operation::Sync { file: 0 })), "no checkpoint was seen");
    assert!(operations(|o| matches!(o, Operation::Delete { .. })), "the log was never removed");
    let (lost, looked) = history.cuts(31, true);
    assert!(looked > 100, "{looked}");
    assert_eq!(lost, 0, "of {looked} cuts");
}

/// On a disk that does not heed a sync much is lost: these checks would see it.
#[test]
fn the_check_sees_what_a_missing_sync_loses() {
    let _alone = ALONE.lock();
    let (lost, looked) = History::new("unsynced").cuts(499, false);
    assert!(lost > looked / 4, "{lost} of {looked}");
}

#[test]
#[ignore = "takes long: cargo xtask torture"]
fn after_a_power_cut_at_every_write_everything_is_there() {
    let _alone = ALONE.lock();
    let history = History::new("every");
    let (lost, looked) = history.cuts(1, true);
    let operations = history.done.len();
    println!(
        "power cut at each of {operations} operations of {COMMITS} commits: {looked} looks, {lost} lost"
    );
    assert_eq!(lost, 0);
}
