//! Kernels of the scaled distance: what the squared exponential, Matern and rational quadratic
//! kernels share.

use super::ard::{Ard, saturate};
use super::covariance::{self, Covariance, KernelRow};
use super::param::{self, Param, ParamRole};
use crate::error::Result;
use crate::linalg::dot;
use crate::simd::{self, Loops, Math, run_closure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Larger squared distances count as this one, so that a profile never meets infinity.
const LARGEST_DISTANCE: f64 = 1e300;
const TILE: usize = 64;

/// A kernel $k(x, x') = \varphi(r^2)$ of $r^2 = \sum_d (x_d - x'_d)^2 / \ell_d^2$ (Rasmussen &
/// Williams 2006, section 4.2.1).
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::matern32([0.5, 2.0]);
/// assert_eq!(kernel.value(&[0.5, 0.0], &[0.0, 0.0]), kernel.value(&[0.0, 2.0], &[0.0, 0.0]));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "{P}")]
pub(crate) struct Radial<P> {
    /// The function $\varphi$.
    #[serde(flatten)]
    pub(crate) profile: P,
    /// Coordinates and length scales.
    #[serde(flatten)]
    pub(crate) ard: Ard,
}

/// The function $\varphi(r^2)$ of a radial kernel, $\varphi(0) = 1$; implementations are
/// `#[inline(always)]` so that they are vectorised in the caller's loop.
pub(crate) trait Profile {
    /// $\varphi(r^2)$.
    fn value<M: Math>(&self, r2: f64) -> f64;

    /// $\mathrm d\varphi / \mathrm d(r^2)$, finite at 0 too.
    fn slope<M: Math>(&self, r2: f64) -> f64;

    /// $\mathrm d\ln\varphi / \mathrm d(r^2)$; 0 where $\varphi$ is 0.
    #[inline(always)]
    fn log_slope<M: Math>(&self, r2: f64) -> f64 {
        let value = self.value::<M>(r2);
        if value > 0.0 { self.slope::<M>(r2) / value } else { 0.0 }
    }

    /// Whether [`curvature`](Self::curvature) is known, and finite at 0 too.
    const SMOOTH: bool = false;

    /// $\mathrm d^2\varphi / \mathrm d(r^2)^2$.
    fn curvature<M: Math>(&self, _r2: f64) -> f64 {
        0.0
    }

    /// Name and value of the one parameter $\varphi$ may have.
    fn shape(&self) -> Option<(&'static str, f64)> {
        None
    }

    /// Sets that parameter.
    fn set_shape(&mut self, _value: f64) {}

    /// $\partial\varphi / \partial \ln(\text{shape})$.
    fn shape_gradient<M: Math>(&self, _r2: f64) -> f64 {
        0.0
    }
}

struct Evaluate<'a, P> {
    kernel: &'a Radial<P>,
    at: KernelRow<'a>,
    out: &'a mut [f64],
    slopes: &'a mut [f64],
    shapes: &'a mut [f64],
    curvatures: &'a mut [f64],
}

impl<P: Profile> Loops for Evaluate<'_, P> {
    // Tile by tile, so that fetching the lines of `out` overlaps with the arithmetic. Everything is filled as far as it
    // reaches: empty when not wanted.
    #[inline(always)]
    fn run<M: Math>(self) {
        let profile = &self.kernel.profile;
        for start in (0..self.at.points.len()).step_by(TILE) {
            let r2 = self.squared_distances::<M>(start);
            for (value, r2) in tail(self.out, start).iter_mut().zip(&r2) {
                *value = profile.value::<M>(*r2);
            }
            for (slope, r2) in tail(self.slopes, start).iter_mut().zip(&r2) {
                *slope = profile.slope::<M>(*r2);
            }
            for (shape, r2) in tail(self.shapes, start).iter_mut().zip(&r2) {
                *shape = profile.shape_gradient::<M>(*r2);
            }
            for (curvature, r2) in tail(self.curvatures, start).iter_mut().zip(&r2) {
                *curvature = profile.curvature::<M>(*r2);
            }
        }
    }
}

/// What lies from `start` on, if anything.
#[inline(always)]
fn tail(values: &mut [f64], start: usize) -> &mut [f64] {
    values.get_mut(start..).unwrap_or_default()
}

impl<P> Evaluate<'_, P> {
    #[inline(always)]
    fn squared_distances<M: Math>(&self, start: usize) -> [f64; TILE] {
        squared_distances::<M>(&self.kernel.ard, self.at, start)
    }
}

#[inline(always)]
fn squared_distances<M: Math>(ard: &Ard, at: KernelRow<'_>, start: usize) -> [f64; TILE] {
    let mut tile = [0.0; TILE];
    for axis in ard.axes() {
        let x = at.x[axis.dim];
        let column = &at.points.column(axis.dim)[start..];
        for (r2, y) in tile.iter_mut().zip(column) {
            let u = (x - y) * axis.inverse;
            *r2 = M::mul_add(u, u, *r2);
        }
    }
    tile.map(|r2| if r2 < LARGEST_DISTANCE { r2 } else { LARGEST_DISTANCE })
}

/// Adds up $w_j\,\partial\ln k(x, y_j)/\partial\ln\ell_i = -2w_ju_i^2\,\mathrm d\ln\varphi/\mathrm d(r^2)$.
struct SumGradients<'a, P> {
    kernel: &'a Radial<P>,
    at: KernelRow<'a>,
    weights: &'a [f64],
    out: &'a mut [f64],
}

impl<P: Profile> Loops for SumGradients<'_, P> {
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { kernel, at: KernelRow { x, points }, weights, out } = self;
        out.fill(0.0);
        for start in (0..points.len()).step_by(TILE) {
            // What is past the end weighs nothing.
            let mut slopes = [0.0; TILE];
            let r2 = squared_distances::<M>(&kernel.ard, KernelRow { x, points }, start);
            for (slope, (w, r2)) in slopes.iter_mut().zip(weights[start..].iter().zip(&r2)) {
                *slope = -2.0 * w * kernel.profile.log_slope::<M>(*r2);
            }
            for (sum, axis) in out.iter_mut().zip(kernel.ard.axes()) {
                let column = &points.column(axis.dim)[start..];
                *sum += weighed_squares::<M>(x[axis.dim], axis.inverse, column, &slopes);
            }
        }
    }
}

/// $\sum_jw_j((x - y_j)/\ell)^2$ over the tile, in eight partial sums so that it vectorises.
#[inline(always)]
fn weighed_squares<M: Math>(x: f64, inverse: f64, column: &[f64], weights: &[f64; TILE]) -> f64 {
    const LANES: usize = 8;
    let column = &column[..column.len().min(TILE)];
    let (chunks, tail) = column.as_chunks::<LANES>();
    let (heavy, _) = weights.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (y, w) in chunks.iter().zip(heavy) {
        for j in 0..LANES {
            let u = saturate((x - y[j]) * inverse);
            sums[j] = M::mul_add(w[j] * u, u, sums[j]);
        }
    }
    let mut sum = 0.0;
    for (y, w) in tail.iter().zip(&weights[chunks.len() * LANES..]) {
        let u = saturate((x - y) * inverse);
        sum += w * u * u;
    }
    for lane in sums {
        sum += lane;
    }
    sum
}

/// Entry by entry.
fn multiply(values: &mut [f64], by: &[f64]) {
    run_closure(
        #[inline(always)]
        || values.iter_mut().zip(by).for_each(|(value, by)| *value *= by),
    );
}

impl<P: Profile> Radial<P> {
    fn evaluate(&self, at: KernelRow<'_>, out: &mut [f64], slopes: &mut [f64], shapes: &mut [f64]) {
        let curvatures = &mut [];
        simd::run(Evaluate { kernel: self, at, out, slopes, shapes, curvatures });
    }
}

impl<P: Profile> Covariance for Radial<P> {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        self.evaluate(at, out, &mut [], &mut []);
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        let n = points.len();
        let mut slopes = vec![0.0; n];
        self.evaluate(at, out, &mut slopes, &mut []);
        jacobian.fill(0.0);
        for axis in self.ard.axes() {
            let column = points.column(axis.dim);
            let gradient = &mut jacobian[axis.dim * n..][..n];
            run_closure(
                #[inline(always)]
                || {
                    for (out, (y, slope)) in gradient.iter_mut().zip(column.iter().zip(&slopes)) {
                        let u = saturate((x[axis.dim] - y) * axis.inverse);
                        *out = 2.0 * slope * u * axis.inverse;
                    }
                },
            );
        }
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        let n = points.len();
        let mut slopes = vec![0.0; n];
        let (scales, shapes) = jacobian.split_at_mut(self.ard.lengthscales.len() * n);
        self.evaluate(at, out, &mut slopes, shapes);
        for (i, axis) in self.ard.axes().enumerate() {
            let column = points.column(axis.dim);
            let gradient = &mut scales[i * n..][..n];
            run_closure(
                #[inline(always)]
                || {
                    for (out, (y, slope)) in gradient.iter_mut().zip(column.iter().zip(&slopes)) {
                        let u = saturate((x[axis.dim] - y) * axis.inverse);
                        *out = -2.0 * slope * u * u;
                    }
                },
            );
        }
    }

    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        if self.profile.shape().is_some() {
            return covariance::weighed_gradient(self, at, weights, out);
        }
        simd::run(SumGradients { kernel: self, at, weights, out });
    }

    /// $4\varphi''a_ia_j + 2\varphi'\delta_{ij}/\ell_i^2$ with $a_i = (x_i - y_i)/\ell_i^2$, weighed and added up.
    fn hessian_sum(&self, at: KernelRow<'_>, free: &[usize], weights: &[f64], out: &mut [f64]) {
        if !P::SMOOTH {
            return covariance::differences(self, at, free, weights, out);
        }
        let KernelRow { x, points } = at;
        let (n, dims) = (points.len(), free.len());
        let (mut slopes, mut curvatures) = (vec![0.0; n], vec![0.0; n]);
        simd::run(Evaluate {
            kernel: self,
            at,
            out: &mut [],
            slopes: &mut slopes,
            shapes: &mut [],
            curvatures: &mut curvatures,
        });
        let slope = dot(&slopes, weights);
        multiply(&mut curvatures, weights);
        // A coordinate that is not read has no share.
        let inverse = |d: &usize| self.ard.axes().find(|a| a.dim == *d).map_or(0.0, |a| a.inverse);
        let inverses: Vec<f64> = free.iter().map(inverse).collect();
        let mut along = vec![0.0; dims * n];
        for ((d, inverse), along) in
            free.iter().zip(&inverses).zip(along.chunks_exact_mut(n.max(1)))
        {
            let column = points.column(*d);
            run_closure(
                #[inline(always)]
                || {
                    for (out, y) in along.iter_mut().zip(column) {
                        *out = saturate((x[*d] - y) * inverse) * inverse;
                    }
                },
            );
        }
        for i in 0..dims {
            let mut weighed = along[i * n..][..n].to_vec();
            multiply(&mut weighed, &curvatures);
            for j in i..dims {
                let own = if i == j { 2.0 * slope * inverses[i] * inverses[i] } else { 0.0 };
                out[i * dims + j] = 4.0 * dot(&weighed, &along[j * n..][..n]) + own;
                out[j * dims + i] = out[i * dims + j];
            }
        }
    }

    fn diagonal(&self, _x: &[f64]) -> f64 {
        1.0
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        param::append_logs(&self.ard.lengthscales, out);
        out.extend(self.profile.shape().map(|(_, value)| value.ln()));
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        let from = param::take_logs(&mut self.ard.lengthscales, from);
        if self.profile.shape().is_none() {
            return from;
        }
        self.profile.set_shape(from[0].exp());
        &from[1..]
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        self.ard.params(path, out);
        if let Some((name, value)) = self.profile.shape() {
            param::push(out, path, name, ParamRole::Shape, value);
        }
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.ard.check_shape(path, dims)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.ard.dims = Some(dims.to_vec());
    }
}
