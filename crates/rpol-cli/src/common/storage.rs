//! Which store a command works on.

use crate::BadInput;
use crate::common::output::say;
use anyhow::Result;
use rpol::store::{self, Store};
use std::path::Path;
use std::sync::Arc;

/// Where studies are kept when nobody says: in the folder of the study's file, or in this one.
pub(crate) const DEFAULT: &str = "sqlite:///rpol.db";

/// The store of a command.
#[derive(clap::Args, Clone)]
pub(crate) struct Storage {
    /// Where studies are kept: a path, or sqlite:///path [default: rpol.db beside the study's file, or in this folder where
    /// only a name is given]
    #[arg(long, value_name = "PATH", env = "RPOL_STORAGE")]
    storage: Option<String>,
}

impl Storage {
    /// Where: what the command line or the environment says, else what a study's file does, else the default.
    pub(crate) fn url<'a>(&'a self, file: Option<&'a str>) -> &'a str {
        self.storage.as_deref().or(file).unwrap_or(DEFAULT)
    }

    /// The store there, made if there is none.
    pub(crate) fn open(&self, file: Option<&str>) -> Result<Arc<dyn Store>> {
        let url = self.url(file);
        let is_possible = |path: &Path| !is_absent(folder_of(path));
        warn(url);
        store::open(url).map_err(|error| explained(url, is_possible, error))
    }

    /// The store there, which must exist already.
    pub(crate) fn existing(&self, file: Option<&str>) -> Result<Arc<dyn Store>> {
        let url = self.url(file);
        let is_possible = |path: &Path| !is_absent(path);
        warn(url);
        store::open_existing(url).map_err(|error| explained(url, is_possible, error))
    }
}

/// Says of a store what may go wrong with it.
fn warn(url: &str) {
    if let Some(warning) = store::network_warning(url) {
        say!("rpol: warning: {warning}");
    }
}

/// An address as people write it: a path.
pub(crate) fn shown(url: &str) -> &str {
    store::path(url).unwrap_or(url)
}

/// Whether there is such a store.
pub(crate) fn is_there(url: &str) -> bool {
    store::path(url).map_or(true, |path| Path::new(path).exists())
}

/// Whether there is no such file or folder; where that cannot be found out, there may be one.
fn is_absent(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// What is wrong with an address is the user's to change; what is wrong with a store is a failure.
fn explained(url: &str, is_possible: impl Fn(&Path) -> bool, error: rpol::Error) -> anyhow::Error {
    let path = store::path(url).ok().map(Path::new);
    let is_address = path.is_some_and(|path| !path.is_dir() && is_possible(path));
    let what = format!("cannot open the storage {url:?}");
    if is_address {
        return anyhow::Error::new(error).context(what);
    }
    let remedy = match path {
        Some(path) if is_absent(path) => {
            "; name the study's file, or say by --storage where the store is"
        }
        _ => "",
    };
    BadInput(format!("{what}: {error}{remedy}")).into()
}
