//! `cargo xtask bench count`: instructions of the main paths, so that a slow-down is seen in review.

mod callgrind;
mod comparison;
mod kept;

use anyhow::{Result, ensure};

use crate::run::{cargo, step, target};
use callgrind::Counter;
use comparison::compare;
use kept::Counts;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Changes up to so many percent are no change.
    #[arg(long, default_value = "3", value_parser = percent)]
    tolerance: f64,
    /// Keep what is counted now.
    #[arg(long)]
    accept: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse::<f64>().ok().filter(|p| p.is_finite() && *p >= 0.0);
    percent.ok_or_else(|| "give a finite number of percent, at least 0".into())
}

pub(crate) fn run(args: &Args) -> Result<()> {
    callgrind::check_that_it_is_there()?;
    // Before minutes of counting find out that there is nothing to compare with.
    let before = if args.accept { None } else { Some(Counts::kept()?) };
    step("build", &mut cargo("build --release --package rpol-lab --bin count"))?;
    let counter = Counter::new(target().join("release/count"))?;
    let now = counter.count()?;
    match before {
        None => now.keep(),
        Some(before) => judge(&before, &now, args.tolerance),
    }
}

/// An error where counts that can be compared differ.
fn judge(before: &Counts, now: &Counts, tolerance: f64) -> Result<()> {
    if before.simd != now.simd {
        let (before, now) = (&before.simd, &now.simd);
        println!(
            "not compared: the counts that are kept are for {before}, and this processor has {now}"
        );
        return Ok(());
    }
    let comparison = compare(&before.counts, &now.counts, tolerance);
    println!("{comparison}");
    if before.rustc != now.rustc {
        println!("counted with rustc {}, kept with rustc {}", now.rustc, before.rustc);
    }
    ensure!(
        comparison.unchanged(),
        "counts have changed by more than {tolerance} %: find out why, or keep them with --accept"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(simd: &str, ask: u64) -> Counts {
        Counts { simd: simd.into(), rustc: String::new(), counts: [("ask".into(), ask)].into() }
    }

    #[test]
    fn a_change_is_an_error_where_it_can_be_seen() {
        let before = counts("avx2", 1000);
        assert!(judge(&before, &counts("avx2", 1020), 3.0).is_ok());
        assert!(judge(&before, &counts("neon", 2000), 3.0).is_ok());
        let error = judge(&before, &counts("avx2", 2000), 3.0).expect_err("twice as much");
        assert!(error.to_string().contains("--accept"), "{error}");
    }
}
