//! Means and middles.

/// The mean; NaN of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle of a list, of an even number the mean of the two; NaN of nothing.
///
/// ```
/// use rpol_lab::statistics::median;
/// assert_eq!((median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
/// ```
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).zip(values.get(values.len().saturating_sub(1) / 2));
    middle.map_or(f64::NAN, |(a, b)| (a + b) / 2.0)
}
