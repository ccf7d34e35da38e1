//! `cargo xtask overhead`: what `rpol run` spends on a trial beside the start of its command. Target: 10 ms at 200 trials.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;

use crate::run::{cargo, check, command, step, target};

/// A command that returns at once: it prints its parameters as metrics.
const PROGRAM: [&str; 2] = ["printf", r#"{"cost": %s, "load": %s}"#];
const STUDY: &str = r#"
objective = "minimize cost"
constraints = ["load <= 0.7"]
[params]
x = { type = "float", low = 0, high = 1 }
y = { type = "float", low = 0, high = 1 }
[run]
command = ["printf", '{{"cost": %s, "load": %s}}', "{x}", "{y}"]
"#;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many trials.
    #[arg(long, default_value_t = 200)]
    trials: u32,
    /// How many times; the median counts.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    step("build", &mut cargo("build --release --package rpol-cli"))?;
    let folder = std::env::temp_dir().join(format!("rpol-overhead-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("study.toml"), STUDY)?;
    let mut overheads = Vec::new();
    for repeat in 0..args.repeats {
        let (whole, bare) = (study(&folder, args.trials, repeat)?, starts(args.trials)?);
        let each = (whole - bare) / f64::from(args.trials);
        println!("{whole:.0} ms with rpol, {bare:.0} ms without: {each:.2} ms a trial");
        overheads.push(each);
    }
    fs::remove_dir_all(&folder)?;
    overheads.sort_by(f64::total_cmp);
    let median = overheads[overheads.len() / 2];
    println!("median {median:.2} ms a trial at {} trials; the target is 10 ms", args.trials);
    Ok(())
}

fn study(folder: &Path, trials: u32, repeat: usize) -> Result<f64> {
    let start = Instant::now();
    let mut rpol = command(target().join("release/rpol"));
    rpol.current_dir(folder).args(["run", "study.toml", "--storage", "sqlite:///overhead.db"]);
    rpol.args(["--name", &format!("overhead{repeat}"), "--rounds", &trials.to_string()]);
    check(rpol.stdout(Stdio::null()).stderr(Stdio::null()))?;
    Ok(milliseconds(start))
}

/// The same commands, without anybody who learns from them.
fn starts(trials: u32) -> Result<f64> {
    let start = Instant::now();
    for _ in 0..trials {
        let mut bare = Command::new(PROGRAM[0]);
        bare.args([PROGRAM[1], "0.25", "0.75"]).stdin(Stdio::null()).output()?;
    }
    Ok(milliseconds(start))
}

fn milliseconds(start: Instant) -> f64 {
    1e3 * start.elapsed().as_secs_f64()
}
