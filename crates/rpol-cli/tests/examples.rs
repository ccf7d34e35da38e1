//! The examples, as the README tells one to run them.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs an example from a folder of its own, and gives what it found.
fn run(example: &str, arguments: &[&str]) -> (PathBuf, Value) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = std::env::temp_dir().join(format!("rpol-{example}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rpol"))
        .arg("run")
        .arg(root.join(example).join("study.toml"))
        .args(arguments)
        .current_dir(&folder)
        .env_remove("RPOL_STORAGE")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (folder, serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_queue_ends_with_a_page_and_a_setting_better_than_the_baseline() {
    let (folder, found) = run("queue", &[]);
    assert_eq!(found["trials"]["complete"], 60, "{found}");
    let expected = found["recommended"]["objective"]["mean"].as_f64().unwrap();
    let baseline = found["baseline"]["metrics"]["cost"].as_f64().unwrap();
    assert!(expected < 0.8 * baseline, "{expected} against {baseline}");
    assert_ne!(found["recommended"]["why"], "baseline");
    let page = std::fs::read_to_string(folder.join("queue.html")).unwrap();
    assert!(page.contains("What to run now") && page.matches("<svg").count() >= 8);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_others_run() {
    for example in ["queue-drift", "git-pack"] {
        let (folder, found) = run(example, &["--rounds", "3"]);
        assert_eq!(found["trials"]["complete"], 3, "{example}: {found}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
