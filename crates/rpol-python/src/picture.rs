//! Pictures of a study.

use crate::failure::{Failure, guarded};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rpol::Error;
use rpol::store::Shared;
use rpol_plot::figure;
use rpol_plot::picture::{self, Kind, data};
use rpol_plot::{Replace, write_whole};
use std::path::PathBuf;

/// The picture of that name as SVG; `params` are those a slice or a contour is to show.
pub(crate) fn drawn(shared: &Shared, name: &str, params: &[String]) -> Result<String, Failure> {
    let study = shared.study();
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    let kind = found.ok_or_else(|| unknown("picture", name, &Kind::ALL.map(Kind::name)))?;
    let usable: Vec<&str> = match kind {
        Kind::Contour => data::numeric(study),
        _ => study.spec().params.params().keys().map(String::as_str).collect(),
    };
    if let Some(name) = params.iter().find(|name| !usable.contains(&name.as_str())) {
        return Err(unknown("parameter", name, &usable));
    }
    Ok(match (kind, params) {
        (Kind::Slice, _) => picture::slice(study, params),
        (Kind::Contour, [a, b]) => picture::contour(study, Some(&[a.clone(), b.clone()])),
        _ => kind.svg(study, shared.times()),
    })
}

fn unknown(field: &str, name: &str, known: &[&str]) -> Failure {
    let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
    let (value, known) = (format!("{name:?}"), known.join(", "));
    Error::UnknownName { field: field.into(), value, known }.into()
}

/// Writes a file whole or not at all, over one that rpol did not write only by force, and never over a store.
#[pyfunction]
#[pyo3(signature = (path, content, force, /))]
pub(crate) fn write_file(
    py: Python<'_>,
    path: PathBuf,
    content: &[u8],
    force: bool,
) -> PyResult<()> {
    let replace = if force { Replace::Any } else { Replace::Own };
    let failed = |error| Failure::new("Storage", format!("{error:#}"));
    guarded(py, || write_whole(&path, content, replace).map_err(failed))
}

/// The pixels of an SVG, as a PNG file.
#[pyfunction]
#[pyo3(signature = (svg, scale, /))]
pub(crate) fn png<'py>(py: Python<'py>, svg: &str, scale: f32) -> PyResult<Bound<'py, PyBytes>> {
    let refused = |error| Failure::new("InvalidSpec", format!("{error:#}"));
    let bytes = guarded(py, || figure::png(svg, scale).map_err(refused))?;
    Ok(PyBytes::new(py, &bytes))
}
