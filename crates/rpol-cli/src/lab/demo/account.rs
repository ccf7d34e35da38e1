//! The run in a few lines of numbers.

use std::io::{self, Write};

use rpol_lab::problem::Problem;

use super::play::{Round, cumulative_violation};

pub(super) fn write(
    out: &mut impl Write,
    problem: &Problem,
    noise: f64,
    rounds: &[Round],
) -> io::Result<()> {
    let horizon = rounds.len() as f64;
    let regret: f64 = rounds.iter().map(|r| (problem.optimum.value - r.f).max(0.0)).sum();
    let last = &rounds[rounds.len() / 2..];
    let beyond = |least: f64| rounds.iter().filter(|r| r.g > least).count();
    let penalty = rounds.last().map_or(1.0, |r| r.penalty);

    let lines = [
        ("known optimum", format!("f = {}", at(problem.optimum.value, &problem.optimum.x))),
        ("best feasible tried", best(rounds)),
        ("regret per round", format!("R+/T = {:.4}", regret / horizon)),
        ("violation per round", {
            let (all, late) = (violation(rounds) / horizon, violation(last) / last.len() as f64);
            format!("V/T = {all:.4}; in the second half {late:.4}")
        }),
        (
            "violating rounds",
            format!("{} of {horizon}, {} by more than the noise", beyond(0.0), beyond(noise)),
        ),
        ("penalty at the end", format!("Q = {penalty:.3}")),
    ];
    writeln!(out, "rpol on {}, {} rounds", problem.name, rounds.len())?;
    for (name, value) in lines {
        writeln!(out, "  {name:<20} {value}")?;
    }
    Ok(())
}

fn violation(rounds: &[Round]) -> f64 {
    cumulative_violation(rounds).pop().unwrap_or(0.0)
}

fn best(rounds: &[Round]) -> String {
    let feasible = rounds.iter().enumerate().filter(|(_, r)| r.g <= 0.0);
    match feasible.max_by(|(_, a), (_, b)| a.f.total_cmp(&b.f)) {
        Some((i, best)) => format!("f = {} in round {}", at(best.f, &best.x), i + 1),
        None => "none yet: try more rounds".into(),
    }
}

fn at(f: f64, x: &[f64]) -> String {
    format!("{f:.4} at ({:.4}, {:.4})", x[0], x[1])
}
