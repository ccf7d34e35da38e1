//! Numbers, shares, settings and texts as people read them.

mod texts;

pub(crate) use texts::{brief_field, brief_value};
pub use texts::{excerpt, is_hidden, message, visible};

use crate::space::{Params, Value};

/// A number to four significant digits, with a power of ten where it would be long.
///
/// ```
/// use rpol::words::shown;
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
/// use rpol::words::digits;
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

/// A probability as a share of measurements: rounded down, so that no more is promised than is believed.
///
/// ```
/// use rpol::words::share;
/// let words = [0.999, 0.978, 0.95, 0.93, 0.4, 0.03].map(share);
/// assert_eq!(words.join(", "), "more than 99 of 100, 97 of 100, 95 of 100, 9 of 10, 4 of 10, fewer than 1 of 10");
/// ```
#[must_use]
pub fn share(probability: f64) -> String {
    // A last digit of rounding must not cost a whole step.
    let of = |count: f64| (probability * count + 1e-9).floor();
    match probability {
        p if p > 0.995 => "more than 99 of 100".into(),
        p if p >= 0.95 => format!("{} of 100", of(100.0)),
        p if p >= 0.1 => format!("{} of 10", of(10.0)),
        _ => "fewer than 1 of 10".into(),
    }
}

/// A probability in percent, rounded down; never 100.
///
/// ```
/// assert_eq!([0.9999, 0.95, 0.123].map(rpol::words::percent).join(", "), "over 99 %, 95 %, 12 %");
/// ```
#[must_use]
pub fn percent(probability: f64) -> String {
    match probability {
        p if p > 0.99 => "over 99 %".into(),
        p => format!("{} %", (100.0 * p + 1e-9).floor()),
    }
}

/// A mean as its deviation allows: digits that the deviation drowns are left out.
///
/// ```
/// use rpol::words::within;
/// assert_eq!(within(10.6234, 0.153), "10.62 ± 0.153");
/// assert_eq!([within(-2.8e-5, 0.00217), within(7.0, 0.0)].join(", "), "0 ± 0.00217, 7 ± 0");
/// ```
#[must_use]
pub fn within(mean: f64, deviation: f64) -> String {
    let step = 10.0_f64.powf(deviation.log10().floor() - 1.0);
    let steps = (mean / step).round();
    // Many steps need no rounding, and a step of 0 has none; the sum turns -0.0 into 0.0.
    let mean = if steps.abs() < 1e6 { steps * step + 0.0 } else { mean };
    format!("{} ± {}", shown(mean), shown(deviation))
}

/// A setting, its numbers to four digits.
///
/// ```
/// let setting = [("workers".into(), 6_i64.into()), ("batch_ms".into(), 3.212345.into())].into_iter().collect();
/// assert_eq!(rpol::words::setting(&setting), "workers=6 batch_ms=3.212");
/// ```
#[must_use]
pub fn setting(params: &Params) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::Float(x) => format!("{}={}", plain(name), shown(*x)),
        other => format!("{}={}", plain(name), plain(&other.to_string())),
    };
    params.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// A text as it is where it is a plain word, else in quotes and escaped.
fn plain(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || "_-./:+%".contains(c);
    if !text.is_empty() && text.chars().all(word) { text.into() } else { format!("{text:?}") }
}
