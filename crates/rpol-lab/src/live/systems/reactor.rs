//! A stirred tank in which a product is made and, when it gets too hot, spoiled.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "reactor",
    about: "an exothermic stirred-tank reactor, A -> B -> C, that can run away",
    definition: r#"
        objective = "maximize revenue"
        constraints = ["temperature <= 352", "impurity <= 0.06"]
        [params]
        feed = { type = "float", low = 0.5, high = 4 }
        concentration = { type = "float", low = 0.5, high = 2.5 }
        feed_temperature = { type = "float", low = 290, high = 340 }
        coolant = { type = "float", low = 1, high = 20, log = true }
        [baseline]
        params = { feed = 2.4, concentration = 1.6, feed_temperature = 330, coolant = 8 }
    "#,
    measure,
    best: &[(
        r#"{"feed":3.99602,"concentration":1.92774,"feed_temperature":330.43067,"coolant":15.34726}"#,
        1049.5,
    )],
};

/// Minutes of a step, and steps of a measurement; the first half settles.
const STEP: f64 = 0.05;
const STEPS: usize = 400;
/// Cubic metres of the tank, degrees that a unit of each reaction heats it by.
const VOLUME: f64 = 4.0;
const HEAT: [f64; 2] = [38.0, 55.0];
const COOLANT_TEMPERATURE: f64 = 290.0;

/// Arrhenius: a rate at 350 K that grows with the temperature.
fn rate(at_350: f64, activation: f64, temperature: f64) -> f64 {
    at_350 * (activation * (1.0 / 350.0 - 1.0 / temperature)).exp()
}

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [feed, coolant, fresh, inlet] =
        setting.numbers(["feed", "coolant", "concentration", "feed_temperature"]);
    let flow = feed / VOLUME;
    // The coolant takes up less and less for each unit more of it.
    let cooling = 0.5 * coolant / (coolant + 6.0);
    let (mut a, mut b, mut c, mut heat) = (0.3 * fresh, 0.5 * fresh, 0.0, 340.0);
    let (mut drift, mut sums) = (0.0, [0.0; 4]);
    for step in 0..STEPS {
        drift = 0.95 * drift + 0.006 * chance.normal();
        let strength = fresh * (1.0 + drift);
        let r1 = rate(1.1, 7000.0, heat) * a;
        let r2 = rate(0.05, 13_000.0, heat) * b;
        a = (a + STEP * (flow * (strength - a) - r1)).max(0.0);
        b = (b + STEP * (flow * -b + r1 - r2)).max(0.0);
        c = (c + STEP * (flow * -c + r2)).max(0.0);
        let gained = HEAT[0] * r1 + HEAT[1] * r2;
        let lost = flow * (heat - inlet) + cooling * (heat - COOLANT_TEMPERATURE);
        heat = (heat + STEP * (gained - lost)).clamp(250.0, 600.0);
        if step >= STEPS / 2 {
            [a, b, c, heat].iter().zip(&mut sums).for_each(|(now, sum)| *sum += now);
        }
    }
    let [a, b, c, heat] = sums.map(|sum| sum / (STEPS - STEPS / 2) as f64);
    let revenue = 420.0 * feed * b - 60.0 * feed * fresh - 4.0 * coolant - 20.0 * feed;
    let impurity = c / (a + b + c).max(1e-9);
    Outcome::Measured(vec![
        revenue + 6.0 * chance.normal(),
        heat + 0.8 * chance.normal(),
        impurity * chance.factor(0.04),
    ])
}
