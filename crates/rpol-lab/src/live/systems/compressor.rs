//! A compressor of files: size against time and memory, with jumps where it changes its way of working.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "compressor",
    about: "a compressor: small files within a time and a memory",
    definition: r#"
        objective = "minimize size_mb"
        constraints = ["time_s <= 20", "memory_mb <= 400"]
        [params]
        level = { type = "int", low = 1, high = 19 }
        window_kb = { type = "int", low = 16, high = 131072, log = true }
        threads = { type = "int", low = 1, high = 16 }
        strategy = { type = "categorical", choices = ["fast", "lazy", "optimal"] }
        long_range = { type = "categorical", choices = [false, true] }
        [baseline]
        params = { level = 9, window_kb = 256, threads = 1, strategy = "fast", long_range = false }
    "#,
    measure,
    best: &[(
        r#"{"level":12,"window_kb":63963,"threads":2,"strategy":"fast","long_range":false}"#,
        228.318,
    )],
};

/// Megabytes to be compressed, and cores there are.
const INPUT: f64 = 1000.0;
const CORES: f64 = 8.0;

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [level, window] = setting.numbers(["level", "window_kb"]);
    let (threads, long) = (setting.number("threads"), setting.is_on("long_range"));
    // Seconds a megabyte, how much the level's depth of search costs, and what is found by it.
    let (pace, depth, found) = match setting.choice("strategy") {
        "fast" => (0.006, 0.10, 0.72),
        "lazy" => (0.014, 0.15, 0.88),
        _ => (0.045, 0.19, 1.0),
    };
    let reach = (window / 16.0).log2() / 13.0;
    let effort = 1.0 - (-level / 7.0).exp();
    // Repeats further back than the window are lost, unless they are looked for apart.
    let far = if long { 0.35 + 0.65 * reach } else { reach };
    let ratio = 1.6 + 4.2 * found * effort * (0.45 + 0.55 * far) + 0.5 * far;
    // Each thread compresses a piece of its own and knows nothing of the others.
    let pieces = 1.0 + 0.005 * (threads - 1.0) * (1.0 + 1.5 * reach);
    let size = INPUT / ratio * pieces;
    // From level 13 on the search is a tree; a window beyond the cache of the processor is slow to look through.
    let tree = if level >= 13.0 { 2.2 } else { 1.0 };
    let spills = if window > 4096.0 { 1.5 } else { 1.0 };
    let apart = if long { 1.25 } else { 1.0 };
    let at_once = threads.min(CORES) / (1.0 + 0.06 * (threads - 1.0));
    let idle = 1.0 + 0.03 * (threads - CORES).max(0.0);
    let time = INPUT * pace * (depth * level).exp() * tree * spills * apart * idle / at_once + 0.8;
    let tables = window / 1024.0 * if level >= 13.0 { 6.0 } else { 2.5 };
    let memory = 40.0 + threads * (tables + 9.0 + 1.2 * level) + if long { 160.0 } else { 0.0 };
    Outcome::Measured(vec![
        size * chance.factor(0.004),
        time * chance.factor(0.025),
        memory * chance.factor(0.008),
    ])
}
