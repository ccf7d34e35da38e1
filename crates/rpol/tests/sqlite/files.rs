//! Paths at which there is no store, and files that are none.

use crate::{Folder, entry};
use rpol::Error;
use rpol::store::{Sqlite, Store};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

fn refusal(path: &Path, create: bool) -> Error {
    match Sqlite::open(path, create) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

/// It is refused with these words, and nothing in the folder has changed.
fn is_refused(folder: &Folder, path: &Path, words: &str) {
    let contents = |path: &Path| fs::read(path).ok();
    let (names, before) = (folder.names(), contents(path));
    for create in [false, true] {
        let error = refusal(path, create).to_string();
        assert!(error.contains(words) && error.contains(path.to_str().unwrap()), "{error}");
        assert_eq!(folder.names(), names, "files came or went");
        assert_eq!(contents(path), before, "the file was changed");
    }
}

#[test]
fn a_missing_file_is_named_unless_it_is_to_be_made() {
    let folder = Folder::new("missing");
    let error = refusal(&folder.file("a.db"), false);
    assert_eq!(error.kind(), "Storage");
    assert!(error.to_string().contains("a.db: there is no such file"), "{error}");
    assert!(folder.names().is_empty());
    let error = refusal(&folder.file("none/a.db"), true).to_string();
    assert!(error.contains("there is no folder"), "{error}");
}

#[test]
fn files_that_are_no_store_are_left_as_they_are() {
    let folder = Folder::new("foreign");
    let foreign = folder.file("foreign.db");
    let other = Connection::open(&foreign).unwrap();
    other.execute_batch("CREATE TABLE t (x); PRAGMA user_version = 1;").unwrap();
    drop(other);
    is_refused(&folder, &foreign, "no store of rpol");
    for (name, bytes) in [("empty", &b""[..]), ("text", b"hello"), ("zeros", &[0; 5000])] {
        fs::write(folder.file(name), bytes).unwrap();
        is_refused(&folder, &folder.file(name), "no store of rpol");
    }
    is_refused(&folder, folder.path(), "this is a folder");
}

#[test]
fn a_store_of_another_version_is_left_as_it_is() {
    let folder = Folder::new("version");
    let path = folder.file("a.db");
    drop(Sqlite::open(&path, true).unwrap());
    for (version, words) in [(2, "of version 2 and this rpol knows 1"), (0, "is damaged")] {
        let direct = Connection::open(&path).unwrap();
        direct.pragma_update(None, "user_version", version).unwrap();
        drop(direct);
        is_refused(&folder, &path, words);
    }
}

#[cfg(unix)]
#[test]
fn what_is_read_only_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    let folder = Folder::new("read-only");
    let path = folder.file("a b%?.db");
    drop(Sqlite::open(&path, true).unwrap().append("s", 0, &[entry(0)]));
    let before = (folder.names(), fs::read(&path).unwrap());
    for (file, whole) in [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)] {
        allow(&path, file).unwrap();
        allow(folder.path(), whole).unwrap();
        let store = Sqlite::open(&path, true).unwrap();
        assert_eq!(store.read("s", 0).unwrap(), [entry(0)]);
        assert_eq!(store.faults().unwrap(), [""; 0]);
        let error = store.append("s", 1, &[entry(1)]).unwrap_err();
        assert!(error.to_string().contains("it is read-only, nothing was written"), "{error}");
        assert!(store.delete("s").is_err());
        drop(store);
        allow(folder.path(), 0o755).unwrap();
        assert_eq!((folder.names(), fs::read(&path).unwrap()), before);
    }
    allow(folder.path(), 0o555).unwrap();
    let error = refusal(&folder.file("new.db"), true).to_string();
    allow(folder.path(), 0o755).unwrap();
    assert!(error.contains("its folder is read-only"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_file_is_refused_before_it_is_opened() {
    let folder = Folder::new("pipe");
    let made = |name: &str| {
        let status = std::process::Command::new("mkfifo").arg(folder.file(name)).status();
        assert!(status.unwrap().success());
    };
    made("pipe.db");
    for (path, words) in
        [(&folder.file("pipe.db"), "this is a pipe"), (&"/dev/zero".into(), "a device")]
    {
        for create in [false, true] {
            let error = refusal(path, create).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
    drop(Sqlite::open(&folder.file("a.db"), true).unwrap());
    made("a.db-wal");
    let error = refusal(&folder.file("a.db"), true).to_string();
    assert!(error.contains("a.db-wal: this is a pipe"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn drafts_of_processes_that_are_gone_are_swept_up() {
    let folder = Folder::new("drafts");
    let living = format!("a.db-new-{}-ThreadId(99)", std::process::id());
    let kept = [living.as_str(), "a.db-new-name", "a.db-new-5-x", "b.db-new-999999999-ThreadId(1)"];
    let left = ["a.db-new-999999999-ThreadId(1)", "a.db-new-999999998-ThreadId(2)-journal"];
    for create in [true, false] {
        for name in kept.iter().chain(&left) {
            fs::write(folder.file(name), "").unwrap();
        }
        drop(Sqlite::open(&folder.file("a.db"), create).unwrap());
        let names = folder.names();
        assert!(kept.iter().all(|name| names.contains(&(*name).to_string())), "{names:?}");
        assert!(!left.iter().any(|name| names.contains(&(*name).to_string())), "{names:?}");
    }
}

#[test]
fn a_copy_made_by_sqlite_works() {
    let folder = Folder::new("copy");
    let store = Sqlite::open(&folder.file("a.db"), true).unwrap();
    store.append("s", 0, &[entry(0)]).unwrap();
    let copy = folder.file("copy.db");
    let direct = Connection::open(folder.file("a.db")).unwrap();
    direct.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    let copied = Sqlite::open(&copy, false).unwrap();
    assert_eq!(copied.read("s", 0).unwrap(), [entry(0)]);
    copied.append("s", 1, &[entry(1)]).unwrap();
}

#[test]
fn names_that_mean_something_to_sqlite_are_files_here() {
    let folder = Folder::new("names");
    for name in [":memory:", "file:x?mode=memory", "a b%20#.db"] {
        let store = Sqlite::open(&folder.file(name), true).unwrap();
        store.append("s", 0, &[entry(0)]).unwrap();
        drop(store);
        assert_eq!(Sqlite::open(&folder.file(name), false).unwrap().read("s", 0).unwrap().len(), 1);
    }
}
