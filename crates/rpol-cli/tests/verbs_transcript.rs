//! A study's life from the shell, pinned: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test verbs_transcript`
//! rewrites it. Times are masked.
#![allow(clippy::unwrap_used)]

mod verbs;

use regex::Regex;
use std::fmt::Write;
use verbs::{CACHE, Folder};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/verbs.txt");

fn commands(transcript: &str) -> Vec<&str> {
    transcript.lines().filter_map(|line| line.strip_prefix("$ rpol ")).collect()
}

fn played(commands: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("cache.toml", CACHE);
    let mut transcript = String::new();
    for command in commands {
        let said = folder.run(&command.split(' ').collect::<Vec<_>>());
        writeln!(transcript, "$ rpol {command}").unwrap();
        write!(transcript, "{}{}", said.err, said.out.replace('\r', "")).unwrap();
        if said.code != 0 {
            writeln!(transcript, "exit code {}", said.code).unwrap();
        }
    }
    masked(&transcript)
}

fn masked(transcript: &str) -> String {
    let moment = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z").unwrap();
    let milliseconds = Regex::new(r#""(at|until)":\d+"#).unwrap();
    let transcript = moment.replace_all(transcript, "YYYY-MM-DDThh:mm:ss.mmmZ");
    milliseconds.replace_all(&transcript, "\"$1\":0").into_owned()
}

#[test]
fn the_session_is_as_pinned() {
    let pinned = std::fs::read_to_string(GOLDEN).unwrap();
    let played = played(&commands(&pinned));
    if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &played).unwrap();
        return;
    }
    for (pinned, played) in pinned.lines().zip(played.lines()) {
        assert!(pinned == played || close(pinned, played), "{pinned}\n{played}");
    }
    assert_eq!(pinned.lines().count(), played.lines().count());
}

/// Another processor rounds the model's sums differently; nothing else may differ.
fn close(a: &str, b: &str) -> bool {
    let number = Regex::new(r"-?\d+\.\d+(e-?\d+)?").unwrap();
    let values = |line: &str| -> Vec<f64> {
        number.find_iter(line).map(|found| found.as_str().parse().unwrap()).collect()
    };
    let near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-3 * a.abs().max(b.abs()).max(1e-3);
    let (texts, numbers) = ([a, b].map(|line| number.replace_all(line, "#")), [a, b].map(values));
    let [ours, theirs] = numbers;
    texts[0] == texts[1] && ours.into_iter().zip(theirs).all(near)
}
