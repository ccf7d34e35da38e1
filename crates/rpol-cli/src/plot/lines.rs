//! Pictures made of points and lines.

use super::chart::Chart;
use super::terminal::{best, feasible, infeasible, limit, name};
use crate::common::text::wrapped;
use anstyle::Style;
use rpol::Study;
use rpol_plot::picture::data::{self, Spending};
use rpol_plot::picture::shown;
use std::io::{self, Write};

pub(super) fn history(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let history = data::history(study);
    let verb = study.spec().objective.direction();
    writeln!(out, "Optimization history: {verb} {}", name(study.spec().objective.metric()))?;
    if history.points.is_empty() {
        return writeln!(out, "  No trial has a value of the objective yet.\n");
    }
    let last = history.trials as f64 - 1.0;
    let y = ends(history.points.iter().map(|p| p.value).chain(history.baseline));
    let mut chart = Chart::new(width, [0.0, last], y);
    if let Some(baseline) = history.baseline {
        let y = chart.up(baseline);
        chart.canvas.dashes(y, Style::new());
    }
    let steps =
        history.best.iter().zip(history.best.iter().skip(1).map(|(n, _)| *n as f64).chain([last]));
    for ((from, value), to) in steps {
        let [from, to] = [*from as f64, to].map(|x| chart.at([x, *value]));
        chart.canvas.line(from, to, best());
    }
    for wanted in [None, Some(false), Some(true)] {
        let style = if wanted == Some(false) { infeasible() } else { feasible() };
        for point in history.points.iter().filter(|point| point.feasible == wanted) {
            let at = chart.at([point.number as f64, point.value]);
            chart.canvas.dot(at, style);
        }
    }
    history.failed.iter().for_each(|number| {
        let [x, _] = chart.at([*number as f64, 0.0]);
        chart.canvas.dot([x, 0.0], limit());
    });
    chart.write(out, "trial")?;
    let kept = history.points.iter().filter(|point| point.feasible == Some(true)).count();
    let best = match history.best.last() {
        Some((number, value)) => {
            let expected = expected(study, *number);
            format!("best feasible {} in trial {number} (line{expected})", shown(*value))
        }
        None => "none is feasible yet".into(),
    };
    let baseline =
        history.baseline.map_or(String::new(), |b| format!("; baseline {} (dashes)", shown(b)));
    let (trials, failed) = (history.trials, history.failed.len());
    let where_to = if failed > 0 { " (at the foot)" } else { "" };
    let account =
        format!("  {trials} trials, {kept} feasible, {failed} failed{where_to}; {best}{baseline}");
    writeln!(out, "{}\n", wrapped(&account, width))
}

/// What the model makes of a trial: the best of many noisy values is often the luckiest one.
fn expected(study: &Study, number: u64) -> String {
    let params = study.trial(number).map(|trial| vec![trial.params.clone()]);
    let predicted = params.and_then(|params| study.predict(&params)).ok().flatten();
    let belief = predicted.and_then(|predicted| predicted.first().map(|p| p.objective));
    belief.map_or(String::new(), |b| {
        format!(", by the model {} +- {}", shown(b.mean), shown(b.deviation))
    })
}

pub(super) fn violation(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let accounts = data::spending(study);
    if accounts.is_empty() {
        return writeln!(out, "Cumulative violation\n  The study has no constraints.\n");
    }
    accounts.iter().try_for_each(|account| spent(out, account, study.trials().len(), width))
}

fn spent(out: &mut impl Write, account: &Spending, trials: usize, width: usize) -> io::Result<()> {
    let total = shown(account.spent());
    let of = account.budget.map_or(", no budget".into(), |b| format!(" of {} (dashes)", shown(b)));
    let title = format!("Cumulative violation of {}: spent {total}{of}", name(&account.constraint));
    writeln!(out, "{}", wrapped(&title, width))?;
    if account.steps.is_empty() {
        return writeln!(out, "  It has not been measured yet.\n");
    }
    let most = account.spent().max(account.budget.unwrap_or(0.0));
    let mut chart = Chart::new(width, [0.0, trials as f64 - 1.0], [0.0, most]);
    let mut before = [0.0, 0.0];
    for (number, total) in &account.steps {
        let corner = [*number as f64, before[1]];
        let next = [*number as f64, *total];
        for [from, to] in [[before, corner], [corner, next]] {
            let [from, to] = [from, to].map(|at| chart.at(at));
            chart.canvas.line(from, to, feasible());
        }
        before = next;
    }
    if let Some(budget) = account.budget {
        let y = chart.up(budget);
        chart.canvas.dashes(y, limit());
    }
    chart.write(out, "trial")?;
    writeln!(out)
}

pub(super) fn penalty(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let trace = study.penalty_trace();
    let constraints = &study.spec().constraints;
    if constraints.is_empty() || trace.is_empty() {
        return writeln!(out, "Penalty trace\n  There is no constraint, or no round yet.\n");
    }
    for (i, constraint) in constraints.iter().enumerate() {
        let values: Vec<f64> = trace.iter().filter_map(|round| round.get(i).copied()).collect();
        writeln!(out, "Penalty of {}", name(&constraint.to_string()))?;
        let most = ends(values.iter().copied())[1];
        let mut chart = Chart::new(width, [1.0, values.len() as f64], [0.0, most.max(0.0)]);
        for (k, pair) in values.windows(2).enumerate() {
            let at = [0, 1].map(|j| chart.at([(k + 1 + j) as f64, pair[j]]));
            chart.canvas.line(at[0], at[1], best());
        }
        chart.write(out, "round")?;
        writeln!(out)?;
    }
    Ok(())
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = values.map(|v| v.clamp(-1e300, 1e300)).map(|v| [v, v]);
    ends.reduce(|[l, h], [a, b]| [l.min(a), h.max(b)]).unwrap_or([0.0, 1.0])
}
