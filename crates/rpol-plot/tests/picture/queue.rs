//! A study as users have them: a queue with three parameters, two limits with budgets, noise, late results, failures.

use rpol::{Params, Spec, Study, Value};

pub(crate) const DEFINITION: &str = r#"
    name = "queue"
    seed = 5
    objective = "minimize cost_eur"
    policy = { type = "cautious" }
    constraints = [
        { expression = "p99_ms <= 250", budget = 3000 },
        { expression = "drop_pct <= 2", budget = 12 },
    ]
    [params]
    workers = { type = "int", low = 2, high = 24 }
    batch = { type = "float", low = 1, high = 512, log = true }
    order = { type = "categorical", choices = ["fifo", "lifo", "priority"] }
    [baseline]
    params = { workers = 20, batch = 32.0, order = "fifo" }
"#;

/// A study of so many trials, and when each entry of its log was written.
pub(crate) fn queue(trials: u64) -> (Study, Vec<u64>) {
    let mut study = Study::create(Spec::from_toml(DEFINITION).unwrap()).unwrap();
    let mut noise = Noise(1);
    let mut times = Times { at: 1_700_000_000_000, times: vec![1_700_000_000_000] };
    let mut late: Option<u64> = None;
    for i in 0..trials {
        let trial = study.ask().unwrap();
        let worker = format!("worker-{}", 1 + i % 3);
        study.claim(trial.number, rpol::study::Lease::new(worker, u64::MAX)).unwrap();
        times.pass(&study, 9_000 + 500 * (i % 7));
        if let Some(number) = late.take() {
            tell(&mut study, number, &mut noise);
            times.pass(&study, 4_000);
        }
        match i % 11 {
            7 => study.fail(trial.number, "exit status 1").unwrap(),
            3 | 8 => late = Some(trial.number),
            _ => tell(&mut study, trial.number, &mut noise),
        }
        times.pass(&study, 400);
    }
    (study, times.times)
}

fn tell(study: &mut Study, number: u64, noise: &mut Noise) {
    let metrics = measured(&study.trials()[number as usize].params, noise);
    study.tell(number, metrics).unwrap();
}

/// Few workers are cheap and slow; large batches are efficient, and late.
fn measured(params: &Params, noise: &mut Noise) -> [(&'static str, f64); 3] {
    let number = |name: &str| params[name].as_f64().unwrap();
    let (workers, batch) = (number("workers"), number("batch"));
    let slower = match &params["order"] {
        Value::Text(order) if order == "priority" => 0.85,
        Value::Text(order) if order == "lifo" => 1.3,
        _ => 1.0,
    };
    let load = 9.0 / (workers * (1.0 - 0.55 / batch.sqrt()));
    let wait = 60.0 * load * load + 0.5 * batch;
    let p99 = slower * (60.0 + wait) + 6.0 * noise.next();
    let drops = (8.0 * (load - 0.75)).max(0.3) + 0.1 * noise.next();
    let cost = 4.0 + 1.1 * workers + 14.0 / batch.sqrt() + 0.3 * noise.next();
    [("cost_eur", cost), ("p99_ms", p99), ("drop_pct", drops)]
}

struct Times {
    at: u64,
    times: Vec<u64>,
}

impl Times {
    /// What has been logged since was written now; then time passes.
    fn pass(&mut self, study: &Study, by: u64) {
        self.times.resize(study.log().len(), self.at);
        self.at += by;
    }
}

/// The same numbers everywhere: about normal.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..6).map(|_| uniform()).sum::<f64>() - 3.0
    }
}
