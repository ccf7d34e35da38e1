//! A mill whose shaft has a critical speed: it can run below it or above it, never at it.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "rotor",
    about: "a mill with a critical speed: two feasible islands, the better beyond the resonance",
    definition: r#"
        objective = "maximize tonnes_h"
        constraints = ["vibration_mm_s <= 7", "temperature_c <= 95"]
        [params]
        speed_rpm = { type = "float", low = 400, high = 3600 }
        feed_kg_s = { type = "float", low = 0.5, high = 8 }
        damping = { type = "float", low = 0.02, high = 0.12 }
        lining = { type = "categorical", choices = ["steel", "rubber"] }
        [baseline]
        params = { speed_rpm = 1000, feed_kg_s = 2.5, damping = 0.06, lining = "rubber" }
    "#,
    measure,
    best: &[(
        r#"{"speed_rpm":2530.36191,"feed_kg_s":6.67938,"damping":0.02,"lining":"steel"}"#,
        18.9582,
    )],
};

/// Revolutions a minute of the empty shaft's resonance.
const CRITICAL: f64 = 1650.0;

/// A rotor out of balance (Jeffcott): the amplitude grows as $r^2 / \sqrt{(1 - r^2)^2 + (2 \zeta r)^2}$ with $r$ the ratio of speeds.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [speed, feed, damping] = setting.numbers(["speed_rpm", "feed_kg_s", "damping"]);
    let (stiff, grip, friction) = match setting.choice("lining") {
        "steel" => (1.06, 1.0, 1.0),
        _ => (0.97, 0.86, 1.25),
    };
    // What is in the mill makes it heavier and so slower to swing.
    let r = speed / (CRITICAL * stiff * (1.0 - 0.012 * feed)) * chance.factor(0.006);
    let swing = r * r / ((1.0 - r * r).powi(2) + (2.0 * damping * r).powi(2)).sqrt();
    let unbalance = 1.9 + 0.16 * feed;
    // The bearings pass on more of the high frequencies where they are damped.
    let passed = 1.0 + 5.0 * damping * (r - 1.0).max(0.0).powi(2);
    let vibration = unbalance * swing * passed + 0.5;
    // A grain is broken by fast blows and by time in the mill: too much feed goes through whole.
    let blows = grip * (speed / 1000.0).powf(1.2);
    let hold = 3.4 * blows;
    let tonnes = 3.6 * feed * (1.0 - (-hold / feed).exp());
    let power = friction
        * (0.22 * (speed / 1000.0).powi(2) * (1.0 + 40.0 * damping * damping) + 0.5 * feed);
    let temperature = 28.0 + 14.0 * power;
    Outcome::Measured(vec![
        tonnes * chance.factor(0.015),
        vibration * chance.factor(0.04),
        temperature + 1.0 * chance.normal(),
    ])
}
