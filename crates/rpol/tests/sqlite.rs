//! Logs in an SQLite database: the laws of a store, and what happens to files that are none.
#![allow(clippy::unwrap_used)]

use rpol::check;
use rpol::store::{Sqlite, Store};
use std::path::PathBuf;
use std::sync::Arc;

/// An empty folder of its own, gone when the test has passed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rpol-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn it_keeps_the_laws_of_a_store() {
    let folder = Folder::new("laws");
    check::store(&Sqlite::open(&folder.0.join("a.db"), true).unwrap());
    let shared: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.0.join("b.db"), true).unwrap());
    check::shared_store(&shared);
}
