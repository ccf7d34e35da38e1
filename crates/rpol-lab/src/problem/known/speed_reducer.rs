//! The speed reducer.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise a gearbox's weight
///
/// $$0.7854 x_1x_2^2(3.3333x_3^2 + 14.9334x_3 - 43.0934) - 1.508 x_1(x_6^2 + x_7^2) + 7.4777(x_6^3 + x_7^3)
/// + 0.7854(x_4x_6^2 + x_5x_7^2)$$
///
/// in face width, tooth module, teeth on the pinion, two shaft lengths and two shaft diameters, subject to eleven
/// constraints: bending $27/(x_1x_2^2x_3) \le 1$ and contact stress $397.5/(x_1x_2^2x_3^2) \le 1$ of the teeth, deflections
/// $1.93x_4^3/(x_2x_3x_6^4) \le 1$ and $1.93x_5^3/(x_2x_3x_7^4) \le 1$, stresses
/// $\sqrt{(745x_4/(x_2x_3))^2 + 16.9\cdot10^6}/(110x_6^3) \le 1$ and
/// $\sqrt{(745x_5/(x_2x_3))^2 + 157.5\cdot10^6}/(85x_7^3) \le 1$ of the shafts, and the geometry $x_2x_3 \le 40$,
/// $5x_2 \le x_1$, $x_1 \le 12x_2$, $1.5x_6 + 1.9 \le x_4$, $1.1x_7 + 1.9 \le x_5$.
///
/// $f$ is the negated weight. The teeth are continuous; their optimum is 17, an integer on the domain's edge.
/// With $x_5 \in [7.3, 8.3]$ the published optimum is 2994.47 (2996.35 belongs to $x_5 \ge 7.8$), refined here.
pub fn continuous() -> Problem {
    Problem {
        name: "speed_reducer".into(),
        source: "Golinski: An adaptive optimization system applied to machine synthesis, Mechanism and Machine Theory 8, \
                 1973; form of Lemonge, Barbosa, Borges, Silva 2010"
            .into(),
        domain: vec![
            Parameter::new("face_width", 2.6, 3.6),
            Parameter::new("tooth_module", 0.7, 0.8),
            Parameter::new("teeth", 17.0, 28.0),
            Parameter::new("length1", 7.3, 8.3),
            Parameter::new("length2", 7.3, 8.3),
            Parameter::new("diameter1", 2.9, 3.9),
            Parameter::new("diameter2", 5.0, 5.5),
        ],
        objective: Arc::new(|x| -weight(x)),
        constraints: stresses().into_iter().chain(geometry()).collect(),
        optimum: Optimum {
            x: vec![3.5, 0.7, 17.0, 7.3, 7.715319911478, 3.350214666096, 5.286654464980],
            value: -2994.47106614682,
            active: vec![4, 5, 7, 10],
        },
    }
}

#[expect(
    clippy::approx_constant,
    reason = "the published 0.7854, not pi/4, gives the published optimum"
)]
fn weight(x: &[f64]) -> f64 {
    let (d1, d2) = (x[5], x[6]);
    0.7854 * x[0] * x[1] * x[1] * (3.3333 * x[2] * x[2] + 14.9334 * x[2] - 43.0934)
        - 1.508 * x[0] * (d1 * d1 + d2 * d2)
        + 7.4777 * (d1.powi(3) + d2.powi(3))
        + 0.7854 * (x[3] * d1 * d1 + x[4] * d2 * d2)
}

fn stresses() -> Vec<Constraint> {
    vec![
        Constraint::new("bending", |x| 27.0 / (x[0] * x[1] * x[1] * x[2]) - 1.0),
        Constraint::new("contact", |x| 397.5 / (x[0] * (x[1] * x[2]).powi(2)) - 1.0),
        Constraint::new("deflection1", |x| deflection(x, x[3], x[5]) - 1.0),
        Constraint::new("deflection2", |x| deflection(x, x[4], x[6]) - 1.0),
        Constraint::new("stress1", |x| moment(x, x[3], 16.9e6) / (110.0 * x[5].powi(3)) - 1.0),
        Constraint::new("stress2", |x| moment(x, x[4], 157.5e6) / (85.0 * x[6].powi(3)) - 1.0),
    ]
}

fn geometry() -> Vec<Constraint> {
    vec![
        Constraint::new("pitch_diameter", |x| x[1] * x[2] / 40.0 - 1.0),
        Constraint::new("least_face", |x| 5.0 * x[1] / x[0] - 1.0),
        Constraint::new("greatest_face", |x| x[0] / (12.0 * x[1]) - 1.0),
        Constraint::new("fit1", |x| (1.5 * x[5] + 1.9) / x[3] - 1.0),
        Constraint::new("fit2", |x| (1.1 * x[6] + 1.9) / x[4] - 1.0),
    ]
}

fn deflection(x: &[f64], length: f64, diameter: f64) -> f64 {
    1.93 * length.powi(3) / (x[1] * x[2] * diameter.powi(4))
}

fn moment(x: &[f64], length: f64, constant: f64) -> f64 {
    ((745.0 * length / (x[1] * x[2])).powi(2) + constant).sqrt()
}
