//! Moving through model points: counting, enumerating, snapping, drawing.

use super::{Coordinate, Space};

impl Space {
    /// Number of distinct points, when finite and within `u64`.
    ///
    /// ```
    /// use rpol::{Param, Space};
    /// let mode = Param::categorical(["a".into(), "b".into()]);
    /// let space = Space::new([("n", Param::int(1, 3)), ("mode", mode)]).unwrap();
    /// assert_eq!(space.size(), Some(6));
    /// let mut points: Vec<_> = (0..6).map(|index| space.point(index)).collect();
    /// points.dedup();
    /// assert_eq!(points.len(), 6);
    /// ```
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.coordinates
            .iter()
            .try_fold(1u64, |size, coordinate| size.checked_mul(coordinate.levels()?))
    }

    /// The points of a finite space one by one, the first coordinate turning fastest.
    ///
    /// # Panics
    /// When `index` is not below [`size`](Self::size), or there is no size.
    #[must_use]
    pub fn point(&self, index: u64) -> Vec<f64> {
        assert!(self.size().is_some_and(|size| index < size), "no point {index} in this space");
        let mut rest = index;
        let mut digit = |coordinate: &Coordinate| {
            let levels = coordinate.levels().unwrap_or(1);
            let level = rest % levels;
            rest /= levels;
            coordinate.level(level)
        };
        self.coordinates.iter().map(&mut digit).collect()
    }

    /// Moves each coordinate to the nearest value it may take.
    ///
    /// ```
    /// use rpol::{Param, Space};
    /// let space = Space::new([("x", Param::float(0.0, 1.0)), ("n", Param::int(0, 2))]).unwrap();
    /// let mut x = [0.3, 0.3];
    /// space.snap(&mut x);
    /// assert_eq!(x, [0.3, 0.5]);
    /// ```
    ///
    /// # Panics
    /// When `x` has another dimension.
    pub fn snap(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.dims(), "one number a coordinate");
        for (x, coordinate) in x.iter_mut().zip(&self.coordinates) {
            *x = coordinate.snap(*x);
        }
    }

    /// The values of coordinate `dim` next to that of `x`: the levels below and above, every other
    /// category, or none when it is continuous.
    ///
    /// # Panics
    /// When there is no such coordinate.
    #[must_use]
    pub fn neighbours(&self, x: &[f64], dim: usize) -> Vec<f64> {
        self.coordinates[dim].neighbours(x[dim])
    }

    /// The model point of a uniform point of $[0, 1)^d$: levels and categories equally likely.
    ///
    /// ```
    /// use rpol::{Param, Space};
    /// let space = Space::new([("n", Param::int(0, 2))]).unwrap();
    /// let drawn: Vec<_> = [0.0, 0.3, 0.4, 0.6, 0.7, 0.9].map(|u| space.from_cube(&[u])[0]).into();
    /// assert_eq!(drawn, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
    /// ```
    ///
    /// # Panics
    /// When `u` has another dimension.
    #[must_use]
    pub fn from_cube(&self, u: &[f64]) -> Vec<f64> {
        assert_eq!(u.len(), self.dims(), "one number a coordinate");
        self.coordinates.iter().zip(u).map(|(coordinate, u)| coordinate.draw(*u)).collect()
    }
}
