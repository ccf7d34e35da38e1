//! `rpol run` from outside: what it prints, when it stops, what it refuses.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;

use bench::{Bench, PLAIN, STUDY};
use serde_json::json;

#[test]
fn a_line_a_trial_words_at_the_end_and_one_document() {
    let bench = Bench::new(PLAIN, "rounds = 4");
    let (document, talk) = bench.run("", 0);
    let name = bench.path("").file_name().unwrap().to_str().unwrap().to_string();
    let opens = format!("study {name} in rpol.db\nrisk: about 10 % of the trials ");
    assert!(talk.starts_with(&opens) && talk.contains("\ntrial 0  x="), "{talk}");
    assert_eq!(
        talk.lines().filter(|line| line.starts_with("trial ") && line.ends_with(" ok")).count(),
        4
    );
    assert!(talk.contains("\nrun x=") && talk.contains("all 4 trials are done"), "{talk}");
    assert_eq!(document["study"], json!(name));
    assert_eq!(document["trials"], json!({"asked": 4, "complete": 4, "failed": 0, "open": 0}));
    assert_eq!(
        (&document["stopped"], &document["storage"]),
        (&json!("rounds"), &json!("sqlite:///rpol.db"))
    );
    assert!(document["recommended"]["objective"]["mean"].is_number(), "{document}");
    assert_eq!(document["recommended"]["limits"][0]["expected"]["metric"], json!("p99"));
    assert!(document["recommended"]["mean_within"].as_f64().unwrap() > 0.5, "{document}");
    assert_eq!(document["ledger"][0]["observed"], json!(4));
    let (again, talk) = bench.run("", 0);
    assert_eq!((&again, talk.contains("trial 4")), (&document, false), "nothing is left to do");
    bench.run("--rounds 5", 0);
    let (document, talk) = bench.run("--rounds 2", 0);
    assert_eq!(document["stopped"], json!("rounds"));
    assert!(
        talk.contains("it has 5 trials already, and 2 were wanted in all: --rounds 7"),
        "{talk}"
    );
    assert_eq!(bench.trials().len(), 5);
}

#[test]
fn what_is_wrong_is_refused_before_the_first_trial() {
    let command = |command: &str| STUDY.replace("['sh', 'bench.sh', '{x}']", command);
    let params = |params: &str| STUDY.replace("{ x = {", &format!("{{ {params} x = {{"));
    for (study, parts) in [
        (command("['sh', '{y}']"), ["run.command[1]", "\"y\""]),
        (command("['sh', '{x']"), ["run.command[1]", "brace"]),
        (command("['./none', '{x}']"), ["run.command[0]", "No such file"]),
        (command("['rpol-no-such-program']"), ["run.command[0]", "PATH"]),
        (command("['./bench.sh']"), ["run.command[0]", "chmod +x"]),
        (command("['./{x}']"), ["run.command[0]", "depends on a parameter"]),
        (command("[]"), ["run.command", "no program"]),
        (format!("{STUDY}setup = ['./none']"), ["run.setup[0]", "No such file"]),
        (format!("{STUDY}teardown = ['sh', '{{x}}']"), ["run.teardown[1]", "no parameter"]),
        (format!("{STUDY}metrics = {{ cost = 'cost' }}"), ["run.metrics.cost", "0 groups"]),
        (format!("{STUDY}metrics = {{ cost = '(' }}"), ["run.metrics.cost", "unclosed group"]),
        (format!("{STUDY}metrics = {{ gain = '(.)' }}"), ["run.metrics.gain", "cost, p99"]),
        (format!("{STUDY}workers = 0"), ["run.workers", "1 to 256"]),
        (format!("{STUDY}when_spent = 'baseline'"), ["run.when_spent", "[baseline]"]),
        (format!("{STUDY}speed = 1"), ["run.speed", "(line 7 column 1)"]),
        (
            params(
                "a-b = { type = 'int', low = 0, high = 1 }, 'a b' = { type = 'int', low = 0, high = 1 },",
            ),
            ["RPOL_PARAM_A_B", "rename"],
        ),
        (
            params("m = { type = 'categorical', choices = [\"a\\u0000\", 'b'] },"),
            ["params.m", "NUL"],
        ),
    ] {
        let bench = Bench::with("touch ran", &study);
        let complaint = bench.refused("");
        assert!(parts.iter().all(|part| complaint.contains(part)), "{study}\n{complaint}");
        let check = bench.rpol("check study.toml");
        assert_eq!(
            (check.status.code(), String::from_utf8(check.stderr).unwrap()),
            (Some(2), complaint)
        );
        assert!(!bench.has("ran") && !bench.has("rpol.db"), "{study}");
    }
}

#[test]
fn check_says_what_a_study_is() {
    let bench = Bench::new("", "rounds = 7\nwhen_spent = 'stop'");
    let output = bench.rpol("check study.toml");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "x: 0 to 1",
        "minimize cost",
        "p99 <= 2",
        "after 7 trials",
        "sh bench.sh 0.5",
        "once a budget",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(!bench.has("rpol.db"));
}

#[test]
fn a_definition_without_a_command_is_sound_and_cannot_be_run() {
    let bench = Bench::with("touch ran", STUDY.split("[run]").next().unwrap());
    let complaint = bench.refused("");
    assert!(complaint.contains("[run]") && complaint.contains("command"), "{complaint}");
    let check = bench.rpol("check study.toml");
    let text = String::from_utf8(check.stdout).unwrap();
    assert!(check.status.success() && text.contains("`rpol run` needs [run]"), "{text}");
}

#[test]
fn a_dry_run_shows_commands_and_leaves_nothing() {
    let bench = Bench::new("touch ran", "setup = ['touch', 'set-up']\nrounds = 3");
    let output = bench.rpol("run study.toml --dry-run");
    let commands = String::from_utf8(output.stdout).unwrap();
    assert_eq!(commands.lines().filter(|line| line.starts_with("sh bench.sh 0")).count(), 3);
    assert!(!["ran", "set-up", "rpol.db"].iter().any(|file| bench.has(file)));
}

#[test]
fn another_definition_is_refused_with_the_difference_and_another_way_to_run_is_not() {
    let bench = Bench::new(PLAIN, "rounds = 2");
    bench.run("", 0);
    bench.write("study.toml", &bench.read("study.toml").replace("high = 1", "high = 2"));
    let complaint = bench.refused("--rounds 3");
    assert!(complaint.contains("params.x.high was 1.0 and is 2.0"), "{complaint}");
    assert!(complaint.contains("rpol import old.csv --into NEW"), "{complaint}");
    bench.write("study.toml", &bench.read("study.toml").replace("high = 2", "high = 1"));
    bench.run("--rounds 3 --workers 2 --timeout 1m", 0);
    assert_eq!(bench.trials().len(), 3);
}

#[test]
fn horizon_risk_and_budgets_may_change() {
    let study = format!("horizon = 2\n{STUDY}");
    let bench = Bench::with(PLAIN, &study);
    bench.run("", 0);
    let longer = study.replace("horizon = 2", "horizon = 4\nrisk = 0.3");
    let longer = longer.replace("['p99 <= 2']", "[{ expression = 'p99 <= 2', budget = 9 }]");
    bench.write("study.toml", &longer);
    let (document, talk) = bench.run("", 0);
    assert!(talk.contains("the definition has changed: it holds from here on"), "{talk}");
    assert_eq!(
        (&document["trials"]["complete"], &document["ledger"][0]["budget"]),
        (&json!(4), &json!(9.0))
    );
    assert!(!bench.run("", 0).1.contains("the definition has changed"));
    assert_eq!(bench.rpol("fsck").status.code(), Some(0));
}

/// Everything costs 1 more than allowed.
const OVER: &str = r#"echo "{\"cost\": 1, \"p99\": 3}""#;

fn with_budget(when_spent: &str) -> Bench {
    let study = STUDY.replace(
        "['p99 <= 2']",
        "[{ expression = 'p99 <= 2', budget = 2 }]\nbaseline = { params = { x = 0.25 } }",
    );
    Bench::with(OVER, &format!("{study}rounds = 5\nwhen_spent = '{when_spent}'\n"))
}

#[test]
fn a_spent_budget_is_told_or_ends_the_run_or_brings_the_baseline_back() {
    let warned = with_budget("warn");
    let (document, talk) = warned.run("", 0);
    assert_eq!((&document["stopped"], warned.trials().len()), (&json!("rounds"), 5));
    assert_eq!(
        talk.matches("note: the budget of `p99 <= 2` is spent: 2 of 2").count(),
        1,
        "{talk}"
    );

    let stopped = with_budget("stop");
    let (document, _) = stopped.run("", 0);
    assert_eq!((&document["stopped"], stopped.trials().len()), (&json!("budget"), 2));
    stopped.run("", 0);
    assert_eq!(stopped.trials().len(), 2, "it stays spent");

    let brought_back = with_budget("baseline");
    let (document, _) = brought_back.run("", 0);
    assert_eq!(document["stopped"], json!("budget"));
    let trials = brought_back.trials();
    let count = trials.len();
    assert_eq!((count <= 3, trials[count - 1].params["x"].as_f64()), (true, Some(0.25)));
    brought_back.run("", 0);
    assert_eq!(brought_back.trials().len(), count, "it is in place already");
}

#[test]
fn a_budget_of_0_is_spent_by_the_first_violation_only() {
    let study = STUDY.replace("['p99 <= 2']", "[{ expression = 'p99 <= 2', budget = 0 }]");
    let bench = Bench::with(PLAIN, &format!("{study}rounds = 3\nwhen_spent = 'stop'\n"));
    assert_eq!(bench.run("", 0).0["stopped"], json!("rounds"));
}

#[test]
fn patience_and_time_end_a_run() {
    let patient = Bench::new(r#"echo "{\"cost\": $RPOL_TRIAL, \"p99\": 1}""#, "patience = 3");
    assert_eq!(patient.run("", 0).0["stopped"], json!("patience"));
    assert_eq!(patient.trials().len(), 4);
    let timed = Bench::new(PLAIN, "time = '1ms'");
    assert_eq!(timed.run("", 0).0["stopped"], json!("time"));
}

#[test]
fn too_many_failures_in_a_row_fail_the_run() {
    let bench = Bench::new(
        "[ $RPOL_TRIAL = 1 ] || { echo broken >&2; exit 3; }; echo '{\"cost\": null, \"p99\": 1}'",
        "max_failures = 3",
    );
    let (document, talk) = bench.run("", 1);
    assert_eq!((&document["stopped"], bench.trials().len()), (&json!("failures"), 3));
    assert!(talk.contains("exit code 3: broken"), "{talk}");
}

#[test]
fn setup_comes_before_and_teardown_after_whatever_happens() {
    let aside = "rounds = 1\nsetup = ['sh', '-c', 'echo setup >> order']\nteardown = ['sh', '-c', 'echo teardown >> order']";
    let bench = Bench::new(&format!("echo trial >> order; {PLAIN}"), aside);
    bench.run("", 0);
    assert_eq!(bench.read("order"), "setup\ntrial\nteardown\n");
    let bench = Bench::new("touch ran", &aside.replace("echo setup >> order", "exit 4"));
    let output = bench.rpol("run study.toml");
    let talk = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(talk.contains("setup failed: it ended with exit code 4"), "{talk}");
    assert_eq!((bench.read("order").as_str(), bench.has("ran")), ("teardown\n", false));
}
