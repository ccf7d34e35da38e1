//! The verification, verified: what is wrong must turn red.
#![allow(clippy::unwrap_used)]

use rpol_lab::verify::{Effort, Family, Row, Verification};
use std::num::NonZeroUsize;

fn tiny() -> Effort {
    Effort {
        horizon: 12,
        runs: 1,
        coverage_horizon: 10,
        coverage_runs: 1,
        control_runs: 2,
        growth_horizons: [vec![8, 16], vec![8, 16], vec![8, 16]],
        growth_runs: 1,
        promise_horizon: 12,
        promise_runs: 1,
    }
}

fn rows(scale: f64, jobs: usize) -> Vec<Row> {
    let verification = Verification::new(tiny()).with_bands_scaled(scale);
    verification.run(NonZeroUsize::new(jobs).unwrap(), &|| ()).unwrap()
}

fn failed(rows: &[Row], family: Family) -> usize {
    rows.iter().filter(|row| row.family == family && !row.holds).count()
}

#[test]
fn bands_of_a_third_break_the_confidence_rows_and_no_theorem() {
    let (whole, third) = (rows(1.0, 2), rows(1.0 / 3.0, 2));
    assert_eq!(failed(&whole, Family::Confidence), 0, "{whole:#?}");
    assert!(
        failed(&third, Family::Confidence) >= 4,
        "UCB and window at two p at least: {third:#?}"
    );
    assert!(failed(&third, Family::Coverage) >= 2, "{third:#?}");
    assert!(third.iter().any(|row| row.family == Family::Confidence && !row.as_expected));
    assert_eq!(
        failed(&third, Family::Theorems),
        0,
        "the play is the same, only the judgement is not"
    );
}

#[test]
fn adversaries_break_no_promise_and_the_model_alone_does() {
    let rows = rows(1.0, 2);
    let promises: Vec<&Row> = rows.iter().filter(|row| row.family == Family::Promise).collect();
    assert!(promises.len() >= 6 && promises.iter().all(|row| row.as_expected), "{promises:#?}");
    let control = rows.iter().find(|row| row.name == "A promise without feedback").unwrap();
    assert!(control.as_expected && control.held < control.runs, "{control:#?}");
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    // As text, where a NaN equals itself: two horizons of a single run give no interval.
    assert_eq!(format!("{:?}", rows(1.0, 1)), format!("{:?}", rows(1.0, 3)));
}

#[test]
fn ticks_as_often_as_announced() {
    let ticks = std::sync::atomic::AtomicUsize::new(0);
    let verification = Verification::new(tiny());
    let tick = || {
        ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    verification.run(NonZeroUsize::new(2).unwrap(), &tick).unwrap();
    assert_eq!(ticks.into_inner(), verification.steps());
}
