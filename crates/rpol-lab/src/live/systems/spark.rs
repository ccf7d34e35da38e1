//! A nightly batch job on a cluster, most of whose settings do not get through the night.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "spark",
    about: "a batch job on a cluster: about half of the settings crash",
    definition: r#"
        objective = "minimize cost"
        constraints = ["runtime_min <= 120", "spill_gb <= 80"]
        [params]
        executors = { type = "int", low = 2, high = 48, log = true }
        cores = { type = "int", low = 1, high = 16 }
        memory_gb = { type = "int", low = 4, high = 96, log = true }
        partitions = { type = "int", low = 64, high = 4096, log = true }
        storage_share = { type = "float", low = 0.1, high = 0.9 }
        serializer = { type = "categorical", choices = ["java", "kryo"] }
        [baseline]
        params = { executors = 16, cores = 3, memory_gb = 24, partitions = 800, storage_share = 0.4, serializer = "java" }
    "#,
    measure,
    best: &[(
        r#"{"executors":5,"cores":6,"memory_gb":6,"partitions":2580,"storage_share":0.1,"serializer":"kryo"}"#,
        4.21505,
    )],
};

/// Gigabytes to be sorted, and what the cluster has.
const DATA: f64 = 420.0;
const CLUSTER_GB: f64 = 2000.0;
const CLUSTER_CORES: f64 = 400.0;
/// Core minutes of the work itself.
const WORK: f64 = 2000.0;

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [executors, cores, memory, partitions, stored] =
        setting.numbers(["executors", "cores", "memory_gb", "partitions", "storage_share"]);
    let (swelling, packing) =
        if setting.choice("serializer") == "java" { (2.4, 1.18) } else { (1.5, 1.0) };
    if executors * (memory + 1.0) > CLUSTER_GB || executors * cores > CLUSTER_CORES {
        return Outcome::Failed("the cluster has not so much: the job was never scheduled".into());
    }
    // The heaviest partition of this night decides.
    let skew = 1.9 * chance.factor(0.06);
    let task = DATA / partitions * swelling * skew;
    let heap = (memory - 0.6) * (1.0 - stored) * 0.85;
    if task > heap / cores * 8.0 {
        return Outcome::Failed("java.lang.OutOfMemoryError: heap space".into());
    }
    // Tables of the driver grow with the number of tasks and executors.
    if partitions * executors > 120_000.0 * chance.factor(0.04) {
        return Outcome::Failed("the driver died: too many shuffle blocks".into());
    }
    // What does not fit into the execution memory goes to disk, what is not stored is computed again.
    let fits = heap / cores;
    let spill = DATA * (task / fits - 0.5).max(0.0) * 0.35;
    let kept = (executors * memory * stored / (DATA * swelling * 0.5)).min(1.0);
    let slots = executors * cores;
    let waves = (partitions / slots).ceil() * slots / partitions;
    let collecting =
        1.0 + 0.25 * (memory / 40.0).powi(2) + 0.03 * (cores - 4.0).max(0.0).powi(2) * 0.3;
    let compute = WORK * packing * (1.35 - 0.35 * kept) * waves * collecting / slots;
    let runtime =
        compute + 0.006 * partitions + 0.35 * spill / executors.sqrt() + 4.0 + 0.08 * executors;
    let cost = runtime / 60.0 * executors * (0.05 * cores + 0.012 * memory + 0.06);
    let night = chance.factor(0.04);
    Outcome::Measured(vec![cost * night, runtime * night, spill * chance.factor(0.08)])
}
