//! `rpol run` against commands that do what they should not.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;

use bench::{Bench, PLAIN, lives, signal};
use rpol::study::TrialState;

/// The reason for which the only trial of a study fails; the run itself goes well.
fn reason(script: &str, more: &str) -> String {
    let bench = Bench::new(script, &format!("rounds = 1\n{more}"));
    let (document, talk) = bench.run("", 0);
    let trial = bench.trials().remove(0);
    assert_eq!(
        (trial.state, &document["trials"]["failed"]),
        (TrialState::Fail, &1.into()),
        "{talk}"
    );
    assert!(talk.contains("failed: "), "{talk}");
    trial.reason.unwrap()
}

#[test]
fn a_command_that_gives_no_result_is_a_failed_trial_with_the_reason() {
    for (script, parts) in [
        ("echo one >&2; echo two >&2; exit 3", ["exit code 3", ": two"]),
        ("kill -9 $$", ["killed by signal 9", ""]),
        ("kill -SEGV $$", ["killed by signal 11", ""]),
        ("true", ["no value of cost, p99", "printed nothing"]),
        ("echo '{\"cost\": NaN, \"p99\": 1}'", ["no value of cost:", "NaN"]),
        ("echo '{\"cost\": 0,5, \"p99\": 1}'", ["no value of cost", "0,5"]),
        ("echo '{\"cost\": \"0.5\", \"p99\": 1}'", ["no value of cost:", "\"0.5\""]),
        ("echo '{\"cost\": 1, \"cost\": 2, \"p99\": 1}'", ["\"cost\" stands there twice", ""]),
        ("echo '{\"cost\": 1}'", ["no value of p99:", "has \"cost\""]),
        ("printf '\\033[31m\\377'", ["\\u{1b}[31m", "no JSON object"]),
    ] {
        let reason = reason(script, "");
        assert!(parts.iter().all(|part| reason.contains(part)), "{script}: {reason}");
        assert!(!reason.chars().any(char::is_control), "{reason}");
    }
}

#[test]
fn what_was_measured_is_on_the_books_though_the_trial_failed() {
    let bench = Bench::new("echo '{\"p99\": 5}'", "rounds = 1");
    let (document, _) = bench.run("", 0);
    assert_eq!(document["ledger"][0]["total"], 3.0);
    assert_eq!(bench.trials()[0].state, TrialState::Fail);
}

#[test]
fn expressions_and_standard_errors_are_read() {
    let script = "echo 'p99: 1'; echo '{\"cost\": [2, 0.5], \"host\": \"a\"}'; echo 'p99: 1.5 ms'";
    let bench = Bench::new(script, "rounds = 1\nmetrics = { p99 = 'p99: (\\S+)' }");
    bench.run("", 0);
    let metrics = bench.trials().remove(0).metrics;
    assert_eq!(metrics["p99"].value.get(), 1.5);
    assert_eq!(metrics["cost"].sem.unwrap().get(), 0.5);
}

#[test]
fn a_failed_command_is_tried_again() {
    let script = format!("echo >> tries; [ $(wc -l < tries) = 3 ] || exit 1; {PLAIN}");
    let bench = Bench::new(&script, "rounds = 1\nretries = 2");
    bench.run("", 0);
    assert_eq!(bench.trials()[0].state, TrialState::Complete);
    let bench = Bench::new(&script, "rounds = 1");
    bench.run("--retries 1", 0);
    assert_eq!((bench.trials()[0].state, bench.read("tries").len()), (TrialState::Fail, 2));
}

#[test]
fn a_timeout_ends_all_that_the_command_has_started() {
    for script in [
        "sleep 1000 & echo $! > process; wait",
        // Neither of the two wants to go.
        "trap '' TERM; sh -c \"trap '' TERM; while :; do sleep 0.1; done\" & echo $! > process; while :; do sleep 0.1; done",
    ] {
        let bench = Bench::new(script, "rounds = 1\ntimeout = '300ms'");
        bench.run("", 0);
        let reason = bench.trials().remove(0).reason.unwrap();
        assert!(reason.contains("longer than 300ms"), "{reason}");
        assert!(!lives(&bench.read("process")), "{script}");
    }
}

#[test]
fn a_failure_ends_what_the_command_left_behind() {
    let bench = Bench::new("sleep 1000 & echo $! > process; exit 1", "rounds = 1");
    bench.run("", 0);
    assert!(!lives(&bench.read("process")));
}

#[test]
fn one_that_holds_the_pipe_after_the_end_is_not_waited_for() {
    for start in ["sleep 1000 &", "setsid sleep 1000 &"] {
        let bench = Bench::new(&format!("{start} echo $! > process; {PLAIN}"), "rounds = 1");
        bench.run("", 0);
        assert_eq!(bench.trials()[0].state, TrialState::Complete);
        signal("-KILL", bench.read("process").trim().parse().unwrap());
    }
}

#[test]
fn a_flood_of_output_needs_no_memory_and_its_end_counts() {
    let script = "head -c 300000000 /dev/zero | tr '\\0' x; head -c 9000000 /dev/zero >&2
        echo; echo \"{\\\"cost\\\": 1, \\\"p99\\\": $(awk '/VmHWM/ {print $2}' /proc/$PPID/status)}\"";
    let bench = Bench::new(script, "rounds = 1");
    bench.run("", 0);
    let kilobytes = bench.trials().remove(0).metrics["p99"].value.get();
    assert!(kilobytes < 150_000.0, "{kilobytes} kB at the peak");
}

#[test]
fn output_without_end_is_cut_off_by_the_timeout() {
    let reason = reason("exec yes", "timeout = '300ms'");
    assert!(reason.contains("longer than"), "{reason}");
}
