//! Tables and chart of the side by side, from made-up numbers.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use rpol_lab::peers::{chart, read, tables};

const OURS: &str = r#"{"label": "rpol", "versions": {"rpol": "0.1.0"}, "python": "3.11.7",
    "speed": {"classical": {"50": {"first": 0.4, "rounds": [0.002, 0.302, 0.402], "refits": [1, 2],
                                   "cycle": [0.002, 0.302, 0.002, 0.102]},
                            "200": {"first": 0.4, "rounds": [0.004], "refits": []}}},
    "play": {"0": {"regret": 0.1, "violation": 0.2, "violating": 1.0, "seconds": 3.0},
             "1": {"regret": 0.3, "violation": 0.4, "violating": 0.5, "seconds": 5.0}}}"#;
const PEER: &str = r#"{"label": "Another", "versions": {"another": "9"}, "python": "3.11.7",
    "speed": {"classical": {"50": {"first": 0.1, "rounds": [0.1, 0.3, 0.2], "refits": []}}}, "play": {}}"#;

/// A folder of results that is gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("rpol-peers-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The cells of the row with this label.
fn row(tables: &str, label: &str) -> Vec<String> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = tables.lines().map(cells);
    let mut found = rows.filter(|cells| cells.get(1).is_some_and(|first| first == label));
    let row = found.next().unwrap();
    row[2..row.len() - 1].to_vec()
}

#[test]
fn a_ratio_is_of_medians_without_refits() {
    // Named so that the peer's file comes first by name.
    let folder = Folder::with("ratio", &[("another.json", PEER), ("rpol.json", OURS)]);
    let tables = tables(&read(&folder.0).unwrap());
    assert_eq!(row(&tables, "rpol"), ["2.00 ms", "4.00 ms"]);
    assert_eq!(row(&tables, "rpol, mean with its refits"), ["102 ms", "-"]);
    assert_eq!(row(&tables, "rpol, first ask on a history"), ["400 ms", "400 ms"]);
    assert_eq!(row(&tables, "Another"), ["200 ms (100x)", "-"]);
    assert!(tables.contains("another 9, rpol 0.1.0; Python 3.11.7"));
}

#[test]
fn runs_are_averaged_over_their_seeds() {
    let folder = Folder::with("runs", &[("rpol.json", OURS), ("another.json", PEER)]);
    let tables = tables(&read(&folder.0).unwrap());
    let runs = tables.split("T = 200").nth(1).unwrap();
    assert_eq!(row(runs, "rpol"), ["0.200", "0.300", "75 %", "4.00 s", "2"]);
    assert!(!runs.contains("Another"), "who has not played is left out");
}

#[test]
fn a_line_an_optimizer_is_drawn() {
    let folder = Folder::with("chart", &[("rpol.json", OURS), ("another.json", PEER)]);
    let svg = chart(&read(&folder.0).unwrap());
    assert!(svg.contains("Another") && svg.contains(">rpol<"));
    assert!(!svg.contains("NaN"));
}

#[test]
fn what_cannot_be_shown_says_what_to_do() {
    let without_ours = Folder::with("missing", &[("another.json", PEER)]);
    let message = format!("{:#}", read(&without_ours.0).unwrap_err());
    assert!(message.contains("--only rpol"), "{message}");
    let broken = Folder::with("broken", &[("rpol.json", "{}")]);
    let message = format!("{:#}", read(&broken.0).unwrap_err());
    assert!(message.contains("measure again"), "{message}");
    let empty = OURS.replace("[0.004]", "[]");
    let empty = Folder::with("empty", &[("rpol.json", &empty)]);
    assert!(format!("{:#}", read(&empty.0).unwrap_err()).contains("without rounds"));
}
