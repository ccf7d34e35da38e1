//! `rpol man`: the manual.

use crate::common::files::{self, Force};
use crate::common::output;
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Print the manual page, or write one for every command into a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol man | man -l -
  rpol man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The folder, made if it is missing
    folder: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // There is no page for `rpol help`.
    let rpol = crate::Cli::command().disable_help_subcommand(true);
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(rpol).render(&mut page)?;
        return output::text(&String::from_utf8(page)?);
    };
    let made = std::fs::create_dir_all(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut rpol = rpol;
    rpol.build();
    write_all(rpol, folder, args.force)
}

/// A page for a command, and one for each of its subcommands.
fn write_all(command: Command, folder: &Path, force: Force) -> Result<()> {
    let shown = command.get_subcommands().filter(|own| !own.is_hide_set()).cloned();
    shown.into_iter().try_for_each(|own| write_all(own, folder, force))?;
    let (man, mut page) = (Man::new(command), Vec::new());
    man.render(&mut page)?;
    files::write(&folder.join(man.get_filename()), &page, force.replace()).map(drop)
}
