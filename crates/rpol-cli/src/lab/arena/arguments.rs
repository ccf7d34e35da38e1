//! What can be asked for, and what is wrong with it.

use crate::BadInput;
use crate::common::table::Format;
use crate::lab::batch::{count, level, quoted};
use anyhow::Result;
use rpol_lab::arena::{BadName, Conditions, Tournament, contestants, courses};
use std::path::PathBuf;

/// Play algorithms against problems with known optima: regret, violation, figures.
///
/// --algorithms: `rpol` is the practical default; a name of the literature; or policy/strategy.
///   Behind an @ stand changes: rpol@printed, rpol@start=safe (a feasible setting to begin with),
///   rpol@initial=3,confidence.width.beta=2 (fields of a study's definition, see rpol schema).
///   Groups: literature, cells (every policy with every strategy), all.
/// --problems: classical, delayed and drifting of the paper, classical-quiet (less noise),
///   classical-rescaled (other units), or a problem of the literature.
///   Groups: paper, literature, all.
///   Or the live course, by itself: simulated services, plants and programs that are tuned from
///   a baseline on. live (all of them), live:tuned and live:reported (the halves that constants
///   were and were not chosen on), live:queue or queue (one). Scored by trials over a limit, sum
///   of violation, and how far the recommended setting truly comes to the best known.
///
/// On problems safe policies are given a feasible setting to start from, the others are not.
/// Writes figures, tables (standings.csv, runs.csv), results.json and report.html into a folder;
/// the live course has no figures.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Who plays, divided by commas.
    #[arg(long, value_name = "NAMES", default_value = "rpol,config,epbo,constrained-ei,random")]
    pub(super) algorithms: String,
    /// What is played, divided by commas.
    #[arg(long, value_name = "NAMES", default_value = "classical,gardner1,gramacy,branin_disk")]
    pub(super) problems: String,
    /// How many seeds, from 0, each with its own noise.
    #[arg(long, value_name = "N", default_value = "10", value_parser = count)]
    #[arg(allow_negative_numbers = true)]
    pub(super) seeds: u64,
    /// How many rounds; a drifting system's changes move in proportion [default: 200, live 60].
    #[arg(long, value_name = "T", value_parser = count, allow_negative_numbers = true)]
    pub(super) rounds: Option<u64>,
    /// Noise on the problems of the literature, as a share of each output's standard deviation
    /// over the domain; the paper's problems have the noise that is printed, live systems their
    /// own [default: 0.1].
    #[arg(long, value_name = "SHARE", value_parser = level, allow_negative_numbers = true)]
    pub(super) noise: Option<f64>,
    /// Mean of Poisson delays in rounds, on every problem that has none of its own.
    #[arg(long, value_name = "MEAN", value_parser = level, allow_negative_numbers = true)]
    pub(super) delay: Option<f64>,
    /// How many runs at once [default: one a core].
    #[arg(long, value_name = "J", value_parser = count, allow_negative_numbers = true)]
    pub(super) jobs: Option<u64>,
    /// The folder for everything, made if it is missing.
    #[arg(long, value_name = "DIR", default_value = "arena")]
    pub(super) out: PathBuf,
    /// What to print on stdout.
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Print every problem and every algorithm, and play nothing.
    #[arg(long)]
    pub(super) list: bool,
}

/// Rounds where nobody says, on problems.
const ROUNDS: u64 = 200;
/// Noise where nobody says, on the problems of the literature.
const NOISE: f64 = 0.1;

impl Args {
    /// Who plays what under which conditions.
    pub(super) fn tournament(&self) -> Result<(Tournament, Conditions)> {
        let conditions = self.conditions();
        let refused = |option: &str| {
            let option = option.to_string();
            move |error: BadName| BadInput(format!("{option}: {error}"))
        };
        let contestants = contestants(&self.algorithms).map_err(refused("--algorithms"))?;
        let courses = courses(&self.problems, &conditions).map_err(refused("--problems"))?;
        Ok((Tournament { contestants, courses, seeds: self.seeds }, conditions))
    }

    fn conditions(&self) -> Conditions {
        let rounds = self.rounds.unwrap_or(ROUNDS) as usize;
        Conditions { rounds, noise: self.noise.unwrap_or(NOISE), delay: self.delay }
    }

    /// The command that asks for this on live systems.
    pub(super) fn live_command(&self, rounds: usize) -> String {
        let (algorithms, problems) = (quoted(&self.algorithms), quoted(&self.problems));
        let (seeds, out) = (self.seeds, quoted(&self.out.display().to_string()));
        format!(
            "rpol lab arena --algorithms {algorithms} --problems {problems} --seeds {seeds} --rounds {rounds} --out {out}"
        )
    }

    /// The command that asks for this; how many threads work is not part of it.
    pub(super) fn command(&self) -> String {
        let delay = self.delay.map_or(String::new(), |mean| format!(" --delay {mean}"));
        let (algorithms, problems) = (quoted(&self.algorithms), quoted(&self.problems));
        let out = quoted(&self.out.display().to_string());
        let Conditions { rounds, noise, .. } = self.conditions();
        let seeds = self.seeds;
        format!(
            "rpol lab arena --algorithms {algorithms} --problems {problems} --seeds {seeds} --rounds {rounds} \
             --noise {noise}{delay} --out {out}"
        )
    }
}
