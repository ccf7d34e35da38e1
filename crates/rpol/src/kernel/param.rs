//! Hyper-parameters by name, and to and from their logarithms.

use crate::error::{Error, Result};

/// What a hyper-parameter stands for; fits choose priors and bounds by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ParamRole {
    /// A length scale $\ell_d$, in units of an input.
    Lengthscale,
    /// How little a change of category matters, without unit.
    Category,
    /// A variance $\sigma^2$, in squared units of the output.
    Variance,
    /// A period $p_d$, in units of an input.
    Period,
    /// A number without unit, such as $\alpha$ of the rational quadratic kernel.
    Shape,
}

/// One hyper-parameter $\theta_p > 0$.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Param {
    /// Its path in the kernel's definition, such as `factors[0].lengthscales[1]`.
    pub(crate) name: String,
    /// What it stands for.
    pub(crate) role: ParamRole,
    /// Its value, not the logarithm.
    pub(crate) value: f64,
}

impl Param {
    pub(super) fn check(&self) -> Result<()> {
        if self.value.is_finite() && self.value > 0.0 {
            return Ok(());
        }
        let problem = format!("{} is not a positive finite number: give one", self.value);
        Err(Error::spec(&self.name, problem))
    }
}

/// `path.field`, or `field` at the root.
pub(super) fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// Appends one parameter.
pub(super) fn push(out: &mut Vec<Param>, path: &str, field: &str, role: ParamRole, value: f64) {
    let name = join(path, field);
    out.push(Param { name, role, value });
}

/// Appends one parameter an entry of `values`.
pub(super) fn push_all(
    out: &mut Vec<Param>,
    path: &str,
    field: &str,
    role: ParamRole,
    values: &[f64],
) {
    for (i, &value) in values.iter().enumerate() {
        push(out, path, &format!("{field}[{i}]"), role, value);
    }
}

/// Appends the logarithms of `values`.
pub(super) fn append_logs(values: &[f64], out: &mut Vec<f64>) {
    out.extend(values.iter().map(|v| v.ln()));
}

/// Takes one logarithm for each of `values` off the front of `from`; returns the rest.
pub(super) fn take_logs<'a>(values: &mut [f64], from: &'a [f64]) -> &'a [f64] {
    let (own, rest) = from.split_at(values.len());
    for (value, log) in values.iter_mut().zip(own) {
        *value = log.exp();
    }
    rest
}
