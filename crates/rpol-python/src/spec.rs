//! Definitions of studies, checked by the library.

use crate::failure::{Failure, guarded};
use pyo3::prelude::*;
use rpol::Spec;
use serde::Serialize;

/// Straight to text: a tree in between would sort the user's parameters.
pub(crate) fn written(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|e| Failure::new("Internal", e.to_string()))
}

/// The definition in its canonical form, from JSON.
#[pyfunction]
#[pyo3(signature = (json, /))]
pub(crate) fn canonical_spec(py: Python<'_>, json: &str) -> PyResult<String> {
    guarded(py, || written(&Spec::from_json(json)?))
}

/// The same from the text of a file, TOML or JSON; `name` is the study's where the text has none.
#[pyfunction]
#[pyo3(signature = (text, name, /))]
pub(crate) fn canonical_spec_text(py: Python<'_>, text: &str, name: &str) -> PyResult<String> {
    guarded(py, || written(&Spec::from_file_text(text, name)?))
}

/// The JSON Schema of a definition, as JSON.
#[pyfunction]
pub(crate) fn spec_schema(py: Python<'_>) -> PyResult<String> {
    guarded(py, || Ok(Spec::schema().to_string()))
}
