//! The binary `rpol`: the command line of the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rpol_cli::main_from(std::env::args_os()))
}
