//! Who cannot be bettered in one respect without loss in the other.

/// Which of these pairs of losses nobody betters: no other is at most as large in both and smaller in one.
///
/// ```
/// use rpol_lab::arena::frontier;
/// let losses = [[1.0, 5.0], [2.0, 2.0], [2.0, 3.0], [5.0, 1.0]];
/// assert_eq!(frontier(&losses), [true, true, false, true]);
/// ```
pub fn frontier(losses: &[[f64; 2]]) -> Vec<bool> {
    let betters = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
    losses.iter().map(|own| !losses.iter().any(|other| betters(other, own))).collect()
}

/// Losses as they are compared: in thousandths of what random play loses. Searches that find the same setting differ in their last digits.
pub(in crate::arena) fn counted(losses: [f64; 2]) -> [f64; 2] {
    losses.map(|loss| (1e3 * loss).round())
}
