//! The command line, in the interpreter's process.

use crate::failure::guarded;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::{self, Write};

/// Does what the arguments say, the first being the name of the program; the exit code.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    guarded(py, || {
        let code = rpol_cli::main_from(arguments);
        // A binary of Rust does so when it ends; here the interpreter ends, which knows nothing of this buffer.
        let _ = io::stdout().flush();
        Ok(code)
    })
}
