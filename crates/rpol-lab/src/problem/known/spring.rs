//! The tension/compression spring.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise a spring's weight $(N + 2) D d^2$ in wire diameter $d$, coil diameter $D$ and active coils $N$ (continuous)
/// subject to
///
/// $$1 - \frac{D^3 N}{71785 d^4} \le 0, \quad \frac{4D^2 - dD}{12566(Dd^3 - d^4)} + \frac1{5108 d^2} - 1 \le 0, \quad
/// 1 - \frac{140.45 d}{D^2 N} \le 0, \quad \frac{d + D}{1.5} - 1 \le 0;$$
///
/// $f$ is the negated weight. The shear constraint has a pole at $D = d$; beyond it the formula means nothing but the
/// weight there is at least 0.0625, far from the optimum. Published optimum 0.012665, refined here.
pub fn spring() -> Problem {
    Problem {
        name: "spring".into(),
        source: "Arora: Introduction to Optimum Design, 1989; bounds of Coello Coello, Mezura-Montes: Constraint-handling in \
                 genetic algorithms through dominance-based tournament selection, 2002"
            .into(),
        domain: vec![
            Parameter::new("wire_diameter", 0.05, 2.0),
            Parameter::new("coil_diameter", 0.25, 1.3),
            Parameter::new("coils", 2.0, 15.0),
        ],
        objective: Arc::new(|x| -(x[2] + 2.0) * x[1] * x[0] * x[0]),
        constraints: vec![
            Constraint::new("deflection", |x| 1.0 - x[1].powi(3) * x[2] / (71785.0 * x[0].powi(4))),
            Constraint::new("shear_stress", |x| shear(x[0], x[1]) - 1.0),
            Constraint::new("surge_frequency", |x| 1.0 - 140.45 * x[0] / (x[1] * x[1] * x[2])),
            Constraint::new("outer_diameter", |x| (x[0] + x[1]) / 1.5 - 1.0),
        ],
        optimum: Optimum {
            x: vec![0.051689061151, 0.356717741429, 11.288965656059],
            value: -0.012665232788319,
            active: vec![0, 1],
        },
    }
}

fn shear(wire: f64, coil: f64) -> f64 {
    (4.0 * coil * coil - wire * coil) / (12566.0 * (coil * wire.powi(3) - wire.powi(4)))
        + 1.0 / (5108.0 * wire * wire)
}
