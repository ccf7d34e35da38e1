//! Vector loops, compiled for the widest registers the machine has.

use super::cholesky::Rotation;
use pulp::Arch;

/// $\sum_i a_i b_i$, in eight partial sums so that it vectorises.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let mut sums = [0.0; 8];
            let (chunks_a, chunks_b) = (a.chunks_exact(8), b.chunks_exact(8));
            let tail: f64 =
                chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(x, y)| x * y).sum();
            for (x, y) in chunks_a.zip(chunks_b) {
                for j in 0..8 {
                    sums[j] += x[j] * y[j];
                }
            }
            sums.iter().sum::<f64>() + tail
        },
    )
}

/// `y += a x`.
pub(crate) fn add_scaled(y: &mut [f64], a: f64, x: &[f64]) {
    Arch::new().dispatch(
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
    Arch::new().dispatch(
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
pub(super) fn add_chosen<T: Copy + Into<f64>>(sum: &mut [f64], chosen: &[u32], w: &[f64], rows: &[T]) {
    let width = sum.len();
    let row = |k: u32| &rows[k as usize * width..][..width];
    let weight = |k: u32| w[k as usize];
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let four = chosen.chunks_exact(4);
            for &k in four.remainder() {
                let (w, row) = (weight(k), row(k));
                for j in 0..width {
                    sum[j] += w * row[j].into();
                }
            }
            for k in four {
                let w = [weight(k[0]), weight(k[1]), weight(k[2]), weight(k[3])];
                let (r0, r1, r2, r3) = (row(k[0]), row(k[1]), row(k[2]), row(k[3]));
                for j in 0..width {
                    sum[j] += (w[0] * r0[j].into() + w[1] * r1[j].into())
                        + (w[2] * r2[j].into() + w[3] * r3[j].into());
                }
            }
        },
    );
}

/// The largest absolute value.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, v| most.max(v.abs()))
}

/// Rotates `row` and `carry` into each other: `(c row + s carry, c carry - s row)`.
pub(super) fn rotate(rotation: Rotation, row: &mut [f64], carry: &mut [f64]) {
    let Rotation { c, s } = rotation;
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (r, v) in row.iter_mut().zip(carry) {
                (*r, *v) = (c * *r + s * *v, c * *v - s * *r);
            }
        },
    );
}
