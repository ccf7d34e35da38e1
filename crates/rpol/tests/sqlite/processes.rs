//! Several connections to one database, as several processes have them.

use crate::{Folder, entry};
use rpol::store::{Shared, Sqlite, Store};
use rpol::{Error, Spec};
use std::sync::Arc;

fn spec() -> Spec {
    let text = "name = 's'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }";
    Spec::from_toml(text).unwrap()
}

#[test]
fn what_one_appends_another_reads_and_so_does_who_comes_later() {
    let folder = Folder::new("two");
    let path = folder.file("a.db");
    let (one, two) = (Sqlite::open(&path, true).unwrap(), Sqlite::open(&path, true).unwrap());
    one.append("s", 0, &[entry(0), entry(1)]).unwrap();
    assert_eq!(two.append("s", 0, &[entry(9)]), Err(Error::Conflict { expected: 0, found: 2 }));
    two.append("s", 2, &[entry(2)]).unwrap();
    assert_eq!(one.read("s", 1).unwrap(), [entry(1), entry(2)]);
    drop((one, two));
    let later = Sqlite::open(&path, false).unwrap();
    assert_eq!(later.read("s", 0).unwrap(), [entry(0), entry(1), entry(2)]);
}

#[test]
fn floats_come_back_to_the_last_bit() {
    let folder = Folder::new("floats");
    let store = Arc::new(Sqlite::open(&folder.file("a.db"), true).unwrap());
    let mut study = Shared::open(store.clone(), spec()).unwrap();
    for value in [0.1 + 0.2, f64::MIN_POSITIVE / 3.0, -1.0 / 3.0 * 1e300, 5e-324] {
        let number = study.change(|s| s.ask()).unwrap().number;
        study.change(|s| s.tell(number, [("y", value)])).unwrap();
    }
    assert_eq!(Shared::load(store, "s").unwrap().study().log(), study.study().log());
}

#[test]
fn a_reader_does_not_wait_for_a_writer() {
    let folder = Folder::new("reader");
    let path = folder.file("a.db");
    let (one, two) = (Sqlite::open(&path, true).unwrap(), Sqlite::open(&path, true).unwrap());
    one.append("s", 0, &[entry(0)]).unwrap();
    let written = one.exclusively("s", &mut |log| {
        log.append(&[entry(1)])?;
        assert_eq!(one.read("s", 0)?, [entry(0)], "another thread's view");
        assert_eq!(two.read("s", 0)?, [entry(0)], "another process's view");
        Ok(())
    });
    written.unwrap();
    assert_eq!(two.read("s", 1).unwrap(), [entry(1)]);
}

#[test]
fn who_works_on_a_study_that_another_deletes_is_told() {
    let folder = Folder::new("deleted");
    let path = folder.file("a.db");
    let open = || Arc::new(Sqlite::open(&path, true).unwrap());
    for made_anew in [false, true] {
        let mut study = Shared::open(open(), spec()).unwrap();
        study.change(|s| s.ask()).unwrap();
        let other = open();
        assert!(other.delete("s").unwrap());
        if made_anew {
            Shared::open(other.clone(), spec()).unwrap().change(|s| s.ask()).unwrap();
        }
        let before = other.read("s", 0).unwrap();
        let error = study.change(|s| s.ask()).unwrap_err();
        assert!(error.to_string().contains("\"s\" was deleted"), "{error}");
        assert_eq!(other.read("s", 0).unwrap(), before, "something was appended");
        assert_eq!(other.delete("s"), Ok(made_anew));
    }
}

#[test]
fn work_that_panics_leaves_nothing_behind() {
    let folder = Folder::new("panic");
    let store = Sqlite::open(&folder.file("a.db"), true).unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.exclusively("s", &mut |log| {
            log.append(&[entry(0)])?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(store.read("s", 0).unwrap(), []);
    store.append("s", 0, &[entry(1)]).unwrap();
}
