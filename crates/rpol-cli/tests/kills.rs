//! `kill -9` at random moments: nothing acknowledged is lost, nothing counts twice, and the log is one that a single
//! process could have written. `cargo xtask kills` does more of the same.
#![allow(clippy::unwrap_used)]

use rpol::random::Stream;
use rpol::store::Exported;
use rpol::study::{Event, TrialState};
use rpol::{Spec, Study};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Kills of a run with four workers, and of one with a single worker.
fn kills() -> (u64, u64) {
    let asked = std::env::var("RPOL_KILLS").ok();
    asked.map_or((4, 5), |text| {
        let (four, one) = text.split_once(',').expect("RPOL_KILLS=100,200");
        (four.parse().unwrap(), one.parse().unwrap())
    })
}

/// A folder with a study whose command writes down what it measured before it says so.
struct Scene {
    folder: PathBuf,
    name: String,
}

impl Scene {
    /// `noise` is appended to the seed of what is measured; a measurement takes `pause` seconds.
    fn new(name: &str, rounds: u64, workers: u32, noise: &str, pause: f64) -> Self {
        let folder = std::env::temp_dir().join(format!("rpol-kills-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let study = format!(
            r#"
            objective = "minimize cost"
            constraints = ["load <= 0.9"]
            horizon = {rounds}
            seed = 5
            [params]
            x = {{ type = "float", low = 0, high = 1 }}
            y = {{ type = "float", low = 0, high = 1 }}
            [run]
            command = ["sh", "measure.sh", "{{x}}", "{{y}}"]
            workers = {workers}
            "#
        );
        let measure = format!(
            r#"
            sleep {pause}
            line=$(awk -v x="$1" -v y="$2" -v seed="$RPOL_TRIAL{noise}" 'BEGIN {{
                srand(seed); rand()
                printf "{{\"cost\": %.17g, \"load\": %.17g}}", (x - 0.3)^2 + (y - 0.7)^2 + 0.1 * rand(), x + y
            }}')
            echo "$RPOL_TRIAL $line" >> measured.txt
            echo "$line"
            "#
        );
        fs::write(folder.join("study.toml"), study).unwrap();
        fs::write(folder.join("measure.sh"), measure).unwrap();
        Self { folder, name: name.into() }
    }

    fn rpol(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
        command.args(arguments).current_dir(&self.folder).env("RPOL_STORAGE", "sqlite:///s.db");
        command
    }

    fn start(&self) -> Child {
        let talk = fs::OpenOptions::new().create(true).append(true).open(self.talk()).unwrap();
        let mut command = self.rpol(&["run", "study.toml", "--name", &self.name]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(talk).spawn().unwrap()
    }

    fn talk(&self) -> PathBuf {
        self.folder.join("talk.txt")
    }

    /// Runs and kills; whether the run came to its end before that.
    fn run_and_kill(&self, after: Duration) -> bool {
        let mut run = self.start();
        std::thread::sleep(after);
        let ended = run.try_wait().unwrap().is_some_and(|status| {
            assert!(status.success(), "{}", fs::read_to_string(self.talk()).unwrap());
            true
        });
        let _ = run.kill();
        run.wait().unwrap();
        ended
    }

    fn run_to_the_end(&self) {
        let status = self.start().wait().unwrap();
        assert!(status.success(), "{}", fs::read_to_string(self.talk()).unwrap());
    }

    fn log(&self) -> Vec<Event> {
        let output = self.rpol(&["export", &self.name, "-f", "jsonl"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        Exported::read(&text).unwrap().entries.into_iter().map(|entry| entry.event).collect()
    }

    /// Numbers of the trials that were said to be done: once on the screen, a result is in the store.
    fn acknowledged(&self) -> Vec<u64> {
        let talk = fs::read_to_string(self.talk()).unwrap();
        let lines = talk.lines().filter_map(|line| line.strip_prefix("trial "));
        lines.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect()
    }

    /// Everything the command measured, by trial.
    fn measured(&self) -> HashMap<u64, Vec<(f64, f64)>> {
        let mut all: HashMap<u64, Vec<(f64, f64)>> = HashMap::new();
        let text = fs::read_to_string(self.folder.join("measured.txt")).unwrap();
        for (number, json) in text.lines().filter_map(|line| line.split_once(' ')) {
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            let pair = (value["cost"].as_f64().unwrap(), value["load"].as_f64().unwrap());
            all.entry(number.parse().unwrap()).or_default().push(pair);
        }
        all
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Kills come within the first `most` milliseconds of a run's life.
fn moments(seed: u64, most: u64) -> impl FnMut() -> Duration {
    let mut stream = Stream::new(seed, 0);
    move || Duration::from_millis((stream.uniform() * most as f64) as u64)
}

/// Every decision of the log, made again by a study that knows only what stood before it; and a penalty that never falls.
fn check_every_decision(log: &[Event]) {
    assert_eq!(Study::audit(log, |_| ()).unwrap(), Vec::<u64>::new(), "other decisions");
    let mut offline = Study::replay(log[..1].to_vec()).unwrap();
    let mut before = offline.penalties()[0];
    for event in &log[1..] {
        offline.extend(vec![event.clone()]).unwrap();
        let penalty = offline.penalties()[0];
        assert!(penalty >= before, "Q falls from {before} to {penalty}");
        before = penalty;
    }
    assert_eq!(Study::replay(log.to_vec()).unwrap().penalties(), offline.penalties());
}

fn check_books(scene: &Scene, log: &[Event], rounds: u64) -> u64 {
    // A replay refuses numbers that are not dense, and metrics that are told twice.
    let study = Study::replay(log.to_vec()).unwrap();
    let measured = scene.measured();
    let acknowledged = scene.acknowledged();
    for number in &acknowledged {
        let state = study.trials()[*number as usize].state;
        assert_eq!(state, TrialState::Complete, "trial {number} was acknowledged and is lost");
    }
    for trial in study.trials() {
        assert_eq!(trial.state, TrialState::Complete, "trial {} is stuck", trial.number);
        let told = |metric: &str| trial.metrics[metric].value.get();
        let pair = (told("cost"), told("load"));
        assert!(measured[&trial.number].contains(&pair), "trial {} told {pair:?}", trial.number);
    }
    assert_eq!(study.trials().len() as u64, rounds);
    let loads = study.trials().iter().map(|t| t.metrics["load"].value.get() - 0.9);
    let violation: f64 = loads.map(|g| g.max(0.0)).sum();
    assert!((study.ledger()[0].total - violation).abs() < 1e-9, "the ledger counts each once");
    acknowledged.len() as u64
}

#[test]
fn four_workers_killed_at_random_moments_lose_nothing() {
    let (mut left, mut trials, mut studies) = (kills().0, 0, 0);
    let mut moment = moments(1, 700);
    let all = left;
    while left > 0 {
        studies += 1;
        // Long enough for all the kills to come while it runs.
        let rounds = 10 + 6 * all;
        // What is measured differs from one try of a trial to the next.
        let scene = Scene::new(&format!("four{studies}"), rounds, 4, "$$", 0.15);
        while left > 0 && !scene.run_and_kill(moment()) {
            left -= 1;
        }
        scene.run_to_the_end();
        let log = scene.log();
        trials += check_books(&scene, &log, rounds);
        check_every_decision(&log);
    }
    println!(
        "{all} kills of four workers: {studies} studies, {trials} results acknowledged, 0 lost"
    );
}

#[test]
fn a_single_worker_killed_at_random_moments_goes_the_same_way() {
    let rounds = 10 + 3 * kills().1;
    let scene = Scene::new("whole", rounds, 1, "", 0.03);
    scene.run_to_the_end();
    let whole = way(&scene.log());
    let (mut left, mut studies) = (kills().1, 0);
    let mut moment = moments(2, 400);
    let all = left;
    while left > 0 {
        studies += 1;
        let scene = Scene::new(&format!("one{studies}"), rounds, 1, "", 0.03);
        while left > 0 && !scene.run_and_kill(moment()) {
            left -= 1;
        }
        scene.run_to_the_end();
        let log = scene.log();
        check_books(&scene, &log, rounds);
        check_every_decision(&log);
        assert_eq!(way(&log), whole, "the way of a run that was never killed");
    }
    println!(
        "{all} kills of a single worker: {studies} studies, each the way of an uninterrupted run"
    );
}

/// What happened, whoever did it: the study's name and the workers are left out.
fn way(log: &[Event]) -> Vec<String> {
    let what = |event: &Event| match event {
        Event::Claimed { .. } => None,
        Event::Created { spec, .. } => {
            let spec = Spec { name: "any".into(), ..(**spec).clone() };
            Some(serde_json::to_string(&spec).unwrap())
        }
        other => Some(serde_json::to_string(other).unwrap()),
    };
    log.iter().filter_map(what).collect()
}

#[test]
fn the_checks_see_a_lost_and_a_changed_result() {
    let scene = Scene::new("checks", 12, 2, "$$", 0.0);
    scene.run_to_the_end();
    let log = scene.log();
    let refused = |log: Vec<Event>| {
        std::panic::catch_unwind(|| {
            check_books(&scene, &log, 12);
            check_every_decision(&log);
        })
        .is_err()
    };
    assert!(!refused(log.clone()));
    let told = log.iter().position(|e| matches!(e, Event::Told { .. })).unwrap();
    let without = [&log[..told], &log[told + 1..]].concat();
    let twice = [&log[..=told], &log[told..]].concat();
    let mut other = log.clone();
    if let Event::Told { metrics, .. } = &mut other[told] {
        let cost = metrics["cost"].value.get().next_up();
        metrics["cost"].value = rpol::Finite::new("cost", cost).unwrap();
    }
    for (what, log) in
        [("a result is lost", without), ("one is there twice", twice), ("a bit", other)]
    {
        assert!(refused(log), "{what}");
    }
    assert!(Path::new(&scene.talk()).exists());
}
