//! From values to places of the picture, and the round values worth a tick.

/// A straight map from a range of values to a stretch of the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) values: [f64; 2],
    pub(crate) places: [f64; 2],
}

impl Scale {
    pub(crate) fn place(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [from, to] = self.places;
        from + (value - low) / (high - low) * (to - from)
    }
}

/// Ticks at multiples of a round step, about as many as wanted, and how they are written.
pub(crate) struct Ticks {
    pub(crate) values: Vec<f64>,
    /// Decimals after the power of ten is taken out.
    decimals: usize,
    /// Ten to this is taken out of every label, as they would be long.
    power: i32,
}

impl Ticks {
    /// Ticks in the range, `wanted` at most and more than half of that; `least` is the smallest step: 1 for what is counted,
    /// which then has whole ticks only.
    pub(crate) fn new([low, high]: [f64; 2], wanted: usize, least: f64) -> Self {
        let step = round_step((high - low) / wanted as f64).max(least);
        let step = if least == 1.0 && step == 2.5 { 5.0 } else { step };
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let values: Vec<f64> = (first..=last).map(|i| i as f64 * step).collect();
        let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let power = match magnitude(most) {
            power @ (..=-4 | 5..) if most > 0.0 => power,
            _ => 0,
        };
        let decimals = (power - magnitude(step) + i32::from(step_has_half(step))).max(0) as usize;
        Self { values, decimals, power }
    }

    pub(crate) fn label(&self, value: f64) -> String {
        let shown = value / 10f64.powi(self.power);
        let digits = format!("{:.*}", self.decimals, shown.abs());
        let is_zero = digits.bytes().all(|digit| matches!(digit, b'0' | b'.'));
        if shown < 0.0 && !is_zero { format!("\u{2212}{digits}") } else { digits }
    }

    /// What was taken out of the labels, to be told with the axis's name.
    pub(crate) fn unit(&self) -> String {
        if self.power == 0 { String::new() } else { format!(" (×10{})", raised(self.power)) }
    }
}

/// 1, 2, 2.5 or 5 times a power of ten, not below `rough`.
fn round_step(rough: f64) -> f64 {
    let ten = 10f64.powi(magnitude(rough));
    let ratio = rough / ten;
    [1.0, 2.0, 2.5, 5.0].into_iter().find(|r| ratio <= r + 1e-9).unwrap_or(10.0) * ten
}

/// Whether the step is 2.5 times a power of ten, which takes a decimal more.
fn step_has_half(step: f64) -> bool {
    let ratio = step / 10f64.powi(magnitude(step));
    (ratio - 2.5).abs() < 1e-6
}

fn magnitude(value: f64) -> i32 {
    // The margin keeps 0.1 + 0.2 style steps from losing a decade.
    if value > 0.0 { (value.log10() + 1e-9).floor() as i32 } else { 0 }
}

/// The power in raised digits.
pub(crate) fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32('⁰' as u32 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
    };
    power.to_string().chars().map(digit).collect()
}
