//! Bad input to the verbs: exit code 2, words that name field, value and remedy, and a log that stays as it was.
#![allow(clippy::unwrap_used)]

mod verbs;

use verbs::Folder;

/// Trial 0 told, trial 1 open.
fn running() -> Folder {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache", "--count", "2"]);
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=200"]);
    folder
}

#[test]
fn measurements_that_are_none() {
    let folder = running();
    let cases: &[(&str, &[&str])] = &[
        ("cost=nan", &["cost is nan", "a finite number is needed"]),
        ("cost=NaN", &["cost is NaN", "finite"]),
        ("cost=inf", &["cost is inf", "finite"]),
        ("cost=-Infinity", &["cost is -Infinity", "finite"]),
        ("cost=1e999", &["cost is 1e999", "finite"]),
        ("cost=0,5", &["cost is \"0,5\"", "a number such as 0.5"]),
        ("cost=0.5,0.02", &["cost is \"0.5,0.02\"", "0.5+-0.02"]),
        ("cost=true", &["cost is \"true\""]),
        ("cost=", &["cost is \"\""]),
        ("cost= 1", &["cost is \" 1\""]),
        ("cost=\u{1b}[2J", &["cost is \"\\u{1b}[2J\""]),
        ("cost", &["\"cost\": write name=value"]),
        ("=5", &["metric is \"\"", "\"cost\", \"p99_ms\", \"memory\""]),
        ("costs=5", &["metric is \"costs\"", "\"cost\", \"p99_ms\", \"memory\""]),
        ("ttl_s=5", &["metric is \"ttl_s\""]),
        ("cost=1+-nan", &["cost (standard error) is nan"]),
        ("cost=1+-", &["cost (standard error) is \"\""]),
        ("cost=1+--1", &["cost (standard error) is -1"]),
        ("cost=1+-2+-3", &["cost (standard error) is \"2+-3\""]),
    ];
    for (pair, words) in cases {
        folder.refused(&["tell", "cache", "1", pair], words);
        folder.refused(&["tell", "cache", "1", "p99_ms=5", pair], words);
        folder.refused(&["correct", "cache", "0", pair], words);
    }
    folder.refused(&["tell", "cache", "1", "cost=1", "cost=1"], &["cost is given twice"]);
    let long = format!("cost={}", "9".repeat(5000) + "x");
    folder.refused(&["tell", "cache", "1", &long], &["..."]);
}

#[test]
fn measurements_as_json_that_are_none() {
    let folder = running();
    let cases: &[(&str, &[&str])] = &[
        ("{", &["metrics", "EOF"]),
        ("[]", &["metrics", "an object"]),
        ("{}", &["metrics is missing", "\"cost\""]),
        ("-", &["metrics"]),
        (r#"{"cost": NaN}"#, &["metrics.cost is NaN"]),
        (r#"{"cost": 1e999}"#, &["metrics.cost is 1e999, out of range"]),
        (r#"{"cost": "0.5"}"#, &["metrics.cost is \"0.5\"", "a number or"]),
        (r#"{"cost": true}"#, &["metrics.cost is true"]),
        (r#"{"cost": null}"#, &["metrics.cost is null"]),
        (r#"{"cost": [1]}"#, &["metrics.cost has 1 entries"]),
        (r#"{"cost": [1, -1]}"#, &["standard error"]),
        (r#"{"cost": 1, "cost": 2}"#, &["\"cost\" stands there twice"]),
        (r#"{"costs": 1}"#, &["metric is \"costs\""]),
    ];
    for (json, words) in cases {
        folder.refused(&["tell", "cache", "1", "--json", json], words);
    }
    for (json, words) in &cases[4..] {
        folder.feed(&["tell", "cache", "1", "--json", "-"], json).is_refusal(&["-"], words);
    }
}

#[test]
fn settings_that_are_none() {
    let folder = running();
    let ask = |pairs: &[&str], words: &[&str]| {
        let mut args = vec!["ask", "cache"];
        pairs.iter().for_each(|pair| args.extend(["--param", pair]));
        folder.refused(&args, words);
    };
    ask(&["ttl_s=1"], &["params.mode is missing", "\"ttl_s\", \"mode\""]);
    ask(&["ttl_s=1", "mode=fifo"], &["params.mode is \"fifo\"", "\"lru\", \"=cmd()\", 2, true"]);
    ask(&["ttl_s=1", "mode=false"], &["params.mode is \"false\""]);
    ask(&["ttl_s=0.5", "mode=lru"], &["params.ttl_s is 0.5", "[1, 3600]"]);
    ask(&["ttl_s=3600.0000000000005", "mode=lru"], &["params.ttl_s", "[1, 3600]"]);
    ask(&["ttl_s=nan", "mode=lru"], &["ttl_s is nan", "finite"]);
    ask(&["ttl_s=0,5", "mode=lru"], &["ttl_s is \"0,5\"", "a number"]);
    ask(&["ttl_s=", "mode=lru"], &["ttl_s is \"\""]);
    ask(&["ttl=1", "ttl_s=1", "mode=lru"], &["a parameter name is \"ttl\"", "\"ttl_s\""]);
    ask(&["ttl_s=1", "ttl_s=2", "mode=lru"], &["ttl_s is given twice"]);
    ask(&["ttl_s"], &["write name=value"]);
}

#[test]
fn trials_and_studies_that_are_not_there() {
    let folder = running();
    for verb in ["tell", "correct"] {
        folder.refused(&[verb, "cache", "2", "cost=1"], &["there is no trial 2", "2 so far"]);
        folder.refused(&[verb, "cache", "-1", "cost=1"], &["-1"]);
        folder.refused(&[verb, "cache", "1.5", "cost=1"], &["1.5"]);
        folder.refused(
            &[verb, "cache", "18446744073709551615", "cost=1"],
            &["no trial 18446744073709551615"],
        );
        folder.refused(&[verb, "cache", "1"], &["METRIC=VALUE"]);
    }
    for verb in ["fail", "void"] {
        folder.refused(&[verb, "cache", "2"], &["there is no trial 2"]);
        folder.refused(&[verb, "cache", "x"], &["x"]);
    }
    folder.refused(&["correct", "cache", "1", "cost=1"], &["correction of trial 1", "\"cost\""]);
    folder
        .refused(&["tell", "cache", "0", "cost=2"], &["was told as 1 and now as 2", "correct it"]);
    let other: &[&[&str]] = &[
        &["ask", "cahce"],
        &["tell", "cahce", "0", "cost=1"],
        &["correct", "cahce", "0", "cost=1"],
        &["fail", "cahce", "0"],
        &["void", "cahce", "0"],
        &["trials", "cahce"],
        &["best", "cahce"],
        &["status", "cahce"],
        &["export", "cahce"],
        &["delete", "cahce", "--yes"],
        &["import", "cache.toml", "--into", "cahce"],
    ];
    for args in other {
        folder.refused(args, &["there is no study \"cahce\"", "there is \"cache\""]);
    }
    folder.refused(&["trials", "\u{1b}[2J"], &["there is no study \"\\u{1b}[2J\""]);
}

#[test]
fn options_that_make_no_sense() {
    let folder = running();
    for count in ["0", "-1", "1000000000", "1001", "x", "1.5"] {
        folder.refused(&["ask", "cache", "--count", count], &["--count", count]);
    }
    for lease in ["0", "-1h", "soon", "nan", "1y"] {
        folder.refused(&["ask", "cache", "--lease", lease], &["--lease", lease]);
    }
    folder.refused(&["ask", "cache", "--count", "2", "--param", "ttl_s=1"], &["cannot be used"]);
    folder.refused(&["trials", "cache", "--state", "done"], &["running, stale, complete, fail"]);
    folder.refused(&["trials", "cache", "-f", "xml"], &["table, json, csv"]);
    folder.refused(&["delete", "cache"], &["Delete the study \"cache\"", "--yes"]);
}

#[test]
fn definitions_that_are_none() {
    let folder = running();
    folder.write("syntax.toml", "objective = \"y\"\nparams = [1,\nx");
    folder.write(
        "field.toml",
        "objective = \"y\"\n[params]\nx = { type = \"float\", low = 2, high = 1 }",
    );
    folder.write("json.json", "{\"objective\": \"y\",\n \"params\": 5}");
    folder.write("latin.toml", b"objective = \"y\"\n# \xe4\n");
    folder.write("other.toml", verbs::CACHE.replace("250", "260"));
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    folder.refused(&["create", "syntax.toml"], &["syntax.toml: ", "line 3 column 2"]);
    folder.refused(
        &["create", "field.toml"],
        &["field.toml: params.x.low: 2.0 is above", "(line 2 column 1)"],
    );
    folder.refused(&["create", "json.json"], &["json.json: params", "line 2 column"]);
    folder.refused(&["create", "latin.toml"], &["latin.toml: line 2 is not UTF-8"]);
    folder.refused(&["create", "absent.toml"], &["absent.toml: cannot be read"]);
    folder.refused(&["create", "folder"], &["folder: cannot be read"]);
    folder.refused(&["create", "cache.toml", "--name", ""], &["the name \"\" is empty"]);
    folder.refused(&["create", "cache.toml", "--name", "a\nb"], &["the control character"]);
    let words = &["\"cache\" exists with another definition", "250", "260", "--name NEW"];
    folder.refused(&["create", "other.toml", "--name", "cache"], words);
    folder.feed(&["create", "-"], verbs::CACHE).is_refusal(&["-"], &["stdin: name", "is empty"]);
    assert_eq!(folder.feed(&["create", "-", "--name", "piped"], verbs::CACHE).code, 0);
}

#[test]
fn storage_that_is_none() {
    let folder = running();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    folder
        .write("text.db", "this is no database, and it is long enough to look at twice".repeat(20));
    let cases: &[(&str, &[&str])] = &[
        ("sqlite:///absent.db", &["absent.db"]),
        ("sqlite:///folder", &["folder"]),
        ("sqlite:///no/such/folder.db", &["no/such/folder.db"]),
        ("sqlite:///", &["no path", "sqlite:///path.db"]),
        ("absent.db", &["absent.db", "name the study's file"]),
        ("sqlite:rpol.db", &["no address of a store", "sqlite:///path.db"]),
        ("postgresql://x", &["no address of a store"]),
        ("", &["no address of a store"]),
    ];
    for (url, words) in cases {
        for args in [
            &["trials", "cache"][..],
            &["studies"],
            &["ask", "cache"],
            &["delete", "cache", "--yes"],
        ] {
            folder.refused(&[args, &["--storage", url]].concat(), words);
        }
        let mut by_environment = folder.command(&["status", "cache"]);
        let output = by_environment.env("RPOL_STORAGE", url).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}");
    }
    assert!(!folder.path().join("absent.db").exists(), "reading makes no store");
    let said = folder.run(&["studies", "--storage", "sqlite:///text.db"]);
    assert!(said.code == 1 && said.err.contains("text.db"), "{} {}", said.code, said.err);
    let text = "this is no database";
    assert!(folder.read("text.db").starts_with(text), "what is no store is left alone");
}

#[test]
fn a_message_shows_of_a_long_value_its_beginning_and_hides_nothing() {
    let folder = running();
    for value in [
        "9".repeat(100_000),
        "a b ".repeat(25_000),
        "\u{202e}\u{1b}[2J".repeat(5_000),
        "\u{7}".repeat(15_000),
    ] {
        let pair = format!("cost={value}");
        folder.write("h.csv", format!("ttl_s,mode,cost\n1,lru,{value}x\n"));
        folder.write("head.csv", format!("ttl_s,mode,{value}\n1,lru,1\n"));
        folder.write(
            "h.jsonl",
            serde_json::json!({"params": {"ttl_s": value, "mode": "lru"}, "metrics": {"cost": 1}})
                .to_string(),
        );
        folder.write("log.jsonl", serde_json::json!({"at": 1, "event": value}).to_string());
        let json = serde_json::json!({"cost": value}).to_string();
        let key = serde_json::json!({ value.as_str(): 1 }).to_string();
        for (name, definition) in [
            (
                "objective",
                serde_json::json!({"objective": format!("minimize {value}"), "params": {}}),
            ),
            (
                "constraints",
                serde_json::json!({"objective": "minimize a", "constraints": [&value], "params": {"x": {"type": "float", "low": 0, "high": 1}}}),
            ),
            ("field", serde_json::json!({"objective": "minimize a", &value: 1, "params": {}})),
            (
                "params",
                serde_json::json!({"objective": "minimize a", "params": {"x": {"type": &value}}}),
            ),
        ] {
            folder.write(&format!("{name}.json"), definition.to_string());
        }
        for args in [
            &["tell", "cache", "1", &pair, &pair][..],
            &["tell", "cache", "1", &value],
            &["tell", "cache", &value, "cost=1"],
            &["tell", "cache", "1", "--json", &json],
            &["tell", "cache", "1", "--json", &key],
            &["ask", "cache", "--param", &format!("ttl_s={value}x"), "--param", "mode=lru"],
            &["ask", "cache", "--param", &format!("{value}=1")],
            &["status", &value],
            &["plot", "cache", &value],
            &["plot", "cache", "slice", "--param", &value, "-o", "a.svg"],
            &["best", "cache", "-f", &value],
            &["delete", &value, "--yes"],
            &["create", "cache.toml", "--name", &value],
            &["create", "objective.json"],
            &["create", "constraints.json"],
            &["create", "field.json"],
            &["create", "params.json"],
            &["import", "h.csv", "--into", "cache"],
            &["import", "head.csv", "--into", "cache"],
            &["import", "h.jsonl", "--into", "cache"],
            &["import", "log.jsonl", "--name", "new"],
            &[&value],
        ] {
            let said = folder.run(args);
            let brief: Vec<&str> = args.iter().map(|arg| arg.get(..20).unwrap_or("...")).collect();
            assert!(said.code == 2 || said.code == 1, "{brief:?}: {}", said.code);
            assert!(
                !said.err.contains(|c: char| c != '\n' && rpol::words::is_hidden(c)),
                "{brief:?}: {:?}",
                said.err
            );
            assert!(said.err.len() < 2_500, "{brief:?}: {} bytes", said.err.len());
        }
    }
}

#[test]
fn a_table_shows_what_is_hidden() {
    let folder = running();
    let hostile = "a\u{202e}b\u{200b}c\u{2066}d";
    folder.ok(&["fail", "cache", "1", "--reason", hostile]);
    let table = folder.ok(&["trials", "cache", "-f", "table"]);
    assert!(
        table.contains("a\\u{202e}b\\u{200b}c")
            && !table.contains(|c: char| c != '\n' && rpol::words::is_hidden(c)),
        "{table}"
    );
}
