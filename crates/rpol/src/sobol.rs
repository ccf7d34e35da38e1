//! Sobol points: a sequence that fills the unit cube more evenly than random points do.

mod scramble;

use crate::random::Stream;
use crate::{Error, Result};

/// Digits of every coordinate; all of them fit the mantissa of an `f64`.
const BITS: usize = 53;

/// Joe and Kuo's table (new-joe-kuo-6), written by `directions.py`. A line for every dimension: its primitive polynomial,
/// leading coefficient in the highest set bit, and its initial direction numbers, as many as the degree.
const JOE_KUO: &str = include_str!("sobol/directions.txt");

/// The sequence repeats after this many points.
const PERIOD: u64 = 1 << BITS;

/// The Sobol sequence in Gray-code order, with the direction numbers of Joe and Kuo.
///
/// Point $n$ has the coordinates $x = \bigoplus_k g_k v_k$, where $g_k$ are the binary digits of
/// $n \oplus \lfloor n/2 \rfloor$ and $v_k$ the direction numbers of that coordinate. The first
/// $2^m$ points hit each of the $2^m$ equal intervals of every axis once. All coordinates are in
/// $[0, 1)$; the sequence starts again after $2^{53}$ points.
///
/// S. Joe and F. Kuo, *Constructing Sobol sequences with better two-dimensional projections*, 2008.
///
/// ```
/// use rpol::sobol::Sobol;
/// let points: Vec<Vec<f64>> = Sobol::new(2)?.points().take(4).collect();
/// assert_eq!(points, [[0.0, 0.0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]);
/// # Ok::<(), rpol::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sobol {
    /// `directions[k * dims + d]` is $v_k$ of coordinate `d`.
    directions: Vec<u64>,
    shift: Vec<u64>,
    state: Vec<u64>,
    index: u64,
}

impl Sobol {
    /// The largest dimension in the table.
    pub const MAX_DIMS: usize = 1024;

    /// The plain sequence; its first point is the origin.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] unless `dims` is in `1..=MAX_DIMS`.
    pub fn new(dims: usize) -> Result<Self> {
        if !(1..=Self::MAX_DIMS).contains(&dims) {
            return Err(dims_error(dims));
        }
        let mut directions = vec![0; BITS * dims];
        for (d, line) in JOE_KUO.lines().take(dims).enumerate() {
            for (k, v) in direction_numbers(line).into_iter().enumerate() {
                directions[k * dims + d] = v;
            }
        }
        Ok(Self { directions, shift: vec![0; dims], state: vec![0; dims], index: 0 })
    }

    /// The sequence scrambled at random: every point is uniform on the cube, and the equal
    /// intervals are still hit once each.
    ///
    /// The digits of each coordinate are multiplied by a random lower-triangular matrix with unit
    /// diagonal, and a random digital shift is added (Matousek, *On the L2-discrepancy for
    /// anchored boxes*, 1998).
    ///
    /// # Errors
    /// As [`Sobol::new`].
    pub fn scrambled(dims: usize, stream: &mut Stream) -> Result<Self> {
        let mut sobol = Self::new(dims)?;
        for d in 0..dims {
            let matrix = scramble::Matrix::random(stream);
            for v in sobol.directions[d..].iter_mut().step_by(dims) {
                *v = matrix.times(*v);
            }
            sobol.shift[d] = scramble::digits(stream);
        }
        sobol.state.clone_from(&sobol.shift);
        Ok(sobol)
    }

    /// The dimension of the points.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.state.len()
    }

    /// Writes the next point.
    ///
    /// # Panics
    /// When `out` has not one entry per dimension.
    pub fn next_into(&mut self, out: &mut [f64]) {
        assert_eq!(out.len(), self.dims(), "a Sobol point has one entry per dimension");
        for (x, &digits) in out.iter_mut().zip(&self.state) {
            *x = digits as f64 * (1.0 / PERIOD as f64);
        }
        // The last point of a period differs from the first in the highest digit.
        let changed = (self.index.trailing_ones() as usize).min(BITS - 1);
        self.flip(changed);
        self.index = (self.index + 1) % PERIOD;
    }

    /// Passes over `n` points, in the same time for any `n`.
    pub fn skip(&mut self, n: u64) {
        self.index = (self.index + n % PERIOD) % PERIOD;
        self.state.clone_from(&self.shift);
        let gray = self.index ^ (self.index >> 1);
        for k in (0..BITS).filter(|k| gray >> k & 1 == 1) {
            self.flip(k);
        }
    }

    /// The points from here on, one after another, without end.
    pub fn points(&mut self) -> impl Iterator<Item = Vec<f64>> + '_ {
        std::iter::repeat_with(|| {
            let mut point = vec![0.0; self.dims()];
            self.next_into(&mut point);
            point
        })
    }

    fn flip(&mut self, k: usize) {
        let dims = self.dims();
        let row = &self.directions[k * dims..(k + 1) * dims];
        for (x, v) in self.state.iter_mut().zip(row) {
            *x ^= v;
        }
    }
}

fn dims_error(dims: usize) -> Error {
    let high = Sobol::MAX_DIMS as f64;
    Error::OutOfBounds { field: "dims".into(), value: dims as f64, low: 1.0, high }
}

/// The direction numbers of a coordinate from its line of the table, as integers below [`PERIOD`]: recurrence (2) of Joe
/// and Kuo, *Remark on algorithm 659*, 2003.
fn direction_numbers(line: &str) -> [u64; BITS] {
    let mut numbers = line.split(' ').map(|n| n.parse::<u64>().expect("the table has numbers"));
    let polynomial = numbers.next().expect("a line begins with the polynomial");
    let initial: Vec<u64> = numbers.collect();
    let degree = initial.len();
    let mut v = [0; BITS];
    for k in 0..BITS {
        v[k] = match initial.get(k) {
            Some(&m) => m << (BITS - 1 - k),
            // The first coordinate: its polynomial has degree 0.
            None if degree == 0 => 1 << (BITS - 1 - k),
            None => recurrence(&v[k - degree..k], polynomial),
        };
    }
    v
}

/// The next direction number from as many previous ones as the polynomial's degree.
fn recurrence(previous: &[u64], polynomial: u64) -> u64 {
    let degree = previous.len();
    let oldest = previous[0];
    (0..degree)
        .filter(|&i| polynomial >> i & 1 == 1)
        .fold(oldest >> degree, |sum, i| sum ^ previous[i])
}
