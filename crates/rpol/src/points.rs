//! Points stored coordinate by coordinate, so that a row of kernel values reads with unit stride.

use std::ops::Range;

/// A growing list of points in $\mathbb R^d$, one contiguous column a coordinate.
///
/// ```
/// use rpol::Points;
/// let mut points = Points::from_rows(2, &[[0.0, 1.0], [2.0, 3.0]]);
/// points.push(&[4.0, 5.0]);
/// assert_eq!(points.view().column(1), [1.0, 3.0, 5.0]);
/// assert_eq!(points.point(2), [4.0, 5.0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Points {
    columns: Vec<Vec<f64>>,
    len: usize,
}

impl Points {
    /// No points yet, `dims` coordinates each.
    #[must_use]
    pub fn new(dims: usize) -> Self {
        Self { columns: vec![Vec::new(); dims], len: 0 }
    }

    /// Points given one by one.
    #[must_use]
    pub fn from_rows<P: AsRef<[f64]>>(dims: usize, rows: &[P]) -> Self {
        let mut points = Self::new(dims);
        for row in rows {
            points.push(row.as_ref());
        }
        points
    }

    /// Points given coordinate by coordinate, `len` values each.
    pub(crate) fn from_columns(columns: Vec<Vec<f64>>, len: usize) -> Self {
        debug_assert!(columns.iter().all(|column| column.len() == len));
        Self { columns, len }
    }

    /// Appends one point.
    ///
    /// # Panics
    /// When `x` has another dimension.
    pub fn push(&mut self, x: &[f64]) {
        assert_eq!(x.len(), self.columns.len(), "a point of another dimension");
        for (column, &v) in self.columns.iter_mut().zip(x) {
            column.push(v);
        }
        self.len += 1;
    }

    /// Removes point `i`; later points move up by one.
    pub fn remove(&mut self, i: usize) {
        for column in &mut self.columns {
            column.remove(i);
        }
        self.len -= 1;
    }

    /// How many points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many coordinates a point has.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.columns.len()
    }

    /// A copy of point `i`.
    #[must_use]
    pub fn point(&self, i: usize) -> Vec<f64> {
        self.columns.iter().map(|c| c[i]).collect()
    }

    /// Index of the point equal to `x`, bit for bit, if there is one.
    #[must_use]
    pub fn find(&self, x: &[f64]) -> Option<usize> {
        (0..self.len).find(|&i| self.columns.iter().zip(x).all(|(c, v)| c[i] == *v))
    }

    /// All points, borrowed.
    #[must_use]
    pub fn view(&self) -> PointsView<'_> {
        PointsView { columns: &self.columns, start: 0, len: self.len }
    }
}

/// A borrowed run of consecutive [`Points`].
#[derive(Debug, Clone, Copy)]
pub struct PointsView<'a> {
    columns: &'a [Vec<f64>],
    start: usize,
    len: usize,
}

impl<'a> PointsView<'a> {
    /// How many points.
    #[must_use]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// How many coordinates a point has.
    #[must_use]
    pub fn dims(self) -> usize {
        self.columns.len()
    }

    /// Coordinate `d` of every point.
    #[must_use]
    pub fn column(self, d: usize) -> &'a [f64] {
        &self.columns[d][self.start..self.start + self.len]
    }

    /// Copies point `i` into `x`.
    pub fn copy_point(self, i: usize, x: &mut [f64]) {
        for (d, v) in x.iter_mut().enumerate() {
            *v = self.column(d)[i];
        }
    }

    /// The points of a range.
    ///
    /// # Panics
    /// When the range reaches past the end.
    #[must_use]
    pub fn range(self, range: Range<usize>) -> PointsView<'a> {
        assert!(range.start <= range.end && range.end <= self.len, "a range past the end");
        PointsView { start: self.start + range.start, len: range.end - range.start, ..self }
    }
}
