//! `rpol create`: begin a study.

use crate::common::answer::Answer;
use crate::common::storage::{Storage, shown};
use crate::common::{study_file, text};
use anyhow::Result;
use serde_json::json;
use std::path::{Path, PathBuf};

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
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec = study_file::read(&args.file, args.name.as_deref())?;
    let at = study_file::storage(&args.file, &spec);
    let store = args.storage.open(Some(&at))?;
    let resumed = store.studies()?.contains(&spec.name);
    let shared = study_file::open_or_revise(store, &spec, args.answer)?;
    let (study, place) = (shared.study(), shown(args.storage.url(Some(&at))));
    let name = &study.spec().name;
    let (document, said) = if resumed {
        let trials = study.trials().len();
        let said =
            format!("the study {name:?} is in {place} already, with {trials} trials: it resumes");
        (json!({ "created": name, "resumed": true }), said)
    } else {
        (json!({ "created": name }), format!("the study {name:?} is in {place}"))
    };
    if args.answer.is_json() {
        args.answer.note(&said);
    }
    args.answer.give(&document, || {
        // A name is looked for in this folder, a file says where its study is.
        let here = Path::new(place) == Path::new("rpol.db");
        let file = args.file.to_string_lossy();
        format!("{said}\nnext: rpol ask {}", text::shell(if here { name } else { &file }))
    })
}
