//! The welded beam.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

const LOAD: f64 = 6000.0;
const OVERHANG: f64 = 14.0;
const YOUNG: f64 = 30e6;
const SHEAR: f64 = 12e6;

/// Minimise a beam's cost $1.10471 h^2 l + 0.04811 t b (14 + l)$ in weld height $h$ and length $l$ and beam depth $t$
/// and width $b$ subject to
///
/// $$\tau \le 13600, \quad \frac{504000}{b t^2} \le 30000, \quad h \le b, \quad
/// 0.10471 h^2 + 0.04811 t b (14 + l) \le 5, \quad \frac{2.1952}{t^3 b} \le 0.25, \quad P_c \ge 6000$$
///
/// with $\tau^2 = \tau_1^2 + \tau_1\tau_2 l/R + \tau_2^2$, $\tau_1 = P/(\sqrt2 hl)$, $\tau_2 = P(14 + l/2)R/J$,
/// $R^2 = \tfrac14(l^2 + (h+t)^2)$, $J = 2\sqrt2 hl (l^2/12 + (h+t)^2/4)$ and the buckling load
/// $P_c = \tfrac{4.013 E t b^3}{6 \cdot 14^2}\bigl(1 - \tfrac{t}{28}\sqrt{E/4G}\bigr)$.
///
/// $f$ is the negated cost. Each limit's constraint is divided by the limit, so that every $g$ is of order one. This is
/// the common form whose published optimum is 1.724852 (another $J$ in the literature gives 2.38); refined here.
pub fn welded_beam() -> Problem {
    Problem {
        name: "welded_beam".into(),
        source: "Rao: Engineering Optimization, 1996; form of Coello Coello, Mezura-Montes: Constraint-handling in genetic \
                 algorithms through dominance-based tournament selection, 2002"
            .into(),
        domain: vec![
            Parameter::new("weld_height", 0.125, 10.0),
            Parameter::new("weld_length", 0.1, 10.0),
            Parameter::new("depth", 0.1, 10.0),
            Parameter::new("width", 0.1, 10.0),
        ],
        objective: Arc::new(|x| -1.10471 * x[0] * x[0] * x[1] - beam_cost(x)),
        constraints: constraints(),
        optimum: Optimum {
            x: vec![0.205729639786, 3.470488665628, 9.036623910358, 0.205729639786],
            value: -1.724852308597,
            active: vec![0, 1, 2, 5],
        },
    }
}

fn constraints() -> Vec<Constraint> {
    vec![
        Constraint::new("shear_stress", |x| shear_stress(x) / 13600.0 - 1.0),
        Constraint::new("bending_stress", |x| {
            6.0 * LOAD * OVERHANG / (x[3] * x[2] * x[2]) / 30000.0 - 1.0
        }),
        Constraint::new("weld_within_beam", |x| x[0] - x[3]),
        Constraint::new("side_cost", |x| (0.10471 * x[0] * x[0] + beam_cost(x)) / 5.0 - 1.0),
        Constraint::new("deflection", |x| deflection(x) / 0.25 - 1.0),
        Constraint::new("buckling", |x| 1.0 - buckling_load(x) / LOAD),
    ]
}

fn beam_cost(x: &[f64]) -> f64 {
    0.04811 * x[2] * x[3] * (OVERHANG + x[1])
}

fn deflection(x: &[f64]) -> f64 {
    4.0 * LOAD * OVERHANG.powi(3) / (YOUNG * x[2].powi(3) * x[3])
}

fn shear_stress(x: &[f64]) -> f64 {
    let (height, length) = (x[0], x[1]);
    let lever = (height + x[2]).powi(2) / 4.0;
    let radius = (length * length / 4.0 + lever).sqrt();
    let inertia = 2.0 * 2.0_f64.sqrt() * height * length * (length * length / 12.0 + lever);
    let direct = LOAD / (2.0_f64.sqrt() * height * length);
    let torsion = LOAD * (OVERHANG + length / 2.0) * radius / inertia;
    (direct * direct + direct * torsion * length / radius + torsion * torsion).sqrt()
}

fn buckling_load(x: &[f64]) -> f64 {
    let slender = 1.0 - x[2] / (2.0 * OVERHANG) * (YOUNG / (4.0 * SHEAR)).sqrt();
    4.013 * YOUNG * x[2] * x[3].powi(3) / (6.0 * OVERHANG * OVERHANG) * slender
}
