//! A broker of messages: nothing may be lost, and mostly nothing is.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "broker",
    about: "a message broker: `lost` is exactly 0 while all is well, `error_rate` nearly everywhere",
    definition: r#"
        objective = "maximize throughput"
        constraints = ["lost <= 0", "error_rate <= 0.01"]
        [params]
        batch_kb = { type = "int", low = 1, high = 1024, log = true }
        linger_ms = { type = "float", low = 0.5, high = 200, log = true }
        buffer_mb = { type = "int", low = 8, high = 256, log = true }
        in_flight = { type = "int", low = 1, high = 12 }
        compression = { type = "categorical", choices = ["none", "lz4", "zstd"] }
        [baseline]
        params = { batch_kb = 64, linger_ms = 5, buffer_mb = 64, in_flight = 2, compression = "none" }
    "#,
    measure,
    best: &[(
        r#"{"batch_kb":344,"linger_ms":0.5,"buffer_mb":140,"in_flight":3,"compression":"lz4"}"#,
        160.225,
    )],
};

/// Milliseconds of a round trip, and megabytes a second of the network.
const TRIP: f64 = 4.0;
const NETWORK: f64 = 110.0;

/// Batches are filled, sent and acknowledged; in a burst the buffer takes what cannot be sent, and what it cannot take is lost.
fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [batch, linger, buffer, flying] =
        setting.numbers(["batch_kb", "linger_ms", "buffer_mb", "in_flight"]);
    // How small a megabyte becomes, and the milliseconds that takes.
    let (small, pack_ms) = match setting.choice("compression") {
        "none" => (1.0, 0.0),
        "lz4" => (0.55, 3.0),
        _ => (0.4, 8.5),
    };
    // A small batch is mostly header, a large one waits to be filled.
    let useful = batch / (batch + 12.0);
    let fill_ms = linger * (1.0 - (-batch / (2.0 + 14.0 * linger)).exp());
    let send_ms = batch / 1024.0 * small / NETWORK * 1000.0;
    let cycle_ms = TRIP + send_ms + 0.5 * fill_ms + pack_ms * batch / 1024.0 + 0.4;
    let pipes = flying / (1.0 + 0.03 * (flying - 1.0).powi(2));
    let raw = 1000.0 * batch / 1024.0 * useful * pipes / cycle_ms * 5.0;
    let wire = NETWORK / small * 0.95;
    let packer = if pack_ms > 0.0 { 900.0 / pack_ms } else { 1e4 };
    let throughput = (raw.powi(-3) + wire.powi(-3) + packer.powi(-3)).powf(-1.0 / 3.0);
    // The receiver stumbles a few times in a measurement, for longer where batches are large and many fly.
    let mut lost = 0.0;
    let mut worst = 0.0_f64;
    for _ in 0..6 {
        let stall_s = 0.10 * chance.factor(0.25) * (1.0 + 0.05 * flying + 0.0006 * batch);
        let held = throughput * stall_s * 2.4 + batch / 1024.0 * flying + 1.0;
        worst = worst.max(held / buffer);
        lost += ((held - buffer) * 1024.0 / 4.0).max(0.0).floor();
    }
    // Requests time out only where the broker cannot keep up at all.
    let errors =
        if cycle_ms > 120.0 || worst > 3.0 { 0.02 * (worst + cycle_ms / 120.0) } else { 0.0 };
    let waste = 1.0 - 0.0006 * buffer;
    Outcome::Measured(vec![throughput * waste * chance.factor(0.02), lost, errors])
}
