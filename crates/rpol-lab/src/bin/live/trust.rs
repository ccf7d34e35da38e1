//! What was promised of recommended settings, and what is true of them.

use anyhow::{Context, Result, ensure};
use rpol::study::{LimitOutlook, Outlook, Standing};
use rpol_lab::live::{Player, Score, System, Truth, Yardstick, list, play};
use rpol_lab::pool::work_all;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Who plays what.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A name as in `rpol lab arena`: rpol@confidence=0.95.
    #[arg(long, default_value = "rpol")]
    player: String,
    /// Names divided by commas, or tuned, reported, all.
    #[arg(long, default_value = "all")]
    systems: String,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// How many runs of each system.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Rounds of a run.
    #[arg(long, default_value_t = 60)]
    horizon: usize,
    /// How many runs at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A row for every run goes into this file.
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// One recommendation: what was promised, and what is true.
#[derive(Debug, Clone)]
struct Promised {
    standing: Standing,
    measurements: u64,
    mean_within: f64,
    next_within: f64,
    /// Whether a forecast mean is over its limit.
    foretold_over: bool,
    truth: Truth,
    gain: f64,
    over: f64,
    /// Of every setting that was measured.
    settings: Vec<Setting>,
}

/// A measured setting: the probabilities that were promised, whether its means keep the limits, and the share of measurements
/// that do.
#[derive(Debug, Clone, Copy)]
struct Setting {
    mean_within: f64,
    next_within: f64,
    feasible: bool,
    within: f64,
}

/// Prints a row for each system, then promised against found.
pub(super) fn run(args: &Args) -> Result<()> {
    let player: Player = args.player.parse()?;
    ensure!(args.seeds > 0, "--seeds 0 plays nothing");
    let seeds: Vec<u64> = (args.from..).take(args.seeds as usize).collect();
    let calm = AtomicBool::new(false);
    let mut lines = vec![HEADER.to_string()];
    let mut all = Vec::new();
    for system in list(&args.systems)? {
        let yardstick = Yardstick::of(&system);
        let one = |seed: &u64| promised(args, &player, &system, &yardstick, *seed).map(Some);
        let runs = work_all(&seeds, args.jobs, &calm, |_| 1, one)?;
        let runs: Vec<Promised> = runs.into_iter().flatten().collect();
        println!("{}", row(system.name, &runs));
        let named = seeds.iter().zip(&runs);
        lines.extend(named.map(|(seed, run)| format!("{},{seed},{}", system.name, cells(run))));
        all.extend(runs);
    }
    println!("{}\n", row("over all", &all));
    let settings: Vec<Setting> = all.iter().flat_map(|run| run.settings.iter().copied()).collect();
    let kept = |setting: &Setting| f64::from(setting.feasible);
    println!("of all measured settings");
    println!("{}", bins("mean within", &settings, |s| s.mean_within, kept));
    println!("{}", bins("next within", &settings, |s| s.next_within, |s| s.within));
    if let Some(path) = &args.csv {
        let text = lines.join("\n") + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

const HEADER: &str = "system,seed,standing,measurements,mean_within,next_within,foretold_over,feasible,over,gain,trials_over";

fn cells(run: &Promised) -> String {
    let Promised { standing, measurements, mean_within, next_within, foretold_over, .. } = run;
    let (feasible, over) = (run.truth.feasible, run.truth.over);
    format!(
        "{standing:?},{measurements},{mean_within:.4},{next_within:.4},{foretold_over},{feasible},{over:.4},{:.4},{:.4}",
        run.gain, run.over
    )
}

fn promised(
    args: &Args,
    player: &Player,
    system: &System,
    yardstick: &Yardstick,
    seed: u64,
) -> Result<Promised> {
    let spec = player.spec(system, seed, args.horizon)?;
    let run = play(system, spec.clone(), seed, args.horizon, |_| true)?;
    let run = run.context("nobody stops it")?;
    let promised = run.promised.as_ref().context("nothing was measured")?;
    let over = |(limit, g): (&LimitOutlook, f64)| limit.expected.is_some() && g > 0.0;
    let expected =
        promised.outlook.limits.iter().map(|l| l.expected.as_ref().map_or(f64::NAN, |e| e.mean));
    let metrics: Vec<f64> = std::iter::once(0.0).chain(expected).collect();
    let excesses = system.excesses(&metrics);
    let foretold_over = promised.outlook.limits.iter().zip(excesses).any(over);
    let score = Score::of(system, yardstick, &run);
    Ok(Promised {
        standing: promised.standing,
        measurements: promised.outlook.measurements,
        mean_within: promised.outlook.mean_within,
        next_within: promised.outlook.next_within,
        foretold_over,
        truth: system.truth(&run.recommended, system.phases() - 1),
        gain: score.gain,
        over: score.over * args.horizon as f64,
        settings: run.outlooks.iter().map(|outlook| setting(system, outlook)).collect(),
    })
}

fn setting(system: &System, outlook: &Outlook) -> Setting {
    let truth = system.truth(&outlook.params, system.phases() - 1);
    let (mean_within, next_within) = (outlook.mean_within, outlook.next_within);
    Setting { mean_within, next_within, feasible: truth.feasible, within: 1.0 - truth.over }
}

fn row(name: &str, runs: &[Promised]) -> String {
    let count = runs.len().max(1) as f64;
    let standing = |wanted: Standing| runs.iter().filter(|run| run.standing == wanted).count();
    let mean = |of: &dyn Fn(&Promised) -> f64| runs.iter().map(of).sum::<f64>() / count;
    let sure = runs.iter().filter(|run| run.mean_within >= 0.9);
    let sound = sure.clone().filter(|run| run.truth.feasible).count();
    format!(
        "{name:<10} confirmed {:>3} early {:>3} baseline {:>3} closest {:>3}; promised 90 %: {:>3}, kept by {:>3}; \
         foretold over {}; over {:.1}, gain {:.2}, measured {:.1}",
        standing(Standing::Confirmed),
        standing(Standing::Early),
        standing(Standing::Baseline),
        standing(Standing::Closest),
        sure.count(),
        sound,
        runs.iter().filter(|run| run.foretold_over).count(),
        mean(&|run| run.over),
        mean(&|run| run.gain),
        mean(&|run| run.measurements as f64),
    )
}

/// Promised against found, in ten bins.
fn bins(
    name: &str,
    settings: &[Setting],
    promised: impl Fn(&Setting) -> f64,
    found: impl Fn(&Setting) -> f64,
) -> String {
    let mut lines = vec![format!("{name}: from, to, settings, promised, found")];
    for bin in 0..10 {
        let of = |s: &&Setting| ((promised(s) * 10.0) as usize).min(9) == bin;
        let inside: Vec<&Setting> = settings.iter().filter(of).collect();
        let mean = |of: &dyn Fn(&Setting) -> f64| {
            inside.iter().map(|s| of(s)).sum::<f64>() / inside.len() as f64
        };
        let (from, to) = (0.1 * bin as f64, 0.1 * (bin + 1) as f64);
        let (said, seen) = (mean(&promised), mean(&found));
        lines.push(match inside.len() {
            0 => format!("  {from:.1} {to:.1}    0      -      -"),
            count => format!("  {from:.1} {to:.1} {count:>5} {said:>6.3} {seen:>6.3}"),
        });
    }
    lines.join("\n")
}
