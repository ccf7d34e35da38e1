//! Rectangles of the picture.

/// A rectangle, in units of the picture; `top` is above, so smaller than the bottom.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// From side to side.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Frame {
    /// Its right side.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Its lower side.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(crate) fn middle(&self) -> [f64; 2] {
        [self.left + self.width / 2.0, self.top + self.height / 2.0]
    }

    pub(crate) fn holds(&self, [x, y]: [f64; 2]) -> bool {
        (self.left..=self.right()).contains(&x) && (self.top..=self.bottom()).contains(&y)
    }

    /// Larger by `by` on every side.
    pub(crate) fn grown(&self, by: f64) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }
}
