//! A damaged database gives an error or the whole truth.

use crate::{Folder, entry};
use rpol::random::Stream;
use rpol::store::{Entry, Sqlite, Store};
use std::fs;
use std::path::Path;

const STUDIES: [(&str, u64); 4] = [("one", 1), ("a longer one", 70), ("short", 3), ("last", 20)];
const PAGE: usize = 4096;

/// What was written.
fn log(length: u64) -> Vec<Entry> {
    (0..length).map(entry).collect()
}

/// A closed database with a few studies.
fn database(folder: &Folder) -> Vec<u8> {
    let path = folder.file("whole.db");
    let store = Sqlite::open(&path, true).unwrap();
    let appended = STUDIES.map(|(name, length)| store.append(name, 0, &log(length)));
    assert!(appended.iter().all(Result::is_ok));
    drop(store);
    fs::read(path).unwrap()
}

/// How often damage was noticed and how often it did not matter.
#[derive(Debug, Default)]
struct Tally {
    noticed: usize,
    harmless: usize,
}

impl Tally {
    /// Opens what is left of a database and reads everything in it.
    fn read(&mut self, path: &Path, what: &str) {
        match noticed(path, what) {
            true => self.noticed += 1,
            false => self.harmless += 1,
        }
    }
}

/// Whether anything was refused; whatever was not must be right.
fn noticed(path: &Path, what: &str) -> bool {
    let Ok(store) = Sqlite::open(path, false) else { return true };
    let mut refused = match store.studies() {
        Ok(names) => {
            let mut all = STUDIES.map(|(name, _)| name);
            all.sort_unstable();
            assert_eq!(names, all, "{what}");
            false
        }
        Err(_) => true,
    };
    for (name, length) in STUDIES {
        for from in [0, length / 2] {
            match store.read(name, from as usize) {
                Ok(entries) => assert!(entries == log(length)[from as usize..], "{what}: {name}"),
                Err(_) => refused = true,
            }
        }
    }
    refused
}

fn flips(count: usize) -> Tally {
    let folder = Folder::new(&format!("flips-{count}"));
    let (whole, path) = (database(&folder), folder.file("flipped.db"));
    let (mut random, mut tally) = (Stream::new(5, 0), Tally::default());
    for _ in 0..count {
        let bit = (random.uniform() * (whole.len() * 8) as f64) as usize;
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).unwrap();
        tally.read(&path, &format!("bit {bit} of {}", whole.len() * 8));
        assert!(fs::read(&path).unwrap() == bytes, "bit {bit}: the file was changed");
    }
    tally
}

fn cuts(step: usize) -> Tally {
    let folder = Folder::new(&format!("cuts-{step}"));
    let (whole, path) = (database(&folder), folder.file("cut.db"));
    let mut tally = Tally::default();
    for length in (whole.len() - 2 * PAGE..whole.len()).step_by(step) {
        fs::write(&path, &whole[..length]).unwrap();
        tally.read(&path, &format!("{length} of {} bytes", whole.len()));
        assert!(fs::read(&path).unwrap() == whole[..length], "{length}: the file was changed");
    }
    tally
}

#[test]
fn a_flipped_bit_is_noticed_or_does_not_matter() {
    let tally = flips(1000);
    assert!(tally.noticed > 300, "{tally:?}");
}

#[test]
fn a_cut_database_is_noticed() {
    assert_eq!(cuts(61).harmless, 0);
}

#[test]
#[ignore = "takes long: cargo xtask torture"]
fn ten_thousand_flips_and_every_cut() {
    println!("10,000 bits flipped in a closed database: {:?}", flips(10_000));
    let cuts = cuts(1);
    println!("cut at every byte of its last two pages: {cuts:?}");
    assert_eq!(cuts.harmless, 0);
}
