//! `rpol lab bench`: how fast a study is on this machine.

mod ask;
mod endless;

use anyhow::Result;

/// Measure how fast a study is on this machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Ask(ask::Args),
    Endless(endless::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Ask(args) => ask::run(args),
        What::Endless(args) => endless::run(args),
    }
}
