//! Forked processes: what a child inherits of an open database cannot be used.
//!
//! SQLite keeps its open files and locks in a table of the process. A fork copies the table but not
//! the locks, and the parent, closing last, may delete the write-ahead log under the child. So a
//! child refuses what it inherited, and any database once its parent has opened one. The error
//! names the remedy: `spawn` or `forkserver`, or studies opened in the workers only.

use crate::failure::{Failure, checked};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use rpol::store::{self, Store};
use std::ffi::CString;
use std::sync::{Arc, OnceLock};

/// The process that first opened a database.
///
/// SQLite keeps one table of open files and locks a process; a forked child inherits that table without the locks, so even a
/// connection of its own could lose data there. There is no way around one note a process.
static OPENER: OnceLock<u32> = OnceLock::new();

/// Whether a store must be there already.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Opening {
    New,
    Existing,
}

/// The path in an address of a store, which may be a path already: the rule of the library.
#[pyfunction]
#[pyo3(signature = (address, /))]
pub(crate) fn store_path(py: Python<'_>, address: &str) -> PyResult<String> {
    checked(py, store::path(address).map(String::from).map_err(Failure::from))
}

/// The name of this process as a worker.
#[pyfunction]
#[pyo3(signature = ())]
pub(crate) fn worker() -> String {
    store::Worker::own().name()
}

/// The store at an address.
pub(crate) fn open(url: &str, opening: Opening) -> Result<Arc<dyn Store>, Failure> {
    let (own, opener) = (std::process::id(), *OPENER.get_or_init(std::process::id));
    if own != opener {
        let message = format!(
            "{url}: process {own} was forked from {opener}, which had opened a database; SQLite cannot be used on both sides of a \
             fork: start workers by \"spawn\" or \"forkserver\", or open studies only in them"
        );
        return Err(Failure::new("Fork", message));
    }
    if let Some(warning) = store::network_warning(url) {
        warn(&warning)?;
    }
    Ok(match opening {
        Opening::New => store::open(url)?,
        Opening::Existing => store::open_existing(url)?,
    })
}

/// A warning of Python's, which may be an error there.
fn warn(warning: &str) -> Result<(), Failure> {
    let failed = |error: PyErr| Failure::new("Storage", error.to_string());
    Python::attach(|py| {
        let text = CString::new(warning).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2).map_err(failed)
    })
}

/// Refuses a study that was opened by another process: its locks and files are not ours.
pub(crate) fn must_be(opener: u32) -> Result<(), Failure> {
    let own = std::process::id();
    if own == opener {
        return Ok(());
    }
    let message = format!(
        "this study belongs to process {opener}, and this is its fork {own}: open the study in the worker itself, or start \
         workers by \"spawn\" or \"forkserver\""
    );
    Err(Failure::new("Fork", message))
}
