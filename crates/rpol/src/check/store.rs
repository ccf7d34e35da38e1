//! Laws of a store.

use crate::error::Error;
use crate::store::{Entry, Shared, Store};
use crate::study::{Event, Spec};
use std::sync::Arc;

fn spec(name: &str) -> Spec {
    let text = format!(
        r#"{{"name": {name:?}, "objective": "y", "params": {{"x": {{"type": "float", "low": 0, "high": 1}}}}}}"#
    );
    Spec::from_json(&text).expect("a usable study")
}

/// Checks an empty store: what is appended is read back, an append that comes too late changes nothing, logs do
/// not mix whatever their names, deleting deletes one.
///
/// # Panics
/// With the law that is broken.
pub fn store(store: &dyn Store) {
    let names =
        ["plain", "../../etc/passwd", "'; DROP TABLE studies; --", "<img onerror=x>", "=cmd()"];
    let entry = |event| Entry { at: 1_700_000_000_123, event };
    let created = |name: &str| entry(Event::Created { spec: Box::new(spec(name)), engine: None });
    for name in names {
        assert_eq!(store.read(name, 0).expect("a read"), [], "a new store has a log");
        store.append(name, 0, &[created(name)]).expect("a first entry");
        let failed = entry(Event::Failed { number: 0, reason: name.to_string() });
        let late = store.append(name, 0, std::slice::from_ref(&failed));
        assert_eq!(late, Err(Error::Conflict { expected: 0, found: 1 }), "a late append");
        store.append(name, 1, &[failed.clone(), failed.clone()]).expect("two more");
        assert_eq!(store.read(name, 1).expect("a read"), [failed.clone(), failed], "not read back");
        assert_eq!(store.read(name, 9).expect("a read past the end"), []);
    }
    let failing = store.exclusively(names[0], &mut |log| {
        log.append(&[created(names[0])])?;
        assert_eq!((log.length()?, log.read(3)?), (4, vec![created(names[0])]), "own writing");
        Err(Error::NoSafeStart)
    });
    assert_eq!(failing, Err(Error::NoSafeStart), "the work's own error");
    assert_eq!(store.read(names[0], 3).expect("a read"), [], "failed work left something");
    for name in names {
        assert_eq!(store.read(name, 0).expect("a read")[0], created(name), "logs are mixed up");
    }
    let mut sorted = names.map(String::from).to_vec();
    sorted.sort();
    assert_eq!(store.studies().expect("a list"), sorted);
    assert!(store.delete(names[1]).expect("a deletion"));
    assert!(!store.delete(names[1]).expect("a second deletion"));
    assert_eq!(store.studies().expect("a list").len(), names.len() - 1);
}

/// Checks that several writers on one study lose nothing: every ask gets a number of its own, and every tell
/// that was acknowledged is in the log.
///
/// # Panics
/// With the law that is broken.
pub fn shared_store(store: &Arc<dyn Store>) {
    const WRITERS: u64 = 4;
    const EACH: u64 = 6;
    let work = |_| {
        let mut study = Shared::open(store.clone(), spec("shared")).expect("a study");
        for _ in 0..EACH {
            let trial = study.change(|s| s.ask()).expect("an ask");
            study.change(|s| s.tell(trial.number, [("y", trial.number as f64)])).expect("a tell");
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WRITERS).map(|w| scope.spawn(move || work(w))).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("a writer"));
    });
    let study = Shared::load(store.clone(), "shared").expect("the study");
    let trials = study.study().trials();
    assert_eq!(trials.len() as u64, WRITERS * EACH, "a trial was lost or given twice");
    for trial in trials {
        let told = trial.metrics.get("y").map(|reported| reported.value.get());
        assert_eq!(told, Some(trial.number as f64), "a tell was lost");
    }
}
