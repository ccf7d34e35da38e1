//! Factors of few rows: all of one stays in the nearest cache, and a library made for large ones spends more time on
//! deciding how to go about it than on the work.

use super::vector::{forward, take_four};
use crate::simd::{Loops, Math, run};

/// Up to this number of rows these loops are faster than the library's.
pub(super) const FEW: usize = 96;

/// Factors the symmetric matrix whose lower triangle is in `a`, in place: $A = LL^\top$. Whether every pivot is positive.
pub(super) fn factor(a: &mut [f64], n: usize, stride: usize) -> bool {
    let mut sound = true;
    run(Factor { a, n, stride, sound: &mut sound });
    sound
}

struct Factor<'a> {
    a: &'a mut [f64],
    n: usize,
    stride: usize,
    sound: &'a mut bool,
}

impl Loops for Factor<'_> {
    // Column by column, each less what the columns before have of it, four of them at a time.
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { a, n, stride, sound } = self;
        for j in 0..n {
            let (before, column) = a.split_at_mut(j * stride);
            let column = &mut column[j..n];
            let row = |k: usize| &before[k * stride + j..k * stride + n];
            let mut k = 0;
            while k + 4 <= j {
                let four = [row(k), row(k + 1), row(k + 2), row(k + 3)];
                take_four::<M>(four.map(|row| row[0]), four, column);
                k += 4;
            }
            for k in k..j {
                let (row, entry) = (row(k), row(k)[0]);
                for (x, y) in column.iter_mut().zip(row) {
                    *x = M::mul_add(-entry, *y, *x);
                }
            }
            if column[0].is_nan() || column[0] <= 0.0 {
                *sound = false;
                return;
            }
            let root = column[0].sqrt();
            let inverse = 1.0 / root;
            column.iter_mut().for_each(|x| *x *= inverse);
            column[0] = root;
        }
    }
}

/// $b \leftarrow L^{-1}b$ for each of the columns of `b`, which are `n` long.
pub(super) fn solve(l: &[f64], n: usize, stride: usize, b: &mut [f64]) {
    if n > 0 {
        run(Solve { l, n, stride, b });
    }
}

struct Solve<'a> {
    l: &'a [f64],
    n: usize,
    stride: usize,
    b: &'a mut [f64],
}

impl Loops for Solve<'_> {
    #[inline(always)]
    fn run<M: Math>(self) {
        for column in self.b.chunks_exact_mut(self.n) {
            forward::<M>(self.l, self.stride, column);
        }
    }
}

/// $B \leftarrow L^{-1}B$ for rows of one width, laid end to end.
pub(super) fn solve_rows(l: &[f64], n: usize, stride: usize, rows: &mut [f64], width: usize) {
    run(SolveRows { l, n, stride, rows, width });
}

struct SolveRows<'a> {
    l: &'a [f64],
    n: usize,
    stride: usize,
    rows: &'a mut [f64],
    width: usize,
}

/// Columns that are solved side by side: all of them stay in the nearest cache.
const WIDE: usize = 64;

impl Loops for SolveRows<'_> {
    // So many columns at a time, in a room of their own: each row less what those above have of it, four at a time. All columns
    // do the same, so that not even the triangle itself is left to single numbers.
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { l, n, stride, rows, width } = self;
        let mut tile = vec![0.0; n * WIDE];
        for start in (0..width).step_by(WIDE) {
            let wide = WIDE.min(width - start);
            for i in 0..n {
                let (above, own) = tile.split_at_mut(i * WIDE);
                let own = &mut own[..wide];
                let row = &mut rows[i * width + start..][..wide];
                own.copy_from_slice(row);
                let known = |k: usize| &above[k * WIDE..k * WIDE + wide];
                let entry = |k: usize| l[k * stride + i];
                let fours = i / 4 * 4;
                for k in (0..fours).step_by(4) {
                    let entries = [entry(k), entry(k + 1), entry(k + 2), entry(k + 3)];
                    let four = [known(k), known(k + 1), known(k + 2), known(k + 3)];
                    take_four::<M>(entries, four, own);
                }
                for k in fours..i {
                    let entry = -entry(k);
                    for (x, y) in own.iter_mut().zip(known(k)) {
                        *x = M::mul_add(entry, *y, *x);
                    }
                }
                let inverse = 1.0 / entry(i);
                own.iter_mut().for_each(|x| *x *= inverse);
                row.copy_from_slice(own);
            }
        }
    }
}

/// The lower triangle of $(LL^\top)^{-1}$, column-major with stride `n`.
pub(super) fn inverse(l: &[f64], n: usize, stride: usize) -> Vec<f64> {
    let mut out = vec![0.0; n * n];
    run(Inverse { l, n, stride, out: &mut out });
    out
}

struct Inverse<'a> {
    l: &'a [f64],
    n: usize,
    stride: usize,
    out: &'a mut [f64],
}

impl Loops for Inverse<'_> {
    // The rows of L^-1, and then the sum of their outer products, four rows at a time.
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { l, n, stride, out } = self;
        let (mut rows, mut column) = (vec![0.0; n * n], vec![0.0; n]);
        for j in 0..n {
            let column = &mut column[j..];
            column.fill(0.0);
            column[0] = 1.0;
            forward::<M>(&l[j * stride + j..], stride, column);
            for (k, x) in (j..n).zip(column) {
                rows[k * n + j] = *x;
            }
        }
        for j in 0..n {
            let mut k = j;
            while k < n {
                let width = (n - k).min(4);
                let end = (k + width).min(n);
                let target = &mut out[j * n + j..j * n + end];
                let row = |c: usize| &rows[(k + c) * n + j..(k + c) * n + end];
                if width == 4 {
                    let four = [row(0), row(1), row(2), row(3)];
                    // Minus: it subtracts.
                    take_four::<M>(four.map(|row| -row[0]), four, target);
                } else {
                    for c in 0..width {
                        let entry = row(c)[0];
                        for (x, y) in target.iter_mut().zip(row(c)) {
                            *x = M::mul_add(entry, *y, *x);
                        }
                    }
                }
                k += width;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dense;
    use super::*;

    /// Against the library, whatever the number of rows leaves of four.
    #[test]
    fn as_the_library_has_it() {
        for n in [1, 2, 3, 4, 5, 7, 8, 13, 31, 64, FEW] {
            let stride = n + 3;
            let entry = |i: usize, j: usize| {
                let near = (-0.1 * i.abs_diff(j) as f64).exp();
                near * (0.3 * (i * j) as f64).cos().abs() + if i == j { n as f64 } else { 0.0 }
            };
            let mut a = vec![0.0; n * stride];
            (0..n).for_each(|j| (j..n).for_each(|i| a[j * stride + i] = entry(i, j)));
            let mut expected = a.clone();
            assert!(factor(&mut a, n, stride) && dense::factor(&mut expected, n, stride).is_ok());
            let close = |x: &f64, y: &f64| (x - y).abs() < 1e-12 * n as f64;
            // Above the diagonal the library leaves what it likes.
            let lower =
                |stride: usize| (0..n).flat_map(move |j| (j..n).map(move |i| j * stride + i));
            assert!(lower(stride).all(|k| close(&a[k], &expected[k])), "the factor of {n}");
            let (mut b, mut c) = (vec![0.7; 3 * n], vec![0.7; 3 * n]);
            solve(&a, n, stride, &mut b);
            dense::solve(&a, n, stride, &mut c);
            assert!(b.iter().zip(&c).all(|(x, y)| close(x, y)), "solved by {n}");
            for width in [1, 31, 33, 70] {
                let mut rows: Vec<f64> = (0..n * width).map(|k| (k as f64).sin()).collect();
                let column = |j: usize| (0..n).map(|i| ((i * width + j) as f64).sin()).collect();
                let mut columns: Vec<f64> = (0..width).flat_map::<Vec<f64>, _>(column).collect();
                solve_rows(&a, n, stride, &mut rows, width);
                dense::solve(&a, n, stride, &mut columns);
                let same = |k: usize| close(&rows[k], &columns[k % width * n + k / width]);
                assert!((0..n * width).all(same), "{width} columns solved by {n}");
            }
            let (ours, theirs) = (inverse(&a, n, stride), dense::inverse(&a, n, stride));
            assert!(lower(n).all(|k| close(&ours[k], &theirs[k])), "the inverse of {n}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(!factor(&mut [1.0, 2.0, 0.0, 1.0], 2, 2));
        assert!(!factor(&mut [f64::NAN], 1, 1));
    }
}
