//! All faults at once: what was acknowledged is in the logs, once. `cargo xtask chaos` does more of the same.
//!
//! Runs and single commands work on the same studies, while processes are killed, stopped and limited, a disk is full,
//! and files go. Whoever measures writes it down first; whatever was acknowledged is compared with the logs at the end.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod clock;
mod faults;
mod judge;
mod plan;
mod processes;
mod scene;
mod users;

use faults::{Counts, FAULTS, Fault, Injector};
use judge::Verdict;
use plan::Plan;
use processes::Processes;
use rpol::random::Stream;
use rpol::study::{Event, Reported};
use rpol::{Spec, Study};
use scene::Scene;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use users::User;

/// How often a study is taken up at the end, until no trial of it is open.
const LAST_RUNS: usize = 5;
/// On a slow machine it goes on until so many processes have taken part.
const LEAST: u64 = 120;
/// Longer than the leases of single commands.
const LEASES: Duration = Duration::from_millis(2_100);

/// Everything that takes part.
struct Chaos {
    plan: Plan,
    scene: Scene,
    processes: Processes,
    counts: Counts,
    over: AtomicBool,
    clock: Option<PathBuf>,
}

impl Chaos {
    fn new(plan: Plan) -> Self {
        let scene = Scene::new("all", &plan);
        let clock = clock::built(scene.root());
        let (processes, counts) = (Processes::default(), Counts::default());
        Self { plan, scene, processes, counts, over: AtomicBool::new(false), clock }
    }

    fn user(&self, number: usize) -> User<'_> {
        let Self { scene, processes, counts, over, clock, .. } = self;
        let random = Stream::new(self.plan.seed, 1 + number as u64);
        User { scene, processes, counts, over, clock: clock.as_deref(), random }
    }

    fn play(&self) {
        let Plan { runs, verbs, time, .. } = self.plan;
        thread::scope(|scope| {
            for run in 0..runs {
                scope.spawn(move || self.user(run).run(run / 2));
            }
            for verb in 0..verbs {
                scope.spawn(move || self.user(runs + verb).verbs());
            }
            scope.spawn(|| {
                Injector::new(&self.plan, &self.scene, &self.processes, &self.counts)
                    .run(&self.over);
            });
            self.report_progress(time);
            self.over.store(true, Ordering::SeqCst);
        });
    }

    fn report_progress(&self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time || self.processes.started() < LEAST {
            let left = time.saturating_sub(began.elapsed());
            thread::sleep(left.clamp(Duration::from_secs(1), Duration::from_secs(10)));
            let faults: u64 = FAULTS.iter().map(|fault| self.counts.of(*fault)).sum();
            let (started, breaches) = (self.processes.started(), self.processes.breaches().len());
            let at = began.elapsed().as_secs();
            println!("{at:>5} s: {started} processes, {faults} faults, {breaches} breaches so far");
        }
    }

    /// Takes up what is open once nothing goes wrong any more, as a user would.
    fn settle(&self) {
        let mut user = self.user(self.plan.runs + self.plan.verbs);
        for _ in 0..LAST_RUNS {
            thread::sleep(LEASES);
            let logs = judge::logs(&self.scene).unwrap_or_default();
            let open = logs.iter().filter(|(_, log)| judge::has_open_trials(log));
            let open: Vec<&String> = open.map(|(name, _)| name).collect();
            for study in &open {
                let line: usize = study[1..].split('-').next().unwrap().parse().unwrap();
                let home = &self.scene.homes()[line % self.scene.homes().len()];
                user.run_once(study, home);
            }
            if open.is_empty() {
                return;
            }
        }
    }

    fn judge(&self) -> Verdict {
        let mut verdict = match judge::logs(&self.scene) {
            Ok(logs) => judge::judge(&self.scene, &logs),
            Err(error) => Verdict { wrong: vec![error.to_string()], ..Verdict::default() },
        };
        for home in self.scene.homes().iter().filter(|home| home.join("rpol.db").exists()) {
            let checked = self.user(0).fsck(home);
            verdict.wrong.extend(checked.err().map(|said| format!("{}: {said}", home.display())));
        }
        verdict
    }

    /// What was done and what came of it, in a table.
    fn table(&self, verdict: &Verdict, breaches: &[String]) -> String {
        let Plan { time, runs, verbs, seed, .. } = &self.plan;
        let mut table = format!("chaos: {time:?}, {runs} runs, {verbs} verbs, seed {seed}\n");
        let faults = FAULTS.map(|fault| (fault.name(), self.count(fault)));
        let results = self.results(verdict, breaches).map(|(name, n)| (name, n.to_string()));
        for (name, count) in faults.into_iter().chain(results) {
            writeln!(table, "  {name:<30} {count:>8}").unwrap();
        }
        let ends = self.processes.ends().into_iter().map(|(end, count)| format!("{count} {end}"));
        writeln!(table, "  ended by: {}", ends.collect::<Vec<_>>().join("; ")).unwrap();
        table
    }

    /// How often a fault came, or why it cannot come here.
    fn count(&self, fault: Fault) -> String {
        match fault {
            Fault::FullDisk if self.scene.small().is_none() => "not here: none was mounted".into(),
            Fault::Clock if self.clock.is_none() => "not here: no C compiler".into(),
            fault => self.counts.of(fault).to_string(),
        }
    }

    fn results(&self, verdict: &Verdict, breaches: &[String]) -> [(&'static str, u64); 9] {
        let of = |kind: &str| breaches.iter().filter(|b| b.starts_with(kind)).count() as u64;
        [
            ("processes", self.processes.started()),
            ("studies", verdict.studies),
            ("results in the logs", verdict.told),
            ("results acknowledged", verdict.promised),
            ("lost", verdict.lost.len() as u64),
            ("double", verdict.double.len() as u64),
            ("stuck", verdict.stuck.len() as u64 + of("stuck")),
            ("panics", of("panic")),
            ("breaches in all", breaches.len() as u64),
        ]
    }
}

#[test]
fn whatever_goes_wrong_nothing_acknowledged_is_lost_or_counted_twice() {
    let chaos = Chaos::new(Plan::asked());
    chaos.play();
    chaos.settle();
    let verdict = chaos.judge();
    let breaches = [chaos.processes.breaches(), verdict.breaches()].concat();
    println!("{}", chaos.table(&verdict, &breaches));
    if !breaches.is_empty() {
        chaos.scene.keep();
        let (root, shown) = (chaos.scene.root().display(), &breaches[..breaches.len().min(20)]);
        panic!("{} breaches, and the folder {root} is kept:\n{}", breaches.len(), shown.join("\n"));
    }
    assert!(verdict.promised > 0 && chaos.counts.of(Fault::Kill) > 0, "{verdict:?}");
    chaos.scene.remove();
}

/// A log with one trial, of a result that was written down and promised.
fn promised_log(scene: &Scene) -> Vec<Event> {
    let mut study = Study::create(Spec::from_file_text(scene::STUDY, "s0-0").unwrap()).unwrap();
    let params = study.ask().unwrap().params;
    let setting = ["x", "y"].map(|name| params[name].as_f64().unwrap() as i64);
    let load = setting[0] + setting[1];
    let cost = scene.result("s0-0", load);
    study.tell(0, [("cost", cost), ("load", load as f64)]).unwrap();
    scene.promise("s0-0", |promised| {
        promised.asked.push((0, setting));
        promised.costs.push(cost);
        promised.ended.push(0);
    });
    study.log().to_vec()
}

#[test]
fn the_judge_sees_a_lost_a_double_and_an_invented_result() {
    let scene = Scene::new("judge", &Plan::asked());
    let log = promised_log(&scene);
    let of = |log: &[Event]| judge::judge(&scene, &[("s0-0".into(), log.to_vec())].into());
    assert_eq!(of(&log).breaches(), Vec::<String>::new());
    let verdict = of(&log[..2]);
    assert!(verdict.lost.len() == 2 && verdict.stuck.len() == 1, "{verdict:?}");
    assert_eq!(of(&log[..1]).lost.len(), 3, "nor was it given out");
    assert_eq!(judge::judge(&scene, &BTreeMap::new()).lost.len(), 1, "the whole study");
    let further = |cost: f64| {
        let mut study = Study::replay(log.clone()).unwrap();
        let number = study.ask_for(study.trials()[0].params.clone()).unwrap().number;
        let load = study.trials()[0].metrics["load"];
        study
            .tell(number, [("cost", Reported::new("cost", cost, None).unwrap()), ("load", load)])
            .unwrap();
        of(study.log())
    };
    let Event::Told { metrics, .. } = &log[2] else { panic!("{:?}", log[2]) };
    assert_eq!(further(metrics["cost"].value.get()).double.len(), 1);
    assert_eq!(further(1.5).wrong.len(), 1);
    scene.remove();
}
