//! A transactional database of six parameters.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "database",
    about: "a transactional database: buffers, sorting memory, sessions, checkpoints, commits",
    definition: r#"
        objective = "maximize tps"
        constraints = ["memory_gb <= 48", "p99_ms <= 90", "recovery_s <= 120"]
        [params]
        buffers_mb = { type = "int", low = 128, high = 65536, log = true }
        work_mem_kb = { type = "int", low = 64, high = 1048576, log = true }
        sessions = { type = "int", low = 4, high = 1000, log = true }
        checkpoint_s = { type = "int", low = 30, high = 3600, log = true }
        page_cost = { type = "float", low = 1, high = 8 }
        commit = { type = "categorical", choices = ["each", "group", "delayed"] }
        [baseline]
        params = { buffers_mb = 16384, work_mem_kb = 16384, sessions = 48, checkpoint_s = 180, page_cost = 4, commit = "each" }
    "#,
    measure,
    best: &[(
        r#"{"buffers_mb":38140,"work_mem_kb":251942,"sessions":112,"checkpoint_s":257,"page_cost":1.89899,"commit":"group"}"#,
        6693.17,
    )],
};

/// Megabytes of the data that is in use, cores, and transactions a second that ask for it.
const HOT: f64 = 30_000.0;
const CORES: f64 = 32.0;

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let (buffers, work) = (setting.number("buffers_mb"), setting.number("work_mem_kb") / 1024.0);
    let [sessions, checkpoint] = setting.numbers(["sessions", "checkpoint_s"]);
    // The planner believes a wrong price of reading at random: it scans where it should look up, or the other way round.
    let plan = 1.0 + 0.22 * ((setting.number("page_cost") / 1.9).ln()).powi(2);
    // Milliseconds of a commit, and how many share it.
    let (commit_ms, shared) = match setting.choice("commit") {
        "each" => (3.2, 1.0),
        "group" => (4.2, (sessions / 10.0).clamp(1.0, 6.0)),
        _ => (9.0, (sessions / 6.0).clamp(1.0, 14.0)),
    };
    let miss = 0.02 + 0.4 * (-buffers / (0.45 * HOT)).exp();
    // Sorts that do not fit go to disk.
    let sorts = 1.0 / (1.0 + (work / 6.0).powf(0.9));
    let cpu_ms = 2.4 * plan;
    let read_ms = 26.0 * miss * plan + 9.0 * sorts;
    // A checkpoint writes every page that was touched; seldom ones write each page once.
    let flush = 1.0 + 140.0 / (checkpoint + 40.0);
    // Sessions share cores, locks and the log.
    let alone = cpu_ms + read_ms * flush + commit_ms;
    let at_work = sessions.min(400.0);
    let conflicts = 1.0 + 0.00009 * at_work.powf(1.9);
    let busy_cpu = at_work * cpu_ms / alone / CORES;
    let log_ms = commit_ms / shared * at_work * 0.11;
    let disk_ms = read_ms * flush * at_work * 0.012;
    let latency =
        (cpu_ms * (1.0 + busy_cpu.powi(2)).sqrt() + read_ms * flush + commit_ms) * conflicts;
    let latency = (latency.powi(4) + log_ms.powi(4) + disk_ms.powi(4)).powf(0.25);
    let tps = 1000.0 * at_work / latency;
    let p99 = latency * (2.0 + 0.6 * busy_cpu.min(3.0)) + 0.004 * checkpoint + 3.0 * sorts;
    // Of the sessions some sort at once; each has memory of its own besides.
    let memory = buffers / 1024.0 * 1.05 + sessions * (0.012 + 0.22 * work / 1024.0) + 1.5;
    let recovery = 6.0 + checkpoint * (0.04 + 0.00006 * tps);
    let mood = chance.factor(0.025);
    Outcome::Measured(vec![
        tps / mood,
        memory * chance.factor(0.01),
        p99 * mood * chance.factor(0.05),
        recovery * chance.factor(0.05),
    ])
}
