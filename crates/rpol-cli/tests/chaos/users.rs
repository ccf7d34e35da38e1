//! Those who use rpol: runs, and single commands, each started again whatever became of it.

use crate::faults::{Counts, Fault};
use crate::processes::{Ended, Processes};
use crate::scene::Scene;
use rpol::random::Stream;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After a failure.
const PAUSE: Duration = Duration::from_millis(50);
/// How often a result is told before its teller gives up.
const TRIES: u32 = 20;

pub(crate) struct User<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) processes: &'a Processes,
    pub(crate) counts: &'a Counts,
    pub(crate) over: &'a AtomicBool,
    pub(crate) clock: Option<&'a Path>,
    pub(crate) random: Stream,
}

/// A result that is on its way into a log.
struct Measured {
    study: String,
    line: usize,
    number: u64,
    cost: f64,
    load: i64,
}

impl User<'_> {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// A command, under a limit of file sizes half of the time: told by a signal, or by an error.
    fn command(&mut self, home: &Path, study: &str, arguments: &[&str]) -> Command {
        let rpol = env!("CARGO_BIN_EXE_rpol");
        let mut command = if self.random.uniform() < 0.5 {
            Command::new(rpol)
        } else {
            let mut shell = Command::new("sh");
            shell.args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#, rpol]);
            shell
        };
        command.args(arguments).current_dir(home).env_remove("RPOL_STORAGE");
        command.env("WITNESS", self.scene.witness(study));
        // What is given out by a clock that is ahead stays given out until then: there is nobody to ask for it.
        let may_step = arguments[0] != "ask" && self.random.uniform() < 0.1;
        if let Some(library) = self.clock.filter(|_| may_step) {
            let hours = self.random.below(49) as i64 - 24;
            command.env("LD_PRELOAD", library).env("CHAOS_HOURS", hours.to_string());
            self.counts.add(Fault::Clock);
        }
        command
    }

    fn rpol(&mut self, home: &Path, study: &str, arguments: &[&str]) -> Ended {
        let mut command = self.command(home, study, arguments);
        let what = format!("rpol {}", arguments.join(" "));
        self.processes.run(self.scene, &mut command, &what)
    }

    /// Runs the studies of a line, one after the other.
    pub(crate) fn run(&mut self, line: usize) {
        while !self.is_over() {
            let scene = self.scene;
            let (study, home) = scene.study(line);
            if self.run_once(&study, home) {
                scene.done(line, &study);
            } else {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Whether it came to its end.
    pub(crate) fn run_once(&mut self, study: &str, home: &Path) -> bool {
        let ended = self.rpol(home, study, &["run", "study.toml", "--name", study]);
        self.scene.promise(study, |promised| promised.ended.extend(said_to_have_ended(&ended.err)));
        ended.code == Some(0)
    }

    /// One command after the other.
    pub(crate) fn verbs(&mut self) {
        while !self.is_over() {
            let scene = self.scene;
            let line = self.random.below(scene.lines());
            let (study, home) = scene.study(line);
            let file = format!("{study}-{}.jsonl", self.random.below(3));
            match self.random.below(10) {
                0 => drop(self.rpol(home, &study, &["status", &study])),
                1 => drop(self.rpol(home, &study, &["best", &study])),
                2 => drop(self.rpol(home, &study, &["trials", &study])),
                3 => drop(self.rpol(home, &study, &["export", &study, "-o", &file])),
                4 => self.check(home, &study),
                _ => self.ask_and_tell(line),
            }
        }
    }

    fn check(&mut self, home: &Path, study: &str) {
        let Ended { code, err, .. } = self.rpol(home, study, &["fsck", study]);
        // A store that cannot be read just now is not a damaged one.
        if code == Some(1) && err.contains("damaged") && !err.contains("disk") {
            self.processes.breach(format!("fsck while it is worked on: {}", err.trim()));
        }
    }

    /// Everything in a store.
    pub(crate) fn fsck(&mut self, home: &Path) -> Result<(), String> {
        let ended = self.rpol(home, "", &["fsck"]);
        (ended.code == Some(0)).then_some(()).ok_or_else(|| ended.err.trim().into())
    }

    fn ask_and_tell(&mut self, line: usize) {
        let scene = self.scene;
        let (study, home) = scene.study(line);
        let ended = self.rpol(home, &study, &["ask", &study, "--lease", "2s", "--json"]);
        let Some((number, setting)) = asked(&ended) else { return };
        scene.promise(&study, |promised| promised.asked.push((number, setting)));
        let load = setting[0] + setting[1];
        let cost = scene.result(&study, load);
        self.tell(&Measured { study, line, number, cost, load });
    }

    /// Until it is acknowledged, or refused: another result of the trial was faster.
    fn tell(&mut self, result: &Measured) {
        let Measured { study, line, number, cost, load } = result;
        let home = &self.scene.homes()[line % self.scene.homes().len()];
        let (number, values) =
            (number.to_string(), [format!("cost={cost}"), format!("load={load}")]);
        for _ in 0..TRIES {
            let arguments = ["tell", study, &number, &values[0], &values[1]];
            let ended = self.rpol(home, study, &arguments);
            // Said is promised, even if its process was killed right after.
            if ended.code == Some(0) || ended.out.contains("\"told\"") {
                return self.scene.promise(study, |promised| promised.costs.push(*cost));
            }
            if ended.code == Some(2) {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The trial of an answer that came whole.
fn asked(ended: &Ended) -> Option<(u64, [i64; 2])> {
    let answer: Value = serde_json::from_str(&ended.out).ok().filter(|_| ended.code == Some(0))?;
    let param = |name: &str| answer["params"][name].as_i64();
    Some((answer["number"].as_u64()?, [param("x")?, param("y")?]))
}

/// The trials of whole lines such as `trial 3  x=1 y=2  cost=...`.
fn said_to_have_ended(err: &str) -> Vec<u64> {
    let whole = err.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let number = |line: &str| line.strip_prefix("trial ")?.split("  ").next()?.parse().ok();
    whole.lines().filter_map(number).collect()
}
