//! Named parameters <-> the coordinates of the model.
//!
//! Each free parameter is one coordinate: a float lies in [0, 1], an integer on a lattice in
//! [0, 1], a choice at its index 0, 1, 2, ... A parameter with one possible value is fixed: part of
//! every setting, unknown to the model.

mod check;
mod coordinate;
mod grid;
mod lattice;
mod param;
mod scale;
mod text;
mod value;

pub use coordinate::Coordinate;
pub use lattice::Lattice;
pub use param::Param;
pub use value::Value;

use crate::{Error, Result, name};
use indexmap::IndexMap;

/// One setting: a value for every parameter, by name.
pub type Params = IndexMap<String, Value>;

/// The parameters of a study and their map onto model coordinates.
///
/// ```
/// use rpol::{Param, Space};
/// let space = Space::new([
///     ("rate", Param::float(-1.0, 3.0)),
///     ("shards", Param::int(1, 8)),
///     ("zone", Param::categorical(["eu".into()])),
/// ])
/// .unwrap();
/// assert_eq!(space.dims(), 2, "zone is fixed");
/// let params = space.decode(&[0.5, 0.41]);
/// assert_eq!(serde_json::to_string(&params).unwrap(), r#"{"rate":1.0,"shards":4,"zone":"eu"}"#);
/// let mut snapped = [0.5, 0.41];
/// space.snap(&mut snapped);
/// assert_eq!(space.encode(&params).unwrap(), snapped);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    params: IndexMap<String, Param>,
    coordinates: Vec<Coordinate>,
}

impl Space {
    /// Checks the definitions; the order is kept.
    ///
    /// ```
    /// use rpol::{Param, Space};
    /// let error = Space::new([("x", Param::float(2.0, 1.0))]).unwrap_err();
    /// assert_eq!(error.to_string(), "params.x.low: 2.0 is above high (1.0): swap them");
    /// ```
    pub fn new<N: Into<String>>(params: impl IntoIterator<Item = (N, Param)>) -> Result<Self> {
        let params: Vec<(String, Param)> =
            params.into_iter().map(|(name, param)| (name.into(), param)).collect();
        check::names(params.iter().map(|(name, _)| name.as_str()))?;
        let checked = |(name, param): (String, Param)| {
            let param = check::param(&name::path("params", &name), param)?;
            Ok((name, param))
        };
        let params = params.into_iter().map(checked).collect::<Result<IndexMap<_, _>>>()?;
        let coordinates = params.values().filter_map(Param::coordinate).collect();
        Ok(Self { params, coordinates })
    }

    /// The definitions, in the user's order.
    #[must_use]
    pub fn params(&self) -> &IndexMap<String, Param> {
        &self.params
    }

    /// The coordinates of the model: one for each free parameter, in the user's order.
    #[must_use]
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Number of coordinates; 0 when every parameter is fixed.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.coordinates.len()
    }

    /// The model point of a setting. Nothing is clamped: whatever the definition does not allow is
    /// an error.
    ///
    /// ```
    /// use rpol::{Param, Params, Space};
    /// let space = Space::new([("x", Param::float(0.0, 4.0))]).unwrap();
    /// let at = |x: f64| space.encode(&Params::from([("x".into(), x.into())]));
    /// assert_eq!(at(4.0).unwrap(), [1.0]);
    /// assert_eq!(at(4.0f64.next_up()).unwrap_err().kind(), "OutOfBounds");
    /// ```
    pub fn encode(&self, params: &Params) -> Result<Vec<f64>> {
        if let Some(unknown) = params.keys().find(|name| !self.params.contains_key(*name)) {
            let value = name::quoted(unknown);
            let field = "a parameter name".into();
            return Err(Error::UnknownName { field, value, known: self.known() });
        }
        let mut x = Vec::with_capacity(self.dims());
        for (name, param) in &self.params {
            let field = name::path("params", name);
            let Some(value) = params.get(name) else {
                return Err(Error::Missing { field, known: self.known() });
            };
            let coordinate = param.encode(&field, value)?;
            if !param.is_fixed() {
                x.push(coordinate);
            }
        }
        Ok(x)
    }

    /// The setting at a model point: the nearest one allowed, always within bounds.
    ///
    /// Back through [`encode`](Self::encode) comes [`snap`](Self::snap) of the point, up to the
    /// spacing of `f64` numbers between the bounds.
    ///
    /// # Panics
    /// When `x` has another dimension.
    #[must_use]
    pub fn decode(&self, x: &[f64]) -> Params {
        assert_eq!(x.len(), self.dims(), "one number a coordinate");
        let mut free = self.coordinates.iter().zip(x);
        let mut value = |param: &Param| match param.is_fixed() {
            true => param.first(),
            false => free.next().map_or_else(|| param.first(), |(c, x)| param.decode(c, *x)),
        };
        self.params.iter().map(|(name, param)| (name.clone(), value(param))).collect()
    }

    /// The setting as it is kept: in the order of the definition, `-0.0` as `0.0`, every value in its
    /// parameter's own type, and otherwise bit for bit.
    ///
    /// ```
    /// use rpol::{Param, Params, Space, Value};
    /// let space = Space::new([("x", Param::float(-5.0, 10.0))]).unwrap();
    /// let params = Params::from([("x".into(), Value::Float(-0.0))]);
    /// assert_eq!(serde_json::to_string(&space.canonical(&params).unwrap()).unwrap(), r#"{"x":0.0}"#);
    /// ```
    pub fn canonical(&self, params: &Params) -> Result<Params> {
        self.encode(params)?;
        let kept =
            |(name, param): (&String, &Param)| (name.clone(), param.canonical(&params[name]));
        Ok(self.params.iter().map(kept).collect())
    }

    fn known(&self) -> String {
        name::joined(&self.params.keys().map(|name| name::quoted(name)).collect::<Vec<_>>())
    }
}
