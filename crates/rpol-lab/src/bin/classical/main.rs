//! The paper's classical problem through `rpol pipe`, as another language would use it: both presets,
//! each twice with the same seed, which must give the same bytes.

mod pipe;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use pipe::Pipe;
use rpol::random::Stream;
use rpol_lab::problem::{Environment, NoiseReading, Problem};
use serde_json::{Value, json};

/// What was played, and every byte the program answered.
struct Run {
    transcript: String,
    regret: f64,
    violation: f64,
    violating: u64,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("usage: classical RPOL [ROUNDS]")?;
    let rounds: u64 = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let environment = Environment::classical(NoiseReading::Variance);
    println!("classical problem through `rpol pipe`, {rounds} rounds, noise variance 0.05, seed 1");
    println!("{:<44} {:>8} {:>8} {:>10}", "settings", "R+/T", "V/T", "violating");
    for (name, settings) in [
        ("printed: lambda = 1 + 2/T, theory's width", json!({"preset": "printed"})),
        ("printed: lambda = 1 + 2/T, width 2", printed(json!({}), 2.0)),
        ("practical: all learned", json!({"preset": "practical"})),
    ] {
        let run = play(&program, &environment, &settings, rounds)?;
        let again = play(&program, &environment, &settings, rounds)?;
        ensure!(run.transcript == again.transcript, "{name}: two runs with one seed differ");
        let t = rounds as f64;
        let share = 100.0 * run.violating as f64 / t;
        println!("{name:<44} {:>8.4} {:>8.4} {share:>9.1}%", run.regret / t, run.violation / t);
    }
    println!("no error; the same seed twice gave the same bytes");
    Ok(())
}

fn printed(model: Value, beta: f64) -> Value {
    let width = json!({"type": "constant", "beta": beta});
    json!({"preset": "printed", "model": model, "confidence": {"width": width}})
}

fn play(program: &str, environment: &Environment, settings: &Value, rounds: u64) -> Result<Run> {
    let problem = environment.problem_at(1);
    let mut pipe = Pipe::open(program)?;
    pipe.send(&json!({"create": definition(problem, settings, rounds)}))?;
    let mut run = Run { transcript: String::new(), regret: 0.0, violation: 0.0, violating: 0 };
    let style = ProgressStyle::with_template("{bar:32} round {pos} of {len}, {eta} left")?;
    let bar = ProgressBar::new(rounds).with_style(style);
    for t in 0..rounds {
        let asked = pipe.send(&json!({"ask": {}}))?;
        let x: Vec<f64> = problem
            .domain
            .iter()
            .map(|p| asked["params"][&p.name].as_f64().context("a number for every parameter"))
            .collect::<Result<_>>()?;
        let (f, g) = (problem.f(&x), problem.g(&x)[0]);
        run.regret += problem.regret(&x).max(0.0);
        run.violation += g.max(0.0);
        run.violating += u64::from(g > 0.0);
        let mut noise = Stream::new(1, t + 1);
        let mut noisy = |value: f64| value + environment.noise[0] * noise.normal();
        let metrics = json!({"reward": noisy(f), "cost": noisy(g)});
        pipe.send(&json!({"tell": {"number": asked["number"], "metrics": metrics}}))?;
        bar.inc(1);
    }
    pipe.send(&json!({"status": {}}))?;
    bar.finish_and_clear();
    run.transcript = pipe.close()?;
    Ok(run)
}

fn definition(problem: &Problem, settings: &Value, rounds: u64) -> Value {
    let mut definition = json!({
        "name": "classical", "seed": 1, "horizon": rounds, "algorithm": "rpol-ucb",
        "objective": "maximize reward", "constraints": ["cost <= 0"],
    });
    for parameter in &problem.domain {
        definition["params"][&parameter.name] =
            json!({"type": "float", "low": parameter.low, "high": parameter.high});
    }
    for (key, value) in settings.as_object().into_iter().flatten() {
        definition[key] = value.clone();
    }
    definition
}
