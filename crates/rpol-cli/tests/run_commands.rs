//! `rpol run` against commands that do what they should not.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;

use bench::{Bench, PLAIN, lives, signal};
use rpol::study::TrialState;

/// The reason for which the only trial of a study fails, and with it the run.
fn reason(script: &str, more: &str) -> String {
    let bench = Bench::new(script, &format!("rounds = 1\n{more}"));
    let (document, talk) = bench.run("", 1);
    let trial = bench.trials().remove(0);
    assert_eq!(
        (trial.state, &document["trials"]["failed"]),
        (TrialState::Fail, &1.into()),
        "{talk}"
    );
    assert!(talk.contains("failed: ") && talk.contains("every trial failed"), "{talk}");
    trial.reason.unwrap()
}

#[test]
fn a_command_that_gives_no_result_is_a_failed_trial_with_the_reason() {
    for (script, parts) in [
        ("echo one >&2; echo two >&2; exit 3", ["exit code 3", ": two"]),
        ("kill -9 $$", ["killed by signal 9", ""]),
        ("kill -SEGV $$", ["killed by signal 11", ""]),
        ("echo '{\"cost\": NaN, \"p99\": 1}'", ["no value of cost:", "NaN"]),
        ("echo '{\"cost\": 0,5, \"p99\": 1}'", ["no value of cost", "0,5"]),
        ("echo '{\"cost\": \"0.5\", \"p99\": 1}'", ["no value of cost:", "\"0.5\""]),
        ("echo '{\"cost\": 1, \"cost\": 2, \"p99\": 1}'", ["\"cost\" stands there twice", ""]),
    ] {
        let reason = reason(script, "");
        assert!(parts.iter().all(|part| reason.contains(part)), "{script}: {reason}");
        assert!(!reason.chars().any(char::is_control), "{reason}");
    }
}

#[test]
fn a_misnamed_metric_costs_one_trial_that_stays_open() {
    for (script, parts) in [
        ("true", ["no value of cost, p99", "printed nothing"]),
        ("echo '{\"costs\": 1, \"p99_ms\": 2}'", ["did you mean \"costs\"?", "\"p99_ms\""]),
        ("printf '\\033[31m\\377'", ["\\u{1b}[31m", "no JSON object"]),
    ] {
        let bench = Bench::new(script, "rounds = 9\nworkers = 2");
        let (document, talk) = bench.run("", 1);
        assert_eq!(document["stopped"], "metrics", "{script}: {talk}");
        assert!(parts.iter().all(|part| talk.contains(part)), "{script}: {talk}");
        assert!(!talk.contains(|c: char| c.is_control() && c != '\n'), "{talk}");
        assert!(bench.trials().len() <= 2 && document["trials"]["failed"] == 0, "{document}");
        bench.write("bench.sh", PLAIN);
        let (document, talk) = bench.run("", 0);
        assert_eq!(document["trials"]["complete"], 9, "the same trials go on: {talk}");
    }
}

#[test]
fn a_definition_under_which_nothing_was_measured_gives_way() {
    let bench = Bench::new("echo '{\"cost\": 1, \"p99_ms\": 2}' | tr 1 $RPOL_TRIAL", "rounds = 2");
    bench.write("study.toml", &bench.read("study.toml").replace("minimize cost", "minimize costs"));
    let stays_open = "echo '{\"price\": 1}'";
    let measured = bench.read("bench.sh");
    bench.write("bench.sh", stays_open);
    bench.run("", 1);
    bench.write("bench.sh", &measured);
    let right = bench.read("study.toml").replace("costs", "cost").replace("p99 ", "p99_ms ");
    bench.write("study.toml", &right);
    let (document, talk) = bench.run("", 0);
    assert!(talk.contains("nothing was measured under the definition before"), "{talk}");
    assert_eq!(document["trials"]["complete"], 2);
    bench.write("study.toml", &right.replace("<= 2", "<= 3"));
    assert!(bench.refused("").contains("<= 3"), "what was measured is kept");
}

#[test]
fn what_was_measured_is_on_the_books_though_the_trial_failed() {
    for (script, more, code, parts) in [
        ("echo '{\"p99\": 5}'", "", 1, ["no value of cost", "has \"p99\""]),
        ("echo '{\"p99\": 5, \"cost\": 1}'; exit 3", "", 1, ["exit code 3", ""]),
        ("echo '{\"p99\": 5}'; sleep 9", "timeout = '300ms'", 1, ["longer than", ""]),
        (
            "echo '{\"p99\": 5, \"cost\": 1}'; exit 99",
            "exit_codes = { 99 = 'failed' }",
            1,
            ["99", ""],
        ),
    ] {
        let bench = Bench::new(script, &format!("rounds = 1\n{more}"));
        let (document, _) = bench.run("", code);
        assert_eq!(document["ledger"][0]["total"], 3.0, "{script}");
        let trial = bench.trials().remove(0);
        let reason = trial.reason.unwrap_or_default();
        assert_eq!(trial.state, TrialState::Fail);
        assert!(parts.iter().all(|part| reason.contains(part)), "{script}: {reason}");
    }
}

#[test]
fn an_exit_code_may_mean_that_it_has_measured() {
    let script = "echo '{\"p99\": 5, \"cost\": 1}'; exit 99";
    let bench = Bench::new(script, "rounds = 1\nexit_codes = { 99 = 'measured' }");
    let (document, _) = bench.run("", 0);
    let account = &document["ledger"][0];
    assert_eq!((&account["total"], &account["violations"]), (&3.0.into(), &1.into()));
    assert_eq!(bench.trials()[0].state, TrialState::Complete);
    let odd = Bench::new("", "exit_codes = { often = 'measured' }");
    assert!(odd.refused("").contains("run.exit_codes.often: is no exit code"));
}

#[test]
fn a_failed_baseline_ends_a_run_and_is_tried_again_first() {
    let study = bench::STUDY.replace("[run]", "baseline = { params = { x = 0.25 } }\n[run]");
    let bench = Bench::with("echo broken >&2; exit 3", &format!("{study}rounds = 4\n"));
    for tried in 1..3 {
        let (document, talk) = bench.run("", 1);
        assert_eq!((&document["stopped"], bench.trials().len()), (&"baseline".into(), tried));
        assert!(talk.contains("the baseline failed: it ended with exit code 3: broken"), "{talk}");
    }
    bench.write("bench.sh", PLAIN);
    bench.run("", 0);
    let trials = bench.trials();
    let at: Vec<Option<f64>> = trials.iter().map(|trial| trial.params["x"].as_f64()).collect();
    assert_eq!(at[..3], [Some(0.25); 3]);
    assert_eq!((trials.len(), trials[3].state), (4, TrialState::Complete));
}

#[test]
fn nothing_is_tried_while_the_baseline_is_measured_for_the_first_time() {
    let study = bench::STUDY.replace("[run]", "baseline = { params = { x = 0.25 } }\n[run]");
    let script = format!(
        "echo $1 starts >> order; [ $1 = 0.25 ] && sleep 0.5; {PLAIN}; echo $1 ends >> order"
    );
    let bench = Bench::with(&script, &format!("{study}rounds = 4\nworkers = 4\n"));
    bench.run("", 0);
    let order = bench.read("order");
    assert_eq!(order.lines().take(2).collect::<Vec<_>>(), ["0.25 starts", "0.25 ends"], "{order}");
    assert_eq!(order.lines().count(), 8, "{order}");
    // Where it is broken, three workers without work break nothing more.
    let broken = "echo >> tries; sleep 0.2; exit 3";
    let bench = Bench::with(broken, &format!("{study}rounds = 4\nworkers = 4\n"));
    bench.run("", 1);
    assert_eq!(bench.read("tries").lines().count(), 1);
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
    bench.run("--retries 1", 1);
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
        bench.run("", 1);
        let reason = bench.trials().remove(0).reason.unwrap();
        assert!(reason.contains("longer than 300ms"), "{reason}");
        assert!(!lives(&bench.read("process")), "{script}");
    }
}

#[test]
fn a_failure_ends_what_the_command_left_behind() {
    let bench = Bench::new("sleep 1000 & echo $! > process; exit 1", "rounds = 1");
    bench.run("", 1);
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
