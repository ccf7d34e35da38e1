//! What the pictures of an ordinary study show.

use crate::queue::queue;
use crate::reading::{assert_sound, corners, texts, within};
use rpol::Study;
use rpol_plot::picture::{self, Kind, data};
use std::sync::LazyLock;

static QUEUE: LazyLock<(Study, Vec<u64>)> = LazyLock::new(|| queue(40));

fn study() -> &'static Study {
    &QUEUE.0
}

fn has_text(svg: &str, part: &str) {
    assert!(texts(svg).iter().any(|text| text.contains(part)), "no {part:?} in {:?}", texts(svg));
}

#[test]
fn every_picture_is_sound_and_the_same_again() {
    for kind in Kind::ALL {
        let svg = kind.svg(study(), &QUEUE.1);
        assert_sound(&svg);
        assert_eq!(svg, kind.svg(study(), &QUEUE.1));
        assert_eq!(within(&svg, "empty", "text"), 0, "{}", kind.name());
    }
}

#[test]
fn history_has_every_point_and_a_best_line_over_feasible_ones_only() {
    let (svg, history) = (picture::history(study()), data::history(study()));
    let count = |feasible| history.points.iter().filter(|p| p.feasible == feasible).count();
    assert!(count(Some(true)) > 3 && count(Some(false)) > 3, "the fixture has both");
    assert_eq!(within(&svg, "feasible", "circle"), count(Some(true)));
    assert_eq!(within(&svg, "infeasible", "circle"), count(Some(false)));
    assert_eq!(within(&svg, "failed", "path"), history.failed.len());
    assert!(svg.contains("class=\"infeasible\" fill=\"#CCCCCC\""));
    // Smaller is better, so the line only goes down, which is up in numbers of the picture.
    let line = corners(&svg, "best");
    assert!(line.windows(2).all(|pair| pair[0][0] <= pair[1][0] && pair[0][1] <= pair[1][1]));
    let best = study().best_trial().unwrap();
    let (number, value) = *history.best.last().unwrap();
    assert_eq!((number, value), (best.number, best.metrics["cost_eur"].value.get()));
    assert_eq!(within(&svg, "baseline", "path"), 1);
    has_text(&svg, "minimize cost_eur");
}

#[test]
fn violation_ends_at_the_ledger_with_its_budget_drawn() {
    let svg = picture::violation(study());
    for (spending, account) in data::spending(study()).iter().zip(study().ledger()) {
        assert!((spending.spent() - account.total).abs() <= 1e-9 * account.total);
        assert!(spending.steps.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert_eq!(spending.failed.len() as u64, account.failed);
    }
    let failed: usize = data::spending(study()).iter().map(|spending| spending.failed.len()).sum();
    assert_eq!(within(&svg, "failed", "path"), failed);
    assert!(failed > 0, "the fixture has failures");
    assert_eq!(within(&svg, "budget", "path"), 2);
    has_text(&svg, "of 3000");
    has_text(&svg, "drop_pct <= 2");
}

#[test]
fn the_penalty_trace_is_what_each_prefix_of_the_log_would_say() {
    let trace = study().penalty_trace();
    assert_eq!(trace.len() as u64, study().status().round);
    for (row, length) in asked_at().into_iter().enumerate().step_by(13) {
        let before = Study::replay(study().log()[..length].to_vec()).unwrap();
        assert_eq!(trace[row], before.penalties());
    }
}

/// Lengths of the log before each ask.
fn asked_at() -> Vec<usize> {
    let log = study().log().iter().enumerate();
    log.filter(|(_, e)| matches!(e, rpol::study::Event::Asked { .. })).map(|(i, _)| i).collect()
}

#[test]
fn slices_have_a_panel_a_parameter_with_every_point() {
    let svg = picture::slice(study(), &[]);
    let points = data::points(study());
    let circles = ["feasible", "infeasible", "unknown"].map(|class| within(&svg, class, "circle"));
    assert_eq!(circles.iter().sum::<usize>(), 3 * points.len());
    ["workers", "batch", "order", "priority"].iter().for_each(|part| has_text(&svg, part));
    let one = picture::slice(study(), &["batch".into()]);
    assert!(!texts(&one).iter().any(|text| text == "workers"));
}

#[test]
fn contours_mark_the_incumbent_and_what_breaks_a_limit() {
    let params = data::two_that_matter(study()).unwrap();
    assert_eq!(params, ["workers", "batch"].map(String::from), "the order is no number");
    let svg = picture::contour(study(), Some(&params));
    assert_eq!(within(&svg, "incumbent", "path"), 1);
    assert_eq!(within(&svg, "broken", "path"), 3);
    assert!(within(&svg, "levels", "path") > 3);
    let field = data::field(study(), &params).unwrap();
    let corner = field.at([0.0, 0.0], |p| p.objective.mean);
    assert_eq!(corner, field.places[0].objective.mean);
}

#[test]
fn parallel_coordinates_have_a_line_a_trial() {
    let svg = picture::parallel(study());
    let points = data::points(study());
    let grey = points.iter().filter(|p| p.feasible == Some(false)).count();
    assert_eq!(svg.matches("class=\"infeasible\"").count(), grey);
    assert_eq!(svg.matches("stroke-opacity=\"0.85\"").count(), points.len());
}

#[test]
fn delays_are_counted_in_rounds() {
    let delays = data::delays(study());
    let late = (0..40).filter(|i| [3, 8].contains(&(i % 11))).count() as u64;
    let failed = (0..40).filter(|i| i % 11 == 7).count() as u64;
    assert_eq!(delays.counts, [40 - failed - late, late]);
    assert_eq!(delays.pending, 0);
    assert_eq!(within(&picture::delay(study()), "bars", "rect"), 2);
}

#[test]
fn the_timeline_has_a_bar_a_trial_and_a_row_a_worker() {
    let svg = picture::timeline(study(), &QUEUE.1);
    assert_eq!(within(&svg, "bars", "rect"), 40);
    (1..=3).for_each(|worker| has_text(&svg, &format!("worker-{worker}")));
    let bars = data::timeline(study(), &QUEUE.1);
    assert!(bars.iter().all(|bar| bar.span[1] > bar.span[0]));
}
