//! Verbs on a store: one file each, and what they share.

pub(crate) mod ask;
pub(crate) mod best;
mod columns;
pub(crate) mod correct;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod fail;
mod given;
mod history;
pub(crate) mod import;
mod measured;
pub(crate) mod status;
pub(crate) mod studies;
pub(crate) mod tell;
pub(crate) mod trials;
pub(crate) mod void;

use crate::common::answer::Answer;
use crate::common::storage::Storage;
use crate::common::study_file;
use anyhow::Result;
use rpol::store::{Shared, Store};
use std::path::Path;
use std::sync::Arc;

/// The study a verb is about.
#[derive(clap::Args)]
pub(crate) struct Target {
    /// The study's name, or its file
    study: String,
    #[command(flatten)]
    storage: Storage,
}

impl Target {
    /// The study as it is stored.
    pub(crate) fn load(&self) -> Result<Shared> {
        find(&self.study, &self.storage)
    }

    /// The study as it is stored, without what is past and is not needed to go on: old trials and their events.
    pub(crate) fn resume(&self) -> Result<Shared> {
        let (store, name) = self.place()?;
        Ok(Shared::resume(store, &name)?)
    }

    fn place(&self) -> Result<(Arc<dyn Store>, String)> {
        place(&self.study, &self.storage)
    }
}

/// The store and the name of a study that is named, or whose file is: a file says both.
fn place(study: &str, storage: &Storage) -> Result<(Arc<dyn Store>, String)> {
    if !study_file::is_meant(study) {
        return Ok((storage.existing(None)?, study.into()));
    }
    let path = Path::new(study);
    let spec = study_file::read(path, None)?;
    let store = storage.existing(Some(&study_file::storage(path, &spec)))?;
    Ok((store, spec.name))
}

/// The study itself.
fn find(study: &str, storage: &Storage) -> Result<Shared> {
    let (store, name) = place(study, storage)?;
    Ok(Shared::load(store, &name)?)
}

/// One trial of a study.
#[derive(clap::Args)]
pub(crate) struct TrialTarget {
    #[command(flatten)]
    target: Target,
    /// The trial's number, as ask printed it
    #[arg(allow_negative_numbers = true)]
    number: u64,
}

/// A trial that is to count no more, or not to be waited for.
#[derive(clap::Args)]
pub(crate) struct Reasoned {
    #[command(flatten)]
    trial: TrialTarget,
    /// Why, for the record
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    reason: String,
    #[command(flatten)]
    answer: Answer,
}
