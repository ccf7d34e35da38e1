//! One posterior, kept in step with the rows it is to contain.

use crate::error::Result;
use crate::gp::{Factor, Pool, Posterior, Scale};
use crate::kernel::Kernel;
use crate::points::Points;
use std::collections::HashMap;
use std::sync::Arc;

/// The last points of a factor are the recent ones: weighed again they stay where they are, and another is moved to the end.
/// Rotations run from a point to the end, and what was played once will be played again.
pub(in crate::study) const RECENT: usize = 64;

/// A posterior, its pool, and the rows both contain.
#[derive(Debug, Clone)]
pub(in crate::study) struct Track {
    pub(in crate::study) posterior: Posterior,
    pub(in crate::study) pool: Pool,
    /// In the order of the factor.
    rows: Vec<Row>,
}

/// One setting: a value for every output, and the variance of its noise.
#[derive(Debug, Clone)]
pub(in crate::study) struct Row {
    /// The setting's number among the distinct ones.
    pub(in crate::study) point: u64,
    pub(in crate::study) x: Arc<[f64]>,
    pub(in crate::study) values: Vec<f64>,
    pub(in crate::study) noise: f64,
}

/// What brings a posterior to the rows that are wanted.
#[derive(Debug, Default)]
struct Steps {
    /// Places to take away, in falling order.
    removed: Vec<usize>,
    /// Places with another noise or other values, and their new rows.
    changed: Vec<(usize, Row)>,
    /// Rows to put at the end.
    pushed: Vec<Row>,
}

impl Track {
    pub(in crate::study) fn new(kernel: &Kernel, candidates: &Points) -> Result<Self> {
        let factor = Factor::new(kernel.clone(), candidates.dims())?;
        let posterior = Posterior::new(factor, Vec::new());
        let pool = Pool::new(candidates.clone(), &posterior);
        Ok(Self { posterior, pool, rows: Vec::new() })
    }

    /// The recent rows: those played last.
    pub(in crate::study) fn recent(&self) -> &[Row] {
        &self.rows[self.rows.len().saturating_sub(RECENT)..]
    }

    /// Brings posterior and pool to `rows`, each of another setting.
    pub(in crate::study) fn sync(&mut self, rows: Vec<Row>, scales: Vec<Scale>) -> Result<()> {
        let most = 8 + rows.len() / 4;
        let steps = self.steps(&rows);
        let other_outputs = self.posterior.outputs() != scales.len();
        if other_outputs || steps.count(&self.rows) > most {
            return self.rebuild(rows, scales);
        }
        self.take(steps, scales)
    }

    fn steps(&self, wanted: &[Row]) -> Steps {
        let mut steps = Steps::default();
        let mut bins: HashMap<u64, usize> =
            self.rows.iter().enumerate().map(|(place, row)| (row.point, place)).collect();
        for row in wanted {
            match bins.remove(&row.point) {
                None => steps.pushed.push(row.clone()),
                Some(place) => {
                    let old = &self.rows[place];
                    if old.noise != row.noise && place + RECENT < self.rows.len() {
                        steps.removed.push(place);
                        steps.pushed.push(row.clone());
                    } else if old.noise != row.noise || old.values != row.values {
                        steps.changed.push((place, row.clone()));
                    }
                }
            }
        }
        steps.removed.extend(bins.into_values());
        steps.removed.sort_unstable_by(|a, b| b.cmp(a));
        steps
    }

    fn take(&mut self, steps: Steps, scales: Vec<Scale>) -> Result<()> {
        let Steps { changed, removed, pushed } = steps;
        let rescaled = self.posterior.scales() != scales;
        if rescaled || !changed.is_empty() || !removed.is_empty() {
            let touched = changed.iter().map(|(place, _)| *place).chain(removed.iter().copied());
            let first = if rescaled { 0 } else { touched.min().unwrap_or(0) };
            self.rework(first, changed, removed, scales)?;
        }
        for row in pushed {
            let change = self.posterior.push(&row.x, &row.values, row.noise)?;
            self.pool.follow(&self.posterior, &change);
            self.rows.push(row);
        }
        Ok(())
    }

    /// Changes rows from `first` on: one whitening and one new look at the candidates for all.
    fn rework(
        &mut self,
        first: usize,
        changed: Vec<(usize, Row)>,
        removed: Vec<usize>,
        scales: Vec<Scale>,
    ) -> Result<()> {
        let near_the_end = 2 * first > self.rows.len();
        if near_the_end {
            self.pool.drop_rows(&self.posterior, first);
        }
        for (place, row) in changed {
            if let Some(change) = self.posterior.replace(place, &row.values, row.noise)? {
                self.pool.ride(&self.posterior, &change);
            }
            self.rows[place] = row;
        }
        for place in removed {
            let change = self.posterior.remove(place)?;
            self.pool.ride(&self.posterior, &change);
            self.rows.remove(place);
        }
        if self.posterior.retarget(scales) >= first && near_the_end {
            self.pool.add_rows(&self.posterior, first);
        } else {
            self.pool.retarget(&self.posterior);
        }
        Ok(())
    }

    fn rebuild(&mut self, rows: Vec<Row>, scales: Vec<Scale>) -> Result<()> {
        let factor = self.posterior.factor();
        let empty = Factor::new(factor.kernel().clone(), factor.dims())?;
        let points: Vec<&[f64]> = rows.iter().map(|row| &*row.x).collect();
        let points = Points::from_rows(factor.dims(), &points);
        let targets: Vec<&[f64]> = rows.iter().map(|row| row.values.as_slice()).collect();
        let noise: Vec<f64> = rows.iter().map(|row| row.noise).collect();
        self.posterior = Posterior::build(empty, scales, points.view(), &targets, &noise)?;
        self.pool.refresh(&self.posterior);
        self.rows = rows;
        Ok(())
    }
}

impl Steps {
    /// Changes of the factor.
    fn count(&self, rows: &[Row]) -> usize {
        let weighed = |(place, row): &&(usize, Row)| rows[*place].noise != row.noise;
        self.removed.len() + self.pushed.len() + self.changed.iter().filter(weighed).count()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn track() -> Track {
        let candidates: Vec<[f64; 1]> = (0..40).map(|i| [f64::from(i) / 39.0]).collect();
        Track::new(&Kernel::matern52([0.2]), &Points::from_rows(1, &candidates)).unwrap()
    }

    fn row(point: u64, values: Vec<f64>, noise: f64) -> Row {
        let x = [(point as f64 * 0.618).fract()];
        Row { point, x: Arc::from(x.as_slice()), values, noise }
    }

    fn scale(spread: f64) -> Vec<Scale> {
        vec![Scale { centre: 0.5, spread }, Scale { centre: -1.0, spread: 2.0 * spread }]
    }

    #[track_caller]
    fn assert_same(kept: &Track, fresh: &Track) {
        let close = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9);
        for q in 0..2 {
            assert!(close(kept.pool.mean(q), fresh.pool.mean(q)), "means of {q}");
            assert!(close(kept.pool.deviation(q), fresh.pool.deviation(q)), "deviations of {q}");
            let at = |track: &Track| track.posterior.predict(&[0.3]).unwrap().mean[q];
            assert!((at(kept) - at(fresh)).abs() < 1e-9, "the posterior of {q}");
        }
    }

    /// Points come, go, move, are weighed again and given other values and units, in any mixture.
    #[test]
    fn in_step_is_as_built_anew() {
        let mut stream = Stream::new(4, 0);
        let mut pick = |n: usize| (stream.uniform() * n as f64) as usize;
        let mut rows: Vec<Row> = (0..70).map(|i| row(i, vec![0.1, 0.2], 0.3)).collect();
        let mut kept = track();
        kept.sync(rows.clone(), scale(1.0)).unwrap();
        for step in 0..200u64 {
            for _ in 0..=pick(3) {
                let i = pick(rows.len());
                let late = rows.len() - 1 - pick(4);
                match pick(6) {
                    0 => rows.push(row(100 + 5 * step, vec![1.0, -1.0], 0.5)),
                    1 => drop(rows.remove(i)),
                    2 => rows[i].noise *= if pick(2) == 0 { 0.5 } else { 1.5 },
                    3 => rows[i].values[pick(2)] += 0.7,
                    _ => {
                        rows[late].noise *= 0.9;
                        rows[late].values[0] -= 0.2;
                    }
                }
            }
            rows.dedup_by_key(|row| row.point);
            let spread = if step % 40 < 35 { 1.0 } else { 1.3 };
            kept.sync(rows.clone(), scale(spread)).unwrap();
            let mut fresh = track();
            fresh.sync(rows.clone(), scale(spread)).unwrap();
            assert_same(&kept, &fresh);
        }
    }

    #[test]
    fn what_is_played_again_moves_to_the_end_and_stays_near() {
        let mut rows: Vec<Row> = (0..70).map(|i| row(i, vec![0.1, 0.2], 0.3)).collect();
        let mut kept = track();
        kept.sync(rows.clone(), scale(1.0)).unwrap();
        let last = |track: &Track| track.rows.last().map(|row| row.point);
        rows[3].noise = 0.15;
        kept.sync(rows.clone(), scale(1.0)).unwrap();
        assert_eq!(last(&kept), Some(3));
        rows[50].noise = 0.15;
        kept.sync(rows.clone(), scale(1.0)).unwrap();
        assert_eq!(last(&kept), Some(3), "near the end it is weighed where it is");
    }
}
