//! Vector loops, compiled for the widest registers the machine has.

use super::cholesky::Rotation;
use crate::simd::{Loops, Math, run, run_closure};

/// $\sum_i a_i b_i$, in sixteen partial sums so that it vectorises.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, tail_a) = a.as_chunks::<16>();
    let (b, tail_b) = b.as_chunks::<16>();
    let mut sums = [0.0; 16];
    run_closure(
        #[inline(always)]
        || {
            for (x, y) in a.iter().zip(b) {
                for j in 0..16 {
                    sums[j] += x[j] * y[j];
                }
            }
        },
    );
    let tail: f64 = tail_a.iter().zip(tail_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + tail
}

/// $b \leftarrow L^{-\top}b$ for one column and the column-major lower triangle $L$: at the speed of memory, where a solve made
/// for many columns takes twice as long.
pub(super) fn solve_back(l: &[f64], stride: usize, b: &mut [f64]) {
    run(SolveBack { l, stride, b });
}

struct SolveBack<'a> {
    l: &'a [f64],
    stride: usize,
    b: &'a mut [f64],
}

impl Loops for SolveBack<'_> {
    // Four columns of L at a time, last first: what lies below them against the entries that are known, four dot products
    // that share every entry read; then the triangle among the four.
    #[inline(always)]
    fn run<M: Math>(self) {
        let Self { l, stride, b } = self;
        let n = b.len();
        let mut end = n;
        while end > 0 {
            let width = end.min(4);
            let first = end - width;
            let sums = if width == 4 && end < n {
                let below = |c: usize| &l[(first + c) * stride + end..(first + c) * stride + n];
                four_dots::<M>([below(0), below(1), below(2), below(3)], &b[end..])
            } else {
                let below = |c: usize| &l[(first + c) * stride + end..][..n - end];
                let short = |c: usize| below(c).iter().zip(&b[end..]).map(|(x, y)| x * y).sum();
                [0, 1, 2, 3].map(|c| if c < width { short(c) } else { 0.0 })
            };
            for c in (0..width).rev() {
                let column = &l[(first + c) * stride + first + c..][..width - c];
                let mut rest = b[first + c] - sums[c];
                for (k, x) in column.iter().enumerate().skip(1) {
                    rest -= x * b[first + c + k];
                }
                b[first + c] = rest / column[0];
            }
            end = first;
        }
    }
}

/// $b \leftarrow L^{-1}b$ for one column, as [`solve_back`].
pub(super) fn solve_forward(l: &[f64], stride: usize, b: &mut [f64]) {
    run(SolveForward { l, stride, b });
}

struct SolveForward<'a> {
    l: &'a [f64],
    stride: usize,
    b: &'a mut [f64],
}

impl Loops for SolveForward<'_> {
    // Four columns of L at a time: the triangle among them, then their share of all entries below.
    #[inline(always)]
    fn run<M: Math>(self) {
        forward::<M>(self.l, self.stride, self.b);
    }
}

#[inline(always)]
pub(super) fn forward<M: Math>(l: &[f64], stride: usize, b: &mut [f64]) {
    let n = b.len();
    for first in (0..n).step_by(4) {
        let end = n.min(first + 4);
        let mut z = [0.0; 4];
        for c in 0..end - first {
            let column = &l[(first + c) * stride + first + c..][..end - first - c];
            z[c] = b[first + c] / column[0];
            b[first + c] = z[c];
            for (k, x) in column.iter().enumerate().skip(1) {
                b[first + c + k] -= z[c] * x;
            }
        }
        if end < n {
            let below = |c: usize| &l[(first + c) * stride + end..(first + c) * stride + n];
            take_four::<M>(z, [below(0), below(1), below(2), below(3)], &mut b[end..]);
        }
    }
}

/// `from -= z^T vectors`.
#[inline(always)]
pub(super) fn take_four<M: Math>(z: [f64; 4], vectors: [&[f64]; 4], from: &mut [f64]) {
    let z = z.map(|z| -z);
    let [a, b, c, d] = vectors.map(|v| &v[..from.len()]);
    for (i, y) in from.iter_mut().enumerate() {
        let near = M::mul_add(z[0], a[i], M::mul_add(z[1], b[i], *y));
        *y = M::mul_add(z[2], c[i], M::mul_add(z[3], d[i], near));
    }
}

/// The dot products of four vectors with one.
#[inline(always)]
fn four_dots<M: Math>(vectors: [&[f64]; 4], with: &[f64]) -> [f64; 4] {
    const LANES: usize = 8;
    let (with, tail) = with.as_chunks::<LANES>();
    let [a, b, c, d] = vectors.map(|v| v.as_chunks::<LANES>());
    let mut sums = [[0.0; LANES]; 4];
    for ((((y, a), b), c), d) in with.iter().zip(a.0).zip(b.0).zip(c.0).zip(d.0) {
        for j in 0..LANES {
            sums[0][j] = M::mul_add(a[j], y[j], sums[0][j]);
            sums[1][j] = M::mul_add(b[j], y[j], sums[1][j]);
            sums[2][j] = M::mul_add(c[j], y[j], sums[2][j]);
            sums[3][j] = M::mul_add(d[j], y[j], sums[3][j]);
        }
    }
    let tails = [a.1, b.1, c.1, d.1];
    let mut out = [0.0; 4];
    for ((out, sums), rest) in out.iter_mut().zip(sums).zip(tails) {
        let rest: f64 = rest.iter().zip(tail).map(|(x, y)| x * y).sum();
        *out = sums.iter().sum::<f64>() + rest;
    }
    out
}

/// `y += a x`.
pub(crate) fn add_scaled(y: &mut [f64], a: f64, x: &[f64]) {
    run_closure(
        #[inline(always)]
        || {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        },
    );
}

/// `y -= x * x`, entry by entry.
pub(crate) fn subtract_squares(y: &mut [f64], x: &[f64]) {
    run_closure(
        #[inline(always)]
        || y.iter_mut().zip(x).for_each(|(y, x)| *y -= x * x),
    );
}

/// `sum += w^T rows` for `rows` of the width of `sum`, one after the other: the one pass over the
/// riders that a push costs. Four rows at a time, so that `sum` stays in registers and L1.
pub(crate) fn add_combination(sum: &mut [f64], weights: &[f64], rows: &[f64]) {
    let width = sum.len();
    if width == 0 {
        return;
    }
    run_closure(
        #[inline(always)]
        || {
            let mut four = rows.chunks_exact(4 * width);
            let mut w = weights.chunks_exact(4);
            for (r, w) in (&mut four).zip(&mut w) {
                let (r01, r23) = r.split_at(2 * width);
                let ((r0, r1), (r2, r3)) = (r01.split_at(width), r23.split_at(width));
                for j in 0..width {
                    sum[j] += (w[0] * r0[j] + w[1] * r1[j]) + (w[2] * r2[j] + w[3] * r3[j]);
                }
            }
            for (row, &w) in four.remainder().chunks_exact(width).zip(w.remainder()) {
                for j in 0..width {
                    sum[j] += w * row[j];
                }
            }
        },
    );
}

/// Rotates `row` and `carry` into each other: `(c row + s carry, c carry - s row)`.
pub(super) fn rotate(rotation: Rotation, row: &mut [f64], carry: &mut [f64]) {
    let Rotation { c, s } = rotation;
    run_closure(
        #[inline(always)]
        || {
            for (r, v) in row.iter_mut().zip(carry) {
                (*r, *v) = (c * *r + s * *v, c * *v - s * *r);
            }
        },
    );
}
