//! The file that defines a study.

use crate::BadInput;
use crate::common::input;
use anyhow::Result;
use rpol::Spec;
use std::path::Path;

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

fn default_name(path: &Path) -> String {
    if input::is_stdin(path) {
        return String::new();
    }
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = text(path.file_stem()).unwrap_or_default();
    let folder = || text(std::path::absolute(path).ok()?.parent()?.file_name());
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
