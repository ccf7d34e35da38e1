//! The file that defines a study.

use crate::BadInput;
use crate::common::answer::Answer;
use crate::common::input;
use crate::common::storage::DEFAULT;
use crate::common::text::shell;
use anyhow::Result;
use rpol::store::{Shared, Store};
use rpol::{Error, Spec};
use std::path::{Component, Path};
use std::sync::Arc;

/// The study that a file defines, as TOML or JSON; `-` is stdin. `name` goes before the one in the file; where there
/// is neither, the study is named after the file, or after its folder when the file is called `study`; stdin has no name.
pub(crate) fn read(path: &Path, name: Option<&str>) -> Result<Spec> {
    let text = input::text(path)?;
    let refused = |error: rpol::Error| BadInput(format!("{}: {error}", input::shown(path)));
    let default = name.map_or_else(|| default_name(path), String::from);
    let mut spec = Spec::from_file_text(&text, &default).map_err(refused)?;
    if let Some(name) = name {
        spec.name = name.into();
        spec.validate()?;
    }
    Ok(spec)
}

/// Where the study of a file is kept unless the command line or the environment says: where the file says, else in
/// `rpol.db`, both as seen from the file's folder. The same command from another folder then finds the same study.
pub(crate) fn storage(path: &Path, spec: &Spec) -> String {
    let written = spec.run.as_ref().and_then(|run| run.storage.as_deref()).unwrap_or(DEFAULT);
    let folder = path.parent().filter(|_| !input::is_stdin(path)).unwrap_or(Path::new(""));
    match rpol::store::path(written) {
        Ok(relative) => format!("sqlite:///{}", folder.join(relative).display()),
        Err(_) => written.into(),
    }
}

/// Begins the study of a file, or goes on with it, under another horizon, risk, budgets or confidence where the file has changed.
pub(crate) fn open_or_revise(store: Arc<dyn Store>, spec: &Spec, answer: Answer) -> Result<Shared> {
    let (shared, revised) = Shared::open_or_revise(store, spec.clone()).map_err(|error| {
        let Error::StudyExists { name, .. } = &error else { return anyhow::Error::new(error) };
        let name = shell(name);
        BadInput(format!(
            "{error}. Horizon, risk, caution, budgets, confidence and [run] may change. For anything else begin another study by --name NEW \
             and take along what was measured: rpol export {name} -o old.csv, then rpol import old.csv --into NEW"
        ))
        .into()
    })?;
    if revised {
        answer.note("the definition has changed: it holds from here on, what was decided stays");
    }
    Ok(shared)
}

/// Whether an argument that may name a study names a study's file.
pub(crate) fn is_meant(argument: &str) -> bool {
    let path = Path::new(argument);
    let by_end = path.extension().is_some_and(|end| end == "toml" || end == "json");
    by_end && path.is_file()
}

/// What a study is called whose file gives no name.
pub(crate) fn default_name(path: &Path) -> String {
    if input::is_stdin(path) {
        return String::new();
    }
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = text(path.file_stem()).unwrap_or_default();
    // Of `../study.toml` only the file system knows the folder.
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    let whole = || if goes_up { path.canonicalize() } else { std::path::absolute(path) };
    let folder = || text(whole().ok()?.parent()?.file_name());
    if stem == "study" { folder().unwrap_or(stem) } else { stem }
}

#[cfg(test)]
mod tests {
    use super::default_name;
    use std::path::Path;

    #[test]
    fn a_study_is_named_after_its_file_or_folder() {
        let cases = [
            ("cache.toml", "cache"),
            ("/srv/cache/study.toml", "cache"),
            ("/srv/cache/study.json", "cache"),
            ("/srv/my.cache.toml", "my.cache"),
            ("/study.toml", "study"),
            ("-", ""),
        ];
        for (path, name) in cases {
            assert_eq!(default_name(Path::new(path)), name, "{path}");
        }
        let here = std::env::current_dir().unwrap_or_default();
        let folder = here.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert_eq!(default_name(Path::new("study.toml")), folder);
    }
}
