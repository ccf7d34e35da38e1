//! Writing kernels down: constructors and operators.

use super::{
    Ard, Covariance, Hamming, Kernel, Linear, Matern12, Matern32, Matern52, Periodic, Product,
    Radial, RationalQuadratic, Scaled, SquaredExponential, Sum,
};
use std::ops::{Add, Mul};

fn radial<P>(profile: P, lengthscales: impl Into<Vec<f64>>) -> Radial<P> {
    let ard = Ard::new(lengthscales);
    Radial { profile, ard }
}

impl Kernel {
    /// The [`SquaredExponential`] kernel, one length scale for each coordinate.
    pub fn squared_exponential(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self::SquaredExponential(radial(SquaredExponential {}, lengthscales))
    }

    /// The [`Matern12`] kernel, one length scale for each coordinate.
    pub fn matern12(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self::Matern12(radial(Matern12 {}, lengthscales))
    }

    /// The [`Matern32`] kernel, one length scale for each coordinate.
    pub fn matern32(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self::Matern32(radial(Matern32 {}, lengthscales))
    }

    /// The [`Matern52`] kernel, one length scale for each coordinate.
    pub fn matern52(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self::Matern52(radial(Matern52 {}, lengthscales))
    }

    /// The [`RationalQuadratic`] kernel with tail parameter $\alpha$.
    pub fn rational_quadratic(alpha: f64, lengthscales: impl Into<Vec<f64>>) -> Self {
        Self::RationalQuadratic(radial(RationalQuadratic { alpha }, lengthscales))
    }

    /// The [`Periodic`] kernel, one period and one length scale for each coordinate.
    pub fn periodic(periods: impl Into<Vec<f64>>, lengthscales: impl Into<Vec<f64>>) -> Self {
        let (periods, ard) = (periods.into(), Ard::new(lengthscales));
        Self::Periodic(Periodic { periods, ard })
    }

    /// The [`Linear`] kernel; `bias` is the variance of the constant.
    pub fn linear(bias: f64, lengthscales: impl Into<Vec<f64>>) -> Self {
        let ard = Ard::new(lengthscales);
        Self::Linear(Linear { bias, ard })
    }

    /// The [`Hamming`] kernel for categories, one length scale for each coordinate.
    pub fn hamming(lengthscales: impl Into<Vec<f64>>) -> Self {
        let ard = Ard::new(lengthscales);
        Self::Hamming(Hamming { ard })
    }

    /// The same kernel reading only the coordinates `dims`, one for each length scale.
    #[must_use]
    pub fn on(mut self, dims: impl AsRef<[usize]>) -> Self {
        self.restrict(dims.as_ref());
        self
    }

    /// This kernel times the variance $\sigma^2$.
    #[must_use]
    pub fn scaled(self, variance: f64) -> Self {
        let kernel = Box::new(self);
        Self::Scaled(Scaled { variance, kernel })
    }
}

/// The [`Sum`] of two kernels; a sum on the left grows.
impl Add for Kernel {
    type Output = Kernel;

    fn add(self, other: Kernel) -> Kernel {
        let mut terms = match self {
            Kernel::Sum(sum) => sum.terms,
            single => vec![single],
        };
        terms.push(other);
        Kernel::Sum(Sum { terms })
    }
}

/// The [`Product`] of two kernels; a product on the left grows.
impl Mul for Kernel {
    type Output = Kernel;

    fn mul(self, other: Kernel) -> Kernel {
        let mut factors = match self {
            Kernel::Product(product) => product.factors,
            single => vec![single],
        };
        factors.push(other);
        Kernel::Product(Product { factors })
    }
}
