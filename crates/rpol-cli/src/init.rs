//! `rpol init`: a study's file to begin with.

mod draft;
mod questions;

use crate::BadInput;
use crate::common::answer::Quiet;
use crate::common::text::shell;
use anyhow::Result;
use draft::Draft;
use rpol_plot::{Replace, write_whole};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Write a study's file, by five questions or by flags
///
/// On a terminal it asks for what no flag says: the objective, the parameters, the limits, the setting that
/// runs today, and the command. The file is commented and `rpol check` accepts it. No file is replaced.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol init                           five questions, then study.toml
  rpol init cache.toml --objective 'minimize cost' --param ttl_s=float:1:3600:log \\
      --param mode=choice:lru,fifo --limit 'p99_ms <= 250' --baseline ttl_s=60,mode=lru \\
      --command './bench --ttl {ttl_s} --mode {mode}'"
)]
pub(crate) struct Args {
    /// The file to write
    #[arg(default_value = "study.toml")]
    file: PathBuf,
    /// What to improve: 'minimize METRIC' or 'maximize METRIC'
    #[arg(long)]
    objective: Option<String>,
    /// A parameter: name=int:2:16, name=float:0.1:10, either with :log, or name=choice:a,b,c
    #[arg(long = "param", value_name = "NAME=KIND")]
    params: Vec<String>,
    /// A limit to keep, such as 'p99_ms <= 250'
    #[arg(long = "limit", value_name = "LIMIT")]
    limits: Vec<String>,
    /// The setting that runs today and keeps the limits: name=value,name=value
    #[arg(long, value_name = "SETTING")]
    baseline: Option<String>,
    /// The command that measures a setting; {name} stands for a parameter
    #[arg(long)]
    command: Option<String>,
    #[command(flatten)]
    quiet: Quiet,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.file.symlink_metadata().is_ok() {
        return Err(taken(&args.file));
    }
    let mut draft = Draft::default();
    if let Some(objective) = &args.objective {
        draft.take_objective(objective).map_err(refused("--objective"))?;
    }
    args.params.iter().try_for_each(|p| draft.take_param(p)).map_err(refused("--param"))?;
    args.limits.iter().try_for_each(|l| draft.take_limit(l)).map_err(refused("--limit"))?;
    if let Some(baseline) = &args.baseline {
        draft.take_baseline(baseline).map_err(refused("--baseline"))?;
    }
    if let Some(command) = &args.command {
        draft.take_command(command).map_err(refused("--command"))?;
    }
    if draft.is_complete() {
        // Flags said what is needed.
    } else if io::stdin().is_terminal() && io::stderr().is_terminal() {
        questions::ask(&mut draft, &mut io::stdin().lock())?;
    } else {
        let needed = "give --objective and one --param or more; on a terminal it asks";
        return Err(BadInput(needed.into()).into());
    }
    let text = draft.checked(&args.file).map_err(BadInput)?;
    write_whole(&args.file, text.as_bytes(), Replace::Nothing)?;
    let file = shell(&args.file.to_string_lossy());
    let next = if draft.has_command() { "run" } else { "create" };
    args.quiet.note(&format!("wrote {file}; next: rpol check {file}, then rpol {next} {file}"));
    Ok(())
}

/// What is wrong with a flag.
fn refused(flag: &str) -> impl Fn(String) -> BadInput + '_ {
    move |problem| BadInput(format!("{flag}: {problem}"))
}

fn taken(path: &Path) -> anyhow::Error {
    let path = shell(&path.to_string_lossy());
    BadInput(format!("{path} is there already, and no file is replaced: name another")).into()
}
