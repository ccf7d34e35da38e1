//! Where stdout, stderr or the disk of a log take nothing more: results are kept, runs go on, nothing panics.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;
mod verbs;

use bench::{Bench, PLAIN};
use std::process::{Command, Output, Stdio};
use verbs::Folder;

/// A line of shell in a folder, in which `$RPOL` is the program.
fn shell(folder: &std::path::Path, line: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("RPOL", env!("CARGO_BIN_EXE_rpol")).current_dir(folder);
    shell.env_remove("RPOL_STORAGE").stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_run_goes_on_whose_progress_cannot_be_written() {
    for (to, code) in [
        ("> out.json 2> /dev/full", 0),
        ("2>&1 > out.json | head -c 1 > /dev/null", 0),
        ("> /dev/full 2>&1", 1),
        ("> /dev/full 2> talk.txt", 1),
        ("2> /dev/full | true", 0),
    ] {
        let bench = Bench::new(PLAIN, "rounds = 6\nreport = 'r.html'");
        let output = shell(&bench.path(""), &format!("\"$RPOL\" run study.toml {to}"));
        assert_eq!(output.status.code(), Some(code), "{to}");
        assert_eq!(bench.trials().len(), 6, "{to}");
        assert!(bench.has("r.html"), "{to}: what can be written is");
    }
}

#[test]
fn no_command_ends_otherwise_because_nobody_hears_it() {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache"]);
    folder.write("h.csv", "mode,ttl_s,cost\nlru,1,2\n");
    for (command, code) in [
        ("tell cache 0 cost=1 p99_ms=5", 0),
        ("tell cache 0 cost=1 p99_ms=5", 0),
        ("import h.csv --into cache", 0),
        ("export cache -o a.jsonl", 0),
        ("report cache -o a.html", 0),
        ("plot cache -o a.svg", 0),
        ("init new.toml --objective 'minimize cost' --param x=float:0:1", 0),
        ("create cache.toml", 0),
        ("fsck", 0),
        ("status nobody", 2),
        ("tell cache 0 cost=2", 2),
        ("tell cache", 2),
        ("frobnicate", 2),
        ("delete cache", 2),
    ] {
        let output = shell(folder.path(), &format!("\"$RPOL\" {command} > /dev/null 2> /dev/full"));
        assert_eq!(output.status.code(), Some(code), "{command}");
    }
    for command in [
        "status cache",
        "trials cache",
        "schema",
        "man",
        "completions bash",
        "--help",
        "export cache -o -",
    ] {
        let output = shell(folder.path(), &format!("\"$RPOL\" {command} > /dev/full"));
        assert_eq!(output.status.code(), Some(1), "{command}: a result that is lost is a failure");
        let line = format!("(\"$RPOL\" {command}; echo $? > code) | true");
        assert!(shell(folder.path(), &line).stderr.is_empty(), "{command}");
        assert_eq!(folder.read("code"), "0\n", "{command}: nobody wanted more");
    }
}

#[test]
fn a_file_that_may_not_grow_is_an_error_and_no_end() {
    let folder = Folder::with_cache();
    let output = shell(folder.path(), "ulimit -f 0; exec \"$RPOL\" ask cache 2> talk.txt");
    assert_eq!(output.status.code(), Some(1));
    let output = shell(folder.path(), "ulimit -f 0; exec \"$RPOL\" export cache > log.jsonl");
    assert_eq!(output.status.code(), Some(1));
}
