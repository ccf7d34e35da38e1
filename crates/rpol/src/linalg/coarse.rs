//! Half-size copies of the riders' rows, for the one pass that a push makes over all of them.
//!
//! That pass, $w^\top M$, is bound by memory: at 1,000 points and 4,096 columns the rows are 32 MiB.
//! A row whose weight or size is small need not be read in full: with its entries as 32-bit
//! fixed-point numbers of the row's own scale $s_k$, reading row $k$ costs half the bytes and errs by
//! at most $|w_k| s_k 2^{-32}$ an entry. Before each pass the rows with the smallest such bounds
//! are chosen, as many as keep the *sum* of the bounds below [`TOLERANCE`]; the rest are read in full.
//! So the error is bounded beforehand, not hoped for, and the full rows stay what rotations work on.
//!
//! A copy is dropped when its row changes. Below half a million entries all rows are in the cache
//! and no copies are made.

use super::riders::{TILE, Tile};
use super::vector;

/// What the half-size rows may add up to at worst, as a share of the pushed point's own variance:
/// half of what the riders promise.
const TOLERANCE: f64 = 5e-11;
/// Below this many entries everything is in the cache, and nothing is gained.
const WORTHWHILE: usize = 1 << 19;
/// Rows copied at each push, so that no single one pays for all.
const COPIES: usize = 64;
/// The largest fixed-point number.
const TOP: f64 = i32::MAX as f64;

/// Which rows have half-size copies, and their scales: the largest entry of each.
#[derive(Debug, Clone, Default)]
pub(super) struct Coarse {
    scales: Vec<f64>,
}

impl Coarse {
    /// Forgets the copies of row `first` and later ones: they are about to change.
    pub(super) fn truncate(&mut self, first: usize, tiles: &mut [Tile]) {
        self.scales.truncate(first);
        for tile in tiles {
            tile.halves.truncate(first * tile.width);
        }
    }

    /// Copies the next few rows of `len`.
    pub(super) fn extend(&mut self, len: usize, tiles: &mut [Tile]) {
        let entries: usize = tiles.iter().map(|tile| tile.rows.len()).sum();
        if entries < WORTHWHILE {
            return;
        }
        for k in self.scales.len()..len.min(self.scales.len() + COPIES) {
            let row = |tile: &Tile| k * tile.width..(k + 1) * tile.width;
            let parts = tiles.iter().map(|tile| vector::largest(&tile.rows[row(tile)]));
            let scale = parts.fold(f64::MIN_POSITIVE, f64::max);
            for tile in tiles.iter_mut() {
                let start = tile.halves.len();
                tile.halves.resize(start + tile.width, 0);
                let full = &tile.rows[row(tile)];
                vector::round_into(&mut tile.halves[start..], TOP / scale, full);
            }
            self.scales.push(scale);
        }
    }

    /// $w^\top M$ over all rows, where `size` is the variance of the pushed point.
    pub(super) fn combine(&self, w: &[f64], size: f64, tiles: &[Tile], width: usize) -> Vec<f64> {
        let (halves, full) = self.choose(w, TOLERANCE * size);
        let steps: Vec<f64> = w.iter().zip(&self.scales).map(|(w, s)| w * s / TOP).collect();
        let mut sum = vec![0.0; width];
        for (tile, sum) in tiles.iter().zip(sum.chunks_mut(TILE)) {
            vector::add_chosen(sum, &halves, &steps, &tile.halves);
            vector::add_chosen(sum, &full, w, &tile.rows);
        }
        sum
    }

    /// The rows whose bounds, smallest first, add up to at most `tolerance`, and the others. Bounds
    /// are told apart by their power of two only: one pass, no sorting.
    fn choose(&self, w: &[f64], tolerance: f64) -> (Vec<u32>, Vec<u32>) {
        let unit = 2f64.powi(-32) / tolerance;
        let bounds = w.iter().zip(&self.scales).map(|(w, s)| w.abs() * s * unit);
        let bucket = |bound: f64| 1023u64.saturating_sub(bound.to_bits() >> 52).min(63) as usize;
        let mut sums = [0.0; 64];
        bounds.clone().for_each(|bound| sums[bucket(bound)] += bound);
        let mut total = 0.0;
        let fits = |sum: &&f64| {
            total += **sum;
            total <= 1.0
        };
        let least = 64 - sums.iter().rev().take_while(fits).count();
        let halves = bounds.map(|bound| bucket(bound) >= least).chain(std::iter::repeat(false));
        let rows = (0..w.len() as u32).zip(halves);
        let (mut chosen, mut others) = (Vec::with_capacity(w.len()), Vec::new());
        rows.for_each(|(k, half)| if half { chosen.push(k) } else { others.push(k) });
        (chosen, others)
    }
}
