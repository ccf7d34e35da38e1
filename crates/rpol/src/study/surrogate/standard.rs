//! The models in standard units, which decisions compare in. The methods of [`Models`] themselves answer in the unit of each
//! output, after its transform.

use super::models::Models;
use crate::acquisition::{Beliefs, Neighbourhoods};
use crate::error::Result;
use crate::gp::{Expansion, Factor, Scale};
use crate::points::{Points, PointsView};
use crate::policy::score::Estimate;

impl Beliefs for Models {
    fn candidates(&self) -> &Points {
        self.candidates()
    }

    fn neighbourhoods(&self) -> &Neighbourhoods {
        self.neighbourhoods()
    }

    fn standard_pooled(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        (0..self.outputs()).map(|q| standard(self.unit(q), self.pooled(q))).collect()
    }

    fn standard_estimate(&self, x: &[f64]) -> Result<Vec<Estimate>> {
        let at = self.estimate(x)?.into_iter().enumerate();
        Ok(at.map(|(q, at)| at.standard(self.unit(q))).collect())
    }

    fn standard_estimates(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)> {
        let outputs = self.estimate_many(points).into_iter().enumerate();
        outputs.map(|(q, output)| standard(self.unit(q), output)).collect()
    }

    fn standard_expand(&self, points: &[Vec<f64>], free: &[usize]) -> Result<Vec<Vec<Expansion>>> {
        let mut out = self.expand(points, free)?;
        for outputs in &mut out {
            outputs.iter_mut().enumerate().for_each(|(q, output)| output.standardise(self.unit(q)));
        }
        Ok(out)
    }

    fn model_sizes(&self) -> Vec<usize> {
        self.factors().map(Factor::len).collect()
    }
}

/// Means and deviations in standard units.
fn standard(
    unit: Scale,
    (mut means, mut deviations): (Vec<f64>, Vec<f64>),
) -> (Vec<f64>, Vec<f64>) {
    means.iter_mut().for_each(|mean| *mean = unit.standard(*mean));
    deviations.iter_mut().for_each(|deviation| *deviation /= unit.spread);
    (means, deviations)
}
