//! What can be asked for, and what is wrong with it.

use crate::BadInput;
use crate::batch::{count, level, quoted};
use crate::table::Format;
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
///
/// Safe policies are given a feasible setting to start from, the others are not. Writes figures,
/// tables (standings.csv, runs.csv), results.json and report.html into a folder.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Who plays, divided by commas.
    #[arg(long, value_name = "NAMES", default_value = "rpol,config,epbo,constrained-ei,random")]
    algorithms: String,
    /// What is played, divided by commas.
    #[arg(long, value_name = "NAMES", default_value = "classical,gardner1,gramacy,branin_disk")]
    problems: String,
    /// How many seeds, from 0, each with its own noise.
    #[arg(long, value_name = "N", default_value = "10", value_parser = count)]
    #[arg(allow_negative_numbers = true)]
    seeds: u64,
    /// How many rounds; a drifting system's changes move in proportion.
    #[arg(long, value_name = "T", default_value = "200", value_parser = count)]
    #[arg(allow_negative_numbers = true)]
    rounds: u64,
    /// Noise on the problems of the literature, as a share of each output's standard deviation
    /// over the domain; the paper's problems have the noise that is printed.
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = level)]
    #[arg(allow_negative_numbers = true)]
    noise: f64,
    /// Mean of Poisson delays in rounds, on every problem that has none of its own.
    #[arg(long, value_name = "MEAN", value_parser = level, allow_negative_numbers = true)]
    delay: Option<f64>,
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

impl Args {
    /// Who plays what under which conditions.
    pub(super) fn tournament(&self) -> Result<(Tournament, Conditions)> {
        let conditions =
            Conditions { rounds: self.rounds as usize, noise: self.noise, delay: self.delay };
        let refused = |option: &str| {
            let option = option.to_string();
            move |error: BadName| BadInput(format!("{option}: {error}"))
        };
        let contestants = contestants(&self.algorithms).map_err(refused("--algorithms"))?;
        let courses = courses(&self.problems, &conditions).map_err(refused("--problems"))?;
        Ok((Tournament { contestants, courses, seeds: self.seeds }, conditions))
    }

    /// The command that asks for this; how many threads work is not part of it.
    pub(super) fn command(&self) -> String {
        let delay = self.delay.map_or(String::new(), |mean| format!(" --delay {mean}"));
        let (algorithms, problems) = (quoted(&self.algorithms), quoted(&self.problems));
        let out = quoted(&self.out.display().to_string());
        let (seeds, rounds, noise) = (self.seeds, self.rounds, self.noise);
        format!(
            "rpol arena --algorithms {algorithms} --problems {problems} --seeds {seeds} --rounds {rounds} \
             --noise {noise}{delay} --out {out}"
        )
    }
}
