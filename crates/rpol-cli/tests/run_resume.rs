//! `rpol run` interrupted, killed and started twice: nothing lost, nothing counted twice.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;

use bench::{Bench, PLAIN, ended, lives, signal};
use rpol::study::TrialState;
use serde_json::json;
use std::process::{Command, Stdio};

/// Stays at trial 3 as long as there is a file `stay`.
fn staying() -> Bench {
    let script = format!(
        "if [ -e stay ] && [ $RPOL_TRIAL = 3 ]; then sleep 1000 & echo $! > process; wait; fi; {PLAIN}"
    );
    let bench = Bench::new(&script, "rounds = 7\nteardown = ['touch', 'torn-down']");
    bench.write("stay", "");
    bench
}

/// The same, never interrupted.
fn uninterrupted() -> Bench {
    let bench = staying();
    std::fs::remove_file(bench.path("stay")).unwrap();
    bench.write("study.toml", &format!("name = 's'\n{}", bench.read("study.toml")));
    bench.run("", 0);
    bench
}

#[test]
fn a_run_that_was_killed_goes_on_as_if_it_had_not() {
    let bench = staying();
    bench.write("study.toml", &format!("name = 's'\n{}", bench.read("study.toml")));
    let mut run = bench.start("");
    bench.wait_for("process");
    run.kill().unwrap();
    run.wait().unwrap();
    signal("-KILL", bench.read("process").trim().parse().unwrap());
    std::fs::remove_file(bench.path("stay")).unwrap();
    bench.run("", 0);
    assert_eq!(bench.history(), uninterrupted().history());
}

#[test]
fn every_signal_to_end_ends_a_run_in_good_order_and_it_goes_on_later() {
    for how in ["-INT", "-TERM", "-HUP", "-QUIT"] {
        let bench = staying();
        bench.write("study.toml", &format!("name = 's'\n{}", bench.read("study.toml")));
        let run = bench.start("");
        bench.wait_for("process");
        signal(how, run.id());
        let (document, talk) = ended(run.wait_with_output().unwrap(), 130);
        assert_eq!(document["stopped"], json!("interrupted"), "{talk}");
        assert_eq!(document["trials"], json!({"asked": 4, "complete": 3, "failed": 0, "open": 1}));
        assert!(!lives(&bench.read("process")), "its command has ended");
        assert!(bench.has("torn-down"));
        std::fs::remove_file(bench.path("stay")).unwrap();
        bench.run("", 0);
        assert_eq!(bench.history(), uninterrupted().history());
    }
}

#[test]
fn a_run_that_is_not_to_hear_of_a_hang_up_does_not() {
    let script = format!("echo $$ > process; while [ -e stay ]; do sleep 0.01; done; {PLAIN}");
    let bench = Bench::new(&script, "rounds = 1");
    bench.write("stay", "");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" run study.toml", env!("CARGO_BIN_EXE_rpol")]);
    shell.current_dir(bench.path("")).env_remove("RPOL_STORAGE").stdout(Stdio::null());
    let mut run = shell.stderr(Stdio::null()).spawn().unwrap();
    bench.wait_for("process");
    signal("-HUP", run.id());
    std::fs::remove_file(bench.path("stay")).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert_eq!(bench.trials()[0].state, TrialState::Complete);
}

#[test]
fn the_second_ctrl_c_ends_everything_at_once() {
    let script = "trap 'echo asked > asked' TERM; echo $$ > process; while :; do sleep 0.05; done";
    let bench = Bench::new(script, "rounds = 1");
    let mut run = bench.start("");
    bench.wait_for("process");
    signal("-INT", run.id());
    bench.wait_for("asked");
    signal("-INT", run.id());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    while lives(&bench.read("process")) {
        std::thread::yield_now();
    }
}

/// As after a suspension: by the calendar the lease of a trial that is being run is long over.
#[test]
fn a_run_does_not_take_its_own_running_trials() {
    let script = format!(
        "echo >> began-$RPOL_TRIAL
        case $RPOL_TRIAL in
        0) [ $(wc -l < began-0) = 1 ] || echo > go; while [ ! -e go ]; do sleep 0.01; done ;;
        1) while [ ! -e over ]; do sleep 0.01; done ;;
        3) echo > go ;;
        esac
        {PLAIN}"
    );
    let bench = Bench::new(&script, "rounds = 4\nworkers = 2");
    let run = bench.start("");
    bench.wait_for("began-0");
    bench.wait_for("began-1");
    let store = rpol::store::open_existing(bench.path("rpol.db").to_str().unwrap()).unwrap();
    let name = store.studies().unwrap().remove(0);
    let mut shared = rpol::store::Shared::load(store, &name).unwrap();
    let worker = shared.study().trials()[0].lease.clone().unwrap().worker;
    shared.change(|s| s.claim(0, rpol::study::Lease::new(&*worker, 1))).unwrap();
    bench.write("over", "");
    ended(run.wait_with_output().unwrap(), 0);
    for trial in 0..4 {
        assert_eq!(bench.read(&format!("began-{trial}")), "\n", "trial {trial} was run again");
    }
}

/// Whoever removes the store of a run takes nothing that was acknowledged.
#[test]
fn a_store_that_is_removed_ends_the_run_and_its_results_are_kept() {
    let script = format!("if [ $RPOL_TRIAL = 2 ]; then rm rpol.db*; fi; {PLAIN}");
    let bench = Bench::new(&script, "rounds = 7");
    bench.write("study.toml", &format!("name = 's'\n{}", bench.read("study.toml")));
    let (document, talk) = bench.run("", 1);
    assert_eq!(document["stopped"], json!("store"), "{talk}");
    assert_eq!(document["trials"]["complete"], json!(3), "the one that was running is kept, too");
    assert!(talk.contains("rpol.db: the file was removed while it was in use"), "{talk}");
    let files = std::fs::read_dir(bench.path("")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let rescued: Vec<String> = names.filter(|name| name.starts_with("s-rescued-")).collect();
    assert!(rescued.len() == 1 && talk.contains(&rescued[0]), "{rescued:?}: {talk}");
    let imported = bench.rpol(&format!("import {}", rescued[0]));
    assert!(String::from_utf8_lossy(&imported.stderr).contains("checksum right"));
    let trials = bench.trials();
    assert_eq!(trials.len(), 3);
    assert!(trials.iter().all(|trial| trial.state == TrialState::Complete));
}

#[test]
fn two_runs_share_a_study() {
    let bench = Bench::new(PLAIN, "rounds = 14\nworkers = 2");
    let runs = [bench.start(""), bench.start("")];
    for run in runs {
        ended(run.wait_with_output().unwrap(), 0);
    }
    let trials = bench.trials();
    assert_eq!(trials.len(), 14);
    assert!(trials.iter().all(|trial| trial.state == TrialState::Complete));
}

#[test]
fn several_workers_are_busy_at_once() {
    // Each waits for the other: one alone would wait for ever.
    let script =
        format!("echo > $RPOL_TRIAL; while [ ! -e 0 ] || [ ! -e 1 ]; do sleep 0.01; done; {PLAIN}");
    let bench = Bench::new(&script, "rounds = 4\nworkers = 2\ntimeout = '60s'");
    let (document, _) = bench.run("", 0);
    assert_eq!(document["trials"]["complete"], json!(4));
}
