//! RPOL-UCB on the paper's classical experiment, under the printed and the practical preset:
//! `cargo run --release -p rpol-lab --example presets`.

use rpol::confidence::{PerOutput, Width};
use rpol::study::{Preset, Spec};
use rpol_lab::experiment::{Simulation, spec};
use rpol_lab::problem::{Environment, NoiseReading};

type Setting = (&'static str, fn(&mut Spec));

const SETTINGS: [Setting; 5] = [
    ("printed, beta 2, u 0.25", |spec| {
        spec.preset = Preset::Printed;
        spec.model.lengthscale = Some(0.25);
        spec.confidence.width = Some(Width::Constant { beta: PerOutput::All(2.0) });
    }),
    ("practical", |_| {}),
    ("practical, tapered 2, 1", |spec| tapered(spec, 2.0, 1.0)),
    ("practical, tapered 2, 0.3", |spec| tapered(spec, 2.0, 0.3)),
    ("practical, 12 initial", |spec| spec.initial = Some(12)),
];

fn tapered(spec: &mut Spec, beta: f64, tau: f64) {
    spec.confidence.width = Some(Width::Tapered { beta: PerOutput::All(beta), tau });
}

fn main() -> Result<(), rpol::Error> {
    println!("classical, T = 500, noise variance 0.05");
    for (name, set) in SETTINGS {
        for seed in 0..3 {
            let classical = Environment::classical(NoiseReading::Variance);
            let mut spec = spec(classical.problem_at(1), classical.horizon, seed)?;
            spec.algorithm = Some("rpol-ucb".into());
            set(&mut spec);
            let mut simulation = Simulation::new(classical, spec, seed)?;
            let totals = simulation.run()?;
            let mut ms = simulation.ask_ms().to_vec();
            ms.sort_by(f64::total_cmp);
            let t = totals.rounds as f64;
            let late = &simulation.rounds()[400..];
            let tail = late.iter().map(|r| r.regret.max(0.0)).sum::<f64>() / late.len() as f64;
            println!(
                "{name:<26} seed {seed}: R/T {:>7.4}  R+/T {:.4} (last 100: {tail:.4})  V/T {:.4}  violating {:>5.1} %  ask {:.2} ms, last at {:.3?}",
                totals.regret / t,
                totals.positive_regret / t,
                totals.violation[0] / t,
                100.0 * totals.violating as f64 / t,
                ms[ms.len() / 2],
                simulation.rounds().last().map(|r| &r.x).expect("rounds"),
            );
        }
    }
    Ok(())
}
