//! What can be asked for, and what is wrong with it.

use std::path::PathBuf;

use crate::lab::batch::{count, level};
use clap::ValueEnum;
use rpol::study;
use rpol_lab::paper::{self, Noise, Request, Settings};

/// Run the paper's experiments and write their figures, tables and a report.
///
/// classical: RPOL-UCB, CKB-UCB, CONFIG, and EPBO and Random of ours.
/// delayed:   RPOL-CensoredUCB, RPOL-UCB, CKB-UCB, CONFIG, and Hallucinated and Random.
/// drifting:  RPOL-SWUCB, CKB-UCB, CONFIG, CKB-RestartUCB, and EventTriggered and Random.
///
/// Every finished run is kept in the output folder, so that a command that was stopped continues
/// when it is given again, and more seeds cost only themselves. A run is used again only if its
/// settings and the version of rpol are the same. Open report.html there when it is done.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Which experiment.
    #[arg(value_enum, default_value_t = Experiment::All)]
    experiment: Experiment,
    /// How many seeds, from 0, each with its own noise [default: 20].
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    seeds: Option<u64>,
    /// How many rounds; the drifting system's changes move in proportion [default: 500].
    #[arg(long, value_name = "T", value_parser = count, allow_negative_numbers = true)]
    rounds: Option<u64>,
    /// The paper's settings as printed, or the library's own.
    #[arg(long, value_enum, default_value_t = Preset::Printed)]
    preset: Preset,
    /// Variance of the noise: the literal reading of N(0, 0.05) [default: 0.05].
    #[arg(long, value_name = "V", value_parser = level, allow_negative_numbers = true)]
    noise_var: Option<f64>,
    /// Standard deviation of the noise, instead of the variance: 0.05 is the other reading.
    #[arg(long, value_name = "S", value_parser = level, allow_negative_numbers = true)]
    noise_std: Option<f64>,
    /// How many runs at once [default: one a core].
    #[arg(long, value_name = "J", value_parser = count, allow_negative_numbers = true)]
    pub(super) jobs: Option<u64>,
    /// The folder for everything, made if it is missing.
    #[arg(long, value_name = "DIR", default_value = "paper-results")]
    pub(super) out: PathBuf,
    /// What to print on stdout.
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Experiment {
    Classical,
    Delayed,
    Drifting,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    Printed,
    Practical,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(super) enum Format {
    Table,
    Json,
}

impl Args {
    /// The request, or what is wrong with it.
    pub(super) fn request(&self, settings: &Settings) -> Result<Request, String> {
        let defaults = settings.defaults;
        let noise = match (self.noise_var, self.noise_std) {
            (None, None) => Noise::Variance(defaults.noise_var),
            (Some(variance), None) => Noise::Variance(variance),
            (None, Some(deviation)) => Noise::Deviation(deviation),
            (Some(_), Some(_)) => {
                return Err("--noise-var and --noise-std say the same thing: give one".into());
            }
        };
        let experiments = match self.experiment {
            Experiment::Classical => vec![paper::Experiment::Classical],
            Experiment::Delayed => vec![paper::Experiment::Delayed],
            Experiment::Drifting => vec![paper::Experiment::Drifting],
            Experiment::All => paper::Experiment::ALL.to_vec(),
        };
        let preset = match self.preset {
            Preset::Printed => study::Preset::Printed,
            Preset::Practical => study::Preset::Practical,
        };
        let rounds = self.rounds.map_or(defaults.rounds, |rounds| rounds as usize);
        let seeds = self.seeds.unwrap_or(defaults.seeds);
        Ok(Request { experiments, seeds, rounds, preset, noise })
    }
}
