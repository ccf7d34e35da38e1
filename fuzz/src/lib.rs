//! What is fuzzed: each target takes any bytes, keeps its laws, and says in words what came of them, so that a fuzzer
//! without coverage can tell inputs apart. `cargo xtask fuzz` runs them on stable Rust, `cargo fuzz` on nightly.

use rpol::store::{Entry, Sqlite, Store};
use rpol::study::Event;
use rpol::{Constraint, Spec, Study};
use std::fs;
use std::path::{Path, PathBuf};

/// What a target makes of some bytes.
pub type Run = fn(&[u8]) -> String;

/// All targets by name; each has a folder of first inputs in `corpus`.
pub const TARGETS: [(&str, Run); 5] =
    [("pipe", pipe), ("study", study), ("constraint", constraint), ("log", log), ("store", store)];

/// Studies with more trials are only read, as the next decision would take long.
const DECIDES_UP_TO: usize = 60;

/// Lines for `rpol pipe`: each that is not blank has one answer, which is JSON.
pub fn pipe(data: &[u8]) -> String {
    let mut answers = Vec::new();
    rpol_cli::serve_pipe(data, &mut answers).expect("memory can be written");
    let answers = String::from_utf8(answers).expect("answers are UTF-8");
    let asked = data.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    assert_eq!(answers.lines().count(), asked.count(), "one answer a line");
    for answer in answers.lines() {
        serde_json::from_str::<serde_json::Value>(answer).expect("an answer is JSON");
    }
    answers
}

/// A study's file, TOML or JSON: what is read can be written and read again, and played.
pub fn study(data: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(data) else { return "not UTF-8".into() };
    let spec = match Spec::from_file_text(text, "fuzz") {
        Ok(spec) => spec,
        Err(error) => return error.to_string(),
    };
    let written = serde_json::to_string(&spec).expect("a definition can be written");
    let again = Spec::from_json(&written).expect("and read again");
    assert!(spec.differences(&again).is_empty(), "{:?}", spec.differences(&again));
    match Study::create(spec).and_then(|mut study| study.ask()) {
        Ok(asked) => format!("{:?}", asked.params.keys().collect::<Vec<_>>()),
        Err(error) => error.to_string(),
    }
}

/// A constraint's expression: what is read can be written and read again.
pub fn constraint(data: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(data) else { return "not UTF-8".into() };
    match text.parse::<Constraint>() {
        Ok(limit) => {
            let written = limit.to_string();
            assert_eq!(written.parse(), Ok(limit.clone()), "{written}");
            format!("{:?} {:?}", limit.g(1.0, None), limit.g(-1e300, Some(1e10)))
        }
        Err(error) => error.to_string(),
    }
}

/// A log, one entry or event a line: what is replayed is the same once more, has reports, and goes on.
pub fn log(data: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(data) else { return "not UTF-8".into() };
    let event = |line: &str| match serde_json::from_str::<Entry>(line) {
        Ok(entry) => Ok(entry.event),
        Err(_) => serde_json::from_str::<Event>(line),
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let events: Vec<Event> = match lines.map(event).collect() {
        Ok(events) => events,
        Err(error) => return error.to_string(),
    };
    let mut study = match Study::replay(events) {
        Ok(study) => study,
        Err(error) => return error.to_string(),
    };
    let again = Study::replay(study.log().to_vec()).expect("what was replayed can be");
    assert_eq!(again.penalties(), study.penalties());
    let status = serde_json::to_string(&study.status()).expect("a status can be written");
    if study.trials().len() > DECIDES_UP_TO {
        return status;
    }
    match study.ask() {
        Ok(_) => status,
        Err(error) => error.to_string(),
    }
}

/// A database: what is read from it was written to it, and a file that is refused is left as it was.
pub fn store(data: &[u8]) -> String {
    let place = Place::new();
    fs::write(&place.0, data).expect("there is room for temporary files");
    let store = match Sqlite::open(&place.0, false) {
        Ok(store) => store,
        Err(error) => {
            let left = fs::read(&place.0).expect("it is still there");
            assert!(left == data, "a file that was refused was changed");
            return place.without_path(&error.to_string());
        }
    };
    let mut said = format!("{:?}", store.studies());
    for name in store.studies().unwrap_or_default() {
        said += &store.read(&name, 0).map_or_else(|error| error.to_string(), |_| "sound".into());
    }
    said += &format!("{:?}", store.faults().map(|faults| faults.len()));
    place.without_path(&said)
}

/// A file of this process, gone at the end with what SQLite puts beside it.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        let name = format!("rpol-fuzz-{}-{:?}", std::process::id(), std::thread::current().id());
        Self(std::env::temp_dir().join(name))
    }

    fn without_path(&self, said: &str) -> String {
        said.replace(&self.0.display().to_string(), "")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(Path::new(&format!("{}{suffix}", self.0.display())));
        }
    }
}
