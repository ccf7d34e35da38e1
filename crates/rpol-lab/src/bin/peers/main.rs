//! rpol beside other optimizers, from the numbers that are kept: tables, and with a document its section and figure.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use rpol_lab::peers;

/// Tables of what was measured.
#[derive(Parser)]
struct Args {
    /// Where `bench/peers/measure.py` kept its numbers.
    results: PathBuf,
    /// A document whose section is renewed, and the figure beside it.
    #[arg(long, num_args = 2, value_names = ["DOCUMENT", "FIGURE"])]
    write: Vec<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let results = peers::read(&args.results)?;
    let tables = peers::tables(&results);
    println!("{tables}");
    if let [document, figure] = &args.write[..] {
        let text = std::fs::read_to_string(document)
            .with_context(|| format!("cannot read {}", document.display()))?;
        std::fs::write(document, peers::renewed(&text, &tables)?)?;
        std::fs::write(figure, peers::chart(&results))?;
    }
    Ok(())
}
