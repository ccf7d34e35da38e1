//! The process that runs a target on one input after another.

use crate::mutate::Mutator;
use crate::order::Order;
use crate::targets::{Run, TARGETS};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The input in hand, in the folder of the process.
pub(crate) const CURRENT: &str = "current";
const MEMORY: u64 = 500 << 20;
/// That of a program's first thread.
const STACK: usize = 8 << 20;
/// Also one that uses no CPU time must end.
const PATIENCE: Duration = Duration::from_secs(60);
/// Inputs that led to something new are kept up to this length.
const KEPT: usize = 64 << 10;

/// When the input in hand was begun: CPU time of the process in milliseconds.
static BEGAN: AtomicU64 = AtomicU64::new(0);
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

/// What a worker has to say.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) executions: u64,
    pub(crate) peak_mb: u64,
    pub(crate) kinds: u64,
}

impl Done {
    /// The last account in what it printed.
    pub(crate) fn read(out: &str) -> Self {
        let line = out.lines().rfind(|line| line.starts_with("fuzzed "));
        let numbers = line.into_iter().flat_map(|line| line.split(' ').skip(1));
        let mut numbers = numbers.filter_map(|text| text.parse().ok());
        let mut next = || numbers.next().unwrap_or_default();
        Self { executions: next(), peak_mb: next(), kinds: next() }
    }
}

fn say(kinds: usize) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb: u64 = peak.and_then(|p| p.split_whitespace().next()?.parse().ok()).unwrap_or_default();
    println!("\nfuzzed {} {} {kinds}", EXECUTIONS.load(Ordering::SeqCst), kb >> 10);
}

pub(crate) fn run(order: &Order) {
    let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
    setrlimit(Resource::As, limit).unwrap();
    let order = order.clone();
    let limit = Duration::from_millis(order.limit_ms);
    let played = thread::Builder::new().stack_size(STACK).spawn(move || play(&order)).unwrap();
    let (mut number, mut since) = (0, Instant::now());
    while !played.is_finished() {
        thread::sleep(Duration::from_millis(20));
        let now = EXECUTIONS.load(Ordering::SeqCst);
        if now != number {
            (number, since) = (now, Instant::now());
        }
        let began = Duration::from_millis(BEGAN.load(Ordering::SeqCst));
        if cpu_time().saturating_sub(began) > limit || since.elapsed() > PATIENCE {
            eprintln!("it takes longer than {limit:?}");
            std::process::exit(3);
        }
    }
    // A panic has been printed by now.
    if played.join().is_err() {
        std::process::exit(101);
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn play(order: &Order) {
    let target = of_name(&order.target);
    let current = File::create(Path::new(CURRENT)).unwrap();
    let mut mutator = Mutator::new(&order.target, order.seed);
    let (until, mut kinds) = (Instant::now() + Duration::from_secs(order.seconds), HashSet::new());
    let firsts = mutator.inputs();
    for number in 0.. {
        let is_over = match order.seconds {
            0 => number >= order.executions,
            _ => Instant::now() >= until,
        };
        if is_over {
            break;
        }
        // The first inputs as they are.
        let first = firsts.get(number as usize).cloned();
        let input = first.unwrap_or_else(|| mutator.next());
        current.set_len(0).unwrap();
        current.write_all_at(&input, 0).unwrap();
        BEGAN.store(cpu_time().as_millis() as u64, Ordering::SeqCst);
        EXECUTIONS.fetch_add(1, Ordering::SeqCst);
        if kinds.insert(kind(&target(&input))) && input.len() <= KEPT {
            mutator.learn(input);
        }
        if number % 256 == 0 {
            say(kinds.len());
        }
    }
    say(kinds.len());
}

fn of_name(name: &str) -> Run {
    let known = TARGETS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| faulty(name), |(_, run)| *run)
}

/// Targets with the faults that are looked for.
fn faulty(name: &str) -> Run {
    match name {
        "panics" => |_| panic!("on purpose"),
        "hangs" => |data| {
            while data.len() < usize::MAX {
                std::hint::spin_loop();
            }
            String::new()
        },
        "grows" => |data| format!("{:?}", vec![data.len() as u8 | 1; 1 << 30].last()),
        _ => panic!("{name} is no target"),
    }
}

/// A hash of what came of an input, without its numbers and names: two inputs of a kind teach nothing new.
fn kind(said: &str) -> u64 {
    let letters = said.chars().filter(|c| !c.is_ascii_digit() && *c != '.' && *c != '-');
    let text: String = letters.take(2_000).collect();
    let mut hasher = DefaultHasher::new();
    text.split('"').step_by(2).for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}
