//! What goes out through export and comes back through import, and what a file must not do.
#![allow(clippy::unwrap_used)]

mod verbs;

use serde_json::Value;
use verbs::{CACHE, Folder};

/// A study with every kind of event, and numbers that are easily lost.
fn lived() -> Folder {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache", "--count", "3", "--worker", "=1+1"]);
    folder.ok(&["ask", "cache", "--param", "ttl_s=1.0000000000000002", "--param", "mode==cmd()"]);
    folder.ok(&["tell", "cache", "0", "cost=-0.1", "p99_ms=5e-324"]);
    folder.ok(&[
        "tell",
        "cache",
        "1",
        "cost=0.1+-0.30000000000000004",
        "p99_ms=1.7976931348623157e308",
    ]);
    folder.ok(&["tell", "cache", "3", "cost=1", "p99_ms=-0.0", "memory=9007199254740993"]);
    folder.ok(&["correct", "cache", "3", "cost=2.5"]);
    folder.ok(&["fail", "cache", "2", "--reason", "@SUM(A1), \"quoted\"\r\nand broken"]);
    folder
}

#[test]
fn a_study_survives_export_delete_import() {
    for file in ["log.jsonl", "log.json"] {
        let folder = lived();
        let look = || {
            [
                vec!["export", "cache"],
                vec!["trials", "cache", "-f", "json"],
                vec!["status", "cache", "-f", "json"],
            ]
            .map(|args| folder.ok(&args))
        };
        let before = look();
        folder.ok(&["export", "cache", "-o", file]);
        folder.ok(&["delete", "cache", "--yes"]);
        assert_eq!(folder.ok(&["studies", "-f", "json"]), "[]\n");
        folder.ok(&["import", file]);
        assert_eq!(before, look(), "{file}");
        let (next, again) = (folder.ok(&["ask", "cache"]), {
            folder.ok(&["import", file, "--name", "copy"]);
            folder.ok(&["ask", "copy"])
        });
        assert_eq!(next, again);
        folder.run(&["import", file]).is_refusal(&[file], &["\"cache\" exists", "--name"]);
    }
}

#[test]
fn numbers_keep_their_bits() {
    let folder = lived();
    let trials = folder.json(&["trials", "cache", "-f", "json"]);
    let bits = |i: usize, metric: &str| trials[i]["metrics"][metric].as_f64().unwrap().to_bits();
    assert_eq!(bits(0, "p99_ms"), 5e-324f64.to_bits());
    assert_eq!(bits(1, "p99_ms"), f64::MAX.to_bits());
    assert_eq!(bits(3, "p99_ms"), 0.0f64.to_bits());
    assert_eq!(
        trials[1]["metrics"]["cost"][1].as_f64().unwrap().to_bits(),
        0.300_000_000_000_000_04f64.to_bits()
    );
    assert_eq!(
        trials[3]["params"]["ttl_s"].as_f64().unwrap().to_bits(),
        1.0f64.next_up().to_bits()
    );
}

#[test]
fn no_cell_is_a_formula() {
    let folder = lived();
    folder.write("evil.toml", CACHE.replace("memory", "=HYPERLINK()").replace("ttl_s", "'@x'"));
    folder.ok(&["create", "evil.toml", "--name", "=cmd()|x"]);
    folder.ok(&["ask", "=cmd()|x", "--param", "@x=7", "--param", "mode==cmd()"]);
    for table in [
        folder.ok(&["export", "cache", "-f", "csv"]),
        folder.ok(&["trials", "=cmd()|x", "-f", "csv"]),
        folder.ok(&["studies", "-f", "csv"]),
    ] {
        let starts = table.split("\r\n").flat_map(|line| line.split(','));
        for cell in starts.map(|cell| cell.trim_start_matches('"')) {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(
                is_number || !cell.starts_with(['=', '+', '-', '@', '\t']),
                "{cell:?} in {table}"
            );
        }
    }
    let table = folder.ok(&["export", "cache", "-f", "csv"]);
    assert!(
        table.contains(",'=cmd(),")
            && table.contains("\"'@SUM(A1), \"\"quoted\"\"\r\nand broken\""),
        "{table}"
    );
    assert!(table.starts_with("number,state,ttl_s,mode,cost,cost.sem,p99_ms,memory,feasible,violation of p99_ms <= 250,"), "{table}");
}

#[test]
fn a_terminal_is_not_obeyed() {
    let folder = lived();
    folder.ok(&["fail", "cache", "2", "--reason", "\u{1b}[2J\u{7}"]);
    let table = folder.ok(&["trials", "cache", "-f", "table"]);
    assert!(table.contains("\\u{1b}[2J\\u{7}") && !table.contains('\u{1b}'), "{table}");
}

#[test]
fn hostile_names_are_plain_texts() {
    let folder = Folder::new();
    folder.write("cache.toml", CACHE);
    for name in [
        "../../etc/passwd",
        "'; DROP TABLE entries; --",
        "<img onerror=x>",
        "=cmd()",
        "-dash",
        "--yes",
        "ä b",
    ] {
        let with = |verb: &str| folder.ok(&[verb, "--", name]);
        folder.ok(&["create", "cache.toml", "--name", name]);
        let asked: Value = serde_json::from_str(&with("ask")).unwrap();
        assert_eq!(asked["number"], 0, "{name}");
        folder.ok(&["tell", "--", name, "0", "cost=1", "p99_ms=2"]);
        assert_eq!(folder.json(&["studies", "-f", "json"])[0]["name"], name);
        let log = with("export");
        folder.ok(&["delete", "--yes", "--", name]);
        folder.write("back.jsonl", &log);
        folder.ok(&["import", "back.jsonl"]);
        assert_eq!(with("export"), log, "{name}");
        folder.ok(&["delete", "--yes", "--", name]);
    }
}

#[test]
fn history_from_a_table_or_lines() {
    let folder = lived();
    folder.write(
        "h.csv",
        "\u{feff}mode,p99_ms,cost,cost.sem\r\n'=cmd(),1,2,0.5\r\n2,3,4,\r\n\r\n\"lru\",,6,\r\n",
    );
    let refuse = |name: &str, text: &str, words: &[&str]| {
        folder.write(name, text);
        folder.refused(&["import", name, "--into", "cache"], words);
    };
    folder.refused(
        &["import", "h.csv", "--into", "cache"],
        &["h.csv: line 2", "params.ttl_s is missing"],
    );
    folder.write(
        "h.csv",
        "mode,ttl_s,p99_ms,cost,cost.sem\r\n'=cmd(),1,1,2,0.5\r\n2,1,3,4,\r\n\r\n\"lru\",1,,6,\r\n",
    );
    assert_eq!(folder.json(&["import", "h.csv", "--into", "cache"])["added"], 3);
    let trials = folder.json(&["trials", "cache", "-f", "json"]);
    assert_eq!(trials[4]["params"], serde_json::json!({"ttl_s": 1.0, "mode": "=cmd()"}));
    assert_eq!(trials[4]["metrics"]["cost"], serde_json::json!([2.0, 0.5]));
    assert_eq!((&trials[5]["params"]["mode"], &trials[6]["state"]), (&2.into(), &"running".into()));
    let line = r#"{"params":{"ttl_s":5,"mode":true},"metrics":{"cost":1,"p99_ms":[2,0.1]}}"#;
    folder.write("h.jsonl", format!("{line}\n\n{line}\n"));
    assert_eq!(folder.json(&["import", "h.jsonl", "--into", "cache"])["added"], 2);

    refuse(
        "a.csv",
        "ttl_s,mode,cost\n1,lru,5\n1,lru,x\n",
        &["a.csv: line 3 column 3", "cost is \"x\""],
    );
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\nnan,lru,5\n", &["line 3 column 1", "ttl_s is nan"]);
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\n0,lru,5\n", &["line 3", "params.ttl_s is 0"]);
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\n1,fifo,5\n", &["line 3", "params.mode is \"fifo\""]);
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\n1,lru\n", &["line 3: 2 cells under a header of 3"]);
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\n1,lru,\"5\n", &["line 3 column 3: a quote"]);
    refuse("a.csv", "ttl_s,mode,cost\n1,lru,5\n1,lru,\n", &["line 3: metrics is missing"]);
    refuse("a.csv", "ttl_s,mode,price\n1,lru,5\n", &["line 1: column 3 is \"price\"", "cost"]);
    refuse("a.csv", "ttl_s,ttl_s,cost\n1,1,5\n", &["line 1: column 2 is \"ttl_s\"", "twice"]);
    refuse("a.csv", "ttl_s,mode,cost\n", &["no trials"]);
    refuse("a.csv", "", &["no trials"]);
    refuse("a.jsonl", &format!("{line}\n{{\"params\":{{}}}}"), &["line 2: metrics is missing"]);
    refuse(
        "a.jsonl",
        &line.replace("\"cost\":1", "\"cost\":NaN"),
        &["line 1: metrics.cost is NaN"],
    );
    refuse(
        "a.jsonl",
        &format!("{line}\n{}", line.replace(":5", ":0.1")),
        &["line 2: params.ttl_s is 0.1"],
    );
    refuse("a.jsonl", &format!("{line}\n{}", &line[..20]), &["line 2: a trial: EOF"]);
}

#[test]
fn an_import_says_what_it_read_and_the_same_rows_again_change_nothing() {
    let folder = Folder::with_cache();
    folder.write("h.csv", "host,mode,ttl_s,cost\na,lru,1,2\na,lru,1,2\nb,2,5,3\n");
    let import = ["import", "h.csv", "--into", "cache"];
    folder.refused(&import, &["column 1 is \"host\"", "--ignore-extra"]);
    folder.write("near.csv", "mode,ttl_s,costs\nlru,1,2\n");
    folder.refused(&["import", "near.csv", "--into", "cache"], &["did you mean \"cost\"?"]);
    let import = ["import", "h.csv", "--into", "cache", "--ignore-extra"];
    let said = folder.run(&import);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "{\"added\":3,\"into\":\"cache\"}\n"),
        "{}",
        said.err
    );
    for part in [
        "3 trials read: parameters ttl_s, mode; metrics cost",
        "no value of p99_ms: nothing is learned of it",
        "ignored: host",
    ] {
        assert!(said.err.contains(part), "{part} is not in {}", said.err);
    }
    let again = folder.run(&import);
    assert_eq!(again.out, "{\"added\":0,\"into\":\"cache\",\"known\":3}\n");
    assert!(again.err.contains("3 were there already and change nothing"), "{}", again.err);
    folder.write("more.csv", "mode,ttl_s,cost\nlru,1,2\nlru,1,2\nlru,1,2\n");
    let more = folder.json(&["import", "more.csv", "--into", "cache"]);
    assert_eq!(
        (&more["added"], &more["known"]),
        (&1.into(), &2.into()),
        "three of which two are there"
    );
    assert_eq!(folder.json(&["status", "cache"])["trials"], 4);
}

#[test]
fn an_exported_table_is_history_for_another_study() {
    let folder = lived();
    folder.ok(&["export", "cache", "-o", "trials.csv"]);
    folder.ok(&["create", "cache.toml", "--name", "next"]);
    let said = folder.run(&["import", "trials.csv", "--into", "next"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "{\"added\":3,\"into\":\"next\"}\n"),
        "{}",
        said.err
    );
    assert!(said.err.contains("1 rows are left out"), "{}", said.err);
    let [old, new] = ["cache", "next"]
        .map(|name| folder.json(&["trials", name, "-f", "json", "--state", "complete"]));
    for (old, new) in old.as_array().unwrap().iter().zip(new.as_array().unwrap()) {
        assert_eq!((&old["params"], &old["metrics"]), (&new["params"], &new["metrics"]));
    }
}

#[test]
fn a_damaged_log_is_refused_by_line() {
    let folder = lived();
    let log = folder.ok(&["export", "cache"]);
    let import = |text: &str, words: &[&str]| {
        folder.write("bad.jsonl", text);
        folder.refused(&["import", "bad.jsonl", "--name", "new"], words);
        assert_eq!(folder.json(&["studies", "-f", "json"]).as_array().unwrap().len(), 1);
    };
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 16, "{log}");
    import(&log[..log.len() - 20], &["bad.jsonl: line 16 column", "EOF"]);
    import(
        &lines[..9].join("\n"),
        &["bad.jsonl: the end of the log", "its last line is missing after 8 entries"],
    );
    import(&lines[1..].join("\n"), &["bad.jsonl: line 1", "the first line of the log is missing"]);
    import(&[&lines[..3], &lines[2..]].concat().join("\n"), &["bad.jsonl: line 4", "doubled"]);
    import(
        &log.replace("\"cost\":2.5", "\"cost\":2.6"),
        &["bad.jsonl: line 14 is damaged", "not as it was written"],
    );
    import(&log.replace("\"event\":\"failed\"", "\"event\":\"flied\""), &["line 15"]);
    import("", &["must begin with `created`"]);
    import("{\"log\": [5]}", &["entry 0 column"]);
}

/// The lines of a log as older versions wrote them.
fn without_checksums(log: &str) -> Vec<String> {
    let lines: Vec<&str> = log.lines().collect();
    let plain = |line: &&str| line.rsplit_once(",\"check\"").unwrap().0.to_string() + "}";
    lines[1..lines.len() - 1].iter().map(plain).collect()
}

#[test]
fn an_import_says_what_it_found_of_the_log() {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache"]);
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=2"]);
    folder.ok(&["ask", "cache"]);
    let log = folder.ok(&["export", "cache"]);
    folder.write("log.jsonl", &log);
    let import = |name: &str, more: &[&str]| {
        let args = [&["import", "log.jsonl", "--name", name], more].concat();
        folder.run(&args)
    };
    let said = import("one", &[]);
    assert_eq!(said.out, "{\"events\":7,\"imported\":\"one\",\"verified\":true}\n", "{}", said.err);
    assert!(said.err.contains("7 events, checksum right"), "{}", said.err);
    let said = import("two", &["--verify"]);
    assert!(
        said.err.contains("checksum right; its decisions are those it leads to"),
        "{}",
        said.err
    );

    // Of before there were checksums.
    let lines = without_checksums(&log);
    folder.write("log.jsonl", lines.join("\n"));
    let said = import("three", &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    for part in ["7 events, unverified: no checksum", "its decisions are those it leads to"] {
        assert!(said.err.contains(part), "{}", said.err);
    }
    assert!(said.out.contains("\"verified\":false"), "{}", said.out);
    folder.write("log.jsonl", lines.join("\n").replace("\"seed\":0", "\"seed\":5"));
    let said = import("four", &[]);
    said.is_refusal(
        &[],
        &["log.jsonl: entry 1 of the log: the decision of trial 0 is not the one", "--unverified"],
    );
    assert_eq!(import("four", &["--unverified"]).code, 0);
}

#[test]
fn the_log_of_a_pipe_is_a_log() {
    let folder = Folder::with_cache();
    let lines = [
        r#"{"create": {"name": "piped", "objective": "minimize cost", "params": {"x": {"type": "float", "low": 0, "high": 1}}}}"#,
        r#"{"ask": {}}"#,
        r#"{"tell": {"number": 0, "metrics": {"cost": 0.1}}}"#,
        r#"{"log": {}}"#,
    ];
    let said = folder.feed(&["pipe"], &lines.join("\n"));
    folder.write("log.json", said.out.lines().last().unwrap());
    let said = folder.run(&["import", "log.json"]);
    assert_eq!((said.code, said.out.contains("\"events\":3")), (0, true), "{}", said.err);
    assert!(said.err.contains("no times"), "{}", said.err);
    assert_eq!(folder.json(&["trials", "piped"])[0]["state"], "complete");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = lived();
    std::fs::create_dir(folder.path().join("taken.csv")).unwrap();
    for path in ["taken.csv", "absent/trials.csv"] {
        let said = folder.run(&["export", "cache", "-o", path]);
        assert_eq!(said.code, 1, "{path}");
        assert!(said.err.contains("cannot write") && said.err.contains(path), "{}", said.err);
    }
    folder.ok(&["export", "cache", "-o", "trials.csv"]);
    folder.ok(&["export", "cache", "-o", "trials.csv"]);
    assert_eq!(folder.read("trials.csv"), folder.ok(&["export", "cache", "-f", "csv"]));
    let left = std::fs::read_dir(folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "tmp"));
    assert_eq!(left.count(), 0);
}

/// Runs a line of shell in which `$RPOL` is the program; its exit code and what it said on stderr.
#[cfg(target_os = "linux")]
fn shell(folder: &Folder, line: &str) -> (Option<i32>, String) {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", line]).env("RPOL", env!("CARGO_BIN_EXE_rpol")).current_dir(folder.path());
    let output = shell.env_remove("RPOL_STORAGE").output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure_and_no_wrong_usage() {
    let folder = lived();
    for command in ["status cache", "trials cache", "export cache", "ask cache", "schema"] {
        let (code, said) = shell(&folder, &format!("\"$RPOL\" {command} > /dev/full"));
        assert_eq!(code, Some(1), "{command}: {said}");
    }
    // No file may grow: as on a full disk, every write to the store fails.
    let full = "trap '' XFSZ; ulimit -f 0; exec \"$RPOL\"";
    for command in ["ask cache", "fail cache 0", "create cache.toml --storage sqlite:///new.db"] {
        let (code, said) = shell(&folder, &format!("{full} {command}"));
        assert_eq!(code, Some(1), "{command}: {said}");
        assert!(said.contains(".db"), "{command}: {said}");
    }
    folder.write("invalid.toml", "objective = 5");
    assert_eq!(folder.run(&["create", "invalid.toml"]).code, 2);
}

#[test]
fn the_names_of_all_studies_are_listed_without_reading_one() {
    let folder = Folder::with_cache();
    folder.ok(&["create", "cache.toml"]);
    folder.ok(&["create", "cache.toml", "--name", "a b"]);
    assert_eq!(folder.ok(&["studies", "--names", "-f", "table"]), "a b\ncache\n");
    assert_eq!(folder.ok(&["studies", "--names", "-f", "csv"]), "name\r\na b\r\ncache\r\n");
    assert_eq!(folder.json(&["studies", "--names"]).to_string(), r#"["a b","cache"]"#);
}

#[test]
fn a_line_without_end_is_refused_by_its_number() {
    let folder = Folder::with_cache();
    let long = "9".repeat(65 << 20);
    for (name, text, line) in [
        ("h.csv", format!("ttl_s,mode,cost\n{long}"), "line 2"),
        ("h.jsonl", format!("{{}}\n\n{{\"params\": \"{long}"), "line 3"),
    ] {
        folder.write(name, text);
        for to in [&["--into", "cache"][..], &["--name", "new"]] {
            let args = [&["import", name], to].concat();
            folder.run(&args).is_refusal(&args, &[name, line, "longer than 64 MiB"]);
        }
    }
    #[cfg(target_os = "linux")]
    for command in ["create - --name zero", "import - --into cache", "tell cache 0 --json -"] {
        let (code, said) = shell(&folder, &format!("\"$RPOL\" {command} < /dev/zero"));
        assert!(
            code == Some(2) && said.contains("line 1 is longer than 64 MiB"),
            "{command}: {said}"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_store_that_can_only_be_read_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = lived();
    let elsewhere = Folder::new();
    let allow = |name: &str, mode| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode))
            .unwrap();
    };
    let names = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = (
        folder.ok(&["export", "cache"]),
        std::fs::read(folder.path().join("rpol.db")).unwrap(),
        names(),
    );
    let said_when = |file: u32, whole: u32| {
        allow("rpol.db", file);
        allow(".", whole);
        let page = elsewhere.path().join(format!("{file}.html"));
        let reading = [
            "status cache",
            "trials cache",
            "best cache",
            "studies",
            "export cache",
            "plot cache",
            "fsck",
            "status cache.toml",
        ];
        let mut said: Vec<verbs::Said> =
            reading.map(|line| folder.run(&line.split(' ').collect::<Vec<_>>())).into();
        said.push(folder.run(&["report", "cache", "-o", page.to_str().unwrap()]));
        let refused = ["tell cache 1 memory=1", "ask cache", "void cache 1", "delete cache --yes"];
        let refused = refused.map(|line| folder.run(&line.split(' ').collect::<Vec<_>>()));
        let export = folder.run(&["export", "cache"]).out;
        allow(".", 0o755);
        allow("rpol.db", 0o644);
        assert!(
            said.iter().all(|said| said.code == 0),
            "{:?}",
            said.iter().map(|s| &s.err).collect::<Vec<_>>()
        );
        for said in refused {
            assert!(
                said.code == 1 && said.err.contains("it is read-only, nothing was written"),
                "{}",
                said.err
            );
        }
        export
    };
    for (file, whole) in [(0o444, 0o555), (0o444, 0o755), (0o644, 0o555)] {
        let export = said_when(file, whole);
        let after = (export, std::fs::read(folder.path().join("rpol.db")).unwrap(), names());
        assert!(before == after, "{file:o} {whole:o}: nothing has changed");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_file_is_no_store() {
    let folder = Folder::new();
    folder.write("cache.toml", CACHE);
    assert_eq!(shell(&folder, "mkfifo pipe; mkdir folder").0, Some(0));
    for (place, words) in
        [("pipe", "a pipe, a device"), ("/dev/zero", "a device"), ("folder", "a folder")]
    {
        for command in ["studies", "create cache.toml", "status cache", "check cache.toml"] {
            let line = format!("timeout 20 \"$RPOL\" {command} --storage {place}");
            let (code, said) = shell(&folder, &line);
            let is_check = command.starts_with("check");
            assert!(
                code == Some(0) && is_check || [Some(1), Some(2)].contains(&code),
                "{line}: {code:?} {said}"
            );
            assert!(is_check || said.contains(words), "{line}: {said}");
        }
    }
}
