//! One process of many.

use anyhow::Result;
use rpol::Spec;
use rpol::store::{Shared, Sqlite};
use std::path::Path;
use std::sync::Arc;

pub(crate) const STUDY: &str = "contention";

/// Says that it is ready, waits for the word, asks and tells, and says what it told.
pub(crate) fn run(database: &Path, pairs: usize) -> Result<()> {
    let store = Arc::new(Sqlite::open(database, true)?);
    let mut study = Shared::open(store, spec()?)?;
    println!("ready");
    std::io::stdin().read_line(&mut String::new())?;
    let mut told = Vec::new();
    for _ in 0..pairs {
        let number = study.change(|study| study.ask())?.number;
        study.change(|study| study.tell(number, [("y", number as f64)]))?;
        told.push(number);
    }
    println!("{}", serde_json::to_string(&told)?);
    Ok(())
}

fn spec() -> Result<Spec> {
    let text = format!(
        "name = '{STUDY}'\nobjective = 'y'\nalgorithm = 'random'\n[params]\nx = {{ type = 'float', low = 0, high = 1 }}"
    );
    Ok(Spec::from_toml(&text)?)
}
