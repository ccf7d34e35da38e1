//! The model for its own sake.

use crate::failure::{Failure, guarded};
use crate::kernel::{matrix, points, read};
use crate::spec::written;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rpol::gp::evidence::{self, Data, Hyper};
use rpol::gp::{self, Factor, Lengths, Posterior, Scale};
use rpol::random::Stream;
use rpol::{Kernel, Points};
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

/// Observations as they come from Python: points, values, and the noise variance of each where it is known.
struct Observed {
    x: Points,
    y: Vec<f64>,
    variances: Option<Vec<f64>>,
}

impl Observed {
    fn new(
        x: &PyReadonlyArray2<'_, f64>,
        y: &PyReadonlyArray1<'_, f64>,
        variances: Option<&PyReadonlyArray1<'_, f64>>,
    ) -> Self {
        let listed = |values: &PyReadonlyArray1<'_, f64>| values.as_array().to_vec();
        Self { x: points(x), y: listed(y), variances: variances.map(listed) }
    }

    fn data(&self, scale: Scale) -> rpol::Result<Data> {
        let mut data = Data::new(self.x.dims(), scale);
        for (i, y) in self.y.iter().enumerate() {
            let variance = self.variances.as_ref().map(|each| each[i]);
            data.observe(&self.x.point(i), *y, variance)?;
        }
        Ok(data)
    }

    /// Of each observation, in standard units.
    fn noise(&self, shared: f64, scale: Scale) -> Vec<f64> {
        match &self.variances {
            Some(each) => each.iter().map(|v| v / scale.spread / scale.spread).collect(),
            None => vec![shared; self.y.len()],
        }
    }
}

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
