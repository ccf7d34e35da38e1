//! Programs of the lab and tests that take long, in release mode where time matters.

use anyhow::Result;

use crate::run::{cargo, command, root, step, target};
use crate::venv::GOLDEN;

/// What is handed on to the program.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program, such as `--help`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// How many kills.
#[derive(clap::Args)]
pub(crate) struct Kills {
    /// Kills of a run with four workers.
    #[arg(long, default_value_t = 100)]
    four: u64,
    /// Kills of a run with one worker, which must go the way of an uninterrupted one.
    #[arg(long, default_value_t = 200)]
    one: u64,
}

/// How long to let everything go wrong.
#[derive(clap::Args)]
pub(crate) struct Chaos {
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// `rpol run`s at a time, two on each study.
    #[arg(long, default_value_t = 8)]
    runs: u64,
    /// Single commands at a time: ask, tell, status, best, trials, export, fsck.
    #[arg(long, default_value_t = 32)]
    verbs: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How long to try any bytes at every door.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// For each target.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Only this one: pipe, study, constraint, log, store.
    #[arg(long, default_value = "", hide_default_value = true)]
    target: String,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs a program of the lab.
pub(crate) fn run(program: &str, args: &Args) -> Result<()> {
    let mut lab = cargo("run --release --package rpol-lab --bin");
    step(program, lab.args([program, "--"]).args(&args.rest))
}

/// The curves of the paper's experiments, in the development profile: it is optimised as well, and the tests have built it.
pub(crate) fn paper_check() -> Result<()> {
    let python = GOLDEN.python()?;
    let folder = target().join("paper-check");
    std::fs::create_dir_all(&folder)?;
    let (world, curves) = (folder.join("world.json"), folder.join("curves.json"));
    let mut studies = cargo("run --package rpol-lab --bin paper_check --");
    studies.arg("--world").arg(&world).arg("--curves").arg(&curves);
    step("studies", &mut studies)?;
    let script = root().join("crates/rpol-lab/tests/golden/paper_check.py");
    step("script", command(python).arg("-B").arg(script).arg(world).arg(curves))
}

/// Kills of `rpol run` at random moments.
pub(crate) fn kills(args: &Kills) -> Result<()> {
    let mut tests = cargo("test --package rpol-cli --test kills -- --nocapture --test-threads 1");
    step("kills", tests.env("RPOL_KILLS", format!("{},{}", args.four, args.one)))
}

/// All faults at once against runs and single commands, for a while.
pub(crate) fn chaos(args: &Chaos) -> Result<()> {
    let Chaos { minutes, runs, verbs, seed } = args;
    let seconds = (minutes * 60.0).ceil();
    let plan = format!("seconds={seconds} runs={runs} verbs={verbs} seed={seed} mounts=1");
    let mut test = cargo("test --package rpol-cli --test chaos -- --nocapture");
    step("chaos", test.env("RPOL_CHAOS", plan))
}

/// Mutated inputs for every target of fuzz/, on stable Rust.
pub(crate) fn fuzz(args: &Fuzz) -> Result<()> {
    let Fuzz { seconds, target, seed } = args;
    let order = format!("seconds={seconds} target={target} seed={seed} limit_ms=1000");
    let mut test = cargo("test --package rpol-cli --test fuzz no_input -- --nocapture");
    step("fuzz", test.env("RPOL_FUZZ", order))
}

/// A damaged database, at ten thousand bit flips and more, and a power cut at every write.
pub(crate) fn torture() -> Result<()> {
    let tests = "test --package rpol --test sqlite --test power_cut -- --ignored --nocapture";
    step("torture", &mut cargo(tests))
}
