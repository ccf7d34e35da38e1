//! Opening a database, and making one. A file that is not ours is looked at and left as it is.

use super::failure::{damaged, explained, unusable};
use super::handle::Handle;
use super::wal::number;
use crate::error::Result;
use crate::store::chain::Chain;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// `rpol` in ASCII, where SQLite keeps whose a database is.
const APPLICATION: u32 = 0x7270_6f6c;
/// Of the tables.
const VERSION: u32 = 1;
/// Before it, SQLite could damage a database with a write-ahead log that two processes reset at once.
const OLDEST_SQLITE: i32 = 3_051_003;
/// How long to wait for others before it is an error.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at whether it is free: of 1, 2, 5, 10 and 20 ms the one that served 64 writers on two cores best,
/// and better than a lock of the system's to queue for.
const PAUSE: Duration = Duration::from_millis(5);

/// Refuses an SQLite that is not safe.
pub(super) fn check_library(path: &Path, version: i32) -> Result<()> {
    if version < OLDEST_SQLITE {
        let problem = format!(
            "this build has SQLite {version}, which can lose data: build with {OLDEST_SQLITE} or newer"
        );
        return Err(unusable(path, problem));
    }
    Ok(())
}

/// Makes an empty store where there is no file. It appears as a whole: others never see half of one.
pub(super) fn create(path: &Path) -> Result<()> {
    let failed = |error: std::io::Error| unusable(path, format!("it cannot be made: {error}"));
    let folder = check_folder(path)?;
    let draft = beside(path, &format!("-new-{}-{:?}", std::process::id(), thread::current().id()));
    let outcome = fill(&draft)
        .map_err(|error| explained(path, &error))
        .and_then(|()| File::open(&draft).and_then(|file| file.sync_all()).map_err(failed))
        .and_then(|()| match fs::hard_link(&draft, path) {
            // Another process was faster: its store is as good.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            linked => linked.map_err(failed),
        });
    // Where even this fails, a file that is never read is left.
    let _ = fs::remove_file(&draft);
    outcome?;
    // Else a new name may be forgotten in a power cut; other systems have no such call.
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    Ok(())
}

/// The folder of a file, where others can be made beside it.
fn check_folder(path: &Path) -> Result<&Path> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    match fs::metadata(folder) {
        Ok(found) if found.permissions().readonly() => {
            Err(unusable(path, "its folder is read-only: choose another place"))
        }
        Ok(_) => Ok(folder),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let problem = format!("there is no folder {}: make it first", folder.display());
            Err(unusable(path, problem))
        }
        Err(error) => Err(unusable(path, format!("its folder cannot be read: {error}"))),
    }
}

fn fill(draft: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(draft)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(include_str!("schema.sql"))?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    connection.execute("INSERT INTO store VALUES (0, 0, ?1)", [Chain::of_store(0, &[])])?;
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;")?;
    connection.close().map_err(|(_, error)| error)
}

/// The file with something added to its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Looks at a file without SQLite, which might change it: is it a store, and of a version we know?
pub(super) fn check_file(path: &Path, handle: &Handle) -> Result<()> {
    let failed = |error: std::io::Error| unusable(path, format!("it cannot be read: {error}"));
    let found = fs::metadata(path).map_err(failed)?;
    if found.is_dir() {
        return Err(unusable(path, "this is a folder: give the path of a file"));
    }
    let mut header = Vec::new();
    let read = |mut file: &File| {
        file.seek(SeekFrom::Start(0))?;
        file.take(100).read_to_end(&mut header)
    };
    handle.with(read).map_err(failed)?;
    let number = |at: usize| number(&header[at..at + 4]);
    if header.len() < 100 || !header.starts_with(b"SQLite format 3\0") || number(68) != APPLICATION
    {
        let problem =
            "this is no store of rpol: it was left as it is; give the path of another file";
        return Err(unusable(path, problem));
    }
    if found.permissions().readonly() {
        return Err(unusable(path, "it is read-only: make it writable, or work on a copy"));
    }
    check_folder(path)?;
    // Both as a rollback journal or a write-ahead log leaves them.
    if !matches!(header[18..20], [1, 1] | [2, 2]) {
        return Err(damaged(path, "its header does not say how it is written"));
    }
    match number(60) {
        VERSION => Ok(()),
        newer if newer > VERSION => Err(unusable(
            path,
            format!("it is of version {newer} and this rpol knows {VERSION}: use a newer rpol"),
        )),
        none => Err(damaged(path, format!("its version is {none}, which never was"))),
    }
}

/// A connection to a file that was looked at.
pub(super) fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connected = Connection::open_with_flags(path, flags).and_then(|mut connection| {
        set_up(&mut connection)?;
        Ok(connection)
    });
    let connection = connected.map_err(|error| explained(path, &error))?;
    if connection.is_readonly("main").map_err(|error| explained(path, &error))? {
        return Err(unusable(path, "it cannot be written: check the permissions of the file"));
    }
    Ok(connection)
}

/// Empties the log once its contents are in the database: what an unfinished transaction left in it must not be
/// mistaken later for a part of one that was finished.
pub(super) fn start_log_anew(path: &Path, connection: &Connection) -> Result<()> {
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    emptied.map_err(|error| explained(path, &error))
}

/// Lets a connection wait while others write.
pub(super) fn wait_for_others(connection: &mut Connection) -> rusqlite::Result<()> {
    let mut since = Instant::now();
    connection.busy_handler(Some(move |times| {
        if times == 0 {
            since = Instant::now();
        }
        thread::sleep(PAUSE);
        since.elapsed() < PATIENCE
    }))
}

fn set_up(connection: &mut Connection) -> rusqlite::Result<()> {
    wait_for_others(connection)?;
    connection.execute_batch("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;")?;
    // Else a transaction that is given up may leave frames in the log that look finished.
    connection.pragma_update(None, "cache_spill", false)?;
    // Copies made by `VACUUM INTO` have lost it.
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        connection.pragma_update(None, "journal_mode", "WAL")?;
    }
    connection.pragma_update(None, "synchronous", "FULL")
}
