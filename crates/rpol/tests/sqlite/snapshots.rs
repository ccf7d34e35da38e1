//! Snapshots: what a study adds up to is the same with them and without.

use crate::Folder;
use rpol::store::{Shared, Snapshot, Sqlite, Store, check_snapshot};
use rpol::{Spec, Study};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;

fn spec() -> Spec {
    Spec::from_toml(
        "name = 's'\nalgorithm = 'rpol-ucb'\nobjective = 'minimize y'\nconstraints = ['z <= 5']\n\
         model = { learn = false, noise = 0.1 }\n[params]\nx = { type = 'int', low = 0, high = 9 }",
    )
    .unwrap()
}

/// A store with a study of so many trials, all told.
fn played(path: &Path, rounds: u64) -> Arc<dyn Store> {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(path, true).unwrap());
    let mut study = Shared::open(store.clone(), spec()).unwrap();
    study.change(|study| (0..rounds).try_for_each(|_| round(study))).unwrap();
    store
}

fn round(study: &mut Study) -> rpol::Result<()> {
    let asked = study.ask()?;
    let x = asked.params["x"].as_f64().unwrap();
    study.tell(asked.number, [("y", (x - 7.0).powi(2)), ("z", x)]).map(drop)
}

fn next(shared: &Shared) -> rpol::study::Suggestion {
    shared.study().clone().ask().unwrap()
}

#[test]
fn with_a_snapshot_the_next_setting_is_the_same() {
    let folder = Folder::new("snapshot");
    let store = played(&folder.file("a.db"), 700);
    let whole = Shared::load(store.clone(), "s").unwrap();
    assert!(store.snapshot("s").unwrap().is_none());
    let first = Shared::resume(store.clone(), "s").unwrap();
    assert_eq!(first.study().dropped(), 0, "there was none before");
    let resumed = Shared::resume(store.clone(), "s").unwrap();
    assert!(resumed.study().dropped() > 1000);
    assert_eq!(resumed.study().length(), whole.study().length());
    assert_eq!((next(&first), next(&resumed)), (next(&whole), next(&whole)));
    assert_eq!(resumed.study().ledger(), whole.study().ledger());
    let best = |shared: &Shared| serde_json::to_string(&shared.best_row()).unwrap();
    assert_eq!(best(&resumed), best(&whole), "with its times");
    assert_eq!(check_snapshot(&*store, "s"), Ok(true));
}

#[test]
fn what_a_snapshot_stands_for_can_still_be_changed() {
    let folder = Folder::new("stands");
    let store = played(&folder.file("a.db"), 700);
    let resumed = || Shared::resume(store.clone(), "s").unwrap();
    drop(resumed());
    let mut one = resumed();
    assert!(one.study().trial(3).is_err(), "it is not in memory");
    one.change(|study| study.correct(3, [("z", 99.0)])).unwrap();
    assert_eq!(one.study().ledger()[0].worst, 94.0);
    // A snapshot of before knows nothing of it.
    assert_eq!(resumed().study().ledger(), one.study().ledger());
    let mut other = resumed();
    one.change(|study| study.void(4, "a wrong cable")).unwrap();
    other.refresh().unwrap();
    assert_eq!(other.study().ledger(), one.study().ledger());
}

#[test]
fn a_damaged_snapshot_is_none() {
    let folder = Folder::new("damaged");
    let path = folder.file("a.db");
    let store = played(&path, 700);
    drop(Shared::resume(store.clone(), "s").unwrap());
    let (snapshot, rest) = store.snapshot("s").unwrap().unwrap();
    assert_eq!(snapshot.position + rest.len(), store.read("s", 0).unwrap().len());
    let edits = [
        "UPDATE snapshots SET content = CAST(substr(content, 2) AS BLOB)",
        "UPDATE snapshots SET content = CAST(substr(content, 1, 99) || x'07' || substr(content, 101) AS BLOB)",
        "UPDATE snapshots SET position = position - 1",
        "UPDATE snapshots SET position = 9999999",
        "UPDATE snapshots SET checksum = zeroblob(32)",
        "UPDATE snapshots SET checksum = x'00'",
        "DROP TABLE snapshots",
    ];
    for edit in edits {
        Connection::open(&path).unwrap().execute(edit, []).unwrap();
        assert!(store.snapshot("s").unwrap().is_none(), "{edit}");
        assert_eq!(Shared::resume(store.clone(), "s").unwrap().study().dropped(), 0, "{edit}");
        assert_eq!(store.snapshot("s").unwrap().unwrap().0, snapshot, "{edit}: kept again");
    }
    store.delete("s").unwrap();
    drop(played(&path, 600));
    assert!(store.snapshot("s").unwrap().is_none(), "it was of another study");
}

#[test]
fn a_snapshot_that_says_something_else_is_found() {
    let folder = Folder::new("else");
    let store = played(&folder.file("a.db"), 700);
    drop(Shared::resume(store.clone(), "s").unwrap());
    let (kept, _) = store.snapshot("s").unwrap().unwrap();
    // Another limit; the store's own checksum is made anew.
    let mut content = kept.content.clone();
    let place = content.windows(6).position(|bytes| bytes == b"z <= 5").unwrap();
    content[place + 5] = b'6';
    store.keep("s", &Snapshot { content, ..kept });
    assert_eq!(check_snapshot(&*store, "s"), Ok(false));
}
