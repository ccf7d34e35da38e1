//! Where a program is.

use crate::BadInput;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file of a program: a name with a `/` is seen from `folder`, a bare one is looked up in `search`, the `PATH`.
pub(crate) fn find(
    field: &str,
    program: &str,
    folder: &Path,
    search: Option<&OsStr>,
) -> Result<PathBuf, BadInput> {
    let refuse = |problem: String| BadInput(format!("{field}: {program:?} {problem}"));
    if program.contains('/') {
        let path = folder.join(program);
        return match fault(&path) {
            None => Ok(path),
            Some(fault) => Err(refuse(fault)),
        };
    }
    let folders = search.map(std::env::split_paths).into_iter().flatten();
    let mut candidates = folders.map(|search| folder.join(search).join(program));
    candidates.find(|path| fault(path).is_none()).ok_or_else(|| {
        let remedy = format!("write \"./{program}\" for one beside the study's file");
        refuse(format!("is no program on the PATH: {remedy}"))
    })
}

/// Why a file is no program, and what to do.
fn fault(path: &Path) -> Option<String> {
    match path.metadata() {
        Err(error) => Some(format!("cannot be run ({error}): there must be {}", path.display())),
        Ok(about) if !about.is_file() => Some(format!("is a folder: {}", path.display())),
        Ok(about) if !is_executable(&about) => {
            Some(format!("is not executable: chmod +x {}", path.display()))
        }
        Ok(_) => None,
    }
}

fn is_executable(about: &std::fs::Metadata) -> bool {
    about.permissions().mode() & 0o111 != 0
}
