//! An interval seen as [0, 1], linearly or by logarithm.

/// An interval of positive width and its map onto [0, 1]; both ends map exactly, both ways.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    span: f64,
}

impl Scale {
    pub(crate) fn new(low: f64, high: f64, log: bool) -> Self {
        let mut scale = Self { low, high, log, span: 0.0 };
        scale.span = scale.distance(high);
        scale
    }

    pub(crate) fn is_log(&self) -> bool {
        self.log
    }

    /// Where `value` lies in [0, 1].
    pub(crate) fn unit(&self, value: f64) -> f64 {
        self.distance(value) / self.span
    }

    /// The value at `x`, inside the interval for every `x`: 0 or less and NaN give the low end.
    pub(crate) fn value(&self, x: f64) -> f64 {
        if x >= 1.0 {
            self.high
        } else if x > 0.0 {
            // The sum turns -0.0 into 0.0.
            self.at_distance(x * self.span).clamp(self.low, self.high) + 0.0
        } else {
            self.low
        }
    }

    /// How many logarithms, or units, the interval is wide.
    pub(crate) fn span(&self) -> f64 {
        self.span
    }

    /// Along a logarithm, what the value at `x` is not below, without an exponential: the first terms of its series.
    pub(crate) fn least_value(&self, x: f64) -> Option<f64> {
        let t = x.clamp(0.0, 1.0) * self.span;
        self.log.then(|| self.low * (1.0 + t * (1.0 + t * (0.5 + t / 6.0))))
    }

    fn distance(&self, value: f64) -> f64 {
        let width = value - self.low;
        if !self.log {
            width
        } else if width <= self.low {
            // A difference of logarithms would be 0 for bounds one ulp apart.
            libm::log1p(width / self.low)
        } else {
            // The quotient may overflow, the logarithms cannot.
            libm::log(value) - libm::log(self.low)
        }
    }

    fn at_distance(&self, distance: f64) -> f64 {
        if !self.log {
            self.low + distance
        } else if distance <= std::f64::consts::LN_2 {
            self.low + self.low * libm::expm1(distance)
        } else {
            libm::exp(libm::log(self.low) + distance)
        }
    }
}
