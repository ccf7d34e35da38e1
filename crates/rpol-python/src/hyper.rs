//! Hyper-parameters: how well they explain observations, and which do best.

use crate::failure::guarded;
use crate::kernel::{points, read};
use crate::observed::Observed;
use crate::spec::written;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rpol::Kernel;
use rpol::gp::evidence::{self, Hyper};
use rpol::gp::{self, Lengths, Scale};
use rpol::random::Stream;

/// The log marginal likelihood of observations in their own unit.
#[pyfunction]
#[pyo3(signature = (kernel, noise, scale, x, y, variances, /))]
pub(crate) fn log_evidence(
    py: Python<'_>,
    kernel: &str,
    noise: f64,
    scale: (f64, f64),
    x: PyReadonlyArray2<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
    variances: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<f64> {
    let observed = Observed::new(&x, &y, variances.as_ref());
    guarded(py, || {
        let scale = Scale { centre: scale.0, spread: scale.1 };
        let hyper = Hyper { kernel: read(kernel)?, noise, mean: 0.0 };
        hyper.kernel.validate(observed.x.dims())?;
        let standard = evidence::evidence(&observed.data(scale)?, &hyper)?.value;
        Ok(standard - observed.y.len() as f64 * scale.spread.ln())
    })
}

/// Kernel, noise variance and unit that explain observations best: `(kernel, noise, (centre, spread), degraded)`.
#[pyfunction]
#[pyo3(signature = (kernel, x, y, variances, restarts, seed, /))]
#[allow(clippy::type_complexity)]
pub(crate) fn fit(
    py: Python<'_>,
    kernel: &str,
    x: PyReadonlyArray2<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
    variances: Option<PyReadonlyArray1<'_, f64>>,
    restarts: usize,
    seed: u64,
) -> PyResult<(String, f64, (f64, f64), Option<String>)> {
    let observed = Observed::new(&x, &y, variances.as_ref());
    guarded(py, || {
        let kernel: Kernel = read(kernel)?;
        let scale = Scale::robust(&observed.y)?;
        let (data, mut stream) = (observed.data(scale)?, Stream::new(seed, 0));
        let found = gp::fit(&data, &kernel, Lengths::default(), None, restarts, &mut stream)?;
        let centre = scale.restore(found.hyper.mean);
        let kernel = written(&found.hyper.kernel)?;
        Ok((kernel, found.hyper.noise, (centre, scale.spread), found.degraded()))
    })
}

/// The information gain of the greedy choice of 1, 2, ... of the points.
#[pyfunction]
#[pyo3(signature = (kernel, noise, x, most, /))]
pub(crate) fn greedy_gain<'py>(
    py: Python<'py>,
    kernel: &str,
    noise: f64,
    x: PyReadonlyArray2<'py, f64>,
    most: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let points = points(&x);
    let gains = guarded(py, || {
        let kernel = read(kernel)?;
        kernel.validate(points.dims())?;
        Ok(gp::greedy_gain(&kernel, noise, points.view(), most))
    })?;
    Ok(PyArray1::from_vec(py, gains))
}
