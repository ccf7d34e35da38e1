//! `rpol man`: the manual.

use crate::common::output;
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::path::PathBuf;

/// Print the manual page, or write one for every command into a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol man | man -l -
  rpol man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The folder, made if it is missing
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // There is no page for `rpol help`.
    let rpol = crate::Cli::command().disable_help_subcommand(true);
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(rpol).render(&mut page)?;
        return output::text(&String::from_utf8(page)?);
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(rpol, folder));
    written.with_context(|| format!("cannot write manual pages to {}", folder.display()))
}
