//! Any bytes at every door: nothing panics, hangs, or takes much memory. `cargo xtask fuzz` does more of the same.
//!
//! Each target runs in a process of its own with bounded memory. The input in hand is in a file, so that what ended the
//! process is known.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod mutate;
mod order;
#[path = "../../../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
mod targets;
mod worker;

use order::Order;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use worker::Done;

/// After so many findings the rest can wait.
const ENOUGH: usize = 10;

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// What came of one target.
#[derive(Default)]
struct Account {
    executions: u64,
    peak_mb: u64,
    kinds: u64,
    findings: Vec<String>,
}

/// Runs a target, begun again with another seed after each finding.
fn fuzz(target: &str, order: &Order) -> Account {
    let (began, mut account) = (Instant::now(), Account::default());
    let mut order = Order { target: target.into(), ..order.clone() };
    loop {
        let folder = scratch(target);
        let output = spawned(&order, &folder);
        let done = Done::read(&String::from_utf8_lossy(&output.stdout));
        account.executions += done.executions;
        account.peak_mb = account.peak_mb.max(done.peak_mb);
        account.kinds = account.kinds.max(done.kinds);
        if output.status.success() {
            let _ = fs::remove_dir_all(folder);
            return account;
        }
        account.findings.push(finding(target, &order, &output, &folder));
        let _ = fs::remove_dir_all(folder);
        let left = order.seconds.saturating_sub(began.elapsed().as_secs());
        if account.findings.len() >= ENOUGH || order.seconds == 0 || left == 0 {
            return account;
        }
        order.seconds = left;
        order.seed += 1_000;
    }
}

fn scratch(target: &str) -> PathBuf {
    let name = format!("rpol-fuzz-{target}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn spawned(order: &Order, folder: &Path) -> Output {
    let mut worker = Command::new(std::env::current_exe().unwrap());
    worker.args(["fuzz_worker", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    worker.env(order::WORKER, order.to_string()).env("TMPDIR", folder).current_dir(folder);
    worker.stdin(Stdio::null()).output().unwrap()
}

/// Keeps the input that ended a worker, and says how.
fn finding(target: &str, order: &Order, output: &Output, folder: &Path) -> String {
    let input = fs::read(folder.join(worker::CURRENT)).unwrap_or_default();
    let kept = fuzz_folder().join("artifacts").join(target);
    let path = kept.join(format!("seed-{}", order.seed));
    let kept = fs::create_dir_all(&kept).and_then(|()| fs::write(&path, &input));
    let shown: String = String::from_utf8_lossy(&input).chars().take(300).collect();
    let (place, said) = (path.display(), String::from_utf8_lossy(&output.stderr));
    let status = output.status;
    format!("{target}: {status}, {said}\n  input {place} ({kept:?}): {shown:?}")
}

#[test]
fn no_input_panics_hangs_or_takes_much_memory() {
    let order = Order::asked();
    let mut findings = Vec::new();
    let wanted = |target: &&str| order.target.is_empty() || order.target == *target;
    let wanted: Vec<&str> =
        targets::TARGETS.map(|(target, _)| target).into_iter().filter(wanted).collect();
    assert!(!wanted.is_empty(), "{:?} is no target", order.target);
    for target in wanted {
        let began = Instant::now();
        let account = fuzz(target, &order);
        let Account { executions, peak_mb, kinds, .. } = account;
        let took = began.elapsed().as_secs_f64();
        let found = account.findings.len();
        println!(
            "{target:<10} {executions:>9} executions in {took:.1} s, {kinds} kinds of outcome, {peak_mb} MB at most, {found} findings"
        );
        assert!(executions > 0 || found > 0, "{target} did nothing");
        findings.extend(account.findings);
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

/// One target in a process of its own, started by the test above.
#[test]
#[ignore = "only as a process of the test above"]
fn fuzz_worker() {
    if let Some(order) = Order::of_worker() {
        worker::run(&order);
    }
}

/// What a worker that panics, hangs or takes too much leaves behind is found.
#[test]
fn the_checks_see_a_panic_a_hang_and_too_much_memory() {
    for target in ["panics", "hangs", "grows"] {
        let order = Order { executions: 5, limit_ms: 200, ..Order::default() };
        let account = fuzz(target, &order);
        assert_eq!(account.findings.len(), 1, "{target}");
        let kept = fuzz_folder().join("artifacts").join(target);
        assert!(kept.join("seed-1").exists());
        fs::remove_dir_all(kept).unwrap();
    }
}
