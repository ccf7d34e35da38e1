//! What goes wrong, and how Python hears of it.
//!
//! All work runs inside one function that releases the GIL and catches panics. A panic becomes
//! `rpol.InternalError`, and a study that was being changed is read again from its store, where
//! everything acknowledged is.

use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An error on its way to Python: the exception is the class `<kind>Error` of `rpol.errors`.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
}

impl Failure {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The same, of a row in a table.
    pub(crate) fn at(self, row: usize) -> Self {
        Self { message: format!("row {row}: {}", self.message), ..self }
    }

    /// A panic is a fault of rpol's own.
    fn panicked(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".into());
        let message = format!("rpol broke down: {text}; this is a fault of rpol, please report it");
        Self::new("Internal", message)
    }

    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let class = py
            .import("rpol.errors")
            .and_then(|errors| errors.getattr(format!("{}Error", self.kind).as_str()))
            .and_then(|class| Ok(class.cast_into()?));
        match class {
            Ok(class) => PyErr::from_type(class, self.message),
            Err(error) => error,
        }
    }
}

impl From<rpol::Error> for Failure {
    fn from(error: rpol::Error) -> Self {
        Self::new(error.kind(), error.to_string())
    }
}

/// The one door to all work: other Python threads run meanwhile, errors become named exceptions, and so do panics.
pub(crate) fn guarded<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    let outcome = outcome.unwrap_or_else(|payload| Err(Failure::panicked(&*payload)));
    outcome.map_err(|failure| failure.raised(py))
}

/// The outcome of reading an argument.
pub(crate) fn checked<T>(py: Python<'_>, outcome: Result<T, Failure>) -> PyResult<T> {
    outcome.map_err(|failure| failure.raised(py))
}
