//! What people see, on terminals of 60, 80 and 120 columns: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test
//! terminal` rewrites the pinned sessions.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod pty;
mod verbs;

use pty::{drawn, on_terminal};
use std::path::PathBuf;
use verbs::{CACHE, Folder};

const COLUMNS: [u16; 3] = [60, 80, 120];

/// A life of a study, step by step.
const SESSION: &str = "\
check cache.toml
create cache.toml
ask cache --worker a-worker-with-a-name-of-more-than-sixty-characters-to-be-sure
tell cache 0 cost=41.5 p99_ms=243+-4
ask cache.toml --count 2
tell cache.toml 1 cost=12 p99_ms=262.5 memory=77
fail cache 2 --reason no-answer-from-the-host
correct cache 0 cost=40.5
trials cache
status cache
studies
void cache 1
delete cache --yes";

fn golden(columns: u16) -> PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join(format!("tests/golden/terminal-{columns}.txt"))
}

fn played(columns: u16) -> String {
    let folder = Folder::new();
    folder.write("cache.toml", CACHE);
    let mut transcript = String::new();
    for line in SESSION.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (said, code) = on_terminal(folder.command(&words), columns, "");
        let ending = if code == 0 { String::new() } else { format!("exit code {code}\n") };
        transcript += &format!("$ rpol {line}\n{said}{ending}");
    }
    verbs::masked(&transcript)
}

#[test]
fn a_session_on_a_terminal_is_as_pinned() {
    for columns in COLUMNS {
        let played = played(columns);
        if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
            std::fs::write(golden(columns), &played).unwrap();
        }
        verbs::compare(&std::fs::read_to_string(golden(columns)).unwrap(), &played);
        for line in played.lines().filter(|line| !line.starts_with("$ ")) {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
    }
}

const STUDY: &str = "\
objective = 'minimize cost'
constraints = [{ expression = 'p99_of_all_requests_ms <= 2', budget = 400 }, 'errors <= 1']
horizon = 12
[params]
workers = { type = 'int', low = 2, high = 16 }
batch = { type = 'float', low = 1, high = 30 }
[baseline]
params = { workers = 14, batch = 4 }
[run]
command = ['sh', 'bench.sh', '{workers}', '{batch}']
";

fn bench(script: &str) -> Folder {
    let folder = Folder::new();
    folder.write("study.toml", STUDY);
    folder.write("bench.sh", script);
    folder
}

const MEASURES: &str = r#"awk -v w="$1" -v b="$2" 'BEGIN { printf "{\"cost\": %g, \"p99_of_all_requests_ms\": %g, \"errors\": 0}", w + b / 7, 24 / w + b / 20 }'"#;

/// The live screen, frame by frame: no line is wider than the terminal, and no account loses its counts.
#[test]
fn the_live_screen_keeps_what_matters_at_every_width() {
    for columns in [60, 80, 110, 120] {
        let folder = bench(MEASURES);
        let (text, code) = on_terminal(folder.command(&["run", "study.toml"]), columns, "");
        let lines = drawn(&text, columns);
        assert_eq!(code, 0, "{text}");
        let limits: Vec<&String> = lines.iter().filter(|line| line.starts_with("limit ")).collect();
        assert!(limits.len() > 4, "{columns}: {lines:?}");
        for line in &limits {
            let is_first = line.contains("p99");
            assert!(line.contains(" of ") && line.contains("over in "), "{columns}: {line}");
            assert!(!is_first || line.contains("of 400 spent"), "{columns}: {line}");
        }
        assert!(lines.iter().any(|line| line.starts_with("best   cost=")), "{columns}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains("of 12 trials [") && line.contains("left")));
        for line in &lines {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
    }
}

#[test]
fn a_run_ends_in_words_on_a_terminal_and_quiet_says_nothing_else() {
    for columns in COLUMNS {
        let folder = bench(MEASURES);
        let (text, code) = on_terminal(folder.command(&["run", "study.toml", "-q"]), columns, "");
        assert_eq!(code, 0, "{text}");
        assert!(text.starts_with("run workers=") && !text.contains(['{', '\x1b']), "{text}");
        assert!(text.contains("errors was 0 in all 12 trials"), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
        // A pipe gets the document, and --json does on a terminal.
        let document: serde_json::Value =
            serde_json::from_str(&folder.ok(&["run", "study.toml", "-q"])).unwrap();
        assert_eq!(document["trials"]["complete"], 12);
        assert!(document["warnings"][0].as_str().unwrap().contains("errors was 0"));
        let (json, _) = on_terminal(folder.command(&["run", "study.toml", "-q", "--json"]), 80, "");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), document);
        let quiet = folder.run(&["run", "study.toml", "--quiet"]);
        assert_eq!(quiet.err, "", "nothing but the result");
    }
}

#[test]
fn advice_follows_an_account_that_asks_for_it() {
    let over = r#"echo "{\"cost\": $2, \"p99_of_all_requests_ms\": 9, \"errors\": 0}""#;
    let folder = bench(over);
    let said = folder.run(&["run", "study.toml"]);
    for part in [
        "advice: no trial kept every limit: check that the baseline keeps them",
        "advice: p99_of_all_requests_ms <= 2 was broken in 12 of 12 trials: try a lower `risk`",
    ] {
        assert!(said.err.contains(part), "{part} is not in {}", said.err);
    }
}

#[test]
fn alone_it_says_what_it_can_do() {
    let folder = Folder::new();
    let said = folder.run(&[]);
    assert_eq!((said.code, said.out), (0, folder.ok(&["--help"])));
}

#[test]
fn five_questions_make_a_file_that_check_accepts() {
    let typed = "better\nminimize cost\n\nworkers=int:2:16\nworkers=two\nmode=choice:a,b,3\n\n\
                 p99_ms < = 250\np99_ms <= 250\n\nworkers=8,mode=a\n./bench {workers} {mode}\n";
    let folder = Folder::new();
    let (said, code) = on_terminal(folder.command(&["init"]), 80, typed);
    assert_eq!(code, 0, "{said}");
    for part in ["1. What", "5. Which", "write minimize METRIC", "one at least", "wrote study.toml"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let text = folder.read("study.toml");
    for part in [
        "objective = \"minimize cost\"",
        "constraints = [\"p99_ms <= 250\"]",
        "mode = { type = \"categorical\", choices = [\"a\", \"b\", 3] }",
        "params = { workers = 8, mode = \"a\" }",
        "command = [\"./bench\", \"{workers}\", \"{mode}\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    folder.write("bench", "#!/bin/sh\n");
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(folder.path().join("bench"))
        .status()
        .unwrap();
    assert!(folder.ok(&["check", "study.toml"]).contains("./bench 8 a"));
    folder.run(&["init"]).is_refusal(&["init"], &["study.toml is there already"]);
    assert_eq!(folder.read("study.toml"), text, "no file is replaced");
}

#[test]
fn flags_make_the_same_file_without_a_question() {
    let folder = Folder::new();
    let needed = ["init", "a.toml", "--objective", "minimize cost", "--param", "x=float:1:30:log"];
    folder.ok(&needed);
    assert!(folder.ok(&["check", "a.toml"]).contains("none: to ask and tell"));
    folder.ok(&["create", "a.toml"]);
    let piped = "seq 3 | wc -l; echo '{{\"cost\": {x}}}'";
    folder.ok(&[
        "init",
        "b.toml",
        "--objective",
        "maximize y",
        "--param",
        "x=int:1:3",
        "--command",
        piped,
    ]);
    assert!(folder.read("b.toml").contains("[\"sh\", \"-c\", "), "a pipe needs a shell");
    folder.ok(&["check", "b.toml"]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--param", "x=1:2"], &["--param", "name=int:2:16"]),
        (&["--param", "x=int:5:2"], &["params.x.low", "above"]),
        (&["--limit", "p99"], &["--limit"]),
        (&["--baseline", "x"], &["--baseline", "name=value"]),
        (&["--baseline", "x=99"], &["baseline.params"]),
        (&["--objective", "cost"], &["--objective", "minimize METRIC"]),
        (&[], &["--objective and one --param"]),
    ];
    for (flags, words) in cases {
        let mut args = vec!["init", "c.toml"];
        let own = |flag: &str| flags.contains(&flag);
        if !flags.is_empty() && !own("--objective") {
            args.extend(["--objective", "minimize cost"]);
        }
        if !flags.is_empty() && !own("--param") {
            args.extend(["--param", "x=float:1:30"]);
        }
        args.extend(*flags);
        folder.run(&args).is_refusal(&args, words);
        assert!(!folder.path().join("c.toml").exists(), "{flags:?}");
    }
}
