//! `rpol create`: begin a study.

use crate::common::storage::Storage;
use crate::common::{output, study_file};
use anyhow::Result;
use rpol::store::Shared;
use serde_json::json;
use std::path::PathBuf;

/// Begin a study, or resume the one of that name
///
/// The same definition resumes; another one under the same name is refused with the difference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol create cache.toml
  rpol create cache.toml --name cache-eu
  generate-definition | rpol create - --name cache")]
pub(crate) struct Args {
    /// The study's definition, TOML or JSON (see rpol schema); - is stdin
    file: PathBuf,
    /// The study's name [default: the file's own, else the name of the file, or of its folder if that is study]
    #[arg(long, allow_hyphen_values = true)]
    name: Option<String>,
    #[command(flatten)]
    storage: Storage,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec = study_file::read(&args.file, args.name.as_deref())?;
    let at = spec.run.as_ref().and_then(|run| run.storage.clone());
    let store = args.storage.open(at.as_deref())?;
    let resumed = store.studies()?.contains(&spec.name);
    let shared = Shared::open(store, spec)?;
    let (study, url) = (shared.study(), args.storage.url(at.as_deref()));
    let name = &study.spec().name;
    if resumed {
        let trials = study.trials().len();
        eprintln!("rpol: the study {name:?} is in {url} already, with {trials} trials: it resumes");
        output::json(&json!({ "created": name, "resumed": true }))
    } else {
        eprintln!("rpol: the study {name:?} is in {url}");
        output::json(&json!({ "created": name }))
    }
}
