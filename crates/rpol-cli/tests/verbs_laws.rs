//! What the verbs promise beyond what they print.
#![allow(clippy::unwrap_used)]

mod verbs;

use serde_json::{Value, json};
use std::io::Read;
use std::process::Stdio;
use verbs::{CACHE, Folder};

/// With trial 0 of a worker that was not heard of again.
fn with_stale_trial() -> (Folder, Value) {
    let folder = Folder::with_cache();
    let asked = folder.json(&["ask", "cache", "--lease", "1ms", "--worker", "gone"]);
    while folder.json(&["trials", "cache", "-f", "json"])[0]["state"] != "stale" {}
    (folder, asked)
}

#[test]
fn a_trial_whose_lease_is_over_is_given_out_again() {
    let (folder, asked) = with_stale_trial();
    let said = folder.run(&["ask", "cache", "--worker", "two"]);
    assert_eq!(serde_json::from_str::<Value>(&said.out).unwrap(), asked);
    assert!(said.err.contains("trial 0 is given out again"), "{}", said.err);
    assert_eq!(folder.json(&["ask", "cache"])["number"], 1, "it is taken now");
    let trials = folder.json(&["trials", "cache", "-f", "json"]);
    assert_eq!((&trials[0]["state"], &trials[0]["worker"]), (&json!("running"), &json!("two")));
}

#[test]
fn a_late_value_is_kept_and_flagged() {
    let (folder, _) = with_stale_trial();
    assert_eq!(folder.json(&["status", "cache", "-f", "json"])["stale"], 1);
    assert_eq!(folder.json(&["status", "cache", "-f", "json"])["running"], 0);
    let said = folder.run(&["tell", "cache", "0", "cost=1", "p99_ms=2"]);
    assert_eq!((said.code, said.out.as_str()), (0, "{\"told\":0}\n"));
    assert!(said.err.contains("trial 0 is late"), "{}", said.err);
    assert_eq!(folder.json(&["trials", "cache", "-f", "json"])[0]["state"], "complete");
}

#[test]
fn both_results_of_a_trial_given_out_again_are_booked() {
    let (folder, _) = with_stale_trial();
    folder.ok(&["ask", "cache", "--worker", "two"]);
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=2"]);
    let late = ["tell", "cache", "0", "cost=3", "p99_ms=999"];
    let said = folder.run(&late);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "{\"told\":1,\"further_of\":0}\n"),
        "{}",
        said.err
    );
    assert!(said.err.contains("this is booked as trial 1 of the same setting"), "{}", said.err);
    assert_eq!(folder.ok(&late), "{\"told\":0,\"repeated\":true}\n");
    let ledger = &folder.json(&["status", "cache", "-f", "json"])["ledger"][0];
    assert_eq!((&ledger["total"], &ledger["observed"]), (&json!(749.0), &json!(2)));
    folder.refused(&["tell", "cache", "0", "cost=4", "p99_ms=5"], &["was told as 1 and now as 4"]);
    // A pipe goes by the same rule.
    let log = folder.json(&["export", "cache", "-f", "json"])["log"].clone();
    let events: Vec<Value> = log.as_array().unwrap().iter().take(5).cloned().collect();
    let tells = [
        json!({"replay": events}),
        json!({"tell": {"number": 0, "metrics": {"cost": 1, "p99_ms": 2}}}),
        json!({"tell": {"number": 0, "metrics": {"cost": 3, "p99_ms": 999}}}),
    ];
    let lines: Vec<String> = tells.iter().map(Value::to_string).collect();
    let said = folder.feed(&["pipe"], &lines.join("\n"));
    assert_eq!(said.out.lines().last(), Some("{\"told\":1,\"further_of\":0}"), "{}", said.out);
}

#[test]
fn nothing_is_recommended_that_was_never_measured() {
    let folder = Folder::with_cache();
    for number in 0..5 {
        folder.ok(&["ask", "cache"]);
        folder.ok(&["tell", "cache", &number.to_string(), "p99_ms=200"]);
    }
    let said = folder.run(&["best", "cache", "-f", "json"]);
    assert_eq!((said.code, said.out.as_str()), (1, "{\"recommendation\":null,\"best\":null}\n"));
    assert!(said.err.contains("cost was never measured"), "{}", said.err);
    let status = folder.ok(&["status", "cache", "-f", "table"]);
    assert!(status.contains("cost was never measured: nothing is recommended"), "{status}");
    assert!(!status.contains("run now"), "{status}");
    folder.ok(&["tell", "cache", "2", "cost=5"]);
    let best = folder.json(&["best", "cache", "-f", "json"]);
    let trial = &folder.json(&["trials", "cache", "-f", "json"])[2];
    assert_eq!(best["recommendation"]["params"], trial["params"], "the only one that has all");
}

#[test]
fn values_for_failed_and_voided_trials_are_kept_and_flagged() {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache", "--count", "2"]);
    folder.ok(&["fail", "cache", "0"]);
    folder.ok(&["void", "cache", "1"]);
    for (number, word) in [("0", "noted as failed"), ("1", "was voided")] {
        let said = folder.run(&["tell", "cache", number, "cost=1", "p99_ms=999"]);
        assert!(said.code == 0 && said.err.contains(word), "{}", said.err);
    }
    let ledger = &folder.json(&["status", "cache", "-f", "json"])["ledger"][0];
    assert_eq!((&ledger["total"], &ledger["observed"]), (&json!(749.0), &json!(1)));
}

#[test]
fn metrics_arrive_one_at_a_time() {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache"]);
    let trial = || folder.json(&["trials", "cache", "-f", "json"])[0].clone();
    folder.ok(&["tell", "cache", "0", "cost=1"]);
    assert_eq!((&trial()["state"], &trial()["feasible"]), (&json!("running"), &Value::Null));
    assert_eq!(trial()["violation"], json!({"p99_ms <= 250": null}));
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=250.5"]);
    assert_eq!((&trial()["state"], &trial()["feasible"]), (&json!("complete"), &json!(false)));
    assert_eq!(trial()["violation"], json!({"p99_ms <= 250": 0.5}));
}

#[test]
fn there_is_no_best_before_a_feasible_trial() {
    let folder = Folder::with_cache();
    let none = |best: &str| {
        let said = folder.run(&["best", "cache", "-f", "json"]);
        assert_eq!(said.code, 1);
        assert!(said.err.contains(best), "{}", said.err);
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["best"], Value::Null);
    };
    none("none of the 0 of \"cache\"");
    folder.ok(&["ask", "cache", "--count", "2"]);
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=251"]);
    folder.ok(&["tell", "cache", "1", "cost=1"]);
    none("none of the 2 of \"cache\"");
    folder.ok(&["tell", "cache", "1", "p99_ms=250"]);
    let answer = folder.json(&["best", "cache", "-f", "json"]);
    assert_eq!((&answer["best"]["number"], &answer["best"]["feasible"]), (&json!(1), &json!(true)));
    let objective = &answer["recommendation"]["objective"];
    assert!((objective["mean"].as_f64().unwrap() - 1.0).abs() < 0.2, "{answer}");
    assert!(objective["deviation"].is_f64(), "{answer}");
}

#[test]
fn choices_mean_what_they_are() {
    let folder = Folder::new();
    folder.write(
        "kinds.toml",
        r#"
objective = "y"
[params]
"a=b" = { type = "categorical", choices = [1, "1", 2.5, "true", "x=y", ""] }
n = { type = "int", low = -3, high = 3 }
a = { type = "float", low = 0, high = 9 }
"#,
    );
    folder.ok(&["create", "kinds.toml"]);
    let cases = [
        ("1", json!(1)),
        ("1.0", json!(1)),
        ("\"1\"", json!("1")),
        ("2.5", json!(2.5)),
        ("true", json!("true")),
        ("x=y", json!("x=y")),
        ("", json!("")),
    ];
    for (text, value) in cases {
        let asked = folder.json(&[
            "ask",
            "kinds",
            "--param",
            &format!("a=b={text}"),
            "--param",
            "n=-2",
            "--param",
            "a=4",
        ]);
        assert_eq!(asked["params"], json!({"a=b": value, "n": -2, "a": 4.0}), "{text}");
    }
}

#[test]
fn names_that_collide_have_columns_of_their_own() {
    let folder = Folder::new();
    folder.write("twins.toml", "objective = 'x'\ntrack = ['number', 'x.sem']\n[params]\nx = { type = 'float', low = 0, high = 9 }");
    folder.ok(&["create", "twins.toml"]);
    folder.ok(&["ask", "twins", "--param", "x=5"]);
    folder.ok(&["tell", "twins", "0", "x=7+-1", "number=3", "x.sem=4"]);
    let table = folder.ok(&["trials", "twins", "-f", "csv"]);
    let (header, row) = table.split_once("\r\n").unwrap();
    let expected = "number,state,params.x,metrics.x,metrics.x (standard error),metrics.number,metrics.x.sem,feasible,";
    assert!(header.starts_with(expected), "{header}");
    assert!(row.starts_with("0,complete,5.0,7.0,1.0,3.0,4.0,true,"), "{row}");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache", "--count", "40"]);
    for args in [
        &["trials", "cache"][..],
        &["trials", "cache", "-f", "json"],
        &["export", "cache"],
        &["completions", "bash"],
        &["man"],
        &["ask", "cache"],
    ] {
        let mut child =
            folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn the_study_is_named_after_its_file_or_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("shop")).unwrap();
    folder.write("shop/study.toml", CACHE);
    folder.write("own.toml", format!("name = 'mine'\n{CACHE}"));
    for (args, name) in [
        (&["create", "shop/study.toml"][..], "shop"),
        (&["create", "own.toml"], "mine"),
        (&["create", "own.toml", "--name", "yours"], "yours"),
    ] {
        assert_eq!(folder.json(args)["created"], name);
    }
}

/// Wherever one is: the store is beside the file, unless the command line or the environment says.
#[test]
fn the_same_file_is_the_same_study_from_every_folder() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("shop/deep")).unwrap();
    folder.write("shop/study.toml", CACHE);
    let said = folder.run(&["create", "shop/study.toml"]);
    assert!(said.err.contains("is in shop/rpol.db"), "{}", said.err);
    assert!(folder.path().join("shop/rpol.db").exists() && !folder.path().join("rpol.db").exists());
    for (number, (from, file)) in
        [("", "shop/study.toml"), ("shop", "study.toml"), ("shop/deep", "../study.toml")]
            .iter()
            .enumerate()
    {
        let rpol = |args: &[&str]| {
            let mut command = folder.command(args);
            let output = command.current_dir(folder.path().join(from)).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        };
        assert_eq!(rpol(&["ask", file])["number"], number, "{from}");
        rpol(&["tell", file, &number.to_string(), "cost=1", "p99_ms=2"]);
        assert_eq!(rpol(&["status", file])["trials"], 1 + number);
        assert_eq!(rpol(&["create", file])["resumed"], true);
    }
    let by_name = folder.run(&["status", "shop"]);
    assert!(by_name.code == 2 && by_name.err.contains("name the study's file"), "{}", by_name.err);
}

#[test]
fn the_store_of_a_file_gives_way_to_the_command_line() {
    let folder = Folder::new();
    folder.write(
        "cache.toml",
        format!("{CACHE}\n[run]\ncommand = ['true']\nstorage = 'sqlite:///own.db'"),
    );
    folder.ok(&["create", "cache.toml"]);
    assert!(folder.path().join("own.db").exists() && !folder.path().join("rpol.db").exists());
    folder.ok(&["create", "cache.toml", "--storage", "sqlite:///other.db"]);
    folder.ok(&["status", "cache", "--storage", "other.db"]);
    assert!(folder.path().join("other.db").exists());
    let mut by_environment = folder.command(&["studies", "-f", "json"]);
    let output = by_environment.env("RPOL_STORAGE", "sqlite:///own.db").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"cache\""));
}
