//! The arena from outside, as a user meets it.
#![cfg(feature = "lab")]
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    /// A place for a folder, which the program makes.
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rpol-arena-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn arena(arguments: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    command.args(["lab", "arena"]).args(arguments.split_whitespace()).arg("--out").arg(out);
    command
}

fn run(arguments: &str, out: &Path) -> Output {
    arena(arguments, out).output().expect("the program starts")
}

fn done(arguments: &str, out: &Folder) -> String {
    let output = run(arguments, &out.0);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TINY: &str =
    "--algorithms rpol,random --problems classical,gardner1 --seeds 3 --rounds 12 --jobs 2";

#[test]
fn everything_is_written_and_the_table_says_who_is_on_the_frontier() {
    let out = Folder::new("files");
    let table = done(TINY, &out);
    for part in ["T = 12 rounds, 3 seeds", "classical\n", "gardner1\n", "over 2 problems", "R+/T"] {
        assert!(table.contains(part), "no {part} in\n{table}");
    }
    assert!(table.contains("rpol *") && table.contains("±"), "{table}");
    assert!(!table.contains("was given to"), "{table}");
    let entries = fs::read_dir(&out.0).unwrap();
    let names: BTreeSet<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut wanted = BTreeSet::from(
        ["report.html", "results.json", "runs.csv", "standings.csv"].map(String::from),
    );
    for figure in ["scatter", "problems", "profile", "ratio"] {
        wanted.extend([format!("{figure}.svg"), format!("{figure}.png")]);
        assert!(fs::read(out.0.join(format!("{figure}.png"))).unwrap().starts_with(b"\x89PNG"));
    }
    assert_eq!(names, wanted);
}

#[test]
fn the_page_stands_alone_and_says_how_it_was_made() {
    let out = Folder::new("page");
    done("--algorithms random,safeopt --problems gardner1 --seeds 1 --rounds 8", &out);
    let page = out.text("report.html");
    let command = "rpol lab arena --algorithms random,safeopt --problems gardner1 --seeds 1 --rounds 8 --noise 0.1 --out";
    let helped = "A feasible setting to start from was given to safeopt";
    for part in [command, helped, "<svg", "width=device-width", "one seed, so no interval"] {
        assert!(page.contains(part), "no {part}");
    }
    assert_eq!(page.matches("<figure>").count(), 4);
    for forbidden in ["<script", "<link", "@import", "<img", "url(http"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|p| p.split('"').next().unwrap()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
}

#[test]
fn json_has_every_standing_with_the_score_of_every_seed() {
    let out = Folder::new("json");
    let printed: Value = serde_json::from_str(&done(&format!("{TINY} -f json"), &out)).unwrap();
    let written: Value = serde_json::from_str(&out.text("results.json")).unwrap();
    assert_eq!(printed, written);
    assert_eq!((&printed["rounds"], &printed["seeds"]), (&12.into(), &3.into()));
    assert_eq!(printed["overall"].as_array().unwrap().len(), 2);
    let problems = printed["problems"].as_array().unwrap();
    let names: Vec<&str> = problems.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["classical", "gardner1"]);
    for problem in problems {
        let frontier = problem["algorithms"].as_array().unwrap().iter();
        assert!(frontier.clone().any(|algorithm| algorithm["frontier"] == true), "{problem}");
        for algorithm in frontier {
            let scores = algorithm["scores"].as_array().unwrap();
            assert_eq!(scores.len(), 3);
            let sum: f64 = scores.iter().map(|s| s["violation"].as_f64().unwrap()).sum();
            let mean = algorithm["violation"]["mean"].as_f64().unwrap();
            assert!((sum / 3.0 - mean).abs() < 1e-12, "{algorithm}");
        }
    }
}

/// The table without the columns that a clock decides.
fn untimed(csv: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let kept: Vec<usize> =
        (0..rows[0].len()).filter(|i| !rows[0][*i].starts_with("ask_ms")).collect();
    rows.iter().map(|row| kept.iter().map(|i| row[*i].to_string()).collect()).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (one, three) = (Folder::new("jobs1"), Folder::new("jobs3"));
    let play = "--algorithms rpol,ckb-ucb --problems delayed,gramacy --seeds 2 --rounds 10";
    let printed = done(&format!("{play} --jobs 1 -f csv"), &one);
    done(&format!("{play} --jobs 3"), &three);
    let rows = untimed(&one.text("runs.csv"));
    assert_eq!((rows.len(), rows[0].len()), (1 + 2 * 2 * 2, 13));
    assert_eq!(rows, untimed(&three.text("runs.csv")));
    assert_eq!(untimed(&printed), untimed(&three.text("standings.csv")));
    assert_eq!(printed.lines().count(), 1 + 2 * 2);
}

#[test]
fn names_with_commas_are_one_cell_and_one_contestant() {
    let out = Folder::new("changes");
    let who = r#"rpol@initial=3,confidence.width={"type":"constant","beta":2},random"#;
    done(&format!("--algorithms {who} --problems gardner1 --seeds 1 --rounds 5"), &out);
    let csv = out.text("standings.csv");
    let quoted = r#""rpol@initial=3,confidence.width={""type"":""constant"",""beta"":2}""#;
    assert!(csv.contains(quoted) && csv.lines().count() == 3, "{csv}");
    assert!(out.text("report.html").contains("&quot;beta&quot;:2"), "escaped");
}

#[test]
fn noise_and_delay_reach_the_problems() {
    let out = Folder::new("noise");
    let calm = "--algorithms random --problems gardner1,delayed --seeds 1 --rounds 5";
    let json: Value =
        serde_json::from_str(&done(&format!("{calm} --noise 0 --delay 3 -f json"), &out)).unwrap();
    let [gardner, delayed] = [0, 1].map(|i| &json["problems"][i]);
    assert_eq!((&gardner["noise"][0], &gardner["mean_delay"]), (&0.0.into(), &3.0.into()));
    assert_eq!(
        (&delayed["noise"][0], &delayed["mean_delay"]),
        (&0.05f64.sqrt().into(), &15.0.into())
    );
}

#[test]
fn live_systems_are_judged_by_what_they_promise() {
    let out = Folder::new("live");
    let play = "--algorithms rpol@risk=0.2,random --problems live:reactor,rotor --seeds 2";
    let table = done(&format!("{play} --rounds 12 --jobs 1"), &out);
    for part in ["T = 12 rounds, 2 seeds", "reactor", "rotor", "over all", "V (random 1)", "0.20"] {
        assert!(table.contains(part), "no {part} in\n{table}");
    }
    let json: Value = serde_json::from_str(&out.text("results.json")).unwrap();
    assert_eq!((&json["rounds"], &json["seeds"]), (&12.into(), &2.into()));
    let systems = json["systems"].as_array().unwrap();
    assert_eq!(systems[0]["limits"][0], "temperature <= 352");
    for system in systems {
        for player in system["players"].as_array().unwrap() {
            let scores = player["scores"].as_array().unwrap();
            let over: f64 = scores.iter().map(|score| score["over"].as_f64().unwrap()).sum();
            assert!((over / 2.0 - player["over"].as_f64().unwrap()).abs() < 1e-12, "{player}");
            assert!(player["gain"].is_number() && player["broken"].is_number(), "{player}");
        }
    }
    let page = out.text("report.html");
    assert!(page.contains("--problems live:reactor,rotor --seeds 2 --rounds 12 --out"), "{page}");
    assert_eq!(out.text("standings.csv").lines().count(), 1 + 2 * 2);
    let two = Folder::new("live2");
    let printed = done(&format!("{play} --rounds 12 --jobs 2 -f csv"), &two);
    assert_eq!(untimed(&printed), untimed(&out.text("standings.csv")));
    assert_eq!(untimed(&two.text("runs.csv")), untimed(&out.text("runs.csv")));
}

#[test]
fn the_list_has_everything_that_can_be_named() {
    let output = run("--list", Path::new("unused"));
    let list = String::from_utf8(output.stdout).unwrap();
    for name in [
        "drifting",
        "classical-rescaled",
        "speed_reducer",
        "compressor",
        "safeopt",
        "constrained/master",
    ] {
        assert!(list.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}");
    }
    assert!(!Path::new("unused").exists());
}

#[test]
fn wrong_usage_is_refused_with_a_remedy_before_any_work() {
    let out = Folder::new("wrong");
    for (arguments, remedy) in [
        (
            "--algorithms konfig",
            "--algorithms: there is no algorithm `konfig`: did you mean `config`?",
        ),
        ("--algorithms rpol,,random", "`rpol lab arena --list` has them all"),
        ("--algorithms constrained/halucinated", "`constrained/hallucinated`"),
        ("--algorithms rpol@fast", "give `printed`, `start=safe` or field=value"),
        ("--algorithms rpol@start=best", "give start=safe"),
        ("--algorithms rpol@params.x1=3", "choose another with --problems"),
        ("--algorithms rpol@initail=3", "initail"),
        ("--algorithms rpol@initial=-3", "initial"),
        ("--algorithms rpol@model.noise=-1", "give a finite number above 0"),
        ("--problems gardner", "did you mean `gardner1`?"),
        ("--problems live,classical", "play them in a call of their own"),
        ("--problems live:quene", "did you mean `queue`?"),
        ("--problems queue --noise 0.2", "live systems have their own: leave it out"),
        ("--problems queue --algorithms rpol@rsik=0.1", "rsik"),
        ("--seeds 0", "give a whole number from 1"),
        ("--rounds -5", "give a whole number from 1"),
        ("--noise nan", "give a finite number of at least 0"),
        ("--delay -1", "give a finite number of at least 0"),
        ("--jobs 0", "give a whole number from 1"),
        ("--format xml", "table, json, csv"),
    ] {
        let output = run(arguments, &out.0);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(remedy), "{arguments}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && !out.0.exists(), "{arguments}");
    }
}

#[test]
fn a_file_is_no_folder() {
    let out = Folder::new("file");
    fs::write(&out.0, "mine").unwrap();
    let output = run("--algorithms random --seeds 1 --rounds 1", &out.0);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("is a file: give a folder"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&out.0).unwrap(), "mine");
    fs::remove_file(&out.0).unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_and_nothing_is_written() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let out = Folder::new("interrupted");
    let mut command = arena("--seeds 40 --rounds 400 --jobs 1", &out.0);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut talk = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    // Told once Ctrl-C is listened for.
    talk.read_line(&mut said).unwrap();
    assert!(said.contains("playing 800 runs on 1 threads"), "{said}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    talk.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("of 800 runs were played; nothing was written"), "{said}");
    assert_eq!(fs::read_dir(&out.0).unwrap().count(), 0);
}

#[test]
fn files_of_others_are_in_the_way_and_own_ones_give_way() {
    let out = Folder::new("foreign");
    fs::create_dir_all(&out.0).unwrap();
    let small = "--algorithms random --problems gardner1 --seeds 1 --rounds 3 --jobs 1";
    for name in ["report.html", "runs.csv", "results.json", "other.png"] {
        fs::write(out.0.join(name), "mine, and nobody else's\n").unwrap();
        let refused = run(small, &out.0);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(&format!("{name}, which rpol did not write")));
        assert_eq!(out.text(name), "mine, and nobody else's\n");
        fs::remove_file(out.0.join(name)).unwrap();
    }
    fs::write(out.0.join("notes.txt"), "mine").unwrap();
    done(small, &out);
    done(&small.replace("--rounds 3", "--rounds 4"), &out);
    assert!(out.text("results.json").contains("--rounds 4"));
}
