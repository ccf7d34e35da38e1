//! Kernels $k(x, x')$: one file each; `gram` and `cross` are written once, here.
//!
//! [`Kernel`] is the description, plain data that every door reads and writes; `Covariance` is the
//! behaviour. To add a kernel: one file, one variant of `Form` and its line in the match below.
//!
//! A kernel is chosen at run time, in a file or from another language, so it is no type parameter. A
//! row of values against many points is one virtual call, so the call costs nothing.

mod ard;
mod build;
mod covariance;
mod flushed;
mod hamming;
mod inspect;
#[cfg(test)]
mod laws;
mod linear;
mod matern12;
mod matern32;
mod matern52;
mod param;
mod periodic;
mod product;
mod radial;
mod rational_quadratic;
mod scaled;
mod squared_exponential;
mod sum;

use ard::Ard;
pub(crate) use covariance::{Covariance, KernelRow};
use hamming::Hamming;
use linear::Linear;
use matern12::Matern12;
use matern32::Matern32;
use matern52::Matern52;
pub(crate) use param::{Param, ParamRole};
use periodic::Periodic;
use product::Product;
use radial::Radial;
use rational_quadratic::RationalQuadratic;
use scaled::Scaled;
use squared_exponential::SquaredExponential;
use sum::Sum;

use crate::points::{Points, PointsView};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A positive semi-definite function $k(x, x')$, the prior covariance of the unknown function at
/// two points (Rasmussen & Williams 2006, chapter 4).
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::matern52([0.2, 0.5]).on([0, 1]) * Kernel::hamming([1.0]).on([2]);
/// let (x, y) = ([0.1, 0.2, 0.0], [0.3, 0.1, 1.0]);
/// assert_eq!(kernel.value(&x, &y), kernel.value(&y, &x));
///
/// let json = serde_json::to_string(&kernel).unwrap();
/// assert_eq!(serde_json::from_str::<Kernel>(&json).unwrap(), kernel);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kernel(Form);

impl JsonSchema for Kernel {
    fn schema_name() -> Cow<'static, str> {
        "Kernel".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Form::json_schema(generator)
    }
}

/// A positive semi-definite function $k(x, x')$, the prior covariance of the unknown function at
/// two points (Rasmussen & Williams 2006, chapter 4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Form {
    /// $e^{-r^2/2}$.
    SquaredExponential(Radial<SquaredExponential>),
    /// $e^{-r}$.
    Matern12(Radial<Matern12>),
    /// $(1 + \sqrt 3 r) e^{-\sqrt 3 r}$.
    Matern32(Radial<Matern32>),
    /// $(1 + \sqrt 5 r + \tfrac53 r^2) e^{-\sqrt 5 r}$.
    Matern52(Radial<Matern52>),
    /// $(1 + r^2 / 2\alpha)^{-\alpha}$.
    RationalQuadratic(Radial<RationalQuadratic>),
    /// $\exp(-2 \sum_d \sin^2(\pi (x_d - x'_d) / p_d) / \ell_d^2)$.
    Periodic(Periodic),
    /// $\sum_d x_d x'_d / \ell_d^2 + b$.
    Linear(Linear),
    /// $\exp(-\sum_d [x_d \ne x'_d] / \ell_d)$.
    Hamming(Hamming),
    /// $\sum_i k_i(x, x')$.
    Sum(Sum),
    /// $\prod_i k_i(x, x')$.
    Product(Product),
    /// $\sigma^2 k(x, x')$.
    Scaled(Scaled),
}

/// Does the same with the kernel inside, whichever it is.
macro_rules! inside {
    ($form:expr, $kernel:ident => $use:expr) => {
        match $form {
            Form::SquaredExponential($kernel) => $use,
            Form::Matern12($kernel) => $use,
            Form::Matern32($kernel) => $use,
            Form::Matern52($kernel) => $use,
            Form::RationalQuadratic($kernel) => $use,
            Form::Periodic($kernel) => $use,
            Form::Linear($kernel) => $use,
            Form::Hamming($kernel) => $use,
            Form::Sum($kernel) => $use,
            Form::Product($kernel) => $use,
            Form::Scaled($kernel) => $use,
        }
    };
}

impl Kernel {
    fn inner(&self) -> &dyn Covariance {
        inside!(&self.0, kernel => kernel)
    }

    fn inner_mut(&mut self) -> &mut dyn Covariance {
        inside!(&mut self.0, kernel => kernel)
    }
}

/// Columns of `cross` computed together: their coordinates stay in the first-level cache.
const BLOCK: usize = 1024;

impl Kernel {
    /// The lower triangle of the column-major Gram matrix: `out[j * stride + i]`
    /// $= k(x_i, x_j)$ for $i \ge j$; the rest of `out` is left as it is.
    ///
    /// # Panics
    /// When `out` is too short for the stride.
    ///
    /// ```
    /// use rpol::{Kernel, Points};
    /// let points = Points::from_rows(1, &[[0.0], [1.0]]);
    /// let mut gram = [0.0; 4];
    /// Kernel::matern12([1.0]).gram(points.view(), &mut gram, 2);
    /// assert_eq!((gram[0], gram[3]), (1.0, 1.0));
    /// assert!((gram[1] - (-1.0f64).exp()).abs() < 1e-15);
    /// ```
    pub fn gram(&self, points: PointsView<'_>, out: &mut [f64], stride: usize) {
        let n = points.len();
        let mut x = vec![0.0; points.dims()];
        for j in 0..n {
            points.copy_point(j, &mut x);
            self.row(KernelRow::new(&x, points.range(j..n)), &mut out[j * stride + j..][..n - j]);
        }
    }

    /// The covariances between two lists: `out[i * b.len() + j]` $= k(a_i, b_j)$.
    ///
    /// # Panics
    /// When `out` has another length than `a.len() * b.len()`.
    ///
    /// ```
    /// use rpol::{Kernel, Points};
    /// let (a, b) = (Points::from_rows(1, &[[0.0]]), Points::from_rows(1, &[[1.0], [2.0]]));
    /// let (kernel, mut cross) = (Kernel::matern12([1.0]), [0.0; 2]);
    /// kernel.cross(a.view(), b.view(), &mut cross);
    /// assert_eq!(cross[1], kernel.value(&[0.0], &[2.0]));
    /// ```
    pub fn cross(&self, a: PointsView<'_>, b: PointsView<'_>, out: &mut [f64]) {
        let m = b.len();
        assert_eq!(out.len(), a.len() * m, "one entry a pair of points");
        let mut x = vec![0.0; a.dims()];
        for start in (0..m).step_by(BLOCK) {
            let end = m.min(start + BLOCK);
            for i in 0..a.len() {
                a.copy_point(i, &mut x);
                self.row(
                    KernelRow::new(&x, b.range(start..end)),
                    &mut out[i * m + start..i * m + end],
                );
            }
        }
    }

    /// $k(x, x')$ of two points; for many, [`cross`](Self::cross) is far faster.
    #[must_use]
    pub fn value(&self, x: &[f64], other: &[f64]) -> f64 {
        let mut out = [0.0];
        let other = Points::from_rows(x.len(), &[other]);
        self.row(KernelRow::new(x, other.view()), &mut out);
        out[0]
    }
}
