//! The engine's promises.

use crate::table::{Line, Table, Target, median_ms, time_ms};
use rpol::gp::{Factor, Pool, Posterior};
use rpol::{Kernel, Points, Result};
use rpol_lab::bench::engine::{points, posterior, value};
use rpol_lab::statistics::median;
use std::hint::black_box;
use std::process::Command;

const CANDIDATES: usize = 4096;
const NOISE: f64 = 0.01;
const PUSHES: usize = 31;
/// Observations before the clock starts: a pool that was just solved anew is not yet in its stride.
const WARM: usize = 20;

pub(crate) fn run(n: usize, dims: usize, python: Option<&str>, table: &mut Table) -> Result<()> {
    let data = points(n + WARM + PUSHES, dims, 1)?;
    let candidates = points(CANDIDATES, dims, 2)?;
    let lengthscale = 0.3 * (dims as f64 / 2.0).sqrt();
    let kernel = Kernel::squared_exponential(vec![lengthscale; dims]);
    let mut posterior = posterior(kernel, &data, n, NOISE)?;
    let line = |what, time, limit, limit_time, target| Line {
        what,
        n,
        dims,
        time,
        limit,
        limit_time,
        target,
    };

    let one = {
        let mut b = vec![1.0; n];
        median_ms(101, || {
            b.fill(1.0);
            posterior.factor().solve(black_box(&mut b));
        })
    };
    let pushes = push(n, &data, posterior.factor().clone());
    let bare = bare_prediction(&posterior, &candidates);
    let many = median_ms(5, || drop(black_box(posterior.predict_many(candidates.view()))));
    let (follows, anew) = follow(n, &data, candidates, &mut posterior);

    table.add(&line("push", pushes, "one triangular solve", one, Target::AtMost(2.0)));
    let limit = "bare solve + kernel matrix, 4096 columns";
    table.add(&line("mean + sd at 4096 points", many, limit, bare, Target::AtMost(1.5)));
    let twenty = if n == 1000 { Target::AtMost(0.05) } else { Target::None };
    table.add(&line("observe into Pool of 4096", follows, "solving anew", anew, twenty));
    if let Some(numpy) = python.map(|python| numpy(python, n, dims)) {
        let half = if n == 1000 { Target::AtMost(0.5) } else { Target::None };
        table.add(&line("observe into Pool of 4096", follows, "NumPy's row update", numpy, half));
    }
    Ok(())
}

fn bare_prediction(posterior: &Posterior, candidates: &Points) -> f64 {
    let (factor, inputs) = (posterior.factor(), posterior.factor().inputs());
    let mut columns = vec![0.0; inputs.len() * CANDIDATES];
    let kernel = median_ms(5, || {
        factor.kernel().cross(candidates.view(), inputs.view(), black_box(&mut columns));
    });
    let clean = columns.clone();
    let solves = (0..5).map(|_| {
        columns.copy_from_slice(&clean);
        time_ms(|| factor.solve(black_box(&mut columns)))
    });
    kernel + median(solves.collect())
}

fn push(n: usize, data: &Points, mut factor: Factor) -> f64 {
    let one = |i| {
        let x = data.point(i);
        time_ms(|| drop(black_box(factor.push(&x, NOISE))))
    };
    median((n..n + PUSHES).map(one).collect())
}

/// Medians of one observation into the pool, and of solving the pool anew.
fn follow(n: usize, data: &Points, candidates: Points, posterior: &mut Posterior) -> (f64, f64) {
    let mut pool = Pool::new(candidates, posterior);
    let anew = median_ms(5, || pool.refresh(posterior));
    let one = |i| {
        let x = data.point(i);
        let change = posterior.observe(&x, &[value(&x)], NOISE).expect("sound data");
        time_ms(|| pool.follow(posterior, &change))
    };
    let times: Vec<f64> = (n..n + WARM + PUSHES).map(one).collect();
    (median(times[WARM..].to_vec()), anew)
}

fn numpy(python: &str, n: usize, dims: usize) -> f64 {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/pool_update.py");
    let output = Command::new(python).arg(script).args([dims.to_string(), n.to_string()]).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.trim().parse().unwrap_or_else(|_| panic!("{python} {script} printed {text:?}"))
}
