//! Which store a command works on.

use anyhow::{Context, Result};
use rpol::store::{self, Store};
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
        store::open(url).with_context(|| format!("cannot open the storage {url:?}"))
    }

    /// The store there, which must exist already.
    pub(crate) fn existing(&self, file: Option<&str>) -> Result<Arc<dyn Store>> {
        let url = self.url(file);
        store::open_existing(url).with_context(|| format!("cannot open the storage {url:?}"))
    }
}
