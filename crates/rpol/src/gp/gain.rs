//! Maximum information gain over a point set.

use crate::kernel::{Covariance, Kernel, KernelRow};
use crate::linalg::{Cholesky, Riders, Step};
use crate::points::PointsView;

/// The information gain $\tfrac12\ln\det(I + K/\lambda)$ of the greedy choice of $1, 2, \dots,$ `most`
/// points of a set, repeats allowed: at each step the point of largest posterior variance.
///
/// The gain is submodular, so each entry is at least $1 - 1/e$ of the maximum over the set
/// (Nemhauser et al. 1978; Krause & Guestrin 2005; Srinivas et al. 2010, section 3).
///
/// ```
/// use rpol::{Kernel, Points, gp::greedy_gain};
/// let points = Points::from_rows(1, &[[0.0], [0.5], [1.0]]);
/// let gain = greedy_gain(&Kernel::squared_exponential([0.2]), 0.1, points.view(), 5);
/// assert!(gain.windows(2).all(|g| g[0] < g[1])); // more points tell more,
/// assert!(gain[2] - gain[1] < gain[1] - gain[0]); // but less and less each
/// ```
#[must_use]
pub fn greedy_gain(kernel: &Kernel, noise: f64, points: PointsView<'_>, most: usize) -> Vec<f64> {
    let mut rows = Riders::solve(&Cholesky::default(), points.len(), |_, _, _| ());
    let mut x = vec![0.0; points.dims()];
    let mut variance: Vec<f64> = (0..points.len())
        .map(|j| {
            points.copy_point(j, &mut x);
            kernel.diagonal(&x)
        })
        .collect();
    let mut covariances = vec![0.0; points.len()];
    let mut gains = Vec::with_capacity(most);
    let mut gain = 0.0;
    for _ in 0..most {
        let Some(best) = (0..points.len()).max_by(|i, j| variance[*i].total_cmp(&variance[*j]))
        else {
            break;
        };
        // The chosen point's own column of riders is the row of L it would be given.
        let w = (0..rows.len()).map(|i| rows.get(i, best)).collect();
        let d = (variance[best].max(0.0) + noise).sqrt();
        gain += 0.5 * (variance[best].max(0.0) / noise).ln_1p();
        gains.push(gain);
        points.copy_point(best, &mut x);
        kernel.row(KernelRow::new(&x, points), &mut covariances);
        rows.follow(&Step::Push { w, d }, &covariances);
        let last = rows.len() - 1;
        variance.iter_mut().enumerate().for_each(|(j, v)| *v -= rows.get(last, j).powi(2));
    }
    gains
}
