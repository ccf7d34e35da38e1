//! The pool that every decision scores.

use crate::acquisition::exhaustive;
use crate::error::Result;
use crate::points::Points;
use crate::random::Stream;
use crate::sobol::Sobol;
use crate::space::{Coordinate, Space};
use crate::study::spec::streams::POOL;

/// Quasi-random candidates of a space that is not compared whole, by the number of coordinates: enough to draw its hills
/// where that is possible at all, beyond that only where to look.
const CANDIDATES: [usize; 3] = [1024, 2048, 4096];
const MANY_COORDINATES: usize = 2048;
/// Candidates of all outputs together: each is believed something of at every one.
const TOGETHER: usize = 16_384;
/// This many times fewer where most decisions look near settings tried before.
const FEWER: usize = 8;
/// Puts a twentieth of them on each face.
const STRETCH: f64 = 1.1;
/// Up to this number of coordinates every corner is a candidate as well.
const CORNERS: usize = 8;

/// Every point of a small finite space; of any other a scrambled Sobol set, and the corners.
pub(in crate::study) fn candidates(
    space: &Space,
    outputs: usize,
    seed: u64,
    few: bool,
) -> Result<Points> {
    let dims = space.dims();
    if let Some(size) = space.size().filter(|size| *size <= exhaustive(outputs)) {
        let all: Vec<Vec<f64>> = (0..size).map(|i| space.point(i)).collect();
        return Ok(Points::from_rows(dims, &all));
    }
    let mut sobol = Sobol::scrambled(dims, &mut Stream::new(seed, 0).fork(POOL))?;
    let count = CANDIDATES.get(dims.saturating_sub(1)).copied().unwrap_or(MANY_COORDINATES);
    let count = if few { count / FEWER } else { count.min(TOGETHER / outputs) };
    let drawn = sobol.points().take(count).chain(corners(dims));
    let real: Vec<Vec<f64>> = drawn.map(|u| to_the_faces(space, space.from_cube(&u))).collect();
    Ok(Points::from_rows(dims, &real))
}

/// The corners of the cube, where a wide band often has its maximum while little is known.
fn corners(dims: usize) -> impl Iterator<Item = Vec<f64>> {
    let count = if dims <= CORNERS { 1u32 << dims } else { 0 };
    let end = |corner: u32, d: usize| if corner >> d & 1 == 1 { 1f64.next_down() } else { 0.0 };
    (0..count).map(move |corner| (0..dims).map(|d| end(corner, d)).collect())
}

/// Stretches continuous coordinates a little beyond the cube and cuts them off there: many a maximum
/// lies on a face or in a corner, where the inside of the cube has no candidate.
fn to_the_faces(space: &Space, mut x: Vec<f64>) -> Vec<f64> {
    for (x, coordinate) in x.iter_mut().zip(space.coordinates()) {
        if matches!(coordinate, Coordinate::Continuous) {
            *x = (0.5 + STRETCH * (*x - 0.5)).clamp(0.0, 1.0);
        }
    }
    x
}
