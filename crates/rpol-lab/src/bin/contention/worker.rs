//! One process of many.

use anyhow::Result;
use rpol::Spec;
use rpol::store::{Shared, Sqlite};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub(crate) const STUDY: &str = "contention";

/// What a process has to say at its end.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// The trials it told.
    pub(crate) told: Vec<u64>,
    /// The longest of its asks and tells, in seconds.
    pub(crate) longest: f64,
    /// When it began and ended, in seconds since 1970.
    pub(crate) span: [f64; 2],
}

impl Done {
    fn timed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let outcome = work();
        self.longest = self.longest.max(begin.elapsed().as_secs_f64());
        outcome
    }
}

/// Asks and tells, and says what it told.
pub(crate) fn run(database: &Path, pairs: usize) -> Result<()> {
    let store = Arc::new(Sqlite::open(database, true)?);
    let mut study = Shared::open(store, spec()?)?;
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs_f64());
    let mut done = Done { span: [now()?; 2], ..Done::default() };
    for _ in 0..pairs {
        let number = done.timed(|| study.change(|study| study.ask()))?.number;
        done.timed(|| study.change(|study| study.tell(number, [("y", number as f64)])))?;
        done.told.push(number);
    }
    done.span[1] = now()?;
    println!("{}", serde_json::to_string(&done)?);
    Ok(())
}

fn spec() -> Result<Spec> {
    let text = format!(
        "name = '{STUDY}'\nobjective = 'y'\nalgorithm = 'random'\n[params]\nx = {{ type = 'float', low = 0, high = 1 }}"
    );
    Ok(Spec::from_toml(&text)?)
}
