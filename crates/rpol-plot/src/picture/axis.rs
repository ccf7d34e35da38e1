//! An axis: straight, logarithmic, of square roots, or of choices.

use super::words;
use crate::figure::scale::{Ticks, raised};
use rpol::{Param, Value};

/// Beyond this a value is drawn as this: sums and differences of two must stay finite.
const LARGEST: f64 = 1e300;
/// A range narrower than this share of its ends has no round values that are told apart.
const NARROW: f64 = 1e-6;

/// Decades of a root axis in which ticks are looked for, and the least share between two.
const ROOT_DECADES: i32 = 3;
const ROOT_GAP: f64 = 0.13;

/// A value that can be placed.
pub(crate) fn sound(value: f64) -> f64 {
    value.clamp(-LARGEST, LARGEST)
}

/// An axis with its name and its ticks, each a share of its length and a label.
#[derive(Debug)]
pub struct Axis {
    pub(crate) name: String,
    pub(crate) ticks: Vec<(f64, String)>,
    values: [f64; 2],
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Straight,
    Log,
    Root,
    Choices(usize),
}

impl Axis {
    /// A straight axis with about as many ticks as wanted, `least` apart.
    #[must_use]
    pub fn straight(name: &str, values: [f64; 2], wanted: usize, least: f64) -> Self {
        let mut axis = Self { name: name.into(), ticks: Vec::new(), values, kind: Kind::Straight };
        if values[1] - values[0] <= NARROW * values[0].abs().max(values[1].abs()) {
            axis.ticks = vec![(0.0, words::shown(values[0])), (1.0, words::shown(values[1]))];
        } else {
            let ticks = Ticks::new(values, wanted, least);
            let tick = |v: &f64| (axis.share(*v), ticks.label(*v));
            axis.ticks = ticks.values.iter().map(tick).collect();
            axis.name += &ticks.unit();
        }
        axis
    }

    /// An axis without values.
    pub(crate) fn bare() -> Self {
        Self { name: String::new(), ticks: Vec::new(), values: [0.0, 1.0], kind: Kind::Straight }
    }

    /// Numbers of trials, from 0 to `count`.
    pub(crate) fn counted(name: &str, count: usize, wanted: usize) -> Self {
        let last = count.max(2) as f64 - 1.0;
        let mut axis = Self::straight(name, [-0.03 * last, 1.03 * last], wanted, 1.0);
        let zero = axis.share(0.0);
        axis.ticks.retain(|(share, _)| *share >= zero - 1e-9);
        axis
    }

    /// A logarithmic axis of numbers above 0.
    #[must_use]
    pub fn log(name: &str, values: [f64; 2]) -> Self {
        let mut axis = Self { name: name.into(), ticks: Vec::new(), values, kind: Kind::Log };
        axis.ticks = log_ticks(values).into_iter().map(|v| (axis.share(v), power(v))).collect();
        axis
    }

    /// An axis from 0 whose places are square roots: small values are told apart, and 0 has a place.
    #[must_use]
    pub fn root(name: &str, high: f64) -> Self {
        let values = [0.0, high];
        let mut axis = Self { name: name.into(), ticks: Vec::new(), values, kind: Kind::Root };
        axis.ticks = vec![(0.0, words::shown(0.0))];
        let last = high.log10().floor() as i32;
        let decades = (last - ROOT_DECADES..=last).rev();
        // From the right, where they are farther apart.
        for value in decades.flat_map(|k| [5.0, 2.0, 1.0].map(|part| part * 10f64.powi(k))) {
            let share = axis.share(value);
            let apart = axis.ticks.iter().all(|(other, _)| (share - other).abs() >= ROOT_GAP);
            if apart && share <= 1.0 {
                axis.ticks.push((share, words::shown(value)));
            }
        }
        axis
    }

    fn choices(name: &str, choices: &[Value]) -> Self {
        let kind = Kind::Choices(choices.len());
        let mut axis = Self { name: name.into(), ticks: Vec::new(), values: [0.0, 1.0], kind };
        let labelled = choices.iter().enumerate();
        axis.ticks = labelled.map(|(i, c)| (axis.share(i as f64), words::value(c))).collect();
        axis
    }

    /// The axis of a parameter.
    pub(crate) fn of(name: &str, param: &Param, wanted: usize) -> Self {
        let name = &words::name(name);
        match param {
            Param::Float { low, high, log: true } => Self::log(name, [*low, *high]),
            Param::Float { low, high, .. } => {
                Self::straight(name, open([*low, *high]), wanted, 0.0)
            }
            Param::Int { low, high, log: true } => Self::log(name, [*low as f64, *high as f64]),
            Param::Int { low, high, .. } => {
                Self::straight(name, open([*low as f64, *high as f64]), wanted, 1.0)
            }
            Param::Categorical { choices } => Self::choices(name, choices),
        }
    }

    /// Where a value is, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        match self.kind {
            Kind::Straight => between(sound(value), [low, high]),
            Kind::Log => between(value.ln(), [low.ln(), high.ln()]),
            Kind::Root => between(value.sqrt(), [low.sqrt(), high.sqrt()]),
            Kind::Choices(count) => (value + 0.5) / count as f64,
        }
    }

    /// The value at a share of the axis.
    pub(crate) fn value(&self, share: f64) -> f64 {
        let [low, high] = self.values;
        match self.kind {
            Kind::Straight => (low * (1.0 - share) + high * share).clamp(low, high),
            Kind::Log => (low.ln() * (1.0 - share) + high.ln() * share).exp().clamp(low, high),
            Kind::Root => (low.sqrt() * (1.0 - share) + high.sqrt() * share).powi(2),
            Kind::Choices(count) => (share * count as f64 - 0.5).round(),
        }
    }

    pub(crate) fn is_choices(&self) -> bool {
        matches!(self.kind, Kind::Choices(_))
    }
}

/// How far along a value is; the middle where both ends are as one.
fn between(value: f64, [low, high]: [f64; 2]) -> f64 {
    if low < high { (value - low) / (high - low) } else { 0.5 }
}

/// Two ends that differ.
fn open([low, high]: [f64; 2]) -> [f64; 2] {
    if low < high { [low, high] } else { [low - 0.5, low + 0.5] }
}

/// Powers of ten, every few of them; where there are hardly any, their 2 and 5 times too; else the ends.
fn log_ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let within = |v: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(v);
    let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let every = (decades.clone().count() / 6).max(1);
    let tens = decades.clone().step_by(every).map(|k| 10f64.powi(k)).filter(within);
    let tens: Vec<f64> = tens.collect();
    if tens.len() > 2 {
        return tens;
    }
    let parts = decades.flat_map(|k| [1.0, 2.0, 5.0].map(|part| part * 10f64.powi(k)));
    let parts: Vec<f64> = parts.filter(within).collect();
    if parts.len() > 1 { parts } else { vec![low, high] }
}

/// A tick of a logarithmic axis.
fn power(value: f64) -> String {
    let exponent = value.log10().round();
    let is_power = (value / 10f64.powf(exponent) - 1.0).abs() < 1e-9;
    if is_power && !(-3.0..=4.0).contains(&exponent) {
        return format!("10{}", raised(exponent as i32));
    }
    words::shown(value)
}
