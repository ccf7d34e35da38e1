//! The posterior and the evidence against mpmath and scikit-learn; see `golden/gp_golden.py`.
#![allow(clippy::unwrap_used)]

use crate::gp::evidence::{Data, Hyper, evidence};
use crate::gp::{Factor, Posterior, Scale};
use crate::{Kernel, Points};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    kernel: Described,
    inputs: Vec<Vec<f64>>,
    targets: Vec<f64>,
    noise_variance: Vec<f64>,
    constant_mean: f64,
    test_inputs: Vec<Vec<f64>>,
    mean: Vec<f64>,
    sd: Vec<f64>,
    cross: Vec<Vec<f64>>,
    prior_variance: Vec<f64>,
    log_evidence: f64,
    gradient_log_params: Vec<f64>,
    gradient_log_noise: Vec<f64>,
    gradient_mean: f64,
}

#[derive(Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
enum Described {
    SquaredExponential { lengthscales: Vec<f64> },
    Matern12 { lengthscales: Vec<f64> },
    Matern32 { lengthscales: Vec<f64> },
    Matern52 { lengthscales: Vec<f64> },
    RationalQuadratic { lengthscales: Vec<f64>, alpha: f64 },
    Periodic { lengthscales: Vec<f64>, periods: Vec<f64> },
    Linear { lengthscales: Vec<f64>, bias: f64 },
    Hamming { lengthscales: Vec<f64> },
    Sum { parts: Vec<Described> },
    Product { parts: Vec<Described> },
    Scaled { variance: f64, inner: Box<Described> },
}

impl Described {
    fn kernel(&self) -> Kernel {
        use Described as D;
        let all = |parts: &[D]| parts.iter().map(D::kernel).collect::<Vec<_>>();
        match self {
            D::SquaredExponential { lengthscales } => {
                Kernel::squared_exponential(lengthscales.clone())
            }
            D::Matern12 { lengthscales } => Kernel::matern12(lengthscales.clone()),
            D::Matern32 { lengthscales } => Kernel::matern32(lengthscales.clone()),
            D::Matern52 { lengthscales } => Kernel::matern52(lengthscales.clone()),
            D::RationalQuadratic { lengthscales, alpha } => {
                Kernel::rational_quadratic(*alpha, lengthscales.clone())
            }
            D::Periodic { lengthscales, periods } => {
                Kernel::periodic(periods.clone(), lengthscales.clone())
            }
            D::Linear { lengthscales, bias } => Kernel::linear(*bias, lengthscales.clone()),
            D::Hamming { lengthscales } => Kernel::hamming(lengthscales.clone()),
            D::Sum { parts } => all(parts).into_iter().reduce(|a, b| a + b).unwrap(),
            D::Product { parts } => all(parts).into_iter().reduce(|a, b| a * b).unwrap(),
            D::Scaled { variance, inner } => inner.kernel().scaled(*variance),
        }
    }
}

impl Case {
    fn noise(&self, i: usize) -> f64 {
        self.noise_variance[i % self.noise_variance.len()]
    }

    fn dims(&self) -> usize {
        self.inputs[0].len()
    }

    fn check_posterior(&self, posterior: &Posterior) {
        for (j, x) in self.test_inputs.iter().enumerate() {
            let belief = posterior.predict(x).unwrap();
            near("mean", belief.mean[0], self.mean[j]);
            near("sd", belief.deviation[0], self.sd[j]);
        }
        let (means, deviations) =
            posterior.predict_many(Points::from_rows(self.dims(), &self.test_inputs).view());
        (0..self.mean.len()).for_each(|j| near("batch mean", means[0][j], self.mean[j]));
        (0..self.mean.len()).for_each(|j| near("batch sd", deviations[0][j], self.sd[j]));
    }
}

fn near(what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error <= 1e-9, "{what}: {found} instead of {expected}, off by {error:e}");
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../tests/golden/gp.json")).unwrap()
}

#[test]
fn posterior_agrees_with_the_golden_values() {
    for case in cases() {
        let kernel = case.kernel.kernel();
        let scale = Scale { centre: case.constant_mean, spread: 1.0 };
        let empty = || Factor::new(kernel.clone(), case.dims()).unwrap();
        let mut pushed = Posterior::new(empty(), vec![scale]);
        for (i, x) in case.inputs.iter().enumerate() {
            pushed.observe(x, &[case.targets[i]], case.noise(i)).unwrap();
        }
        case.check_posterior(&pushed);
        let targets: Vec<[f64; 1]> = case.targets.iter().map(|y| [*y]).collect();
        let noise: Vec<f64> = (0..targets.len()).map(|i| case.noise(i)).collect();
        let inputs = Points::from_rows(case.dims(), &case.inputs);
        let built =
            Posterior::build(empty(), vec![scale], inputs.view(), &targets, &noise).unwrap();
        case.check_posterior(&built);
        for (j, x) in case.test_inputs.iter().enumerate() {
            near("prior variance", kernel.value(x, x), case.prior_variance[j]);
            for (i, y) in case.inputs.iter().enumerate() {
                near("covariance", kernel.value(x, y), case.cross[j][i]);
            }
        }
    }
}

#[test]
fn evidence_and_its_gradient_agree_with_the_golden_values() {
    for case in cases() {
        let shared = case.noise_variance.len() == 1;
        let mut data = Data::new(case.dims(), Scale::default());
        for (i, x) in case.inputs.iter().enumerate() {
            let known = (!shared).then(|| case.noise(i));
            data.observe(x, case.targets[i], known).unwrap();
        }
        let (kernel, noise) = (case.kernel.kernel(), case.noise_variance[0]);
        let found = evidence(&data, &Hyper { kernel, noise, mean: case.constant_mean }).unwrap();
        near("evidence", found.value, case.log_evidence);
        let params = case.gradient_log_params.len();
        for (p, expected) in case.gradient_log_params.iter().enumerate() {
            near("gradient", found.gradient[p], *expected);
        }
        // Known variances are not learned: only the shared noise has a derivative of its own.
        let by_noise = if shared { case.gradient_log_noise[0] } else { 0.0 };
        near("gradient in the noise", found.gradient[params], by_noise);
        near("gradient in the mean", found.gradient[params + 1], case.gradient_mean);
    }
}
