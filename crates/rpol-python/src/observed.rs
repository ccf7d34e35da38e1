//! Observations for the model.

use crate::kernel::points;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use rpol::Points;
use rpol::gp::Scale;
use rpol::gp::evidence::Data;

/// Observations as they come from Python: points, values, and the noise variance of each where it is known.
pub(crate) struct Observed {
    pub(crate) x: Points,
    pub(crate) y: Vec<f64>,
    variances: Option<Vec<f64>>,
}

impl Observed {
    pub(crate) fn new(
        x: &PyReadonlyArray2<'_, f64>,
        y: &PyReadonlyArray1<'_, f64>,
        variances: Option<&PyReadonlyArray1<'_, f64>>,
    ) -> Self {
        let listed = |values: &PyReadonlyArray1<'_, f64>| values.as_array().to_vec();
        Self { x: points(x), y: listed(y), variances: variances.map(listed) }
    }

    pub(crate) fn data(&self, scale: Scale) -> rpol::Result<Data> {
        let mut data = Data::new(self.x.dims(), scale);
        for (i, y) in self.y.iter().enumerate() {
            let variance = self.variances.as_ref().map(|each| each[i]);
            data.observe(&self.x.point(i), *y, variance)?;
        }
        Ok(data)
    }

    /// Of each observation, in standard units.
    pub(crate) fn noise(&self, shared: f64, scale: Scale) -> Vec<f64> {
        match &self.variances {
            Some(each) => each.iter().map(|v| v / scale.spread / scale.spread).collect(),
            None => vec![shared; self.y.len()],
        }
    }
}
