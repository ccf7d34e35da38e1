//! The folders of `study/` import one way only.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Each may import from those before it. What lies in `study/` itself is `study`.
const ORDER: [&str; 10] = [
    "spec",
    "log",
    "data",
    "compact",
    "state",
    "surrogate",
    "acquire",
    "engine",
    "study",
    "report",
];

/// The most files a folder may hold.
const MOST_FILES: usize = 20;

fn rank(room: &str) -> Option<usize> {
    ORDER.iter().position(|other| *other == room)
}

/// The folders of `study/` that a file of `room` names, as `crate::study::x` or by as many `super` as it takes. What a
/// test imports does not count.
fn imported(room: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for line in lines {
        let line = line.replace("pub(in crate::study)", "");
        let prefixes: &[&str] = if room == "study" {
            &["crate::study::", "super::"]
        } else {
            &["crate::study::", "super::super::"]
        };
        for prefix in prefixes {
            for after in line.split(prefix).skip(1) {
                let name: String =
                    after.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                // A file of `study/` itself, or a name that it exports.
                found.push(if rank(&name).is_some() { name } else { "study".into() });
            }
        }
    }
    found
}

/// What a file imports from a folder that it must not know.
fn breaches(room: &str, file: &str, text: &str) -> Vec<String> {
    let own = rank(room).unwrap_or_else(|| panic!("{room} has no place in the order"));
    let upward = |name: &String| rank(name).is_some_and(|other| other > own);
    let names = imported(room, text).into_iter().filter(upward);
    names.map(|name| format!("{file} of {room}/ imports from {name}/")).collect()
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources = entries.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let named = |path: std::path::PathBuf| {
        (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            fs::read_to_string(path).unwrap(),
        )
    };
    sources.map(named).collect()
}

#[test]
fn folders_of_a_study_import_one_way() {
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/study");
    let mut all: Vec<(String, String, String)> = Vec::new();
    for entry in fs::read_dir(&study).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_name().unwrap().to_string_lossy().into_owned();
        // Laws are tests of the whole.
        if path.is_dir() && room != "laws" {
            all.extend(files(&path).into_iter().map(|(file, text)| (room.clone(), file, text)));
        }
    }
    // Its `mod.rs` is the surface: it names all of them.
    let own = files(&study).into_iter().filter(|(file, _)| file != "mod.rs");
    all.extend(own.map(|(file, text)| ("study".to_owned(), file, text)));
    assert!(all.len() > 50, "only {} files were found", all.len());
    let found: Vec<String> =
        all.iter().flat_map(|(room, file, text)| breaches(room, file, text)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_planted_import_is_found() {
    let planted = "use crate::study::engine::Engine;\n";
    assert_eq!(breaches("data", "a.rs", planted), ["a.rs of data/ imports from engine/"]);
    assert_eq!(breaches("log", "f.rs", "use super::super::state::State;").len(), 1);
    assert_eq!(breaches("state", "b.rs", "fn f(_: &crate::study::Study) {}").len(), 1);
    assert_eq!(breaches("study", "c.rs", "use super::report::status::Status;").len(), 1);
    assert!(breaches("report", "d.rs", planted).is_empty());
    let test = format!("#[cfg(test)]\nmod tests {{ {planted} }}");
    assert!(breaches("data", "e.rs", &test).is_empty());
}

#[test]
fn no_folder_of_the_library_is_crowded() {
    fn crowded(folder: &Path, found: &mut Vec<String>) {
        if files(folder).len() > MOST_FILES {
            found.push(folder.display().to_string());
        }
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).for_each(|path| crowded(&path, found));
    }
    let mut found = Vec::new();
    crowded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.is_empty(), "{found:?} have more than {MOST_FILES} files");
}

/// "Where is ...?" is answered by files that exist.
#[test]
fn the_map_of_the_contributors_names_files_that_exist() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.join("../..");
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let quoted = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    // `<name>` stands for the file to be added.
    let is_file = |word: &&str| word.ends_with(".rs") && !word.contains('<');
    let named: Vec<&str> = quoted.filter(is_file).collect();
    assert!(named.len() > 30, "only {} files are named", named.len());
    let lost: Vec<&&str> = named
        .iter()
        .filter(|path| !own.join("src").join(path).exists() && !root.join(path).exists())
        .collect();
    assert!(lost.is_empty(), "CONTRIBUTING.md names {lost:?}, which do not exist");
}
