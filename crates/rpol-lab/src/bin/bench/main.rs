//! Benchmarks of the Gaussian-process engine, each beside its limit measured in the same run.
//!
//! One thread, medians. Times on a shared machine are noisy; the ratios are what is promised.

mod engine;
mod table;

use table::Table;

/// Sizes that every promise is made for.
const SIZES: [usize; 4] = [100, 500, 1000, 2000];
const DIMS: [usize; 2] = [2, 6];

fn main() -> rpol::Result<()> {
    let python = std::env::args().nth(1);
    let mut table = Table::new();
    for dims in DIMS {
        for n in SIZES {
            engine::run(n, dims, python.as_deref(), &mut table)?;
        }
    }
    std::process::exit(i32::from(!table.conclude()));
}
