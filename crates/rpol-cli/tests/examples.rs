//! The examples, as the README tells one to run them.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rpol-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a study's file from another folder, and gives what it found.
fn run(study: &Path, from: &Path, arguments: &[&str]) -> Value {
    let mut rpol = Command::new(env!("CARGO_BIN_EXE_rpol"));
    rpol.arg("run").arg(study).args(arguments).current_dir(from).env("RPOL_STORAGE", "rpol.db");
    let output = rpol.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_queue_ends_with_a_page_and_a_setting_better_than_the_baseline() {
    let folder = folder("queue");
    for file in ["study.toml", "queue.awk"] {
        std::fs::copy(examples().join("queue").join(file), folder.join(file)).unwrap();
    }
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let found = run(&folder.join("study.toml"), &elsewhere, &[]);
    assert_eq!(found["trials"]["complete"], 60, "{found}");
    let expected = found["recommended"]["objective"]["mean"].as_f64().unwrap();
    let baseline = found["baseline"]["metrics"]["cost"].as_f64().unwrap();
    assert!(expected < 0.8 * baseline, "{expected} against {baseline}");
    assert_eq!(found["recommended"]["standing"], "confirmed");
    let page = std::fs::read_to_string(folder.join("queue.html")).unwrap();
    assert!(page.contains("What to run now") && page.matches("<svg").count() >= 8);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_drifting_queue_runs() {
    let folder = folder("drift");
    let found = run(&examples().join("queue-drift/study.toml"), &folder, &["--rounds", "3"]);
    assert_eq!(found["trials"]["complete"], 3, "{found}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn outside_of_a_repository_git_is_not_measured() {
    let folder = folder("no-git");
    for file in ["study.toml", "pack.sh"] {
        std::fs::copy(examples().join("git-pack").join(file), folder.join(file)).unwrap();
    }
    let mut rpol = Command::new(env!("CARGO_BIN_EXE_rpol"));
    rpol.args(["run", "study.toml"]).current_dir(&folder).env_remove("RPOL_STORAGE");
    let output = rpol.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the baseline failed") && said.contains("no git history here"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// In a repository of its own: the sources may have come without their history.
#[test]
fn git_is_measured() {
    let folder = folder("git");
    for file in ["study.toml", "pack.sh"] {
        std::fs::copy(examples().join("git-pack").join(file), folder.join(file)).unwrap();
    }
    let commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"];
    for arguments in [&["init", "-q"][..], &["add", "."], &commit] {
        let mut git = Command::new("git");
        assert!(git.args(arguments).current_dir(&folder).status().unwrap().success());
    }
    let found = run(&folder.join("study.toml"), &folder, &["--rounds", "3"]);
    assert_eq!(found["trials"]["complete"], 3, "{found}");
    std::fs::remove_dir_all(folder).unwrap();
}
