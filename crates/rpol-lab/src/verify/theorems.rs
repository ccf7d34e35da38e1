//! Theorems 1 to 4 with their constants.

use super::error_sums::{bound, drift_bound};
use super::setting::{Case, Form, Setting};
use super::statement::{Family, Sample, Statement};
use super::trace::Trace;

/// Theorem 1 follows from Condition 1 without further chance, so it is asked of every run in which the condition held,
/// and must hold in each. With the errata: the violation bound has $1/\rho$ on both sums, and as the printed update
/// gives $Q_t \ge \sqrt{t-1}$ it gains $2B_f$.
pub(super) fn first(setting: &Setting, trace: &Trace) -> Vec<Sample> {
    let rho = setting.rho();
    let case = match setting.form {
        Form::Paper => setting.case.to_string(),
        _ => "other widths".into(),
    };
    let errors = [0, 1].map(|q| trace.errors(q) / rho);
    let given = |part: &str, inequality: &str| {
        let inequality = format!("given Condition 1: {inequality}");
        Statement::new(Family::Theorems, format!("Theorem 1 {part}, {case}"), inequality, 1.0)
    };
    let regret = given("regret", "R(T) <= (1/rho) sum e_f");
    let violation =
        given("violation", "V(T) <= (1/rho) (sum e_g + sum e_f) + 4 B_f sqrt(T) + 2 B_f");
    let bound = "sum g_check+(x_t) <= sum (e_f + 2 rho B_f) / max(1, sqrt(t-1))";
    let step = given("inner step", bound);
    let lower: f64 = trace.rounds.iter().map(|r| r.lower.max(0.0)).sum();
    let priced = trace.rounds.iter().enumerate().map(|(before, round)| {
        let gain = 2.0 * round.reach(0) + 2.0 * rho * setting.bound[0];
        gain / (before as f64).sqrt().max(1.0)
    });
    if trace.worst > 1.0 {
        return vec![regret.silence(), violation.silence(), step.silence()];
    }
    vec![
        regret.sample(trace.regret() / errors[0]),
        violation.sample(trace.violation() / (errors[0] + errors[1] + constants(setting))),
        step.sample(lower / priced.sum::<f64>()),
    ]
}

/// Theorems 2, 3 and 4, each with the constants of its appendix and the errata.
pub(super) fn explicit(setting: &Setting, trace: &Trace) -> Vec<Sample> {
    let rho = setting.rho();
    let side = |q: usize| 2.0 * (bound(setting, trace, q) + drift_bound(setting, trace)) / rho;
    let (number, terms) = match setting.case {
        Case::Ucb => (2, "S = 2 beta_T sqrt(4 (T+2) gamma)"),
        Case::Censored { .. } => {
            (3, "S = (2 beta_T sqrt(4 T lambda gamma) + 8 m B_r lambda gamma) / rho")
        }
        Case::Window => (4, "S = 2 C W P_T + 2 ceil(T/W) beta sqrt(4 lambda W gamma_W)"),
    };
    let theorem = |part: &str, inequality: &str, ratio: f64| {
        let name = format!("Theorem {number} {part}, p = {}", setting.p);
        let inequality = format!("{inequality}, {terms}");
        Statement::new(Family::Theorems, name, inequality, setting.promised()).sample(ratio)
    };
    let both = side(0) + side(1) + constants(setting);
    let violation = "V(T) <= S_f + S_g + 4 B_f sqrt(T) + 2 B_f";
    vec![
        theorem("regret", "R(T) <= S_f", trace.regret() / side(0)),
        theorem("violation", violation, trace.violation() / both),
    ]
}

/// $4B_f\sqrt T + 2B_f$.
fn constants(setting: &Setting) -> f64 {
    let bound = setting.bound[0];
    4.0 * bound * (setting.horizon as f64).sqrt() + 2.0 * bound
}
