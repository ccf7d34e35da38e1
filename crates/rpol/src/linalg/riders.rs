//! Columns $L^{-1} B$ that follow every change of $L$.
//!
//! | step | what happens to $L$ | what happens to $M$ | change of `$\lVert M_j\rVert^2$` |
//! |---|---|---|---|
//! | push | gains the row $(w^\top, d)$ | gains the row $(b - w^\top M)/d$ | plus its square |
//! | remove $i$ | `$[L_{33}, v] G = [L_{33}', 0]$`, $v$ what column $i$ leaves below row $i$ | the same rotations, row $i$ as the carry | minus the carry's square |
//! | raise `$\Lambda_{ii}$` by $r^2$ | `$[L, r e_i] G = [L', 0]$` | the same rotations, a carry of zeros | minus the carry's square |
//! | lower `$\Lambda_{ii}$` by $r^2$ | `$[L, 0] G = [L', r e_i]$` | the same rotations, the carry $-p^\top M/\alpha$ | plus that carry's square |
//!
//! The *carry* is one more row of $M$, for the column that enters or leaves $L$. Rotations are
//! orthogonal: $GG^\top$ between the two factors of `$[L, v] [M; s]$` changes nothing, so where one
//! side's extra column ends at zero its extra row may be dropped, and $L'M' = B$. In a downdate the
//! extra column is zero *before*, so the extra row must end at zero. The rotations map the carry
//! $s$ to $p^\top M + \alpha s$ up to sign, with `$p = L^{-1}v$` and
//! `$\alpha = \sqrt{1 - p^\top p}$` (LINPACK's `dchdd`); hence $s = -p^\top M/\alpha$. If $\alpha^2$ is within rounding of 0,
//! the downdate is refused and the factor rebuilt.
//!
//! Means are combined again, $M^\top z$, in one pass over the rows, because a rotation moves every
//! entry of $z$.

use super::cholesky::{Cholesky, Rotation, Step};
use super::vector;
use std::ops::Range;

/// Columns a tile holds: long rows stream well (measured: 4096 beats 1024 and 256), and the running
/// sum (32 KiB) stays in the second-level cache while the rows of the tile pass by.
const TILE: usize = 4096;

/// The rows of $M = L^{-1}B$ for a fixed set of columns $B$.
///
/// $L M = B$ is preserved by every [`Step`]: a push appends the row $(b - w^\top M)/d$, and the
/// rotations that re-triangulate $L$ are applied to the rows of $M$, with one more row, the *carry*,
/// for the column that leaves or enters. Rotations preserve column norms, so what a step does to
/// $\lVert M_j\rVert^2$ is the square of the carry: that is what [`follow`](Self::follow) returns.
#[derive(Debug, Clone)]
pub(crate) struct Riders {
    tiles: Vec<Tile>,
    width: usize,
    len: usize,
}

/// What a step did to the riders.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Followed {
    /// This row was appended.
    Appended(Vec<f64>),
    /// The squared norm of each column changed by this much.
    Rotated(Vec<f64>),
}

#[derive(Debug, Clone)]
struct Tile {
    width: usize,
    rows: Vec<f64>,
}

impl Riders {
    /// Solves $L M = B$; `row(i, columns, out)` writes a part of row `i` of $B$.
    pub(crate) fn solve(
        cholesky: &Cholesky,
        width: usize,
        mut row: impl FnMut(usize, Range<usize>, &mut [f64]),
    ) -> Self {
        let len = cholesky.len();
        let mut tiles = Vec::with_capacity(width.div_ceil(TILE));
        for start in (0..width).step_by(TILE) {
            let width = TILE.min(width - start);
            let mut rows = vec![0.0; len * width];
            for (i, out) in rows.chunks_exact_mut(width).enumerate() {
                row(i, start..start + width, out);
            }
            cholesky.solve_rows(&mut rows, width);
            tiles.push(Tile { width, rows });
        }
        Self { tiles, width, len }
    }

    /// How many columns ride along.
    #[cfg(test)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many rows each column has: the points of the factor.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// $M_{ij}$.
    #[must_use]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        let tile = &self.tiles[j / TILE];
        tile.rows[i * tile.width + j % TILE]
    }

    /// $M^\top x$, one pass over all rows.
    #[must_use]
    pub(crate) fn combine(&self, weights: &[f64]) -> Vec<f64> {
        self.combine_from(0, weights)
    }

    /// The same over the rows from `first` on.
    #[must_use]
    pub(crate) fn combine_from(&self, first: usize, weights: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        for (tile, sum) in self.tiles.iter().zip(sum.chunks_mut(TILE)) {
            vector::add_combination(sum, weights, &tile.rows[first * tile.width..]);
        }
        sum
    }

    /// Squared norm of every column.
    #[must_use]
    pub(crate) fn squared_norms(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        for (tile, sum) in self.tiles.iter().zip(sum.chunks_mut(TILE)) {
            for row in tile.rows.chunks_exact(tile.width) {
                sum.iter_mut().zip(row).for_each(|(s, v)| *s += v * v);
            }
        }
        sum
    }

    /// Follows a step; `pushed` is the new row of $B$ where the step is a push, and unused elsewhere.
    /// Nothing is followed across a [`Step::Rebuild`]: that is `None`, and `solve` is called again.
    pub(crate) fn follow(&mut self, step: &Step, pushed: &[f64]) -> Option<Followed> {
        match step {
            Step::Push { w, d } => Some(Followed::Appended(self.append(w, *d, pushed))),
            Step::Remove { i, rotations } => Some(Followed::Rotated(self.remove(*i, rotations))),
            Step::Raise { i, rotations } => Some(Followed::Rotated(self.raise(*i, rotations))),
            Step::Lower { i, p, alpha, rotations } => {
                Some(Followed::Rotated(self.lower(*i, p, *alpha, rotations)))
            }
            Step::Rebuild => None,
        }
    }

    fn append(&mut self, w: &[f64], d: f64, b: &[f64]) -> Vec<f64> {
        let mut row = self.combine(w);
        for (r, b) in row.iter_mut().zip(b) {
            *r = (b - *r) / d;
        }
        for (tile, part) in self.tiles.iter_mut().zip(row.chunks(TILE)) {
            tile.rows.extend_from_slice(part);
        }
        self.len += 1;
        row
    }

    fn remove(&mut self, i: usize, rotations: &[Rotation]) -> Vec<f64> {
        self.len -= 1;
        self.change(-1.0, |tile| {
            let width = tile.width;
            let mut carry = tile.row(i).to_vec();
            for (k, &rotation) in (i + 1..).zip(rotations) {
                vector::rotate(rotation, tile.row_mut(k), &mut carry);
                tile.rows.copy_within(k * width..(k + 1) * width, (k - 1) * width);
            }
            tile.rows.truncate(tile.rows.len() - width);
            carry
        })
    }

    fn raise(&mut self, i: usize, rotations: &[Rotation]) -> Vec<f64> {
        self.change(-1.0, |tile| {
            let mut carry = vec![0.0; tile.width];
            for (k, &rotation) in (i..).zip(rotations) {
                vector::rotate(rotation, tile.row_mut(k), &mut carry);
            }
            carry
        })
    }

    /// The carry is chosen so that the rotations bring it to zero: $-p^\top M / \alpha$.
    fn lower(&mut self, i: usize, p: &[f64], alpha: f64, rotations: &[Rotation]) -> Vec<f64> {
        self.change(1.0, |tile| {
            let mut start = vec![0.0; tile.width];
            vector::add_combination(&mut start, p, &tile.rows[i * tile.width..]);
            start.iter_mut().for_each(|v| *v /= -alpha);
            let mut carry = start.clone();
            for (k, &rotation) in (i..i + rotations.len()).zip(rotations).rev() {
                vector::rotate(rotation, tile.row_mut(k), &mut carry);
            }
            start
        })
    }

    /// Runs `work` on every tile; it returns the carry whose square entered or left the norms.
    fn change(&mut self, sign: f64, mut work: impl FnMut(&mut Tile) -> Vec<f64>) -> Vec<f64> {
        let mut change = Vec::with_capacity(self.width);
        for tile in &mut self.tiles {
            change.extend(work(tile).iter().map(|v| sign * v * v));
        }
        change
    }
}

impl Tile {
    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.rows[i * self.width..(i + 1) * self.width]
    }
}
