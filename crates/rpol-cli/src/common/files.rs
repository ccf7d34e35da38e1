//! Files that commands write.

use super::output;
use anyhow::Result;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Whether any file may give way to a new one.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct Force {
    /// Write over a file even if rpol did not make it; never over a store
    #[arg(long)]
    force: bool,
}

impl Force {
    pub(crate) fn replace(self) -> Replace {
        if self.force { Replace::Any } else { Replace::Own }
    }
}

/// Where a command writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Stdout,
    File,
}

/// Writes a file whole or not at all; `-` is stdout.
pub(crate) fn write(path: &Path, bytes: &[u8], replace: Replace) -> Result<Written> {
    // By its name too: it may lead to a file, which must be written on and not replaced.
    if path == Path::new("-") || path == Path::new("/dev/stdout") {
        return output::bytes(bytes).map(|()| Written::Stdout);
    }
    write_whole(path, bytes, replace).map(|()| Written::File)
}
