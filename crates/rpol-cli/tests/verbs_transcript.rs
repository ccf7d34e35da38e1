//! A study's life from the shell, pinned: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test verbs_transcript`
//! rewrites it. Times are masked.
#![allow(clippy::unwrap_used)]

mod verbs;

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
    verbs::masked(&transcript)
}

#[test]
fn the_session_is_as_pinned() {
    let pinned = std::fs::read_to_string(GOLDEN).unwrap();
    let played = played(&commands(&pinned));
    if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &played).unwrap();
        return;
    }
    verbs::compare(&pinned, &played);
}
