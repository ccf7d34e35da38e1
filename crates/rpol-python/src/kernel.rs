//! Kernels, as JSON.

use crate::failure::{Failure, guarded};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rpol::{Error, Kernel, Points};

/// The kernel of a JSON text.
pub(crate) fn read(json: &str) -> Result<Kernel, Failure> {
    let refused =
        |e: serde_json::Error| Error::InvalidSpec { path: "kernel".into(), problem: e.to_string() };
    Ok(serde_json::from_str(json).map_err(refused)?)
}

/// The rows of an array as points.
pub(crate) fn points(rows: &PyReadonlyArray2<'_, f64>) -> Points {
    let dims = rows.shape()[1];
    let rows = rows.as_array();
    let rows: Vec<Vec<f64>> = rows.rows().into_iter().map(|row| row.to_vec()).collect();
    Points::from_rows(dims, &rows)
}

/// Numbers as an array of so many columns.
pub(crate) fn matrix(
    py: Python<'_>,
    numbers: Vec<f64>,
    shape: [usize; 2],
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    PyArray1::from_vec(py, numbers).reshape(shape)
}

/// Refuses a kernel that cannot be used on points of so many coordinates; its JSON in canonical form.
#[pyfunction]
#[pyo3(signature = (json, dims, /))]
pub(crate) fn check_kernel(py: Python<'_>, json: &str, dims: usize) -> PyResult<String> {
    guarded(py, || {
        let kernel = read(json)?;
        kernel.validate(dims)?;
        crate::spec::written(&kernel)
    })
}

/// The covariances between two lists of points.
#[pyfunction]
#[pyo3(signature = (json, a, b, /))]
pub(crate) fn covariances<'py>(
    py: Python<'py>,
    json: &str,
    a: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (a, b) = (points(&a), points(&b));
    let shape = [a.len(), b.len()];
    let numbers = guarded(py, || {
        if a.dims() != b.dims() {
            let (field, found, expected) = ("a row of b".into(), b.dims(), a.dims());
            return Err(Error::WrongLength { field, found, expected }.into());
        }
        let kernel = read(json)?;
        kernel.validate(a.dims())?;
        let mut out = vec![0.0; a.len() * b.len()];
        kernel.cross(a.view(), b.view(), &mut out);
        Ok(out)
    })?;
    matrix(py, numbers, shape)
}
