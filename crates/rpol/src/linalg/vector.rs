//! Vector loops, compiled for the widest registers the machine has.

use super::cholesky::Rotation;
use crate::simd::run_closure;

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

/// `sum += w^T rows` for `rows` of the width of `sum`, one after the other: the one pass over the
/// riders that a push costs. Four rows at a time, so that `sum` stays in registers and L1.
pub(super) fn add_combination(sum: &mut [f64], weights: &[f64], rows: &[f64]) {
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

/// `sum += w^T rows` over the `chosen` rows only, whose entries may be integers in units of `w`.
pub(super) fn add_chosen<T: Copy + Into<f64>>(
    sum: &mut [f64],
    chosen: &[u32],
    w: &[f64],
    rows: &[T],
) {
    let width = sum.len();
    let row = |k: u32| &rows[k as usize * width..][..width];
    let four = chosen.chunks_exact(4);
    for &k in four.remainder() {
        let rows = [row(k); 4];
        add_four(sum, [w[k as usize], 0.0, 0.0, 0.0], rows);
    }
    for k in four {
        let weights = [w[k[0] as usize], w[k[1] as usize], w[k[2] as usize], w[k[3] as usize]];
        add_four(sum, weights, [row(k[0]), row(k[1]), row(k[2]), row(k[3])]);
    }
}

/// `sum += w^T rows` for four rows: `sum` is read and written once for all of them.
fn add_four<T: Copy + Into<f64>>(sum: &mut [f64], w: [f64; 4], rows: [&[T]; 4]) {
    let width = sum.len();
    let [r0, r1, r2, r3] = rows.map(|row| &row[..width]);
    run_closure(
        #[inline(always)]
        || {
            for j in 0..width {
                sum[j] += (w[0] * r0[j].into() + w[1] * r1[j].into())
                    + (w[2] * r2[j].into() + w[3] * r3[j].into());
            }
        },
    );
}

/// `out = a x`, rounded to integers.
pub(super) fn round_into(out: &mut [i32], a: f64, x: &[f64]) {
    run_closure(
        #[inline(always)]
        || {
            for (out, x) in out.iter_mut().zip(x) {
                *out = (a * x).round_ties_even() as i32;
            }
        },
    );
}

/// The largest absolute value.
pub(super) fn largest(values: &[f64]) -> f64 {
    let (chunks, tail) = values.as_chunks::<8>();
    let mut most = [0.0; 8];
    run_closure(
        #[inline(always)]
        || {
            for x in chunks {
                for j in 0..8 {
                    most[j] = if x[j].abs() > most[j] { x[j].abs() } else { most[j] };
                }
            }
        },
    );
    most.iter().chain(tail).fold(0.0, |most, v| most.max(v.abs()))
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
