//! Asks of the default policy from a baseline, in spaces of integers, numbers and categories.

use crate::live::{Chance, cpu_ms};
use rpol::Result;
use rpol::space::Coordinate;
use rpol::study::{Spec, Study, Suggestion};

/// Rounds that are played.
const ROUNDS: u64 = 60;
/// Those before are not measured: the cost of an ask is that in the middle of a study.
const FIRST: u64 = 31;

/// A space, and what is promised of an ask in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixed {
    /// On the command line.
    pub name: &'static str,
    /// Milliseconds of CPU that an ask may take, on average over the rounds 31 to 60, those that fit among them.
    pub most_ms: f64,
    /// The promised risk, where it is not the default.
    pub risk: Option<f64>,
    definition: &'static str,
}

/// The spaces that something is promised of.
pub const MIXED: [Mixed; 4] = [
    Mixed { name: "mixed-4d", most_ms: 2.0, risk: None, definition: FOUR },
    Mixed { name: "mixed-6d", most_ms: 4.0, risk: None, definition: SIX },
    Mixed { name: "lattice-10d", most_ms: 12.0, risk: None, definition: TEN },
    Mixed { name: "lattice-10d-sure", most_ms: 12.0, risk: Some(0.0), definition: TEN },
];

const FOUR: &str = r#"
    name = "mixed-4d"
    objective = "maximize reward"
    constraints = ["cost1 <= 100"]
    [params]
    a = { type = "int", low = 1, high = 256, log = true }
    b = { type = "int", low = 1, high = 64 }
    c = { type = "int", low = 0, high = 100 }
    mode = { type = "categorical", choices = ["x", "y", "z"] }
    [baseline]
    params = { a = 64, b = 45, c = 70, mode = "x" }
"#;
const SIX: &str = r#"
    name = "mixed-6d"
    objective = "maximize reward"
    constraints = ["cost1 <= 100", "cost2 <= 100"]
    [params]
    a = { type = "int", low = 1, high = 256, log = true }
    b = { type = "int", low = 1, high = 64 }
    c = { type = "int", low = 0, high = 100 }
    d = { type = "float", low = 0.0, high = 1.0 }
    e = { type = "float", low = 0.0, high = 1.0 }
    mode = { type = "categorical", choices = ["x", "y", "z"] }
    [baseline]
    params = { a = 64, b = 45, c = 70, d = 0.7, e = 0.7, mode = "x" }
"#;
const TEN: &str = r#"
    name = "lattice-10d"
    objective = "maximize reward"
    constraints = ["cost1 <= 100"]
    [params]
    a = { type = "int", low = 1, high = 1000 }
    b = { type = "int", low = 1, high = 1000 }
    c = { type = "int", low = 1, high = 1000 }
    d = { type = "int", low = 1, high = 1000 }
    e = { type = "int", low = 1, high = 1000 }
    f = { type = "int", low = 1, high = 1000 }
    g = { type = "int", low = 1, high = 1000 }
    h = { type = "int", low = 1, high = 1000 }
    i = { type = "int", low = 1, high = 1000 }
    j = { type = "int", low = 1, high = 1000 }
    [baseline]
    params = { a = 700, b = 700, c = 700, d = 700, e = 700, f = 700, g = 700, h = 700, i = 700, j = 700 }
"#;

impl Mixed {
    /// Plays 60 rounds, the last thirty of them with `ask`; the CPU that each of these took, in milliseconds.
    ///
    /// ```
    /// let ms = rpol_lab::bench::MIXED[0].play(1, |study| study.ask())?;
    /// assert!(ms.len() == 30 && ms.iter().sum::<f64>() > 0.0);
    /// # Ok::<(), rpol::Error>(())
    /// ```
    pub fn play(
        &self,
        seed: u64,
        ask: impl Fn(&mut Study) -> Result<Suggestion>,
    ) -> Result<Vec<f64>> {
        let mut spec = Spec::from_toml(self.definition)?;
        (spec.seed, spec.horizon, spec.risk) = (seed, Some(ROUNDS), self.risk);
        let (space, limits) = (spec.params.clone(), spec.constraints.len());
        let mut study = Study::create(spec)?;
        let mut spent = Vec::new();
        for round in 1..=ROUNDS {
            let asked = if round < FIRST {
                study.ask()?
            } else {
                let before = cpu_ms();
                let asked = ask(&mut study)?;
                spent.push(cpu_ms() - before);
                asked
            };
            let x = space.encode(&asked.params)?;
            let values = values(space.coordinates(), &x, limits, &mut Chance::new(seed, round));
            study.tell(asked.number, values)?;
        }
        Ok(spent)
    }
}

/// A hill around 0.3, and costs that fall with every coordinate: the best keeps the limits only just.
fn values(
    coordinates: &[Coordinate],
    x: &[f64],
    limits: usize,
    chance: &mut Chance,
) -> Vec<(String, f64)> {
    let is_category = |d: &usize| matches!(coordinates[*d], Coordinate::Category(_));
    let (categories, numbers): (Vec<usize>, Vec<usize>) = (0..x.len()).partition(is_category);
    let choices = categories.iter().map(|d| x[*d]).sum::<f64>();
    let hill = numbers.iter().map(|d| (x[*d] - 0.3).powi(2)).sum::<f64>() / numbers.len() as f64;
    let mut values = vec![("reward".into(), 10.0 * (1.0 - hill) + choices + 0.1 * chance.normal())];
    for j in 0..limits {
        // Each limit reads other coordinates more than the rest.
        let weight = |d: usize| if d % (limits + 1) == j { 1.5 } else { 0.75 };
        let load = numbers.iter().map(|d| weight(*d) * (0.8 - x[*d])).sum::<f64>();
        let cost = 60.0 + 100.0 * load / numbers.len() as f64 + 5.0 * choices;
        values.push((format!("cost{}", j + 1), cost * chance.factor(0.03)));
    }
    values
}
