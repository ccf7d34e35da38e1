//! The paper's experiments from outside, as a user meets them.
#![cfg(feature = "lab")]
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rpol-paper-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn paper(arguments: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    command.args(["lab", "paper"]).args(arguments.split_whitespace()).arg("--out").arg(out);
    command
}

fn done(arguments: &str, out: &Folder) -> Output {
    let output = paper(arguments, &out.0).output().expect("the program starts");
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn writes_every_file() {
    let out = Folder::new("files");
    let output = done("--seeds 2 --rounds 12", &out);
    let table = String::from_utf8(output.stdout).unwrap();
    for part in ["classical: 12 rounds, 2 seeds", "RPOL-CensoredUCB", "CKB-RestartUCB", "R+/T", "±"]
    {
        assert!(table.contains(part), "no {part} in\n{table}");
    }
    let mut wanted = BTreeSet::from(["report.html", "results.json", "runs"].map(String::from));
    for experiment in ["classical", "delayed", "drifting"] {
        wanted.insert(format!("{experiment}.csv"));
        let points: &[&str] =
            if experiment == "drifting" { &["points1", "points2", "points3"] } else { &["points"] };
        let figures = ["regret", "violation", "regret-plus", "penalty"];
        for figure in figures.iter().chain(points) {
            wanted.insert(format!("{experiment}-{figure}.svg"));
            wanted.insert(format!("{experiment}-{figure}.png"));
        }
    }
    assert_eq!(out.names(), wanted);
    assert_eq!(fs::read_dir(out.0.join("runs")).unwrap().count(), 17 * 2);
    assert!(out.text("drifting-regret.svg").contains("<svg"));
    assert!(fs::read(out.0.join("drifting-regret.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn the_table_of_curves_has_a_row_for_every_round_and_algorithm() {
    let out = Folder::new("csv");
    done("classical --seeds 2 --rounds 12", &out);
    let text = out.text("classical.csv");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 12 * 5);
    assert_eq!(rows[0][..5], ["round", "algorithm", "regret_mean", "regret_low", "regret_high"]);
    assert!(rows.iter().all(|row| row.len() == 2 + 3 * 3), "{text}");
    assert_eq!(rows[60][..2], ["12", "Random"]);
    for row in &rows[1..] {
        let numbers: Vec<f64> = row[2..].iter().map(|cell| cell.parse().unwrap()).collect();
        assert!(numbers.chunks(3).all(|c| c[1] <= c[0] && c[0] <= c[2]), "{row:?}");
    }
    let results: Value = serde_json::from_str(&out.text("results.json")).unwrap();
    let last: f64 = rows[56][2].parse().unwrap();
    let total = &results["experiments"][0]["algorithms"][0]["regret"]["mean"];
    assert!((last - total.as_f64().unwrap()).abs() < 1e-12, "R(T)/T is the curve's end");
}

#[test]
fn the_report_stands_alone_and_says_how_it_was_made() {
    let out = Folder::new("report");
    done("delayed --seeds 2 --rounds 12 --noise-std 0.05 --preset practical", &out);
    let page = out.text("report.html");
    let command = format!(
        "rpol lab paper delayed --seeds 2 --rounds 12 --preset practical --noise-std 0.05 --out {}",
        out.0.display()
    );
    let settings = ["T = 12 rounds", "deviation 0.05 (variance 0.0025)", "preset practical"];
    let parts = ["<svg", "prefers-color-scheme: dark", "width=device-width", "<details>", "ask ms"];
    let version = concat!("rpol ", env!("CARGO_PKG_VERSION"));
    for part in parts.iter().chain(&settings).chain([&command.as_str(), &version]) {
        assert!(page.contains(part), "no {part}");
    }
    assert_eq!(page.matches("<figure>").count(), 5);
    for forbidden in ["<script", "<link", "@import", "<img", "url(http"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn json_has_exactly_the_promised_shape() {
    let out = Folder::new("json");
    let output = done("drifting --seeds 2 --rounds 12 --format json", &out);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(keys(&json), BTreeSet::from(["experiments"]));
    let [drifting] = json["experiments"].as_array().unwrap().as_slice() else { panic!("{json}") };
    let fields = ["name", "rounds", "seeds", "noise_std", "preset", "algorithms"];
    assert_eq!(keys(drifting), BTreeSet::from(fields));
    assert_eq!((&drifting["name"], &drifting["preset"]), (&"drifting".into(), &"printed".into()));
    assert_eq!((&drifting["rounds"], &drifting["seeds"]), (&12.into(), &2.into()));
    assert_eq!(drifting["noise_std"], 0.05f64.sqrt());
    let algorithms = drifting["algorithms"].as_array().unwrap();
    let names: Vec<&str> = algorithms.iter().map(|a| a["name"].as_str().unwrap()).collect();
    let compared = ["RPOL-SWUCB", "CKB-UCB", "CONFIG", "CKB-RestartUCB"];
    assert_eq!(names, [&compared[..], &["EventTriggered", "Random"]].concat());
    let values =
        ["regret", "regret_plus", "violation", "violating_rounds", "soft_violation", "ask_ms"];
    for algorithm in algorithms {
        assert_eq!(keys(algorithm), values.iter().copied().chain(["name"]).collect());
        for value in values {
            assert_eq!(keys(&algorithm[value]), BTreeSet::from(["mean", "half_width"]));
            assert!(algorithm[value]["mean"].is_f64() && algorithm[value]["half_width"].is_f64());
        }
        let share = algorithm["violating_rounds"]["mean"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share), "{algorithm}");
    }
}

#[test]
fn one_seed_gives_no_half_width() {
    let out = Folder::new("one");
    let output = done("classical --seeds 1 --rounds 4 --format json", &out);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["experiments"][0]["algorithms"][0]["regret"]["half_width"].is_null());
    let table = String::from_utf8(done("classical --seeds 1 --rounds 4", &out).stdout).unwrap();
    assert!(table.contains("± -"), "{table}");
}

#[test]
fn finished_runs_are_used_again_under_the_same_settings_only() {
    let out = Folder::new("again");
    let says = |arguments: &str| stderr(&done(arguments, &out));
    assert!(says("classical --seeds 1 --rounds 6").contains("reused 0 runs of 5, playing 5"));
    let first = out.text("classical.csv");
    assert!(says("classical --seeds 1 --rounds 6").contains("reused 5 runs of 5, playing 0"));
    assert_eq!(out.text("classical.csv"), first);
    assert!(says("classical --seeds 2 --rounds 6").contains("reused 5 runs of 10, playing 5"));
    for other in ["--rounds 7", "--rounds 6 --noise-var 0.06", "--rounds 6 --preset practical"] {
        let said = says(&format!("classical --seeds 1 {other}"));
        assert!(said.contains("reused 0 runs of 5"), "{other}: {said}");
    }
}

#[test]
fn a_damaged_run_is_played_again() {
    let out = Folder::new("damaged");
    done("classical --seeds 1 --rounds 6", &out);
    let first = out.text("classical.csv");
    let path = out.0.join("runs/classical-rpol-ucb-seed0.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 40]).unwrap();
    fs::write(out.0.join("runs/classical-config-seed0.jsonl"), "nonsense").unwrap();
    let said = stderr(&done("classical --seeds 1 --rounds 6", &out));
    assert!(said.contains("reused 3 runs of 5, playing 2"), "{said}");
    assert_eq!(out.text("classical.csv"), first);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (one, two) = (Folder::new("jobs1"), Folder::new("jobs2"));
    done("--seeds 2 --rounds 12 --jobs 1", &one);
    done("--seeds 2 --rounds 12 --jobs 2", &two);
    for experiment in ["classical", "delayed", "drifting"] {
        let name = format!("{experiment}.csv");
        assert_eq!(one.text(&name), two.text(&name));
    }
}

#[test]
fn wrong_usage_is_refused_with_a_remedy_before_any_work() {
    let out = Folder::new("wrong");
    for (arguments, remedy) in [
        ("--seeds 0", "give a whole number from 1"),
        ("--seeds many", "give a whole number from 1"),
        ("--rounds 0", "give a whole number from 1"),
        ("--rounds -5", "give a whole number from 1"),
        ("--rounds 1e9", "give a whole number from 1"),
        ("--jobs 0", "give a whole number from 1"),
        ("--noise-var -0.1", "give a finite number of at least 0"),
        ("--noise-var nan", "give a finite number of at least 0"),
        ("--noise-std inf", "give a finite number of at least 0"),
        ("--noise-var 0.05 --noise-std 0.05", "give one"),
        ("fancy", "classical, delayed, drifting, all"),
        ("--preset best", "printed, practical"),
        ("--format xml", "table, json"),
    ] {
        let output = paper(arguments, &out.0).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(remedy), "{arguments}: {}", stderr(&output));
        assert_eq!(out.names(), BTreeSet::new(), "{arguments}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused() {
    let out = Folder::new("unwritable");
    let file = out.0.join("file");
    fs::write(&file, "mine").unwrap();
    for (path, remedy) in [(&file, "is a file: give a folder"), (&file.join("below"), "--out DIR")]
    {
        let output = paper("--seeds 1 --rounds 1", path).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(remedy), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done_and_a_rerun_completes_it() {
    let (out, calm) = (Folder::new("interrupted"), Folder::new("calm"));
    let arguments = "classical --seeds 3 --rounds 60 --jobs 1";
    let mut command = paper(arguments, &out.0);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let runs = out.0.join("runs");
    let begun = Instant::now();
    let finished = |path: &Path| path.extension().is_some_and(|e| e == "jsonl");
    let count = || {
        let entries = fs::read_dir(&runs).into_iter().flatten();
        entries.filter(|entry| finished(&entry.as_ref().unwrap().path())).count()
    };
    while count() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(120), "no run ends");
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let kept = count();
    let said = stderr(&output);
    assert!(said.contains(&format!("interrupted: {kept} of 15 runs are kept")), "{said}");
    assert!(said.contains("no report was written: the same command again continues"), "{said}");
    assert!(output.stdout.is_empty() && !out.0.join("report.html").exists());
    let said = stderr(&done(arguments, &out));
    assert!(said.contains(&format!("reused {kept} runs of 15")), "{said}");
    done("classical --seeds 3 --rounds 60 --jobs 2", &calm);
    assert_eq!(out.text("classical.csv"), calm.text("classical.csv"));
}

#[test]
fn help_says_what_there_is() {
    let output = paper("--help", Path::new("unused")).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for part in ["--seeds", "--preset", "--noise-std", "--jobs", "report.html", "continues"] {
        assert!(help.contains(part), "no {part} in\n{help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}
