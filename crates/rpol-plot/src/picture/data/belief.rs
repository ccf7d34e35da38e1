//! What the models believe along one parameter and over two.

use crate::picture::axis::Axis;
use rpol::study::Prediction;
use rpol::{Param, Params, Study, Value};

/// Places along a parameter with more values than that.
const STEPS: usize = 81;
/// Places to a side of a field.
const SIDE: usize = 41;

/// What is believed along one parameter, the others as in [`centre`].
#[derive(Debug, Clone)]
pub struct Slice {
    /// The parameter's name.
    pub param: String,
    /// Its value, or the index of its choice, and what is believed there; empty before the first ask.
    pub places: Vec<(f64, Prediction)>,
}

/// What is believed over two parameters, the others as in [`centre`].
#[derive(Debug, Clone)]
pub struct Field {
    /// The parameters' names: across, up.
    pub params: [String; 2],
    /// Where the places are along both axes, from 0 to 1.
    pub shares: [Vec<f64>; 2],
    /// Row by row from the bottom, each from the left.
    pub places: Vec<Prediction>,
}

/// The setting the slices go through: the incumbent, else the last one tried, else the middle of the space.
#[must_use]
pub fn centre(study: &Study) -> Params {
    let space = &study.spec().params;
    let last = || study.trials().last().map(|trial| trial.params.clone());
    let middle = || {
        let x: Vec<f64> = space.coordinates().iter().map(|c| c.draw(0.5)).collect();
        space.decode(&x)
    };
    // Without a model there is still something to draw: the status says why there is none.
    study.incumbent().ok().flatten().or_else(last).unwrap_or_else(middle)
}

/// The parameters that vary, with their definitions.
fn free(study: &Study) -> impl Iterator<Item = (&String, &Param)> {
    study.spec().params.params().iter().filter(|(_, param)| !param.is_fixed())
}

/// Names of the parameters that vary and are numbers.
#[must_use]
pub fn numeric(study: &Study) -> Vec<&str> {
    let numbers = free(study).filter(|(_, param)| !matches!(param, Param::Categorical { .. }));
    numbers.map(|(name, _)| name.as_str()).collect()
}

/// A slice along every parameter that varies, `most` at most.
#[must_use]
pub fn slices(study: &Study, most: usize) -> Vec<Slice> {
    let centre = centre(study);
    free(study).take(most).map(|(name, param)| along(study, &centre, name, param)).collect()
}

/// The slice along a parameter; `None` for a name that no parameter has that varies.
#[must_use]
pub fn slice(study: &Study, name: &str) -> Option<Slice> {
    let (name, param) = free(study).find(|(own, _)| *own == name)?;
    Some(along(study, &centre(study), name, param))
}

fn along(study: &Study, centre: &Params, name: &str, param: &Param) -> Slice {
    let values = values(name, param, STEPS);
    let settings: Vec<Params> = values
        .iter()
        .map(|value| {
            let mut setting = centre.clone();
            setting.insert(name.into(), typed(param, *value));
            setting
        })
        .collect();
    let places = values.into_iter().zip(predicted(study, &settings)).collect();
    Slice { param: name.into(), places }
}

/// Values of a parameter worth a look: all of them where they are fewer than `steps`.
fn values(name: &str, param: &Param, steps: usize) -> Vec<f64> {
    let axis = Axis::of(name, param, 2);
    let spread = (0..steps).map(|i| axis.value(i as f64 / (steps - 1) as f64));
    match param {
        Param::Categorical { choices } => (0..choices.len()).map(|i| i as f64).collect(),
        Param::Float { .. } => spread.collect(),
        Param::Int { low, high, .. } => match high.checked_sub(*low) {
            Some(width) if width < steps as i64 => (*low..=*high).map(|i| i as f64).collect(),
            _ => {
                let mut values: Vec<f64> = spread.map(f64::round).collect();
                values.dedup();
                values
            }
        },
    }
}

fn typed(param: &Param, value: f64) -> Value {
    match param {
        Param::Float { .. } => Value::Float(value),
        Param::Int { low, high, .. } => Value::Int((value.round() as i64).clamp(*low, *high)),
        Param::Categorical { choices } => {
            choices[(value.max(0.0) as usize).min(choices.len() - 1)].clone()
        }
    }
}

/// Nothing where there is no model yet, or it has lost itself in numbers too large.
fn predicted(study: &Study, settings: &[Params]) -> Vec<Prediction> {
    let beliefs = study.predict(settings).ok().flatten().unwrap_or_default();
    let sound = |p: &Prediction| {
        let mut all = p.constraints.iter().chain([&p.objective]);
        all.all(|b| b.mean.is_finite() && b.deviation.is_finite())
    };
    if beliefs.iter().all(sound) { beliefs } else { Vec::new() }
}

/// The two parameters along which the objective is believed to vary most, in the order of the definition.
#[must_use]
pub fn two_that_matter(study: &Study) -> Option<[String; 2]> {
    let centre = centre(study);
    let numbers = numeric(study);
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (i, name) in numbers.iter().enumerate() {
        let slice = along(study, &centre, name, &study.spec().params.params()[*name]);
        let means = slice.places.iter().map(|(_, p)| p.objective.mean);
        let [low, high] = means.fold([f64::MAX, f64::MIN], |[l, h], m| [l.min(m), h.max(m)]);
        ranked.push((high - low, i));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let [(_, a), (_, b)] = *ranked.get(..2)? else { return None };
    Some([a.min(b), a.max(b)].map(|i| numbers[i].to_string()))
}

/// What is believed over two parameters; `None` where a name is not that of a number that varies. Before the first
/// ask it has no places.
#[must_use]
pub fn field(study: &Study, params: &[String; 2]) -> Option<Field> {
    let numbers = numeric(study);
    if params.iter().any(|name| !numbers.contains(&name.as_str())) {
        return None;
    }
    let definitions = [0, 1].map(|d| &study.spec().params.params()[&params[d]]);
    let axes = [0, 1].map(|d| Axis::of(&params[d], definitions[d], 2));
    let values = [0, 1].map(|d| values(&params[d], definitions[d], SIDE));
    let centre = centre(study);
    let settings: Vec<Params> = values[1]
        .iter()
        .flat_map(|up| values[0].iter().map(move |across| [*across, *up]))
        .map(|at| {
            let mut setting = centre.clone();
            for d in [0, 1] {
                setting.insert(params[d].clone(), typed(definitions[d], at[d]));
            }
            setting
        })
        .collect();
    let shares = [0, 1].map(|d| values[d].iter().map(|v| axes[d].share(*v)).collect());
    Some(Field { params: params.clone(), shares, places: predicted(study, &settings) })
}

impl Field {
    /// Where a setting is, as shares of both axes.
    #[must_use]
    pub fn locate(&self, study: &Study, setting: &Params) -> Option<[f64; 2]> {
        let share = |name: &String| {
            let param = study.spec().params.params().get(name)?;
            Some(Axis::of(name, param, 2).share(setting.get(name)?.as_f64()?))
        };
        Some([share(&self.params[0])?, share(&self.params[1])?])
    }

    /// A quantity at a share of both axes, from what it is at the places around.
    pub fn at(&self, shares: [f64; 2], of: impl Fn(&Prediction) -> f64) -> f64 {
        let [across, up] = [0, 1].map(|d| between(&self.shares[d], shares[d]));
        let width = self.shares[0].len();
        let at = |i: usize, j: usize| of(&self.places[(up.0 + j) * width + across.0 + i]);
        let row = |j: usize| at(0, j) * (1.0 - across.1) + at(1, j) * across.1;
        row(0) * (1.0 - up.1) + row(1) * up.1
    }
}

/// The place before a share, and how far it is to the next.
fn between(shares: &[f64], share: f64) -> (usize, f64) {
    let from = shares.partition_point(|s| *s <= share).clamp(1, shares.len() - 1) - 1;
    let [low, high] = [shares[from], shares[from + 1]];
    (from, if high > low { ((share - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 })
}
