//! A heat pump in a school: half way it gets cold outside.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "heating",
    about: "a heat pump in a school; half way it becomes colder outside",
    definition: r#"
        objective = "minimize energy_kwh"
        constraints = ["cold_kh <= 6", "peak_kw <= 55"]
        [params]
        supply_c = { type = "float", low = 28, high = 65 }
        pump = { type = "float", low = 0.2, high = 3, log = true }
        setback_k = { type = "float", low = 0, high = 8 }
        preheat_h = { type = "int", low = 0, high = 6 }
        defrost = { type = "categorical", choices = ["timed", "measured"] }
        [baseline]
        params = { supply_c = 52, pump = 1.2, setback_k = 1.5, preheat_h = 4, defrost = "timed" }
    "#,
    measure,
    best: &[
        (
            r#"{"supply_c":35.02387,"pump":0.77619,"setback_k":7.12251,"preheat_h":6,"defrost":"measured"}"#,
            146.501,
        ),
        (
            r#"{"supply_c":41.30436,"pump":1.09082,"setback_k":8.0,"preheat_h":6,"defrost":"measured"}"#,
            356.595,
        ),
    ],
};

/// Hours of a step, and steps of a measurement: two days, of which the second counts.
const STEP: f64 = 0.25;
const STEPS: usize = 192;
/// Degrees outside in the mean, in each phase.
const OUTSIDE: [f64; 2] = [9.0, 2.0];
/// Kilowatts a degree that the house loses, and kilowatt hours a degree that it stores.
const LOSS: f64 = 2.6;
const STORE: f64 = 26.0;
/// What is wanted while people are there, from 8 to 17.
const WANTED: f64 = 21.0;

fn measure(setting: Setting<'_>, phase: usize, chance: &mut Chance) -> Outcome {
    let [supply, pump, setback, preheat] =
        setting.numbers(["supply_c", "pump", "setback_k", "preheat_h"]);
    // Ice on the outdoor unit costs, a clock thaws it too often.
    let thaw = if setting.choice("defrost") == "timed" { 1.14 } else { 1.04 };
    let outside = OUTSIDE[phase.min(1)] + 1.2 * chance.normal();
    let sun = 5.0 * chance.uniform();
    // More water takes more heat to the radiators, less and less.
    let radiators = 3.4 * pump / (pump + 0.5);
    let (mut room, mut energy, mut cold, mut peak) = (WANTED - setback, 0.0, 0.0, 0.0_f64);
    for step in 0..STEPS {
        let hour = (step as f64 * STEP) % 24.0;
        let out = outside + 4.0 * (std::f64::consts::TAU * (hour - 9.0) / 24.0).sin();
        let there = (8.0..17.0).contains(&hour);
        let warm = hour >= 8.0 - preheat && hour < 17.0;
        let target = WANTED + 0.4 - if warm { 0.0 } else { setback };
        // The valves close over half a degree.
        let open = ((target - room) / 0.5 + 0.5).clamp(0.0, 1.0);
        let heat = open * radiators * (supply - room).max(0.0);
        let people = if there { 4.0 + sun } else { 0.0 };
        room += STEP * (heat + people - LOSS * (room - out)) / STORE;
        // A pump of heat works harder the further it has to lift it.
        let lift = (supply + 6.0 - out).max(8.0);
        let power = heat * thaw * lift / (0.42 * 310.0) + 0.9 * pump.powi(2);
        if step >= STEPS / 2 {
            energy += STEP * power;
            peak = peak.max(power);
            cold += if there { STEP * (WANTED - 0.8 - room).max(0.0) } else { 0.0 };
        }
    }
    Outcome::Measured(vec![
        energy * chance.factor(0.01),
        cold + 0.1 * chance.normal().abs(),
        peak * chance.factor(0.02),
    ])
}
