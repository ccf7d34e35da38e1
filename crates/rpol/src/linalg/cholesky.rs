//! The growing Cholesky factor.
//!
//! *Jitter.* Two inputs that nearly coincide make a pivot vanish. Jitter on the whole diagonal
//! would change every row of $L$, so only that point's diagonal is raised: by 0, else by
//! `$10^{-13}, \dots, 10^{-6}$` of itself, the first that lifts the pivot above $64\varepsilon$ of
//! the diagonal. Earlier rows stay as they are. Jitter counts as noise in the information gain and
//! is reported by a fit. After a removal the other points keep theirs. Past the end of the ladder
//! [`Error::Singular`] names the point.

use super::{blocked, vector};
use crate::error::{Error, Result};

/// A plane rotation: $(a, b) \mapsto (c a + s b, c b - s a)$.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rotation {
    /// Cosine.
    pub(crate) c: f64,
    /// Sine.
    pub(crate) s: f64,
}

/// What a change did to the factor, so that [`Riders`](super::Riders) can follow it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// A row $(w^\top, d)$ was appended to $L$.
    Push {
        /// $w = L^{-1} k$.
        w: Vec<f64>,
        /// The new diagonal entry.
        d: f64,
    },
    /// Point `i` left; `rotations` ran over rows `i + 1..` with row `i` as the carry.
    Remove {
        /// Which point.
        i: usize,
        /// One for each later row, in ascending order.
        rotations: Vec<Rotation>,
    },
    /// The diagonal of point `i` grew; `rotations` ran over rows `i..` with a carry that began at 0.
    Raise {
        /// Which point.
        i: usize,
        /// One for each row from `i` on, in ascending order.
        rotations: Vec<Rotation>,
    },
    /// The diagonal of point `i` shrank; `rotations` ran over rows `i..`, last row first.
    Lower {
        /// Which point.
        i: usize,
        /// $p = L^{-1} v$ from entry `i` on, for the downdate $LL^\top - vv^\top$.
        p: Vec<f64>,
        /// $\sqrt{1 - p^\top p}$.
        alpha: f64,
        /// One for each row from `i` on, stored in ascending order of the row.
        rotations: Vec<Rotation>,
    },
    /// The factor was recomputed: riders must be solved again.
    Rebuild,
}

/// Pivots below this share of the diagonal are rounding error, not information.
const PIVOT_FLOOR: f64 = 64.0 * f64::EPSILON;
/// The jitter ladder, as shares of the diagonal: tried in order, recorded when used.
const LADDER: [f64; 9] = [0.0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6];

/// So many columns are solved one by one; more of them, side by side.
const SEVERAL: usize = 7;

/// Lower-triangular $L$ with $LL^\top = A$ for a symmetric positive definite $A$ that gains, loses
/// and re-weights points. Column-major in a buffer with spare capacity.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cholesky {
    columns: Vec<f64>,
    stride: usize,
    n: usize,
    jitter: Vec<f64>,
}

impl Cholesky {
    /// Factors a whole matrix. `fill(columns, stride)` writes its lower triangle, column-major.
    ///
    /// Where a pivot fails, rows are pushed one by one, each with the smallest jitter of the ladder
    /// that makes it definite; see [`jitter`](Self::jitter).
    pub(crate) fn build(n: usize, fill: impl Fn(&mut [f64], usize)) -> Result<Self> {
        let mut built = Self::with_capacity(n);
        fill(&mut built.columns, built.stride);
        let diagonal: Vec<f64> = (0..n).map(|i| built.columns[i * built.stride + i]).collect();
        built.jitter = vec![0.0; n];
        built.n = n;
        let factored = blocked::factor(&mut built.columns, n, built.stride);
        let sound = |i: usize| built.get(i, i).powi(2) > PIVOT_FLOOR * diagonal[i];
        if factored && (0..n).all(sound) {
            return Ok(built);
        }
        Self::build_row_by_row(n, fill)
    }

    fn build_row_by_row(n: usize, fill: impl Fn(&mut [f64], usize)) -> Result<Self> {
        let mut built = Self::with_capacity(n);
        let stride = built.stride;
        let mut a = vec![0.0; built.columns.len()];
        fill(&mut a, stride);
        for i in 0..n {
            let row: Vec<f64> = (0..i).map(|j| a[j * stride + i]).collect();
            built.push(row, a[i * stride + i])?;
        }
        Ok(built)
    }

    fn with_capacity(n: usize) -> Self {
        // An odd number of cache lines a column: a power of two would map all to the same sets.
        let stride = (n.max(8).div_ceil(8) | 1) * 8;
        Self { columns: vec![0.0; stride * stride], stride, n: 0, jitter: Vec::new() }
    }

    /// How many points.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// $L_{ij}$ for $i \ge j$.
    #[must_use]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.columns[j * self.stride + i]
    }

    /// $\ln\det A = 2 \sum_i \ln L_{ii}$.
    #[must_use]
    pub(crate) fn log_det(&self) -> f64 {
        (0..self.n).map(|i| 2.0 * self.get(i, i).ln()).sum()
    }

    /// What had to be added to each point's diagonal to keep the matrix definite; mostly zeros.
    #[must_use]
    pub(crate) fn jitter(&self) -> &[f64] {
        &self.jitter
    }

    /// Appends a point with covariances `row` to the earlier ones and `diagonal` with itself.
    pub(crate) fn push(&mut self, row: Vec<f64>, diagonal: f64) -> Result<Step> {
        let n = self.n;
        let mut w = row;
        self.solve(&mut w);
        let (d, jitter) = pivot(diagonal, vector::dot(&w, &w), n)?;
        self.reserve(n + 1);
        for (k, &v) in w.iter().enumerate() {
            self.columns[k * self.stride + n] = v;
        }
        self.columns[n * self.stride + n] = d;
        self.jitter.push(jitter);
        self.n = n + 1;
        Ok(Step::Push { w, d })
    }

    /// Removes point `i`: the trailing block $L_2L_2^\top + vv^\top$ is re-triangulated by plane
    /// rotations, where $v$ is what column `i` leaves behind (Golub & Van Loan 2013, section 6.5).
    pub(crate) fn remove(&mut self, i: usize) -> Step {
        let (n, stride) = (self.n, self.stride);
        for j in 0..i {
            self.columns.copy_within(j * stride + i + 1..j * stride + n, j * stride + i);
        }
        let mut carry = self.columns[i * stride + i + 1..i * stride + n].to_vec();
        let mut rotations = Vec::with_capacity(n - i - 1);
        for k in i + 1..n {
            let column = k * stride + k..k * stride + n;
            rotations.push(eliminate(&mut self.columns[column.clone()], &mut carry[k - i - 1..]));
            self.columns.copy_within(column, (k - 1) * stride + k - 1);
        }
        self.n = n - 1;
        self.jitter.remove(i);
        Step::Remove { i, rotations }
    }

    /// Adds `change` to the diagonal of point `i`.
    ///
    /// # Errors
    /// [`Error::Singular`] where a decrease would lose definiteness; nothing has changed then.
    pub(crate) fn reweight(&mut self, i: usize, change: f64) -> Result<Step> {
        if change >= 0.0 {
            Ok(self.raise(i, change.sqrt()))
        } else {
            self.lower(i, (-change).sqrt())
        }
    }

    fn raise(&mut self, i: usize, root: f64) -> Step {
        let (n, stride) = (self.n, self.stride);
        let mut carry = vec![0.0; n - i];
        carry[0] = root;
        let rotations = (i..n)
            .map(|k| {
                let column = &mut self.columns[k * stride + k..k * stride + n];
                eliminate(column, &mut carry[k - i..])
            })
            .collect();
        Step::Raise { i, rotations }
    }

    /// The stable downdate of LINPACK's `dchdd` (Golub & Van Loan 2013, section 6.5.4).
    fn lower(&mut self, i: usize, root: f64) -> Result<Step> {
        let (n, stride) = (self.n, self.stride);
        let mut p = vec![0.0; n - i];
        p[0] = root;
        vector::solve_forward(self.corner(i), stride, &mut p);
        let rest = 1.0 - vector::dot(&p, &p);
        if rest <= PIVOT_FLOOR {
            return Err(Error::Singular { index: i, jitter: 0.0 });
        }
        let alpha = rest.sqrt();
        let mut norm = alpha;
        let mut rotations = vec![Rotation { c: 1.0, s: 0.0 }; n - i];
        let mut carry = vec![0.0; n - i];
        for k in (i..n).rev() {
            let longer = norm.hypot(p[k - i]);
            let rotation = Rotation { c: norm / longer, s: -p[k - i] / longer };
            norm = longer;
            let column = &mut self.columns[k * stride + k..k * stride + n];
            vector::rotate(rotation, column, &mut carry[k - i..]);
            rotations[k - i] = rotation;
        }
        Ok(Step::Lower { i, p, alpha, rotations })
    }

    /// $b \leftarrow L^{-1} b$, for one column or several laid end to end.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        if b.len() > SEVERAL * self.n {
            return blocked::solve(&self.columns, self.n, self.stride, b);
        }
        for column in b.chunks_exact_mut(self.n.max(1)) {
            vector::solve_forward(&self.columns, self.stride, column);
        }
    }

    /// $B \leftarrow L^{-1} B$ for the rows of $B$, each of this width, laid end to end.
    pub(crate) fn solve_rows(&self, rows: &mut [f64], width: usize) {
        if self.n > 0 && width > 0 {
            blocked::solve_rows(&self.columns, self.n, self.stride, rows, width);
        }
    }

    /// $b \leftarrow L^{-1} b$ for one column whose entries before `first` are solved already.
    pub(crate) fn solve_rest(&self, first: usize, b: &mut [f64]) {
        let (solved, rest) = b.split_at_mut(first);
        for (j, z) in solved.iter().enumerate() {
            let column = &self.columns[j * self.stride + first..j * self.stride + self.n];
            vector::add_scaled(rest, -z, column);
        }
        vector::solve_forward(self.corner(first), self.stride, rest);
    }

    /// $b \leftarrow L^{-\top} b$, for one column or several laid end to end.
    pub(crate) fn solve_transposed(&self, b: &mut [f64]) {
        if b.len() > SEVERAL * self.n {
            return blocked::solve_transposed(&self.columns, self.n, self.stride, b);
        }
        for column in b.chunks_exact_mut(self.n.max(1)) {
            vector::solve_back(&self.columns, self.stride, column);
        }
    }

    /// The lower triangle of $A^{-1}$, column-major with stride $n$.
    #[must_use]
    pub(crate) fn inverse(&self) -> Vec<f64> {
        blocked::inverse(&self.columns, self.n, self.stride)
    }

    /// The lower triangle of the last corner of $A^{-1}$, from row `first` on: no more of $L$ than that corner is needed.
    #[must_use]
    pub(crate) fn inverse_from(&self, first: usize) -> Vec<f64> {
        blocked::inverse(self.corner(first), self.n - first, self.stride)
    }

    /// The last entries of $b \leftarrow L^{-\top} b$, from row `first` on, given those of `b`.
    pub(crate) fn solve_transposed_from(&self, first: usize, b: &mut [f64]) {
        vector::solve_back(self.corner(first), self.stride, b);
    }

    /// The part of $L$ below and right of the diagonal entry `first`.
    fn corner(&self, first: usize) -> &[f64] {
        if first < self.n { &self.columns[first * self.stride + first..] } else { &[] }
    }

    /// $L L^\top x$, to check the factor against the matrix it should stand for.
    #[must_use]
    pub(crate) fn multiply(&self, x: &[f64]) -> Vec<f64> {
        let column = |j: usize| &self.columns[j * self.stride + j..j * self.stride + self.n];
        let mut y = vec![0.0; self.n];
        for j in 0..self.n {
            let upper = vector::dot(column(j), &x[j..]);
            vector::add_scaled(&mut y[j..], upper, column(j));
        }
        y
    }

    fn reserve(&mut self, n: usize) {
        if n > self.stride {
            let mut larger = Self::with_capacity(n + n / 2);
            for j in 0..self.n {
                let column = &self.columns[j * self.stride..j * self.stride + self.n];
                larger.columns[j * larger.stride..][..self.n].copy_from_slice(column);
            }
            (self.columns, self.stride) = (larger.columns, larger.stride);
        }
    }
}

/// The new diagonal entry $\sqrt{a - w^\top w}$, with the smallest jitter that makes it sound.
fn pivot(diagonal: f64, explained: f64, index: usize) -> Result<(f64, f64)> {
    for share in LADDER {
        let square = diagonal * (1.0 + share) - explained;
        if square > PIVOT_FLOOR * diagonal {
            return Ok((square.sqrt(), share * diagonal));
        }
    }
    Err(Error::Singular { index, jitter: LADDER[LADDER.len() - 1] * diagonal })
}

/// Rotates the first entry of `carry` into the diagonal `column[0]`, and the rest along with it.
fn eliminate(column: &mut [f64], carry: &mut [f64]) -> Rotation {
    let length = column[0].hypot(carry[0]);
    let rotation = Rotation { c: column[0] / length, s: carry[0] / length };
    vector::rotate(rotation, column, carry);
    rotation
}
