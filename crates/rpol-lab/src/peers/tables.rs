//! The measurements as tables.

use std::collections::{BTreeMap, BTreeSet};

use super::PROBLEMS;
use super::markdown::table;
use super::results::{Results, Run, Speed};

/// Every table and the versions, in Markdown. Ours are the first results.
#[must_use]
pub fn tables(results: &[Results]) -> String {
    let mut parts: Vec<String> =
        PROBLEMS.iter().filter_map(|(name, what)| speeds(results, name, what)).collect();
    parts.extend(runs(results));
    parts.push(versions(results));
    parts.join("\n")
}

/// CPU time of an ask and its tell, a column a number of observations.
fn speeds(results: &[Results], problem: &str, what: &str) -> Option<String> {
    let of = |results: &Results| results.speed.get(problem).cloned().unwrap_or_default();
    let sizes: BTreeSet<usize> = results.iter().flat_map(|each| of(each).into_keys()).collect();
    let (ours, peers) = results.split_first()?;
    let (name, ours) = (&ours.label, of(ours));
    let row = |label: String, cell: &dyn Fn(&usize) -> Option<String>| {
        let cells = sizes.iter().map(|n| cell(n).unwrap_or_else(|| "-".into()));
        [label].into_iter().chain(cells).collect::<Vec<String>>()
    };
    let own = |value: fn(&Speed) -> Option<f64>| {
        let ours = &ours;
        move |n: &usize| ours.get(n).and_then(value).map(time)
    };
    let mut rows = vec![
        row(name.clone(), &own(|speed| Some(speed.usual()))),
        row(format!("{name}, mean with its refits"), &own(Speed::with_refits)),
        row(format!("{name}, first ask on a history"), &own(|speed| Some(speed.first))),
    ];
    for peer in peers {
        let theirs = of(peer);
        rows.push(row(peer.label.clone(), &|n| Some(beside(theirs.get(n)?, ours.get(n)))));
    }
    let head = sizes.iter().map(|n| format!("n = {n}"));
    let head: Vec<String> = [what.to_owned()].into_iter().chain(head).collect();
    (!sizes.is_empty()).then(|| table(&head, &rows))
}

/// A peer's time, and how many times ours it is.
fn beside(theirs: &Speed, ours: Option<&Speed>) -> String {
    let ratio = ours.map(|ours| format!(" ({:.0}x)", theirs.usual() / ours.usual()));
    time(theirs.usual()) + &ratio.unwrap_or_default()
}

/// Means over the seeds of the whole runs.
fn runs(results: &[Results]) -> Option<String> {
    let head = ["classical, T = 200", "R+/T", "V/T", "violating", "CPU a run", "seeds"];
    let row = |each: &Results| {
        let of = |value: fn(&Run) -> f64| {
            each.play.values().map(value).sum::<f64>() / each.play.len() as f64
        };
        vec![
            each.label.clone(),
            format!("{:.3}", of(|run| run.regret)),
            format!("{:.3}", of(|run| run.violation)),
            format!("{:.0} %", 100.0 * of(|run| run.violating)),
            time(of(|run| run.seconds)),
            each.play.len().to_string(),
        ]
    };
    let rows: Vec<_> = results.iter().filter(|each| !each.play.is_empty()).map(row).collect();
    (!rows.is_empty()).then(|| table(&head.map(String::from), &rows))
}

fn versions(results: &[Results]) -> String {
    let packages: BTreeMap<_, _> = results.iter().flat_map(|each| &each.versions).collect();
    let packages: Vec<String> =
        packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let pythons: BTreeSet<&str> = results.iter().map(|each| each.python.as_str()).collect();
    let pythons: Vec<&str> = pythons.into_iter().collect();
    format!("Versions: {}; Python {}.\n", packages.join(", "), pythons.join(" and "))
}

/// Seconds to two or three digits, in the unit that suits them.
fn time(seconds: f64) -> String {
    match seconds {
        ..0.00995 => format!("{:.2} ms", 1e3 * seconds),
        ..0.0995 => format!("{:.1} ms", 1e3 * seconds),
        ..0.995 => format!("{:.0} ms", 1e3 * seconds),
        ..9.95 => format!("{seconds:.2} s"),
        ..99.5 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}
