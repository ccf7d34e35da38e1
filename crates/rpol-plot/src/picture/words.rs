//! Numbers and names as they are written into pictures.

use rpol::{Study, Value};

/// Longest name written out, in characters.
const LONGEST: usize = 36;

/// A number to four significant digits, with a power of ten where it would be long.
///
/// ```
/// use rpol_plot::picture::shown;
/// let numbers = [560.0, 0.07786, -1.95, 12_345.678, 1e300, 2.5e-7, 0.0];
/// assert_eq!(numbers.map(shown).join(" "), "560 0.07786 -1.95 12346 1e300 2.5e-7 0");
/// ```
#[must_use]
pub fn shown(x: f64) -> String {
    if x == 0.0 || (1e-4..1e7).contains(&x.abs()) {
        return digits(x);
    }
    let text = format!("{x:.3e}");
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A number to four significant digits, without needless zeros.
///
/// ```
/// use rpol_plot::drawing::digits;
/// let numbers = [560.0, 0.077_862_5, -1.95, 0.223_606_8, 1.004, 12_345.678, 0.0];
/// assert_eq!(numbers.map(digits).join(" "), "560 0.07786 -1.95 0.2236 1.004 12346 0");
/// ```
#[must_use]
pub fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let places = (3 - x.abs().log10().floor() as i32).clamp(0, 17) as usize;
    let text = format!("{x:.places$}");
    if places == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').into() }
}

/// A value of a parameter: numbers as [`shown`], texts cut where they are long.
#[must_use]
pub fn value(value: &Value) -> String {
    match value {
        Value::Float(x) => shown(*x),
        other => name(&other.to_string()),
    }
}

/// A name, its end left out where it is long.
pub(super) fn name(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        None => name.into(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// The objective's name.
pub(super) fn metric(study: &Study) -> String {
    name(study.spec().objective.metric())
}

/// What is wanted of the objective: "minimize cost".
pub(super) fn aim(study: &Study) -> String {
    format!("{} {}", study.spec().objective.direction(), metric(study))
}

/// "1 trial", "3 trials".
pub(super) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
