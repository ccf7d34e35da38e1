//! One posterior, kept in step with the rows it is to contain.

use crate::error::Result;
use crate::gp::{Factor, Pool, Posterior, Scale};
use crate::kernel::Kernel;
use crate::points::Points;

/// A posterior, its pool, and the rows both contain.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pub(super) posterior: Posterior,
    pub(super) pool: Pool,
    rows: Vec<Row>,
}

/// One point: the trial it is, a value for every output, and the variance of its noise.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) trial: usize,
    pub(super) values: Vec<f64>,
    pub(super) noise: f64,
}

impl Track {
    pub(super) fn new(kernel: &Kernel, candidates: &Points) -> Result<Self> {
        let factor = Factor::new(kernel.clone(), candidates.dims())?;
        let posterior = Posterior::new(factor, Vec::new());
        let pool = Pool::new(candidates.clone(), &posterior);
        Ok(Self { posterior, pool, rows: Vec::new() })
    }

    /// Brings posterior and pool to `rows`, which are in the order of trials.
    pub(super) fn sync(
        &mut self,
        rows: Vec<Row>,
        scales: Vec<Scale>,
        inputs: &[&[f64]],
    ) -> Result<()> {
        let same = |a: &Row, b: &Row| a.trial == b.trial && a.noise == b.noise;
        // Both lists are in the order of trials, so one walk finds what left and what came.
        let (mut left, mut came, mut corrected) = (Vec::new(), Vec::new(), Vec::new());
        let (mut old, mut new) = (self.rows.iter().peekable(), rows.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if same(a, b) => {
                    if a.values != b.values {
                        corrected.push((*a, *b));
                    }
                    old.next();
                    new.next();
                }
                (Some(a), Some(b)) if a.trial > b.trial => came.extend(new.next()),
                (Some(_), _) => left.extend(old.next()),
                (None, Some(_)) => came.extend(new.next()),
                (None, None) => break,
            }
        }
        let outputs = self.posterior.outputs() != scales.len();
        if outputs || left.len() + came.len() > 8 + rows.len() / 4 {
            self.rebuild(&rows, scales, inputs)?;
        } else {
            for row in left {
                let change = self.posterior.forget(inputs[row.trial], &row.values, row.noise)?;
                change.iter().for_each(|change| self.pool.follow(&self.posterior, change));
            }
            let mut retarget = !corrected.is_empty();
            for (a, b) in corrected {
                self.posterior.correct(inputs[a.trial], &a.values, a.noise, &b.values)?;
            }
            if self.posterior.scales() != scales {
                self.posterior.rescale(scales);
                retarget = true;
            }
            if retarget {
                self.pool.retarget(&self.posterior);
            }
            for row in came {
                let change = self.posterior.observe(inputs[row.trial], &row.values, row.noise)?;
                self.pool.follow(&self.posterior, &change);
            }
        }
        self.rows = rows;
        Ok(())
    }

    fn rebuild(&mut self, rows: &[Row], scales: Vec<Scale>, inputs: &[&[f64]]) -> Result<()> {
        let factor = self.posterior.factor();
        let empty = Factor::new(factor.kernel().clone(), factor.dims())?;
        let points: Vec<&[f64]> = rows.iter().map(|row| inputs[row.trial]).collect();
        let points = Points::from_rows(factor.dims(), &points);
        let targets: Vec<&[f64]> = rows.iter().map(|row| row.values.as_slice()).collect();
        let noise: Vec<f64> = rows.iter().map(|row| row.noise).collect();
        self.posterior = Posterior::build(empty, scales, points.view(), &targets, &noise)?;
        self.pool.refresh(&self.posterior);
        Ok(())
    }
}
