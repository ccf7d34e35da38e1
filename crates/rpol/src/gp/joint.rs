//! What is believed of a few points together.

use super::posterior::Posterior;

/// The joint belief about some points of a posterior, in standard units: an observation at one of them changes all of it at
/// $O(k^2)$, however many points the posterior has.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    means: Vec<f64>,
    /// Symmetric, $k \times k$.
    covariance: Vec<f64>,
}

impl Posterior {
    /// The joint belief about the `count` points that were pushed last, of every output.
    ///
    /// With $\Lambda$ the noise and $A = K + \Lambda = LL^\top$ it has the mean $y - \Lambda A^{-1}y$ and the covariance
    /// $\Lambda - \Lambda A^{-1}\Lambda$, and of both the last entries need no more than the last corner of $L$.
    pub(crate) fn latest(&self, count: usize) -> Vec<Joint> {
        let factor = self.factor();
        let first = factor.len() - count;
        let jitter = &factor.cholesky().jitter()[first..];
        let noise: Vec<f64> =
            factor.noise()[first..].iter().zip(jitter).map(|(v, j)| v + j).collect();
        let precision = factor.cholesky().inverse_from(first);
        let mut covariance = vec![0.0; count * count];
        for j in 0..count {
            for i in j..count {
                let own = if i == j { noise[i] } else { 0.0 };
                let entry = own - noise[i] * precision[j * count + i] * noise[j];
                covariance[j * count + i] = entry;
                covariance[i * count + j] = entry;
            }
        }
        let joint = |q: usize| {
            let mut weights = self.whitened(q)[first..].to_vec();
            factor.cholesky().solve_transposed_from(first, &mut weights);
            let targets = (first..factor.len()).map(|i| self.target(i, q));
            let means =
                targets.zip(weights.iter().zip(&noise)).map(|(y, (w, v))| y - v * w).collect();
            Joint { means, covariance: covariance.clone() }
        };
        (0..self.outputs()).map(joint).collect()
    }
}

impl Joint {
    /// The belief about some of the points only.
    pub(crate) fn of(&self, places: &[usize]) -> Self {
        let k = self.means.len();
        let row = |i: &usize| places.iter().map(|j| self.covariance[i * k + j]).collect::<Vec<_>>();
        Self {
            means: places.iter().map(|i| self.means[*i]).collect(),
            covariance: places.iter().flat_map(row).collect(),
        }
    }

    pub(crate) fn mean(&self, i: usize) -> f64 {
        self.means[i]
    }

    pub(crate) fn deviation(&self, i: usize) -> f64 {
        self.covariance[i * self.means.len() + i].max(0.0).sqrt()
    }

    /// Takes in a value observed at point `i`; the information gained by it, in nats.
    pub(crate) fn observe(&mut self, i: usize, value: f64, noise: f64) -> f64 {
        let k = self.means.len();
        let column = self.covariance[i * k..(i + 1) * k].to_vec();
        let variance = column[i].max(0.0) + noise;
        let surprise = (value - self.means[i]) / variance;
        for (j, c) in column.iter().enumerate() {
            self.means[j] += c * surprise;
            let row = &mut self.covariance[j * k..(j + 1) * k];
            row.iter_mut().zip(&column).for_each(|(entry, d)| *entry -= c * d / variance);
        }
        0.5 * (variance / noise).ln()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gp::{Factor, Scale};
    use crate::kernel::Kernel;
    use crate::random::Stream;

    /// Twelve points, their values, and more of them at some of the last five.
    #[test]
    fn it_is_what_the_whole_posterior_says_of_these_points() {
        let (mut stream, scale) = (Stream::new(4, 0), Scale { centre: 2.0, spread: 3.0 });
        let factor = Factor::new(Kernel::matern52([0.4]), 1).unwrap();
        let mut posterior = Posterior::new(factor, vec![scale, Scale::default()]);
        let xs: Vec<f64> = (0..12).map(|i| f64::from(i * 5 % 12) / 12.0).collect();
        for (i, x) in xs.iter().enumerate() {
            let y = [stream.normal(), stream.normal()];
            posterior.observe(&[*x], &y, 0.01 * (1 + i) as f64).unwrap();
        }
        let mut joints: Vec<Joint> =
            posterior.latest(5).iter().map(|joint| joint.of(&[4, 0, 2, 1])).collect();
        let places = [11, 7, 9, 8];
        for (i, noise) in [(0, 0.1), (1, 0.05), (1, 0.02), (3, 0.3), (0, 0.1)] {
            let (y, before) = ([stream.normal(), stream.normal()], posterior.factor().gain());
            posterior.observe(&[xs[places[i]]], &y, noise).unwrap();
            for (q, joint) in joints.iter_mut().enumerate() {
                let gained = joint.observe(i, posterior.scales()[q].standard(y[q]), noise);
                assert!((gained - (posterior.factor().gain() - before)).abs() < 1e-12);
                for (k, place) in places.iter().enumerate() {
                    let belief = posterior.predict(&[xs[*place]]).unwrap();
                    let unit = posterior.scales()[q];
                    assert!((unit.restore(joint.mean(k)) - belief.mean[q]).abs() < 1e-12);
                    assert!((unit.spread * joint.deviation(k) - belief.deviation[q]).abs() < 1e-12);
                }
            }
        }
    }
}
