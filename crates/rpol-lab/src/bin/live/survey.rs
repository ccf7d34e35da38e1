//! What the systems are like.

use anyhow::Result;
use rpol_lab::live::{Outcome, System, Truth, Yardstick, list};
use std::time::Instant;

/// What is looked at.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Names divided by commas, or tuned, reported, all.
    #[arg(long, default_value = "all")]
    systems: String,
}

/// Prints some lines for each system.
pub(super) fn run(args: &Args) -> Result<()> {
    for system in list(&args.systems)? {
        let random = Yardstick::of(&system);
        println!("{}: {}", system.name, system.about);
        let (over, failed) = (100.0 * random.over, 100.0 * random.failed);
        println!(
            "  random play: over {over:.0} %, failed {failed:.0} %, mean {:.4?}, worst {:.4?}",
            random.violation, random.worst
        );
        println!("  a measurement takes {:.3} ms", milliseconds(&system)?);
        for phase in 0..system.phases() {
            let (base, best) = (&system.baseline, &system.best[phase]);
            let [base, found] = [base, &best.params].map(|params| system.truth(params, phase));
            println!("  baseline   {}", told(&system, &base));
            println!(
                "  best known {} ratio {:.2}",
                told(&system, &found),
                found.objective() / base.objective()
            );
        }
    }
    Ok(())
}

/// Means, how much of each limit they use, and the share over.
fn told(system: &System, truth: &Truth) -> String {
    let margins: Vec<String> =
        system.excesses(&truth.means).iter().map(|g| format!("{g:.4}")).collect();
    let means: Vec<String> = truth.means.iter().map(|mean| format!("{mean:.4}")).collect();
    let (over, failed) = (100.0 * truth.over, 100.0 * truth.failed);
    format!(
        "{} excess {} over {over:.1} % failed {failed:.1} %",
        means.join(" "),
        margins.join(" ")
    )
}

fn milliseconds(system: &System) -> Result<f64> {
    let start = Instant::now();
    for trial in 0..200 {
        let outcome = system.measure(&system.baseline, 0, 1, trial)?;
        if let Outcome::Failed(reason) = outcome {
            println!("  the baseline failed: {reason}");
        }
    }
    Ok(1e3 * start.elapsed().as_secs_f64() / 200.0)
}
