//! First-order conditions by finite differences, and Newton's method on them.

use rpol_lab::problem::Problem;

/// An optimum's active set in unit coordinates: which constraints hold with equality, which coordinates are on an edge.
pub(crate) struct Kkt<'a> {
    problem: &'a Problem,
    free: Vec<usize>,
    active: Vec<usize>,
}

impl<'a> Kkt<'a> {
    pub(crate) fn new(problem: &'a Problem, unit: &[f64]) -> Self {
        let free = (0..unit.len()).filter(|&i| unit[i] > 1e-7 && unit[i] < 1.0 - 1e-7).collect();
        Self { problem, free, active: problem.optimum.active.clone() }
    }

    /// f for output 0, then the active constraints.
    fn output(&self, k: usize, unit: &[f64]) -> f64 {
        let x = self.problem.from_unit(unit);
        if k == 0 {
            self.problem.f(&x)
        } else {
            (self.problem.constraints[self.active[k - 1]].g)(&x)
        }
    }

    /// Fourth-order central differences.
    pub(crate) fn gradient(&self, k: usize, unit: &[f64], over: &[usize]) -> Vec<f64> {
        const H: f64 = 1e-4;
        over.iter()
            .map(|&i| {
                let at = |step: f64| {
                    let mut moved = unit.to_vec();
                    moved[i] += step;
                    self.output(k, &moved)
                };
                (8.0 * (at(H) - at(-H)) - (at(2.0 * H) - at(-2.0 * H))) / (12.0 * H)
            })
            .collect()
    }

    /// Gradient of the Lagrangian over the free coordinates, then the active constraints' values.
    fn residual(&self, unit: &[f64], multipliers: &[f64]) -> Vec<f64> {
        let mut residual = self.lagrangian(unit, multipliers, &self.free);
        residual.extend((1..=self.active.len()).map(|k| self.output(k, unit)));
        residual
    }

    fn lagrangian(&self, unit: &[f64], multipliers: &[f64], over: &[usize]) -> Vec<f64> {
        let mut sum = self.gradient(0, unit, over);
        for (k, m) in multipliers.iter().enumerate() {
            let g = self.gradient(k + 1, unit, over);
            sum.iter_mut().zip(g).for_each(|(s, g)| *s -= m * g);
        }
        sum
    }

    /// The multipliers that fit best over the free coordinates (normal equations).
    fn multipliers(&self, unit: &[f64]) -> Vec<f64> {
        let n = self.active.len();
        let gradients: Vec<_> = (0..=n).map(|k| self.gradient(k, unit, &self.free)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let rows = (0..n)
            .map(|i| (0..n).map(|j| dot(&gradients[i + 1], &gradients[j + 1])).collect())
            .collect();
        let right = (0..n).map(|i| dot(&gradients[i + 1], &gradients[0])).collect();
        solve(rows, right)
    }

    /// Newton's method on the conditions from `unit`.
    pub(crate) fn refine(&self, mut unit: Vec<f64>) -> Vec<f64> {
        let mut multipliers = self.multipliers(&unit);
        for _ in 0..30 {
            let residual = self.residual(&unit, &multipliers);
            let step = solve(self.jacobian(&unit, &multipliers), residual);
            for (place, &i) in self.free.iter().enumerate() {
                unit[i] -= step[place];
            }
            for (m, s) in multipliers.iter_mut().zip(&step[self.free.len()..]) {
                *m -= s;
            }
        }
        unit
    }

    fn jacobian(&self, unit: &[f64], multipliers: &[f64]) -> Vec<Vec<f64>> {
        const H: f64 = 1e-5;
        let size = self.free.len() + self.active.len();
        let mut rows = vec![vec![0.0; size]; size];
        for column in 0..size {
            let at = |step: f64| {
                let (mut unit, mut multipliers) = (unit.to_vec(), multipliers.to_vec());
                match self.free.get(column) {
                    Some(&i) => unit[i] += step,
                    None => multipliers[column - self.free.len()] += step,
                }
                self.residual(&unit, &multipliers)
            };
            for (row, (up, down)) in at(H).into_iter().zip(at(-H)).enumerate() {
                rows[row][column] = (up - down) / (2.0 * H);
            }
        }
        rows
    }

    /// The largest breach of the first-order conditions, relative to the gradient of f: a slope left over on a free
    /// coordinate, a slope into the domain on an edge, a negative multiplier.
    pub(crate) fn breach(&self, unit: &[f64]) -> f64 {
        let every: Vec<usize> = (0..unit.len()).collect();
        let multipliers = self.multipliers(unit);
        let slopes = self.lagrangian(unit, &multipliers, &every);
        let size = self.gradient(0, unit, &every).iter().fold(1.0_f64, |a, v| a.max(v.abs()));
        let slope = (0..unit.len()).map(|i| match (self.free.contains(&i), unit[i] < 0.5) {
            (true, _) => slopes[i].abs(),
            (false, true) => slopes[i],
            (false, false) => -slopes[i],
        });
        slope.chain(multipliers.iter().map(|m| -m)).fold(0.0, f64::max) / size
    }
}

/// Gaussian elimination with partial pivoting.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .expect("a row is left");
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..n {
            let factor = rows[row][column] / rows[column][column];
            for k in column..n {
                rows[row][k] -= factor * rows[column][k];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| rows[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    right
}
