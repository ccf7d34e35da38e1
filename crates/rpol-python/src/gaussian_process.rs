//! The model for its own sake.

use crate::failure::{Failure, guarded};
use crate::kernel::{matrix, points, read};
use crate::observed::Observed;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rpol::Points;
use rpol::gp::{Factor, Posterior, Scale};
use std::ops::Range;
use std::sync::{PoisonError, RwLock};
use std::thread::ScopedJoinHandle;

/// A Gaussian process given observations of one output.
#[pyclass(frozen, module = "rpol._rpol")]
pub(crate) struct NativeProcess {
    posterior: RwLock<Posterior>,
}

type Means<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);
type Slopes<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl NativeProcess {
    /// The process given everything observed; kernel and noise variance in standard units, `y = centre + spread * standard`.
    #[new]
    #[pyo3(signature = (kernel, noise, scale, x, y, variances, /))]
    fn new(
        py: Python<'_>,
        kernel: &str,
        noise: f64,
        scale: (f64, f64),
        x: PyReadonlyArray2<'_, f64>,
        y: PyReadonlyArray1<'_, f64>,
        variances: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        let observed = Observed::new(&x, &y, variances.as_ref());
        guarded(py, || {
            let (kernel, scale) = (read(kernel)?, Scale { centre: scale.0, spread: scale.1 });
            let factor = Factor::new(kernel, observed.x.dims())?;
            let targets: Vec<[f64; 1]> = observed.y.iter().map(|y| [*y]).collect();
            let noise = observed.noise(noise, scale);
            let posterior =
                Posterior::build(factor, vec![scale], observed.x.view(), &targets, &noise)?;
            Ok(Self { posterior: RwLock::new(posterior) })
        })
    }

    /// Adds one observation; `noise` is its variance in standard units.
    #[pyo3(signature = (x, y, noise, /))]
    fn observe(&self, py: Python<'_>, x: Vec<f64>, y: f64, noise: f64) -> PyResult<()> {
        guarded(py, || {
            let mut posterior = self.posterior.write().unwrap_or_else(PoisonError::into_inner);
            Ok(posterior.observe(&x, &[y], noise).map(drop)?)
        })
    }

    /// Mean and latent deviation at every row of `x`.
    #[pyo3(signature = (x, /))]
    fn predict<'py>(&self, py: Python<'py>, x: PyReadonlyArray2<'py, f64>) -> PyResult<Means<'py>> {
        let points = points(&x);
        let (mean, deviation) = guarded(py, || self.beliefs(&points))?;
        Ok((PyArray1::from_vec(py, mean), PyArray1::from_vec(py, deviation)))
    }

    /// Their gradients, a row a point.
    #[pyo3(signature = (x, /))]
    fn gradients<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Slopes<'py>> {
        let points = points(&x);
        let shape = [points.len(), points.dims()];
        let (mean, deviation) = guarded(py, || self.slopes(&points))?;
        Ok((matrix(py, mean, shape)?, matrix(py, deviation, shape)?))
    }

    /// The information gain of the observations.
    fn gain(&self, py: Python<'_>) -> PyResult<f64> {
        guarded(py, || Ok(self.read().factor().gain()))
    }
}

impl NativeProcess {
    fn read(&self) -> std::sync::RwLockReadGuard<'_, Posterior> {
        self.posterior.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn beliefs(&self, points: &Points) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        let posterior = self.read();
        check_dims(points, &posterior)?;
        let part = |range| {
            let (mut means, mut deviations) = posterior.predict_many(points.view().range(range));
            (means.swap_remove(0), deviations.swap_remove(0))
        };
        let parts = std::thread::scope(|scope| {
            let started: Vec<_> =
                shares(points.len()).map(|range| scope.spawn(|| part(range))).collect();
            started.into_iter().map(joined).collect::<Vec<_>>()
        });
        let (means, deviations): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        Ok((means.concat(), deviations.concat()))
    }

    fn slopes(&self, points: &Points) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        let posterior = self.read();
        let (mut mean, mut deviation) = (Vec::new(), Vec::new());
        for i in 0..points.len() {
            let gradient = posterior.predict_with_gradient(&points.point(i))?;
            mean.extend(&gradient.mean[0]);
            deviation.extend(&gradient.deviation[0]);
        }
        Ok((mean, deviation))
    }
}

/// A share of the points for every core. Each is made of whole blocks that are solved together, so that the numbers do not
/// depend on the number of cores.
fn shares(count: usize) -> impl Iterator<Item = Range<usize>> {
    const BLOCK: usize = 512;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let size = count.div_ceil(BLOCK).div_ceil(cores).max(1) * BLOCK;
    (0..count).step_by(size).map(move |start| start..count.min(start + size))
}

/// What a thread made; its panic goes on here, where the guard is.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
}

fn check_dims(points: &Points, posterior: &Posterior) -> Result<(), Failure> {
    let (found, expected) = (points.dims(), posterior.factor().dims());
    if found == expected {
        return Ok(());
    }
    Err(rpol::Error::WrongLength { field: "a row of X".into(), found, expected }.into())
}
