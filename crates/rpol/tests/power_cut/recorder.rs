//! A file system under SQLite that writes down what is done to the files, and else is the system's own.
//!
//! SQLite has no safe door for that: the methods of every file it opens are replaced by ours.

use rusqlite::ffi::{
    SQLITE_OK, sqlite3_file, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find,
    sqlite3_vfs_register,
};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A file, whatever it is called.
pub(crate) type File = usize;

/// What was done, in order.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Create {
        name: String,
        file: File,
    },
    Delete {
        name: String,
        synced: bool,
    },
    Write {
        file: File,
        at: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: File,
        length: usize,
    },
    Sync {
        file: File,
    },
    /// Somebody was told that all of it is kept.
    Acknowledge,
}

/// What is done to the files whose name begins with `prefix`.
struct Recording {
    prefix: String,
    names: HashMap<String, File>,
    /// By the address at which SQLite keeps an open file.
    open: HashMap<usize, File>,
    done: Vec<Operation>,
}

static RECORDING: Mutex<Option<Recording>> = Mutex::new(None);

fn recording() -> MutexGuard<'static, Option<Recording>> {
    RECORDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to record what is done to the database, which is there, and to the files beside it.
pub(crate) fn begin(database: &str) {
    LazyLock::force(&SYSTEM);
    let names = HashMap::from([(database.to_string(), 0)]);
    let (prefix, open, done) = (database.to_string(), HashMap::new(), Vec::new());
    *recording() = Some(Recording { prefix, names, open, done });
}

pub(crate) fn acknowledge() {
    note(|recording| recording.done.push(Operation::Acknowledge));
}

/// Ends it, and gives what was done.
pub(crate) fn end() -> Vec<Operation> {
    recording().take().map(|recording| recording.done).unwrap_or_default()
}

fn note(what: impl FnOnce(&mut Recording)) {
    if let Some(recording) = recording().as_mut() {
        what(recording);
    }
}

impl Recording {
    fn opened(&mut self, name: String, at: usize) {
        self.open.remove(&at);
        // Its shared memory is no file that outlives a power cut.
        if !name.starts_with(&self.prefix) || name.ends_with("-shm") {
            return;
        }
        let next = self.names.len() + self.done.len();
        let file = *self.names.entry(name.clone()).or_insert_with(|| {
            self.done.push(Operation::Create { name, file: next });
            next
        });
        self.open.insert(at, file);
    }

    fn deleted(&mut self, name: String, synced: bool) {
        if self.names.remove(&name).is_some() {
            self.done.push(Operation::Delete { name, synced });
        }
    }

    fn changed(&mut self, at: usize, operation: impl FnOnce(File) -> Operation) {
        if let Some(file) = self.open.get(&at) {
            self.done.push(operation(*file));
        }
    }
}

/// What the system's own file system does.
struct System {
    vfs: sqlite3_vfs,
    methods: Mutex<Option<sqlite3_io_methods>>,
}

// SQLite's table of functions never changes once it is there.
unsafe impl Sync for System {}
unsafe impl Send for System {}

/// Makes ours the one that SQLite uses, on top of the one it has.
static SYSTEM: LazyLock<System> = LazyLock::new(|| unsafe {
    let vfs = *sqlite3_vfs_find(std::ptr::null());
    let mut ours = vfs;
    ours.zName = c"recorder".as_ptr();
    ours.pNext = std::ptr::null_mut();
    ours.xOpen = Some(open);
    ours.xDelete = Some(delete);
    assert_eq!(sqlite3_vfs_register(Box::leak(Box::new(ours)), 1), SQLITE_OK);
    System { vfs, methods: Mutex::new(None) }
});

impl System {
    fn methods(&self) -> sqlite3_io_methods {
        let methods = *self.methods.lock().unwrap_or_else(PoisonError::into_inner);
        methods.expect("a file is open")
    }
}

unsafe fn text(name: *const c_char) -> String {
    if name.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    given: *mut c_int,
) -> c_int {
    unsafe {
        let code = SYSTEM.vfs.xOpen.unwrap()(vfs, name, file, flags, given);
        if code == SQLITE_OK && !(*file).pMethods.is_null() {
            let system = *(*file).pMethods;
            *SYSTEM.methods.lock().unwrap() = Some(system);
            let ours = sqlite3_io_methods {
                xWrite: Some(write),
                xTruncate: Some(truncate),
                xSync: Some(sync),
                ..system
            };
            (*file).pMethods = Box::leak(Box::new(ours));
            let name = text(name);
            note(|recording| recording.opened(name, file as usize));
        }
        code
    }
}

unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    unsafe {
        let code = SYSTEM.vfs.xDelete.unwrap()(vfs, name, sync);
        if code == SQLITE_OK {
            note(|recording| recording.deleted(text(name), sync != 0));
        }
        code
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    length: c_int,
    at: i64,
) -> c_int {
    unsafe {
        let bytes = std::slice::from_raw_parts(from.cast::<u8>(), length as usize).to_vec();
        let written = |file| Operation::Write { file, at: at as usize, bytes };
        note(|recording| recording.changed(file as usize, written));
        SYSTEM.methods().xWrite.unwrap()(file, from, length, at)
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: i64) -> c_int {
    unsafe {
        let cut = |file| Operation::Truncate { file, length: length as usize };
        note(|recording| recording.changed(file as usize, cut));
        SYSTEM.methods().xTruncate.unwrap()(file, length)
    }
}

/// The power never goes in earnest, so there is nothing to wait for.
unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    note(|recording| recording.changed(file as usize, |file| Operation::Sync { file }));
    SQLITE_OK
}
