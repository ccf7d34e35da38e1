//! Which store a command works on.

use crate::BadInput;
use anyhow::Result;
use rpol::store::{self, Store};
use std::path::Path;
use std::sync::Arc;

/// Where studies are kept when nobody says.
const DEFAULT: &str = "sqlite:///rpol.db";

/// The store of a command.
#[derive(clap::Args, Clone)]
pub(crate) struct Storage {
    /// Where studies are kept, such as sqlite:///path.db [default: sqlite:///rpol.db, in this folder]
    #[arg(long, value_name = "URL", env = "RPOL_STORAGE")]
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
        store::open(url).map_err(|error| explained(url, is_possible, error))
    }

    /// The store there, which must exist already.
    pub(crate) fn existing(&self, file: Option<&str>) -> Result<Arc<dyn Store>> {
        let url = self.url(file);
        let is_possible = |path: &Path| !is_absent(path);
        store::open_existing(url).map_err(|error| explained(url, is_possible, error))
    }
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
    let path = url.strip_prefix("sqlite:///").filter(|path| !path.is_empty()).map(Path::new);
    let is_address = path.is_some_and(|path| !path.is_dir() && is_possible(path));
    let what = format!("cannot open the storage {url:?}");
    if is_address {
        anyhow::Error::new(error).context(what)
    } else {
        BadInput(format!("{what}: {error}")).into()
    }
}
