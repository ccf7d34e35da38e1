//! The periodic kernel.

use super::Covariance;
use super::ard::{self, Ard, saturate};
use super::covariance::KernelRow;
use super::param::{self, Param, ParamRole};
use crate::error::Result;
use crate::simd;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The periodic kernel
/// $k(x, x') = \exp\bigl(-2 \sum_d \sin^2(\pi (x_d - x'_d) / p_d) / \ell_d^2\bigr)$ (Rasmussen &
/// Williams 2006, equation 4.31, one period for each coordinate).
///
/// $p_d$: period; $\ell_d$: length scale within it, without unit.
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::periodic([0.25], [1.0]);
/// assert!((kernel.value(&[0.1], &[0.0]) - kernel.value(&[0.6], &[0.0])).abs() < 1e-14);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Periodic {
    /// Periods $p_d > 0$, one for each coordinate that is read.
    pub(crate) periods: Vec<f64>,
    /// Coordinates and length scales.
    #[serde(flatten)]
    pub(crate) ard: Ard,
}

/// Periods between two values: the nearest whole number is taken off, which keeps the sine exact
/// far away.
fn phase(difference: f64, inverse_period: f64) -> (f64, f64) {
    let turns = saturate(difference * inverse_period);
    (turns, PI * (turns - turns.round()))
}

impl Periodic {
    /// Coordinate, $1 / \ell_d$ and $1 / p_d$.
    fn axes(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        let with_period = |(axis, &p): (ard::Axis, &f64)| (axis.dim, axis.inverse, ard::inverse(p));
        self.ard.axes().zip(&self.periods).map(with_period)
    }
}

impl Covariance for Periodic {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        let KernelRow { x, points } = at;
        out.fill(0.0);
        for (d, inverse, frequency) in self.axes() {
            for (v, y) in out.iter_mut().zip(points.column(d)) {
                let s = libm::sin(phase(x[d] - y, frequency).1) * inverse;
                *v -= 2.0 * s * s;
            }
        }
        simd::exp_each(out);
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        self.row(at, out);
        jacobian.fill(0.0);
        for (d, inverse, frequency) in self.axes() {
            let column = points.column(d);
            for (j, &k) in out.iter().enumerate() {
                let (_, angle) = phase(x[d] - column[j], frequency);
                let swing = k * inverse * libm::sin(2.0 * angle) * inverse;
                jacobian[d * column.len() + j] = -2.0 * PI * frequency * swing;
            }
        }
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        self.row(at, out);
        let (scales, periods) = jacobian.split_at_mut(self.periods.len() * points.len());
        for (i, (d, inverse, frequency)) in self.axes().enumerate() {
            let column = points.column(d);
            for (j, &k) in out.iter().enumerate() {
                let (turns, angle) = phase(x[d] - column[j], frequency);
                let s = libm::sin(angle) * inverse;
                let swing = k * inverse * libm::sin(2.0 * angle) * inverse;
                scales[i * column.len() + j] = 4.0 * k * s * s;
                periods[i * column.len() + j] = 2.0 * PI * turns * swing;
            }
        }
    }

    fn diagonal(&self, _x: &[f64]) -> f64 {
        1.0
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        param::append_logs(&self.ard.lengthscales, out);
        param::append_logs(&self.periods, out);
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        let from = param::take_logs(&mut self.ard.lengthscales, from);
        param::take_logs(&mut self.periods, from)
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        self.ard.params(path, out);
        param::push_all(out, path, "periods", ParamRole::Period, &self.periods);
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.ard.check_shape(path, dims)?;
        let count = self.ard.lengthscales.len();
        ard::check_count(path, "periods", self.periods.len(), count)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.ard.dims = Some(dims.to_vec());
    }
}
