//! Which coordinates a kernel reads, and on what scale.

use super::param::{self, Param, ParamRole};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Saturating here keeps every later product finite: no 0 * infinity, hence no NaN.
const LARGEST_INVERSE: f64 = 1e50;
const LARGEST_STEP: f64 = 1e50;

/// Coordinates and their length scales $\ell_d$: "automatic relevance determination" (Rasmussen &
/// Williams 2006, section 5.1), since a fitted $\ell_d \to \infty$ makes coordinate $d$ irrelevant.
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::squared_exponential([0.3]).on([1]);
/// assert_eq!(kernel.value(&[0.0, 0.5], &[9.0, 0.5]), 1.0);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Ard {
    /// Length scales $\ell_d > 0$.
    pub(crate) lengthscales: Vec<f64>,
    /// The coordinate each length scale belongs to; absent means all coordinates in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dims: Option<Vec<usize>>,
}

/// One coordinate that is read: its index and $1 / \ell_d$.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) dim: usize,
    pub(super) inverse: f64,
}

impl Ard {
    /// All coordinates in order.
    pub(crate) fn new(lengthscales: impl Into<Vec<f64>>) -> Self {
        Self { lengthscales: lengthscales.into(), dims: None }
    }

    pub(super) fn axes(&self) -> impl Iterator<Item = Axis> {
        let axis = |(i, lengthscale): (usize, &f64)| Axis {
            dim: self.dims.as_ref().map_or(i, |dims| dims[i]),
            inverse: inverse(*lengthscale),
        };
        self.lengthscales.iter().enumerate().map(axis)
    }

    pub(super) fn params(&self, path: &str, out: &mut Vec<Param>) {
        let role = ParamRole::Lengthscale;
        param::push_all(out, path, "lengthscales", role, &self.lengthscales);
    }

    pub(super) fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        let count = self.dims.as_ref().map_or(dims, Vec::len);
        if count == 0 {
            let problem = "no coordinate is read: give at least one";
            return Err(Error::spec(param::join(path, "dims"), problem));
        }
        check_count(path, "lengthscales", self.lengthscales.len(), count)?;
        match &self.dims {
            Some(list) => check_dims(&param::join(path, "dims"), list, dims),
            None => Ok(()),
        }
    }
}

/// $1 / v$, saturated.
pub(super) fn inverse(v: f64) -> f64 {
    (1.0 / v).min(LARGEST_INVERSE)
}

/// $v$, saturated; infinities become finite.
#[inline(always)]
pub(super) fn saturate(v: f64) -> f64 {
    v.clamp(-LARGEST_STEP, LARGEST_STEP)
}

/// A list with one entry for each coordinate that is read.
pub(super) fn check_count(path: &str, field: &str, found: usize, needed: usize) -> Result<()> {
    if found == needed {
        return Ok(());
    }
    let problem = format!("{found} values for {needed} coordinates: give one for each");
    Err(Error::spec(param::join(path, field), problem))
}

fn check_dims(path: &str, list: &[usize], dims: usize) -> Result<()> {
    for (i, &d) in list.iter().enumerate() {
        let problem = if d >= dims {
            format!("coordinate {d} of {dims}: indices start at 0, use one below {dims}")
        } else if list[..i].contains(&d) {
            format!("coordinate {d} stands here twice: name it once")
        } else {
            continue;
        };
        return Err(Error::spec(format!("{path}[{i}]"), problem));
    }
    Ok(())
}
