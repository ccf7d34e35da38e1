//! Writing kernels down: constructors and operators.

use super::{
    Ard, Covariance, Form, Hamming, Kernel, Linear, Matern12, Matern32, Matern52, Periodic,
    Product, Radial, RationalQuadratic, Scaled, SquaredExponential, Sum,
};
use std::ops::{Add, Mul};

fn radial<P>(profile: P, lengthscales: impl Into<Vec<f64>>) -> Radial<P> {
    let ard = Ard::new(lengthscales);
    Radial { profile, ard }
}

impl Kernel {
    /// The squared exponential kernel, one length scale for each coordinate.
    pub fn squared_exponential(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self(Form::SquaredExponential(radial(SquaredExponential {}, lengthscales)))
    }

    /// The Matern 1/2 kernel, one length scale for each coordinate.
    pub fn matern12(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self(Form::Matern12(radial(Matern12 {}, lengthscales)))
    }

    /// The Matern 3/2 kernel, one length scale for each coordinate.
    pub fn matern32(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self(Form::Matern32(radial(Matern32 {}, lengthscales)))
    }

    /// The Matern 5/2 kernel, one length scale for each coordinate.
    pub fn matern52(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self(Form::Matern52(radial(Matern52 {}, lengthscales)))
    }

    /// The rational quadratic kernel with tail parameter $\alpha$.
    pub fn rational_quadratic(alpha: f64, lengthscales: impl Into<Vec<f64>>) -> Self {
        Self(Form::RationalQuadratic(radial(RationalQuadratic { alpha }, lengthscales)))
    }

    /// The periodic kernel, one period and one length scale for each coordinate.
    pub fn periodic(periods: impl Into<Vec<f64>>, lengthscales: impl Into<Vec<f64>>) -> Self {
        let (periods, ard) = (periods.into(), Ard::new(lengthscales));
        Self(Form::Periodic(Periodic { periods, ard }))
    }

    /// The linear kernel; `bias` is the variance of the constant.
    pub fn linear(bias: f64, lengthscales: impl Into<Vec<f64>>) -> Self {
        let ard = Ard::new(lengthscales);
        Self(Form::Linear(Linear { bias, ard }))
    }

    /// The Hamming kernel for categories, one length scale for each coordinate.
    pub fn hamming(lengthscales: impl Into<Vec<f64>>) -> Self {
        let ard = Ard::new(lengthscales);
        Self(Form::Hamming(Hamming { ard }))
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
        Self(Form::Scaled(Scaled { variance, kernel }))
    }
}

/// The sum of two kernels; a sum on the left grows.
impl Add for Kernel {
    type Output = Kernel;

    fn add(self, other: Kernel) -> Kernel {
        let mut terms = match self.0 {
            Form::Sum(sum) => sum.terms,
            single => vec![Kernel(single)],
        };
        terms.push(other);
        Kernel(Form::Sum(Sum { terms }))
    }
}

/// The product of two kernels; a product on the left grows.
impl Mul for Kernel {
    type Output = Kernel;

    fn mul(self, other: Kernel) -> Kernel {
        let mut factors = match self.0 {
            Form::Product(product) => product.factors,
            single => vec![Kernel(single)],
        };
        factors.push(other);
        Kernel(Form::Product(Product { factors }))
    }
}
