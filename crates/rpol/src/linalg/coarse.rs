//! Half-size copies of the riders' rows, for the one pass that a push makes over all of them.
//!
//! That pass, $w^\top M$, is bound by memory: at 1,000 points and 4,096 columns the rows are 32 MiB.
//! A row whose weight or size is small need not be read in full: with its entries as 32-bit
//! fixed-point numbers of the row's own scale $s_k$, reading row $k$ costs half the bytes and errs by
//! at most $|w_k|\,s_k\,2^{-32}$ an entry. Before each pass the rows with the smallest such bounds
//! are chosen, as many as keep the *sum* of the bounds below [`TOLERANCE`]; the rest are read in full.
//! So the error is bounded beforehand, not hoped for, and the full rows stay what rotations work on.

use super::riders::{TILE, Tile};
use super::vector;

/// What the half-size rows may add up to, as a share of the pushed point's own variance: a fifth of
/// the drift the factor itself may reach before it is rebuilt.
const TOLERANCE: f64 = 2e-11;
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
                let full = &tile.rows[row(tile)];
                tile.halves.extend(full.iter().map(|v| (v / scale * TOP).round_ties_even() as i32));
            }
            self.scales.push(scale);
        }
    }

    /// $w^\top M$ over all rows, where `size` is the variance of the pushed point.
    pub(super) fn combine(&self, w: &[f64], size: f64, tiles: &[Tile], width: usize) -> Vec<f64> {
        let halves = self.choose(w, TOLERANCE * size);
        let full: Vec<u32> = (0..w.len() as u32).filter(|k| halves.binary_search(k).is_err()).collect();
        let steps: Vec<f64> = w.iter().zip(&self.scales).map(|(w, s)| w * s / TOP).collect();
        let mut sum = vec![0.0; width];
        for (tile, sum) in tiles.iter().zip(sum.chunks_mut(TILE)) {
            vector::add_chosen(sum, &halves, &steps, &tile.halves);
            vector::add_chosen(sum, &full, w, &tile.rows);
        }
        sum
    }

    /// The rows whose bounds, smallest first, add up to at most `tolerance`. Bounds are told apart by
    /// their power of two only: one pass, no sorting.
    fn choose(&self, w: &[f64], tolerance: f64) -> Vec<u32> {
        let bounds = w.iter().zip(&self.scales).map(|(w, s)| w.abs() * s * 2f64.powi(-32) / tolerance);
        let bucket = |bound: f64| (-bound.log2().floor()).clamp(0.0, 63.0) as usize;
        let placed: Vec<usize> = bounds.clone().map(bucket).collect();
        let mut sums = [0.0; 64];
        bounds.zip(&placed).for_each(|(bound, &bucket)| sums[bucket] += bound);
        let mut total = 0.0;
        let fits = |sum: &&f64| {
            total += **sum;
            total <= 1.0
        };
        let least = 64 - sums.iter().rev().take_while(fits).count();
        (0..placed.len() as u32).filter(|k| placed[*k as usize] >= least).collect()
    }
}
