//! The only file that names the matrix library.
//!
//! Everything is column-major `f64` in slices; a lower triangle `l` of order `n` has its column `j`
//! at `l[j * stride..]`. One thread: a decision must not depend on how many there are.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{MatMut, MatRef, Par, Spec};

/// Factors the symmetric matrix whose lower triangle is in `a`, in place: $A = LL^\top$.
/// The error is the index of the pivot that is not positive.
pub(super) fn factor(a: &mut [f64], n: usize, stride: usize) -> Result<(), usize> {
    if n == 0 {
        return Ok(());
    }
    let params = Spec::default();
    let scratch = llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, params);
    llt::factor::cholesky_in_place(
        MatMut::from_column_major_slice_with_stride_mut(a, n, n, stride),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        params,
    )
    .map(drop)
    .map_err(|llt::factor::LltError::NonPositivePivot { index }| index)
}

/// $B \leftarrow L^{-1} B$ for the columns of `b`, each `n` long.
pub(super) fn solve(l: &[f64], n: usize, stride: usize, b: &mut [f64]) {
    if n > 0 && !b.is_empty() {
        let columns = b.len() / n;
        solve_lower_triangular_in_place(
            lower(l, n, stride),
            MatMut::from_column_major_slice_mut(b, n, columns),
            Par::Seq,
        );
    }
}

/// $B \leftarrow L^{-\top} B$ for the columns of `b`, each `n` long.
pub(super) fn solve_transposed(l: &[f64], n: usize, stride: usize, b: &mut [f64]) {
    if n > 0 && !b.is_empty() {
        let columns = b.len() / n;
        solve_upper_triangular_in_place(
            lower(l, n, stride).transpose(),
            MatMut::from_column_major_slice_mut(b, n, columns),
            Par::Seq,
        );
    }
}

/// The lower triangle of $(LL^\top)^{-1}$, column-major with stride `n`.
pub(super) fn inverse(l: &[f64], n: usize, stride: usize) -> Vec<f64> {
    let mut out = vec![0.0; n * n];
    if n > 0 {
        let scratch = llt::inverse::inverse_scratch::<f64>(n, Par::Seq);
        llt::inverse::inverse(
            MatMut::from_column_major_slice_mut(&mut out, n, n),
            lower(l, n, stride),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
    }
    out
}

fn lower(l: &[f64], n: usize, stride: usize) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice_with_stride(l, n, n, stride)
}
