//! What goes wrong, at random moments.

use crate::plan::Plan;
use crate::processes::Processes;
use crate::scene::Scene;
use rpol::random::Stream;
use rustix::process::{Resource, Rlimit, Signal, kill_process, prlimit};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Kill,
    Stop,
    Terminate,
    FileLimit,
    FullDisk,
    Clock,
    Derived,
}

pub(crate) const FAULTS: [Fault; 7] = [
    Fault::Kill,
    Fault::Stop,
    Fault::Terminate,
    Fault::FileLimit,
    Fault::FullDisk,
    Fault::Clock,
    Fault::Derived,
];

/// Between two of them, at most.
const PAUSE_MS: f64 = 150.0;
/// How long a process may be stopped.
const STOPPED_S: f64 = 3.0;
/// How long a disk may be full, and another file in the place of one of rpol's.
const IN_THE_WAY_S: f64 = 1.5;
/// How large a file may be, at most, once it is limited; mostly much less.
const LIMIT: f64 = 400_000.0;

impl Fault {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill -9",
            Self::Stop => "stopped for up to 3 s",
            Self::Terminate => "SIGTERM",
            Self::FileLimit => "file size limited",
            Self::FullDisk => "disk full",
            Self::Clock => "clock stepped",
            Self::Derived => "derived file gone or replaced",
        }
    }

    /// The signal by which a process may end that it hurts.
    pub(crate) fn ends_by(self) -> Option<i32> {
        let signal = match self {
            Self::Kill => Signal::KILL,
            Self::Terminate => Signal::TERM,
            Self::FileLimit => Signal::XFSZ,
            _ => return None,
        };
        Some(signal.as_raw())
    }
}

/// How often each came.
#[derive(Default)]
pub(crate) struct Counts(Mutex<BTreeMap<Fault, u64>>);

impl Counts {
    pub(crate) fn add(&self, fault: Fault) {
        *self.0.lock().unwrap().entry(fault).or_default() += 1;
    }

    pub(crate) fn of(&self, fault: Fault) -> u64 {
        self.0.lock().unwrap().get(&fault).copied().unwrap_or_default()
    }
}

pub(crate) struct Injector<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) processes: &'a Processes,
    pub(crate) counts: &'a Counts,
    random: Stream,
    /// When to let whom go on.
    stopped: Vec<(Instant, u64)>,
    /// Files in the way, and when they go.
    in_the_way: Vec<(Instant, PathBuf)>,
}

impl<'a> Injector<'a> {
    pub(crate) fn new(
        plan: &Plan,
        scene: &'a Scene,
        processes: &'a Processes,
        counts: &'a Counts,
    ) -> Self {
        let random = Stream::new(plan.seed, 0);
        Self { scene, processes, counts, random, stopped: Vec::new(), in_the_way: Vec::new() }
    }

    /// Until it is over; then everybody may go on.
    pub(crate) fn run(&mut self, over: &AtomicBool) {
        while !over.load(Ordering::SeqCst) {
            sleep(Duration::from_millis((self.random.uniform() * PAUSE_MS) as u64));
            let fault = FAULTS[self.random.below(FAULTS.len())];
            if self.inject(fault).is_some() {
                self.counts.add(fault);
            }
            self.relent(Instant::now());
        }
        self.relent(Instant::now() + Duration::from_secs(60));
    }

    fn inject(&mut self, fault: Fault) -> Option<()> {
        let (processes, random) = (self.processes, &mut self.random);
        let mut send = |signal: Signal| {
            processes.hurt(fault, random, |pid| {
                let _ = kill_process(pid, signal);
            })
        };
        match fault {
            Fault::Kill => send(Signal::KILL).map(drop),
            Fault::Terminate => send(Signal::TERM).map(drop),
            Fault::Stop => {
                let number = send(Signal::STOP)?;
                let until = self.later(STOPPED_S);
                self.stopped.push((until, number));
                Some(())
            }
            Fault::FileLimit => {
                let size = (random.uniform().powi(3) * LIMIT) as u64;
                let limit = Rlimit { current: Some(size), maximum: None };
                let limited = |pid| {
                    let _ = prlimit(Some(pid), Resource::Fsize, limit);
                };
                processes.hurt(fault, random, limited).map(drop)
            }
            Fault::FullDisk => self.fill(),
            // Whoever starts a process steps its clock.
            Fault::Clock => None,
            Fault::Derived => self.spoil(),
        }
    }

    fn later(&mut self, most: f64) -> Instant {
        Instant::now() + Duration::from_secs_f64(self.random.uniform() * most)
    }

    fn relent(&mut self, now: Instant) {
        let due = |moment: &Instant| *moment <= now;
        for (_, number) in self.stopped.extract_if(.., |(until, _)| due(until)) {
            self.processes.signal(number, Signal::CONT);
        }
        for (_, file) in self.in_the_way.extract_if(.., |(until, _)| due(until)) {
            // It may be gone already.
            let _ = fs::remove_file(file);
        }
    }

    /// Leaves no room, or next to none, on the small disk.
    fn fill(&mut self) -> Option<()> {
        let ballast = self.scene.small()?.join("ballast");
        let mut file = File::create_new(&ballast).ok()?;
        for size in [1 << 20, 1 << 12, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        let spare = (self.random.uniform() * 100_000.0) as u64;
        let length = file.metadata().map(|found| found.len()).unwrap_or_default();
        let _ = file.set_len(length.saturating_sub(spare));
        let until = self.later(IN_THE_WAY_S);
        self.in_the_way.push((until, ballast));
        Some(())
    }

    /// Takes a file away that rpol can make again, or puts another in its place.
    fn spoil(&mut self) -> Option<()> {
        let homes = self.scene.homes();
        let home = &homes[self.random.below(homes.len())];
        let files: Vec<PathBuf> = fs::read_dir(home).ok()?.flatten().map(|f| f.path()).collect();
        let files: Vec<&PathBuf> = files.iter().filter(|path| is_derived(path)).collect();
        let path = files.get(self.random.below(files.len().max(1)))?;
        if self.random.uniform() < 0.5 {
            return fs::remove_file(path).ok();
        }
        fs::write(path, "another").ok()?;
        let until = self.later(IN_THE_WAY_S);
        self.in_the_way.push((until, path.to_path_buf()));
        Some(())
    }
}

/// Neither a store, nor what a user wrote.
fn is_derived(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let kept = ["study.toml", "measure.sh", "ballast", "rpol.db", "rpol.db-wal", "rpol.db-shm"];
    !kept.contains(&name)
}
