//! What the theorems use of the penalty $Q_t$.

use super::setting::Setting;
use super::statement::{Family, Sample, Statement, largest};
use super::trace::Trace;

/// $Q_t$ never falls, stays over its floor, and has grown by every violation that was revealed.
pub(super) fn laws(setting: &Setting, trace: &Trace) -> Vec<Sample> {
    let penalties: Vec<f64> = trace.rounds.iter().map(|r| r.penalty).collect();
    let floor = |before: usize| (before as f64).sqrt().max(1.0);
    let under = penalties.iter().enumerate().map(|(before, q)| floor(before) / q);
    let falls = penalties.windows(2).map(|q| q[0] / q[1]);
    let name = |law: &str| format!("Penalty {law}, {}", setting.case);
    let floor = "for all t: Q_t >= max(1, sqrt(t-1), Q_t-1)";
    vec![
        Statement::law(Family::Penalty, name("floor"), floor, largest(under.chain(falls))),
        grown(name("growth"), trace.paid, trace.final_penalty),
    ]
}

/// Every revealed violation is in the price.
pub(super) fn grown(name: String, paid: f64, penalty: f64) -> Sample {
    let inequality = "Q_T+1 >= 1 + sum c+ over the costs revealed";
    Statement::law(Family::Penalty, name, inequality, (1.0 + paid) / penalty)
}
