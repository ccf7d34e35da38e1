//! Quantiles of samples.

/// The value that a share of the sample is at most; sorts as far as is needed. 0 for an empty sample.
pub(super) fn quantile(sample: &mut [f64], share: f64) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let at = ((share * sample.len() as f64).ceil() as usize).clamp(1, sample.len()) - 1;
    *sample.select_nth_unstable_by(at, f64::total_cmp).1
}
