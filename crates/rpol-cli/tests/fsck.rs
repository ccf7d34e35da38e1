//! `rpol fsck`, as a user runs it.
#![allow(clippy::unwrap_used)]

use rpol::Spec;
use rpol::store::{Entry, Shared, Sqlite, Store};
use rpol::study::{ENGINE_VERSION, Event};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn fsck(database: &Path, studies: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    let url = format!("sqlite:///{}", database.display());
    let output = command.args(["fsck", "--storage", &url]).args(studies).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn study(store: &Arc<Sqlite>, name: &str) {
    let text = format!(
        "name = '{name}'\nobjective = 'y'\n[params]\nx = {{ type = 'float', low = 0, high = 1 }}"
    );
    let mut study = Shared::open(store.clone(), Spec::from_toml(&text).unwrap()).unwrap();
    let number = study.change(|s| s.ask()).unwrap().number;
    study.change(|s| s.tell(number, [("y", 0.123456789)])).unwrap();
}

#[test]
fn what_is_sound_is_said_to_be_and_what_is_damaged_is_named() {
    let folder = std::env::temp_dir().join(format!("rpol-fsck-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.db");
    let (code, _, errors) = fsck(&path, &[]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("there is no such file"), "{errors}");

    let store = Arc::new(Sqlite::open(&path, true).unwrap());
    study(&store, "good");
    study(&store, "bad");
    drop(store);
    let (code, out, errors) = fsck(&path, &[]);
    assert_eq!((code, out.lines().count()), (Some(0), 2), "{out}{errors}");
    assert!(out.contains("\"good\": sound, 3 entries, 1 trials"), "{out}");
    assert_eq!(fsck(&path, &["none"]).0, Some(2));

    let store = Sqlite::open(&path, false).unwrap();
    let event = Event::Failed { number: 7, reason: "never asked".into() };
    store.append("bad", 3, &[Entry { at: 0, event }]).unwrap();
    drop(store);
    let (code, out, errors) = fsck(&path, &[]);
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(out.contains("\"bad\": DAMAGED") && out.contains("\"good\": sound"), "{out}");
    assert!(errors.contains("entry 3 of the log: there is no trial 7"), "{errors}");

    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(11).position(|w| w == b"0.123456789").unwrap();
    bytes[at + 5] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (code, _, errors) = fsck(&path, &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("the checksum of entry 2 does not fit"), "{errors}");
    fs::remove_dir_all(folder).unwrap();
}

/// A decision that this build would not make is damage, unless another version of the engine made it.
#[test]
fn another_engine_is_told_from_damage() {
    let folder = std::env::temp_dir().join(format!("rpol-fsck-engine-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let source = Arc::new(Sqlite::open(&folder.join("source.db"), true).unwrap());
    study(&source, "s");
    let log = source.read("s", 0).unwrap();
    let altered = |version: Option<u32>| {
        let mut log = log.clone();
        for entry in &mut log {
            match &mut entry.event {
                Event::Created { engine, .. } => *engine = version,
                Event::Asked { params, .. } => params["x"] = 0.123.into(),
                _ => {}
            }
        }
        let path = folder.join(format!("{version:?}.db"));
        Sqlite::open(&path, true).unwrap().append("s", 0, &log).unwrap();
        fsck(&path, &[])
    };
    let (code, out, errors) = altered(Some(ENGINE_VERSION));
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(errors.contains("is not the one that the log leads to"), "{errors}");
    let other = ENGINE_VERSION + 1;
    let makers = [(None, "an older engine".to_owned()), (Some(other), format!("engine {other}"))];
    for (version, maker) in makers {
        let (code, out, errors) = altered(version);
        assert_eq!(code, Some(0), "{out}{errors}");
        assert!(out.contains(&format!("made by {maker}")), "{out}");
        assert!(out.contains("decides 1 of them differently"), "{out}");
    }
    fs::remove_dir_all(folder).unwrap();
}
