//! The paths: what comes before each is not counted.

use crate::counted_section;
use anyhow::Result;
use rpol::gp::evidence::Data;
use rpol::gp::{Lengths, Pool, Posterior, Scale, fit};
use rpol::random::Stream;
use rpol::study::Study;
use rpol::{Kernel, Points};
use rpol_lab::bench::engine::{points, posterior, value};
use rpol_lab::bench::{MIXED, Player, Start};
use rpol_lab::experiment::spec;
use rpol_lab::problem::{Environment, NoiseReading};

/// A path: its name, and what takes it.
type Case = (&'static str, fn() -> Result<()>);

pub(crate) const CASES: [Case; 12] = [
    ("ask-2d-100", || ask(2, 1, 100)),
    ("ask-2d-300", || ask(2, 1, 300)),
    ("ask-6d-100", || ask(6, 2, 100)),
    ("tell-2d-100", tell),
    ("push-500", push),
    ("pool-500", pool),
    ("fit-100", fit_100),
    ("replay-200", replay),
    ("mixed-4d", || mixed(0)),
    ("mixed-6d", || mixed(1)),
    ("lattice-10d", || mixed(2)),
    ("lattice-10d-sure", || mixed(3)),
];

const NOISE: f64 = 0.05;

/// An ask of a study in its stride.
fn ask(dims: usize, constraints: usize, observations: usize) -> Result<()> {
    let mut player = Player::fitted(&Start { dims, constraints, observations, seed: 1 })?;
    player.round()?;
    counted_section(|| player.study().ask())?;
    Ok(())
}

/// The asks of the rounds 31 to 60 from a baseline, those that fit among them. Says what they took on average.
fn mixed(space: usize) -> Result<()> {
    let mixed = MIXED[space];
    let spent = mixed.play(1, |study| counted_section(|| study.ask()))?;
    let mean = spent.iter().sum::<f64>() / spent.len() as f64;
    let longest = spent.iter().fold(0f64, |most, ms| most.max(*ms));
    let most = mixed.most_ms;
    eprintln!(
        "an ask: {mean:.2} ms of CPU on average, promised {most} in release mode; the longest {longest:.2}"
    );
    Ok(())
}

fn tell() -> Result<()> {
    let start = Start { dims: 2, constraints: 1, observations: 100, seed: 1 };
    let mut player = Player::fitted(&start)?;
    let (number, values) = player.ask()?;
    counted_section(|| player.study().tell(number, values))?;
    Ok(())
}

fn push() -> Result<()> {
    let (data, posterior) = followed(500)?;
    let mut factor = posterior.factor().clone();
    let next = data.point(500);
    counted_section(|| factor.push(&next, NOISE))?;
    Ok(())
}

/// One more observation in a pool that has followed one already.
fn pool() -> Result<()> {
    let (data, mut posterior) = followed(500)?;
    let mut pool = Pool::new(points(2048, 2, 2)?, &posterior);
    let [first, second] = [500, 501].map(|i| data.point(i));
    let change = posterior.observe(&first, &[value(&first)], NOISE)?;
    pool.follow(&posterior, &change);
    let change = posterior.observe(&second, &[value(&second)], NOISE)?;
    counted_section(|| pool.follow(&posterior, &change));
    Ok(())
}

fn fit_100() -> Result<()> {
    let mut data = Data::new(2, Scale::default());
    let inputs = points(100, 2, 1)?;
    let mut noise = Stream::new(1, 1);
    for i in 0..inputs.len() {
        let x = inputs.point(i);
        data.observe(&x, value(&x) + 0.2 * noise.normal(), None)?;
    }
    let kernel = Kernel::matern52([0.3, 0.3]).scaled(1.0);
    let mut stream = Stream::new(1, 2);
    counted_section(|| fit(&data, &kernel, Lengths::default(), None, 0, &mut stream))?;
    Ok(())
}

/// A study of 200 trials from its log, up to its next ask.
fn replay() -> Result<()> {
    let classical = Environment::classical(NoiseReading::Variance);
    let problem = classical.problem_at(1);
    let mut spec = spec(problem, 200, 1)?;
    // With a model that is given the log is soon made; to follow it is the same work.
    (spec.model.learn, spec.model.standardize) = (Some(false), Some(false));
    let mut study = Study::create(spec)?;
    let settings = points(200, 2, 1)?;
    for i in 0..settings.len() {
        let x = problem.from_unit(&settings.point(i));
        let names = problem.domain.iter().map(|p| p.name.clone());
        let asked = study.ask_for(names.zip(x.iter().map(|x| (*x).into())).collect())?;
        study.tell(asked.number, [("reward", problem.f(&x)), ("cost", problem.g(&x)[0])])?;
    }
    let log = study.log().to_vec();
    counted_section(|| Study::replay(log).and_then(|mut study| study.ask()))?;
    Ok(())
}

/// Two points more than the posterior has, and the posterior.
fn followed(n: usize) -> Result<(Points, Posterior)> {
    let data = points(n + 2, 2, 1)?;
    let kernel = Kernel::matern52([0.3, 0.3]).scaled(1.0);
    let posterior = posterior(kernel, &data, n, NOISE)?;
    Ok((data, posterior))
}
