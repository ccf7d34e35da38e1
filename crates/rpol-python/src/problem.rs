//! Problems with known optima.

use crate::failure::{Failure, guarded};
use crate::kernel::{matrix, points};
use crate::spec::written;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use rpol::{Error, Points};
use rpol_lab::experiment::{metric_names, spec};
use rpol_lab::problem::{Environment, NoiseReading, Problem, all, by_name};

/// The name the paper's first problem has in experiments.
const CLASSICAL: &str = "classical";

/// Names of the problems.
#[pyfunction]
pub(crate) fn problem_names(py: Python<'_>) -> PyResult<Vec<String>> {
    guarded(py, || {
        let known = all().into_iter().map(|problem| problem.name);
        Ok(std::iter::once(CLASSICAL.to_string()).chain(known).collect())
    })
}

/// Maximise $f(x)$ over a box subject to $g_i(x) \le 0$, with the optimum known.
#[pyclass(frozen, module = "rpol._rpol")]
pub(crate) struct NativeProblem {
    problem: Problem,
}

type Values<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

fn named(name: &str) -> Result<Problem, Failure> {
    if name == CLASSICAL {
        return Ok(Environment::classical(NoiseReading::Variance).problem_at(1).clone());
    }
    by_name(name).ok_or_else(|| {
        let known = all().into_iter().map(|problem| format!("{:?}", problem.name));
        let (field, value) = ("problem".into(), format!("{name:?}"));
        Error::UnknownName { field, value, known: known.collect::<Vec<_>>().join(", ") }.into()
    })
}

#[pymethods]
impl NativeProblem {
    /// The problem of that name.
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        guarded(py, || Ok(Self { problem: named(name)? }))
    }

    /// Where it comes from.
    #[getter]
    fn source(&self) -> &str {
        &self.problem.source
    }

    /// Name, least and greatest value of every parameter.
    #[getter]
    fn domain(&self) -> Vec<(String, f64, f64)> {
        self.problem.domain.iter().map(|p| (p.name.clone(), p.low, p.high)).collect()
    }

    /// Names of the metrics: `reward`, then the costs.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        metric_names(&self.problem)
    }

    /// The best feasible point and its value.
    #[getter]
    fn optimum(&self) -> (Vec<f64>, f64) {
        (self.problem.optimum.x.clone(), self.problem.optimum.value)
    }

    /// The definition of a study on it, as JSON.
    #[pyo3(signature = (rounds, seed, /))]
    fn spec(&self, py: Python<'_>, rounds: usize, seed: u64) -> PyResult<String> {
        guarded(py, || {
            let spec = spec(&self.problem, rounds, seed)?;
            spec.validate()?;
            written(&spec)
        })
    }

    /// $f$ and every $g_i$ at every row of `x`.
    #[pyo3(signature = (x, /))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Values<'py>> {
        let points = points(&x);
        let shape = [points.len(), self.problem.constraints.len()];
        let (f, g) = guarded(py, || self.values(&points))?;
        Ok((PyArray1::from_vec(py, f), matrix(py, g, shape)?))
    }
}

impl NativeProblem {
    fn values(&self, points: &Points) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        let (found, expected) = (points.dims(), self.problem.dims());
        if found != expected {
            return Err(Error::WrongLength { field: "a row of x".into(), found, expected }.into());
        }
        let (mut f, mut g) = (Vec::new(), Vec::new());
        for i in 0..points.len() {
            let x = points.point(i);
            f.push(self.problem.f(&x));
            g.extend(self.problem.g(&x));
        }
        Ok((f, g))
    }
}
