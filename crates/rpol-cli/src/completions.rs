//! `rpol completions`: for the shell to complete what one types.

use crate::common::output;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script that makes a shell complete rpol's commands and options
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol completions bash > ~/.local/share/bash-completion/completions/rpol
  rpol completions zsh > \"${fpath[1]}/_rpol\"
  rpol completions fish > ~/.config/fish/completions/rpol.fish")]
pub(crate) struct Args {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "rpol", &mut script);
    output::text(&String::from_utf8(script)?)
}
