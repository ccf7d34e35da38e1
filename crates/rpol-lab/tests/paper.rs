//! The paper's experiments: what the settings say, what is averaged, what is kept.
#![allow(clippy::unwrap_used)]

use rpol::policy::{FixedPenalty, Policy, PrimalDual};
use rpol::strategy::{Censored, EventTriggered, Strategy};
use rpol::study::{Preset, Spec};
use rpol_lab::paper::report::{Report, csv, digest};
use rpol_lab::paper::{
    Archive, Estimate, Experiment, Job, Noise, Request, Run, Settings, Spread, Tally, student_t,
    summarize,
};
use serde_json::{Value, json};
use std::path::PathBuf;

fn request(preset: Preset) -> Request {
    let experiments = Experiment::ALL.to_vec();
    Request { experiments, seeds: 2, rounds: 500, preset, noise: Noise::Variance(0.05) }
}

fn jobs(request: &Request) -> Vec<Job> {
    request.jobs(&Settings::load().unwrap()).unwrap()
}

#[test]
fn every_algorithm_of_every_experiment_is_a_valid_study() {
    for preset in [Preset::Printed, Preset::Practical] {
        let jobs = jobs(&request(preset));
        let count = |e| jobs.iter().filter(|job| job.experiment == e).count();
        assert_eq!(Experiment::ALL.map(count), [5 * 2, 6 * 2, 6 * 2]);
        for job in &jobs {
            job.spec.validate().unwrap();
            assert_eq!((job.spec.seed, job.spec.horizon), (job.seed, Some(500)));
            assert_eq!(job.spec.preset, preset);
            assert_eq!(job.environment.noise, [0.05f64.sqrt(); 2]);
        }
    }
}

fn spec_of(preset: Preset, experiment: Experiment, algorithm: &str) -> Spec {
    let jobs = jobs(&request(preset));
    let wanted = |job: &&Job| job.experiment == experiment && job.algorithm == algorithm;
    jobs.iter().find(wanted).unwrap().spec.clone()
}

#[test]
fn the_printed_preset_leaves_nothing_to_the_library() {
    for job in jobs(&request(Preset::Printed)) {
        let spec = serde_json::to_value(&job.spec).unwrap();
        assert_eq!(spec["model"]["noise"], json!(1.004), "{}", job.name());
        assert_eq!(spec["model"]["kernel"]["lengthscales"], json!([0.25, 0.25]));
        assert_eq!(spec["confidence"]["width"]["noise"], json!(0.05f64.sqrt()), "R is S");
        assert!(job.spec.policy.is_some() && job.spec.strategy.is_some());
    }
    let ckb = spec_of(Preset::Printed, Experiment::Drifting, "ckb-restart-ucb");
    let Some(Policy::PrimalDual(ckb)) = ckb.policy else { panic!("not CKB") };
    assert_eq!((ckb.bound_objective, ckb.bound_constraint, ckb.cap), (7.0, 1.95, 560.0));
    assert!((ckb.step.unwrap() - 1.95 * 500f64.sqrt() / 560.0).abs() < 1e-12);
    let windowed = spec_of(Preset::Printed, Experiment::Drifting, "rpol-sw-ucb").strategy;
    let Some(Strategy::SlidingWindow(windowed)) = windowed else { panic!("no window") };
    assert_eq!(windowed.window, 100);
}

#[test]
fn the_printed_widths_are_those_of_the_strategies() {
    let width = |experiment, algorithm: &str| {
        let spec = spec_of(Preset::Printed, experiment, algorithm);
        serde_json::to_value(spec.confidence.width).unwrap()["type"].as_str().unwrap().to_string()
    };
    assert_eq!(width(Experiment::Classical, "rpol-ucb"), "igp");
    assert_eq!(width(Experiment::Delayed, "rpol-censored-ucb"), "censored");
    assert_eq!(width(Experiment::Drifting, "rpol-sw-ucb"), "window");
}

#[test]
fn the_practical_preset_is_the_librarys() {
    for job in jobs(&request(Preset::Practical)) {
        let spec = &job.spec;
        assert_eq!(spec.algorithm.as_deref(), Some(job.algorithm.as_str()));
        assert_eq!((&spec.policy, &spec.strategy), (&None, &None));
        assert_eq!((&spec.confidence.width, spec.model.noise), (&None, None));
    }
}

/// What captions and comments say of the library's constants.
#[test]
fn the_librarys_constants_are_as_the_settings_say() {
    let ckb = PrimalDual::default();
    assert_eq!((ckb.cap, ckb.step, ckb.bound_objective), (5.0, None, 1e6));
    assert_eq!((FixedPenalty::default().penalty, Censored::default().within), (10.0, 30));
    let triggered = EventTriggered::default();
    assert_eq!((triggered.beta, triggered.delta, triggered.after), (2.0, 0.1, 8));
}

#[test]
fn captions_state_the_numbers() {
    let settings = Settings::load().unwrap();
    let say = |preset, e| settings.caption(&request(preset), e).unwrap();
    let printed = say(Preset::Printed, "drifting");
    for part in ["lambda = 1 + 2/T = 1.004", "R = 0.2236", "W = 100", "rho = 560", "V = 0.07786"] {
        assert!(printed.contains(part), "no {part} in {printed}");
    }
    assert!(say(Preset::Practical, "classical").contains("EPBO: rho = 10"));
    assert!(!printed.contains(['{', '}']));
}

#[test]
fn the_interval_is_students() {
    // Percentage points of Student's distribution, from tables.
    for (freedom, t) in [(1, 12.7062), (2, 4.3027), (3, 3.1824), (9, 2.2622), (99, 1.9842)] {
        assert!((student_t(freedom) - t).abs() < 5e-5, "{freedom}: {}", student_t(freedom));
    }
    let mut spread = Spread::default();
    spread.add(1.0);
    assert_eq!(spread.estimate(), Estimate { mean: 1.0, half_width: None });
    // Values 1, 2, 4, 5: mean 3, s = sqrt(10/3), half width 3.182446 s / 2.
    [2.0, 4.0, 5.0].into_iter().for_each(|value| spread.add(value));
    let estimate = spread.estimate();
    assert_eq!(estimate.mean, 3.0);
    assert!((estimate.half_width.unwrap() - 2.905_163).abs() < 1e-5, "{estimate:?}");
}

fn run(regret: [f64; 4], g: [f64; 4], ask_ms: f64) -> Run {
    let penalty = vec![1.0, 2.0, 3.0, 4.0];
    let (regret, g, ask_ms) = (regret.to_vec(), g.to_vec(), vec![ask_ms; 4]);
    Run { x: vec![[0.5, 1.5]; 4], regret, g, penalty, ask_ms }
}

#[test]
fn averages_are_those_worked_out_by_hand() {
    let mut tally = Tally::default();
    tally.add(&run([4.0, -2.0, 1.0, 1.0], [0.5, -1.0, 0.25, -0.5], 3.0));
    tally.add(&run([2.0, 2.0, -1.0, 3.0], [1.0, 1.0, -0.5, 0.5], 5.0));
    let (totals, curves) = (tally.totals(), tally.curves());
    let means = [
        totals.regret.mean,
        totals.regret_plus.mean,
        totals.violation.mean,
        totals.violating_rounds.mean,
        totals.soft_violation.mean,
        totals.ask_ms.mean,
    ];
    // Per run: R/T 1, 1.5; R+/T 1.5, 1.75; V/T 0.1875, 0.625; violating 0.5, 0.75; sum g -0.75, 2.
    assert_eq!(means, [1.25, 1.625, 0.40625, 0.625, 0.25, 4.0]);
    let mean = |curve: &[Estimate]| curve.iter().map(|e| e.mean).collect::<Vec<_>>();
    assert_eq!(mean(&curves.regret), [3.0, 1.5, 1.0, 1.25]);
    assert_eq!(mean(&curves.regret_plus), [3.0, 2.0, 1.5, 1.625]);
    assert_eq!(mean(&curves.violation), [0.75, 0.625, (0.25 + 2.0 / 3.0) / 2.0, 0.40625]);
    assert_eq!(mean(&curves.penalty), [1.0, 2.0, 3.0, 4.0]);
    // Two values a apart: s = a / sqrt 2, half width t s / sqrt 2 = 12.7062 a / 2.
    assert!((totals.regret.half_width.unwrap() - 0.25 * 12.7062).abs() < 1e-4);
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rpol-paper-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_run_is_found_again_only_whole_and_under_its_settings() {
    let folder = Folder::new("archive");
    let archive = Archive::open(&folder.0).unwrap();
    let short = |noise| Request { rounds: 4, noise, ..request(Preset::Printed) };
    let job = jobs(&short(Noise::Variance(0.05))).remove(0);
    assert_eq!(archive.find(&job).unwrap(), None);
    let kept = run([0.1, 0.2, 0.3, 1.0 / 3.0], [1e-300, -0.1, 0.7, 0.0], 1.5);
    archive.keep(&job, kept.clone()).unwrap();
    assert_eq!(archive.find(&job).unwrap(), Some(kept.clone()));
    assert_eq!(archive.find(&jobs(&short(Noise::Variance(0.06))).remove(0)).unwrap(), None);

    let whole = std::fs::read(archive.path(&job)).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let digit = text.find("0.7").unwrap() + 2;
    let mut flipped = whole.clone();
    flipped[digit] = b'6';
    let other_version = text.replacen("\"version\":\"", "\"version\":\"9.", 1).into_bytes();
    for bytes in [&flipped[..], &whole[..whole.len() / 2], &other_version, b"", b"\xff\n"] {
        std::fs::write(archive.path(&job), bytes).unwrap();
        assert_eq!(archive.find(&job).unwrap(), None, "{}", String::from_utf8_lossy(bytes));
    }
    let mut few = kept;
    few.g.pop();
    archive.keep(&job, few).unwrap();
    assert_eq!(archive.find(&job).unwrap(), None, "a round is missing");
}

#[test]
fn one_seed_has_no_interval() {
    let folder = Folder::new("one-seed");
    let archive = Archive::open(&folder.0).unwrap();
    let experiments = vec![Experiment::Classical];
    let request = Request { experiments, seeds: 1, rounds: 4, ..request(Preset::Printed) };
    let jobs = jobs(&request);
    for job in &jobs {
        archive.keep(job, run([1.0; 4], [0.5, -0.5, 0.5, -0.5], 1.0)).unwrap();
    }
    let settings = Settings::load().unwrap();
    let summaries = summarize(&request, &settings, &jobs, &archive).unwrap();
    let (request, settings, command) = (&request, &settings, String::new());
    let report = Report { request, settings, summaries: &summaries, command };
    let violation = &digest(&report)["experiments"][0]["algorithms"][0]["violation"];
    assert_eq!(*violation, json!({"mean": 0.25, "half_width": Value::Null}));
    assert_eq!(csv(&summaries[0]).lines().nth(1), Some("1,RPOL-UCB,1,,,1,,,0.5,,"));
}
