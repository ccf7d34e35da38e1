//! The quantile of the standard normal: Wichura, *Algorithm AS 241*, Applied Statistics 37, 1988.

// The coefficients stand as printed.
#![allow(clippy::excessive_precision)]

/// $\Phi^{-1}(p)$, the $z$ with $\Pr[Z \le z] = p$ for a standard normal $Z$.
///
/// Relative error about $10^{-16}$ (routine PPND16 of AS 241). The logarithm is `libm`'s, so the
/// bits do not depend on the platform. Infinite at 0 and 1, NaN outside.
///
/// ```
/// use rpol::random::normal_quantile;
/// assert_eq!(normal_quantile(0.5), 0.0);
/// assert_eq!(normal_quantile(0.25), -normal_quantile(0.75));
/// ```
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRE, 0.180625 - q * q);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    // NaN when p is outside [0, 1]: it passes through to the result.
    let r = (-libm::log(tail)).sqrt();
    let z = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&FAR, r - 5.0) };
    z.copysign(q)
}

/// $\Phi(z)$, the probability that a standard normal is at most $z$.
///
/// ```
/// use rpol::random::{normal_cdf, normal_quantile};
/// assert!((normal_cdf(normal_quantile(0.9)) - 0.9).abs() < 1e-15);
/// ```
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Numerator and denominator, lowest power first.
type Rational = ([f64; 8], [f64; 8]);

fn ratio((numerator, denominator): &Rational, x: f64) -> f64 {
    polynomial(numerator, x) / polynomial(denominator, x)
}

fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

const CENTRE: Rational = (
    [
        3.3871328727963666080,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ],
    [
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ],
);

const MIDDLE: Rational = (
    [
        1.42343711074968357734,
        4.63033784615654529590,
        5.76949722146069140550,
        3.64784832476320460504,
        1.27045825245236838258,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ],
    [
        1.0,
        2.05319162663775882187,
        1.67638483018380384940,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ],
);

const FAR: Rational = (
    [
        6.65790464350110377720,
        5.46378491116411436990,
        1.78482653991729133580,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ],
    [
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ],
);
