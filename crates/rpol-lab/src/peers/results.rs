//! What was measured of each optimizer, as `bench/peers/measure.py` keeps it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The file of our own numbers, without its ending.
const OURS: &str = "rpol";

/// Everything that was measured of one optimizer.
#[derive(Clone, Debug, Deserialize)]
pub struct Results {
    /// Its name in tables.
    pub label: String,
    /// Versions of its packages.
    pub versions: BTreeMap<String, String>,
    /// Version of Python.
    pub python: String,
    /// By problem, then by number of observations.
    pub speed: BTreeMap<String, BTreeMap<usize, Speed>>,
    /// Whole runs of the classical problem, by seed.
    pub play: BTreeMap<u64, Run>,
}

/// CPU seconds of an ask and its tell.
#[derive(Clone, Debug, Deserialize)]
pub struct Speed {
    /// Of the first round after the history.
    pub first: f64,
    /// Of every round that counts.
    pub rounds: Vec<f64>,
    /// Which of them learned hyper-parameters anew, where most do not.
    pub refits: Vec<usize>,
    /// Of every round until the next refit; only of who keeps a fit.
    #[serde(default)]
    pub cycle: Vec<f64>,
}

/// What a whole run lost, a round.
#[derive(Clone, Debug, Deserialize)]
pub struct Run {
    /// $R^+/T$.
    pub regret: f64,
    /// $V/T$.
    pub violation: f64,
    /// Share of the rounds beyond the limit.
    pub violating: f64,
    /// CPU seconds of all its asks and tells.
    pub seconds: f64,
}

impl Speed {
    /// The median of the rounds without a refit, of all where there is no other; seconds.
    ///
    /// ```
    /// let rounds = vec![0.002, 0.9, 0.001, 0.003];
    /// let speed = rpol_lab::peers::Speed { first: 1.0, rounds, refits: vec![1], cycle: vec![] };
    /// assert_eq!(speed.usual(), 0.002);
    /// ```
    #[must_use]
    pub fn usual(&self) -> f64 {
        let is_usual = |i: &usize| !self.refits.contains(i);
        let mut usual: Vec<f64> =
            (0..self.rounds.len()).filter(is_usual).map(|i| self.rounds[i]).collect();
        if usual.is_empty() {
            usual.clone_from(&self.rounds);
        }
        usual.sort_by(f64::total_cmp);
        usual[usual.len() / 2]
    }

    /// The mean of a round with its share of refits, of who keeps a fit; seconds.
    #[must_use]
    pub fn with_refits(&self) -> Option<f64> {
        let rounds = self.cycle.len();
        (rounds > 0).then(|| self.cycle.iter().sum::<f64>() / rounds as f64)
    }
}

/// Everything in a folder, ours first and the others by name.
///
/// # Errors
///
/// Where our own numbers are missing, or a file is not as `measure.py` writes it.
pub fn read(folder: &Path) -> Result<Vec<Results>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("nothing in {}: measure first", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort_by_key(|file| (file.file_stem().is_none_or(|name| name != OURS), file.clone()));
    let ours = folder.join(OURS).with_extension("json");
    ensure!(
        files.first() == Some(&ours),
        "{} is missing: measure with --only {OURS}",
        ours.display()
    );
    files.iter().map(|file| of_file(file)).collect()
}

fn of_file(file: &Path) -> Result<Results> {
    let results: Results = serde_json::from_str(&std::fs::read_to_string(file)?)
        .with_context(|| format!("{}: remove it and measure again", file.display()))?;
    let measured = |speed: &Speed| !speed.rounds.is_empty();
    let all = results.speed.values().flat_map(BTreeMap::values).all(measured);
    ensure!(all, "{} has a measurement without rounds: measure again", file.display());
    Ok(results)
}
