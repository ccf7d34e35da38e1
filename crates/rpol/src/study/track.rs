//! One posterior, kept in step with the rows it is to contain.

use crate::error::Result;
use crate::gp::{Factor, Pool, Posterior, Scale};
use crate::kernel::Kernel;
use crate::points::Points;
use std::collections::HashMap;
use std::sync::Arc;

/// A point this far from the last is moved to the end when it is weighed anew: rotations run from a point to the end, and
/// what was played once will be played again.
const FAR: usize = 32;

/// A posterior, its pool, and the rows both contain.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pub(super) posterior: Posterior,
    pub(super) pool: Pool,
    /// In the order of the factor.
    rows: Vec<Row>,
}

/// One setting: a value for every output, and the variance of its noise.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The setting's number among the distinct ones.
    pub(super) point: u64,
    pub(super) x: Arc<[f64]>,
    pub(super) values: Vec<f64>,
    pub(super) noise: f64,
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
    pub(super) fn new(kernel: &Kernel, candidates: &Points) -> Result<Self> {
        let factor = Factor::new(kernel.clone(), candidates.dims())?;
        let posterior = Posterior::new(factor, Vec::new());
        let pool = Pool::new(candidates.clone(), &posterior);
        Ok(Self { posterior, pool, rows: Vec::new() })
    }

    /// Brings posterior and pool to `rows`, each of another setting.
    pub(super) fn sync(&mut self, rows: Vec<Row>, scales: Vec<Scale>) -> Result<()> {
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
        let mut places: HashMap<u64, usize> =
            self.rows.iter().enumerate().map(|(place, row)| (row.point, place)).collect();
        for row in wanted {
            match places.remove(&row.point) {
                None => steps.pushed.push(row.clone()),
                Some(place) => {
                    let old = &self.rows[place];
                    if old.noise != row.noise && place + FAR < self.rows.len() {
                        steps.removed.push(place);
                        steps.pushed.push(row.clone());
                    } else if old.noise != row.noise || old.values != row.values {
                        steps.changed.push((place, row.clone()));
                    }
                }
            }
        }
        steps.removed.extend(places.into_values());
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
