//! A position loop: a controller with three gains and a filter, on a motor with a lag, a limit and noise.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "control",
    about: "a control loop: gains of a PID controller on a motor that can be made to swing",
    definition: r#"
        objective = "minimize tracking_error"
        constraints = ["overshoot <= 0.5", "actuator_rms <= 2.5"]
        [params]
        kp = { type = "float", low = 0.1, high = 40, log = true }
        ki = { type = "float", low = 0.01, high = 10, log = true }
        kd = { type = "float", low = 0.005, high = 5, log = true }
        filter_s = { type = "float", low = 0.002, high = 0.5, log = true }
        [baseline]
        params = { kp = 2.5, ki = 0.3, kd = 1.2, filter_s = 0.03 }
    "#,
    measure,
    best: &[(r#"{"kp":37.96295,"ki":3.21535,"kd":5.0,"filter_s":0.01768}"#, 0.520797)],
};

/// Seconds of a step, and steps of a measurement; half way the target moves back.
const STEP: f64 = 0.005;
const STEPS: usize = 1200;
/// The motor: gain, friction, lag of its current, the most it can do.
const GAIN: f64 = 4.0;
const FRICTION: f64 = 1.0;
const LAG: f64 = 0.03;
const MOST: f64 = 6.0;
/// Noise of the sensor.
const SENSOR: f64 = 0.004;

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [kp, ki, kd] = setting.numbers(["kp", "ki", "kd"]);
    let smoothing = STEP / (STEP + setting.number("filter_s"));
    let load = 1.0 + 0.06 * chance.normal();
    let (mut place, mut speed, mut force) = (0.0, 0.0, 0.0);
    let (mut sum, mut slope, mut last) = (0.0_f64, 0.0, 0.0);
    let (mut off, mut effort, mut beyond) = (0.0, 0.0, 0.0_f64);
    for step in 0..STEPS {
        let target = if step < STEPS / 2 { 1.0 } else { 0.0 };
        let seen = place + SENSOR * chance.normal();
        let error = target - seen;
        // The slope of what is measured, not of the error: a new target is no kick.
        slope += smoothing * ((seen - last) / STEP - slope);
        last = seen;
        let wanted = kp * error + ki * sum - kd * slope;
        let given = wanted.clamp(-MOST, MOST);
        // The integral waits while the motor is at its limit.
        if wanted == given || error * wanted < 0.0 {
            sum += STEP * error;
        }
        force += STEP / LAG * (given - force);
        let push = 0.4 + 0.3 * (step as f64 * STEP * 2.1).sin();
        speed += STEP * (GAIN * (force + push) / load - FRICTION * speed);
        place += STEP * speed;
        let ahead = if step < STEPS / 2 { place - 1.0 } else { -place };
        beyond = beyond.max(ahead);
        off += STEP * (target - place).abs();
        effort += given * given;
    }
    let rms = (effort / STEPS as f64).sqrt();
    Outcome::Measured(vec![off, beyond.max(0.0), rms])
}
