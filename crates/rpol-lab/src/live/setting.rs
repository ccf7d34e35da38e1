//! A setting as the simulations read it.

use rpol::{Params, Value};

/// A setting that has been checked against its space, so that every name is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a>(pub(super) &'a Params);

impl Setting<'_> {
    /// The number of that name.
    pub(super) fn number(&self, name: &str) -> f64 {
        self.0.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    /// The numbers of these names.
    pub(super) fn numbers<const N: usize>(&self, names: [&str; N]) -> [f64; N] {
        names.map(|name| self.number(name))
    }

    /// The number of that name as a count.
    pub(super) fn count(&self, name: &str) -> usize {
        self.number(name).max(0.0) as usize
    }

    /// The choice of that name.
    pub(super) fn choice(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether the switch of that name is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Value::Bool(true)))
    }
}
