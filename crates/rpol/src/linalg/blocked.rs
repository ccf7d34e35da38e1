//! Whole factors, many columns at once, and inverses.
//!
//! A triangle is cut in halves,
//! $$L = \begin{bmatrix} L_{11} & \\\\ L_{21} & L_{22} \end{bmatrix},$$
//! until so little is left that it stays in the nearest cache; between the halves stand
//! [products](super::product). Right-hand sides are rows, $X = B^\top$, so that all of them do the
//! same with neighbouring numbers: $LZ = B$ is $Z^\top = X L^{-\top}$.
//!
//! Everything is column-major `f64` in slices; a lower triangle `l` of order `n` has its column `j`
//! at `l[j * stride..]`. One thread: a decision must not depend on how many there are.

use super::product::{Part, Shape, Strips, View};
use super::vector::take_four;
use crate::simd::{Loops, Math, run};

/// Triangles of so few rows are not cut.
const FEW: usize = 16;
/// Right-hand sides that are solved side by side: with a triangle of a few hundred rows they stay in the second cache.
const ABREAST: usize = 64;
/// Rows of an inverse's factor that are solved side by side, and the depth of the products that make it up.
const PANEL: usize = 128;

/// Where a triangle is cut.
fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(8)
}

/// Factors the symmetric matrix whose lower triangle is in `a`, in place: $A = LL^\top$. Whether every pivot is positive.
pub(super) fn factor(a: &mut [f64], n: usize, stride: usize) -> bool {
    factor_part(&mut Strips::default(), a, n, stride)
}

fn factor_part(strips: &mut Strips, a: &mut [f64], n: usize, stride: usize) -> bool {
    if n <= FEW {
        let mut sound = true;
        run(Factor { a, n, stride, sound: &mut sound });
        return sound;
    }
    let half = half(n);
    let rest = n - half;
    if !factor_part(strips, a, half, stride) {
        return false;
    }
    let (left, right) = a.split_at_mut(half * stride);
    // The triangle and the rows below it share their columns.
    let triangle: Vec<f64> =
        left.chunks(stride).flat_map(|column| &column[..half]).copied().collect();
    let below = &mut left[half..];
    solve_rows_part(strips, View::columns(&triangle, half), half, below, stride, rest);
    let below = View::columns(below, stride);
    let (corner, shape) = (&mut right[half..], Shape { rows: rest, columns: rest, depth: half });
    strips.subtract(corner, stride, shape, [below, below], Part::Lower);
    factor_part(strips, corner, rest, stride)
}

struct Factor<'a> {
    a: &'a mut [f64],
    n: usize,
    stride: usize,
    sound: &'a mut bool,
}

impl Loops for Factor<'_> {
    // Column by column, each less what the columns before have of it.
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { a, n, stride, sound } = self;
        for j in 0..n {
            let (before, column) = a.split_at_mut(j * stride);
            let column = &mut column[j..n];
            let before = |k: usize| &before[k * stride + j..k * stride + n];
            take::<M>(j, |k| before(k)[0], before, column);
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

/// `column` less so many others, each times its entry.
#[inline(always)]
fn take<'a, M: Math>(
    others: usize,
    entry: impl Fn(usize) -> f64,
    other: impl Fn(usize) -> &'a [f64],
    column: &mut [f64],
) {
    let fours = others / 4 * 4;
    for k in (0..fours).step_by(4) {
        let entries = [entry(k), entry(k + 1), entry(k + 2), entry(k + 3)];
        let four = [other(k), other(k + 1), other(k + 2), other(k + 3)];
        take_four::<M>(entries, four, column);
    }
    for k in fours..others {
        let entry = -entry(k);
        for (x, y) in column.iter_mut().zip(other(k)) {
            *x = M::mul_add(entry, *y, *x);
        }
    }
}

/// $X \leftarrow XL^{-\top}$ for so many rows of $X$, whose columns begin every `apart` entries.
fn solve_rows_part(
    strips: &mut Strips,
    l: View<'_>,
    n: usize,
    x: &mut [f64],
    apart: usize,
    rows: usize,
) {
    if n <= FEW {
        return run(SolveRows { l, n, x, apart, rows });
    }
    let half = half(n);
    let (left, right) = x.split_at_mut(half * apart);
    solve_rows_part(strips, l, half, left, apart, rows);
    let shape = Shape { rows, columns: n - half, depth: half };
    let factors = [View::columns(left, apart), l.from(half, 0)];
    strips.subtract(right, apart, shape, factors, Part::Whole);
    solve_rows_part(strips, l.from(half, half), n - half, right, apart, rows);
}

struct SolveRows<'a> {
    l: View<'a>,
    n: usize,
    x: &'a mut [f64],
    apart: usize,
    rows: usize,
}

impl Loops for SolveRows<'_> {
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { l, n, x, apart, rows } = self;
        for j in 0..n {
            let (solved, column) = x.split_at_mut(j * apart);
            let column = &mut column[..rows];
            let entry = |k: usize| l.data[k * l.right + j];
            take::<M>(j, entry, |k| &solved[k * apart..k * apart + rows], column);
            let inverse = 1.0 / entry(j);
            column.iter_mut().for_each(|x| *x *= inverse);
        }
    }
}

/// $X \leftarrow XL^{-1}$, likewise.
fn solve_rows_back(
    strips: &mut Strips,
    l: View<'_>,
    n: usize,
    x: &mut [f64],
    apart: usize,
    rows: usize,
) {
    if n <= FEW {
        return run(SolveRowsBack { l, n, x, apart, rows });
    }
    let half = half(n);
    let (left, right) = x.split_at_mut(half * apart);
    solve_rows_back(strips, l.from(half, half), n - half, right, apart, rows);
    let shape = Shape { rows, columns: half, depth: n - half };
    let factors = [View::columns(right, apart), l.from(half, 0).transposed()];
    strips.subtract(left, apart, shape, factors, Part::Whole);
    solve_rows_back(strips, l, half, left, apart, rows);
}

struct SolveRowsBack<'a> {
    l: View<'a>,
    n: usize,
    x: &'a mut [f64],
    apart: usize,
    rows: usize,
}

impl Loops for SolveRowsBack<'_> {
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { l, n, x, apart, rows } = self;
        for j in (0..n).rev() {
            let (before, solved) = x.split_at_mut(((j + 1) * apart).min(x.len()));
            let column = &mut before[j * apart..j * apart + rows];
            let below = &l.data[j * l.right + j..];
            let after = |k: usize| &solved[k * apart..k * apart + rows];
            take::<M>(n - 1 - j, |k| below[k + 1], after, column);
            let inverse = 1.0 / below[0];
            column.iter_mut().for_each(|x| *x *= inverse);
        }
    }
}

/// $B \leftarrow L^{-1}B$ for rows of one width, laid end to end.
pub(super) fn solve_rows(l: &[f64], n: usize, stride: usize, rows: &mut [f64], width: usize) {
    let strips = &mut Strips::default();
    let mut x = vec![0.0; n * ABREAST.min(width)];
    for start in (0..width).step_by(ABREAST) {
        let wide = ABREAST.min(width - start);
        let part = start..start + wide;
        let own = x.chunks_exact_mut(wide).zip(rows.chunks_exact(width));
        own.for_each(|(x, row)| x.copy_from_slice(&row[part.clone()]));
        solve_rows_part(strips, View::columns(l, stride), n, &mut x, wide, wide);
        let own = x.chunks_exact(wide).zip(rows.chunks_exact_mut(width));
        own.for_each(|(x, row)| row[part.clone()].copy_from_slice(x));
    }
}

/// $B \leftarrow L^{-1}B$ for the columns of `b`, each `n` long.
pub(super) fn solve(l: &[f64], n: usize, stride: usize, b: &mut [f64]) {
    let (l, strips) = (View::columns(l, stride), &mut Strips::default());
    as_rows(n, b, |x, rows| solve_rows_part(strips, l, n, x, rows, rows));
}

/// $B \leftarrow L^{-\top}B$ for the columns of `b`, each `n` long.
pub(super) fn solve_transposed(l: &[f64], n: usize, stride: usize, b: &mut [f64]) {
    let (l, strips) = (View::columns(l, stride), &mut Strips::default());
    as_rows(n, b, |x, rows| solve_rows_back(strips, l, n, x, rows, rows));
}

/// Lets `solve` have the columns of `b` as rows, some at a time.
fn as_rows(n: usize, b: &mut [f64], mut solve: impl FnMut(&mut [f64], usize)) {
    if n == 0 {
        return;
    }
    let mut x = Vec::new();
    for columns in b.chunks_mut(n * ABREAST) {
        let rows = columns.len() / n;
        x.resize(n * rows, 0.0);
        transpose(columns, n, &mut x, rows);
        solve(&mut x, rows);
        transpose(&x, rows, columns, n);
    }
}

/// Columns of length `n` as columns of length `m`.
fn transpose(from: &[f64], n: usize, to: &mut [f64], m: usize) {
    // Eight numbers are a line of the cache.
    for top in (0..n).step_by(8) {
        for j in 0..m {
            for i in top..n.min(top + 8) {
                to[i * m + j] = from[j * n + i];
            }
        }
    }
}

/// The lower triangle of $(LL^\top)^{-1}$, column-major with stride `n`.
pub(super) fn inverse(l: &[f64], n: usize, stride: usize) -> Vec<f64> {
    let (l, strips) = (View::columns(l, stride), &mut Strips::default());
    // X = L^-T is upper triangular: its rows begin at their own column.
    let mut x = vec![0.0; n * n];
    for first in (0..n).step_by(PANEL) {
        let rows = PANEL.min(n - first);
        let panel = &mut x[first * n + first..];
        (0..rows).for_each(|j| panel[j * n + j] = 1.0);
        solve_rows_part(strips, l.from(first, first), n - first, panel, n, rows);
    }
    // X X^T, some columns of X at a time; below them X is zero.
    let mut out = vec![0.0; n * n];
    for first in (0..n).step_by(PANEL) {
        let depth = PANEL.min(n - first);
        let rows = first + depth;
        let panel = View::columns(&x, n).from(0, first);
        let shape = Shape { rows, columns: rows, depth };
        strips.subtract(&mut out, n, shape, [panel, panel], Part::Lower);
    }
    out.iter_mut().for_each(|x| *x = -*x);
    out
}

#[cfg(test)]
mod tests {
    use super::super::vector::{solve_back, solve_forward};
    use super::*;
    use crate::simd::narrow;

    const SIZES: [usize; 14] = [1, 2, 3, 5, 8, 13, 16, 17, 31, 64, 97, 128, 200, 301];

    fn entry(i: usize, j: usize, n: usize) -> f64 {
        let near = (-0.1 * i.abs_diff(j) as f64).exp();
        near * (0.3 * (i * j) as f64).cos().abs() + if i == j { n as f64 } else { 0.0 }
    }

    /// A positive definite matrix and its factor, with room to spare in every column.
    fn factored(n: usize) -> (Vec<f64>, usize) {
        let stride = n + 3;
        let mut a = vec![0.0; n * stride];
        (0..n).for_each(|j| (j..n).for_each(|i| a[j * stride + i] = entry(i, j, n)));
        assert!(factor(&mut a, n, stride));
        (a, stride)
    }

    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|k| (k as f64).sin()).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64], what: &str) {
        let worst = found.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-13, "{what}: {worst:e}");
    }

    #[test]
    fn the_product_of_the_factors_is_the_matrix() {
        for n in SIZES {
            let (l, stride) = factored(n);
            for j in 0..n {
                for i in j..n {
                    let sum: f64 = (0..=j).map(|k| l[k * stride + i] * l[k * stride + j]).sum();
                    let wrong = (sum - entry(i, j, n)).abs();
                    assert!(wrong < 1e-13 * n as f64, "({i}, {j}) of {n}: {wrong:e}");
                }
            }
        }
    }

    #[test]
    fn columns_side_by_side_are_solved_as_one_by_one() {
        for n in SIZES {
            let (l, stride) = factored(n);
            for width in [1, 7, 8, 31, 64, 70, 129] {
                let columns = numbers(n * width);
                let (mut one_by_one, mut all) = (columns.clone(), columns.clone());
                one_by_one.chunks_mut(n).for_each(|b| solve_forward(&l, stride, b));
                solve(&l, n, stride, &mut all);
                assert_close(&all, &one_by_one, &format!("{width} columns of {n}"));

                let mut rows = vec![0.0; n * width];
                transpose(&columns, n, &mut rows, width);
                solve_rows(&l, n, stride, &mut rows, width);
                let mut back = vec![0.0; n * width];
                transpose(&rows, width, &mut back, n);
                assert_close(&back, &one_by_one, &format!("{n} rows of {width}"));

                let (mut one_by_one, mut all) = (columns.clone(), columns);
                one_by_one.chunks_mut(n).for_each(|b| solve_back(&l, stride, b));
                solve_transposed(&l, n, stride, &mut all);
                assert_close(&all, &one_by_one, &format!("{width} columns of {n} back"));
            }
        }
    }

    #[test]
    fn the_inverse_solves_for_unit_vectors() {
        for n in SIZES {
            let (l, stride) = factored(n);
            let found = inverse(&l, n, stride);
            for j in 0..n {
                let mut unit = vec![0.0; n];
                unit[j] = 1.0;
                solve_forward(&l, stride, &mut unit);
                solve_back(&l, stride, &mut unit);
                assert_close(
                    &found[j * n + j..(j + 1) * n],
                    &unit[j..],
                    &format!("column {j} of {n}"),
                );
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(!factor(&mut [1.0, 2.0, 0.0, 1.0], 2, 2));
        assert!(!factor(&mut [f64::NAN], 1, 1));
        let n = 100;
        let mut a: Vec<f64> =
            (0..n * n).map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        a[90 * (n + 1)] = -1.0;
        assert!(!factor(&mut a, n, n));
    }

    #[test]
    fn bits_are_the_same_with_registers_of_four_and_of_eight() {
        let all = || {
            let (l, stride) = factored(301);
            let (mut b, mut c, mut rows) =
                (numbers(301 * 70), numbers(301 * 70), numbers(301 * 70));
            solve(&l, 301, stride, &mut b);
            solve_transposed(&l, 301, stride, &mut c);
            solve_rows(&l, 301, stride, &mut rows, 70);
            [l.clone(), b, c, rows, inverse(&l, 301, stride)]
                .map(|v| v.into_iter().map(f64::to_bits).collect::<Vec<_>>())
        };
        let best = all();
        narrow::force(true);
        let narrow = all();
        narrow::force(false);
        assert!(best == narrow);
    }
}
