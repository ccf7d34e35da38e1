//! Many processes on one database: how fast, and is anything lost?
//!
//! Every process asks and tells on the same study, each ask and each tell a commit of its own that is on the disk
//! before the next. The numbers handed out must be dense and unique, and every tell must be there at the end.

mod worker;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use indicatif::ProgressBar;
use rpol::store::{Shared, Sqlite};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use worker::Done;

/// Many processes on one database: how fast, and is anything lost?
#[derive(Parser)]
struct Args {
    /// Processes at a time.
    #[arg(long, default_value_t = 64)]
    processes: usize,
    /// Asks and tells of each.
    #[arg(long, default_value_t = 40)]
    pairs: usize,
    /// Least number of pairs a second, in all.
    #[arg(long, default_value_t = 200.0)]
    least: f64,
    /// Where the database is made; a folder for temporary files unless given.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Be one of the processes, on this database.
    #[arg(long, hide = true)]
    database: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(database) = &args.database {
        return worker::run(database, args.pairs);
    }
    let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = folder.join(format!("rpol-contention-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = measure(&args, &folder.join("shared.db"));
    std::fs::remove_dir_all(&folder)?;
    let rate = outcome?;
    ensure!(rate >= args.least, "{rate:.0} pairs a second are fewer than {}", args.least);
    Ok(())
}

/// Pairs a second.
fn measure(args: &Args, database: &Path) -> Result<f64> {
    let spinner = ProgressBar::new_spinner().with_message("asking and telling");
    spinner.enable_steady_tick(Duration::from_millis(100));
    let start = || Started::new(database, args.pairs);
    let mut workers = (0..args.processes).map(|_| start()).collect::<Result<Vec<_>>>()?;
    workers.iter_mut().try_for_each(Started::ready)?;
    let begin = Instant::now();
    workers.iter_mut().try_for_each(Started::go)?;
    let done: Vec<Result<Done>> = workers.into_iter().map(Started::finish).collect();
    let seconds = begin.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    let (done, failed): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    let failed: Vec<String> =
        failed.into_iter().filter_map(Result::err).map(|e| format!("{e:#}")).collect();
    ensure!(failed.is_empty(), "{} processes failed:\n{}", failed.len(), failed.join("\n"));
    let done: Vec<Done> = done.into_iter().flatten().collect();
    check(database, done.iter().flat_map(|done| done.told.iter().copied()).collect())?;
    let rate = (args.processes * args.pairs) as f64 / seconds;
    let longest = done.iter().map(|done| done.longest).fold(0.0, f64::max);
    println!(
        "{} processes, {} asks and tells each: {rate:.0} pairs a second in all, the longest call {longest:.2} s, no error, nothing lost",
        args.processes, args.pairs
    );
    Ok(rate)
}

/// Whether the study has exactly the trials that were told.
fn check(database: &Path, mut told: Vec<u64>) -> Result<()> {
    told.sort_unstable();
    let dense = told.iter().enumerate().all(|(i, number)| i as u64 == *number);
    ensure!(dense, "the numbers handed out are not 0, 1, ... each once");
    let store = Arc::new(Sqlite::open(database, false)?);
    let study = Shared::load(store, worker::STUDY)?;
    let trials = study.study().trials();
    ensure!(trials.len() == told.len(), "{} trials of {} are there", trials.len(), told.len());
    for trial in trials {
        let value = trial.metrics.get("y").map(|reported| reported.value.get());
        ensure!(value == Some(trial.number as f64), "the tell of trial {} is lost", trial.number);
    }
    Ok(())
}

struct Started {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Started {
    fn new(database: &Path, pairs: usize) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("--database")
            .arg(database)
            .args(["--pairs", &pairs.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let lines = BufReader::new(child.stdout.take().context("stdout is piped")?);
        Ok(Self { child, lines })
    }

    /// Waits until it has opened the database.
    fn ready(&mut self) -> Result<()> {
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        if line.is_empty() {
            bail!("a process failed to start: {}", self.complaint()?);
        }
        Ok(())
    }

    fn go(&mut self) -> Result<()> {
        self.child.stdin.take().context("stdin is piped")?.write_all(b"go\n")?;
        Ok(())
    }

    /// What it says at its end.
    fn finish(mut self) -> Result<Done> {
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        let complaint = self.complaint()?;
        ensure!(self.child.wait()?.success(), "{complaint}");
        Ok(serde_json::from_str(&line)?)
    }

    fn complaint(&mut self) -> Result<String> {
        let mut text = String::new();
        self.child.stderr.take().context("stderr is piped")?.read_to_string(&mut text)?;
        Ok(text)
    }
}
