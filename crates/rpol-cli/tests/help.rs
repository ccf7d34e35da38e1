//! Every `--help`, pinned: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test help` rewrites them.
#![allow(clippy::unwrap_used)]

mod verbs;

use std::path::{Path, PathBuf};
use verbs::Folder;

fn golden(command: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/help");
    Path::new(folder).join(format!("{command}.txt"))
}

/// The commands that `rpol --help` lists.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        lines.take_while(|line| !line.is_empty()).filter_map(|l| l.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

#[test]
fn every_help_is_as_pinned() {
    let folder = Folder::new();
    let all = folder.ok(&["--help"]);
    let mut pages = vec![("rpol", all.clone())];
    pages.extend(commands(&all).into_iter().map(|name| (name, folder.ok(&[name, "--help"]))));
    assert!(pages.len() > 18, "{}", pages.len());
    for (name, page) in pages {
        let page: String = page.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
            std::fs::write(golden(name), page).unwrap();
            continue;
        }
        let pinned = std::fs::read_to_string(golden(name)).unwrap_or_default();
        assert_eq!(page, pinned, "{name}: RPOL_UPDATE_GOLDEN=1 pins it");
    }
}

#[test]
fn what_help_says_can_be_typed() {
    let folder = Folder::new();
    let all = folder.ok(&["--help"]);
    let names = commands(&all);
    for page in std::iter::once(&all)
        .chain(&names.iter().map(|n| folder.ok(&[n, "--help"])).collect::<Vec<_>>())
    {
        let examples = page.lines().skip_while(|line| *line != "Examples:").skip(1);
        for line in examples.filter(|line| line.trim_start().starts_with("rpol ")) {
            let verb = line.split_whitespace().nth(1).unwrap();
            assert!(names.contains(&verb), "{line}");
        }
    }
}

#[test]
fn shells_are_told_of_every_command() {
    let folder = Folder::new();
    let help = folder.ok(&["--help"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.ok(&["completions", shell]);
        for name in commands(&help) {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    assert_eq!(folder.run(&["completions", "dos"]).code, 2);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = Folder::new();
    folder.ok(&["man", "deep/man1"]);
    let help = folder.ok(&["--help"]);
    for name in commands(&help) {
        let page = folder.read(&format!("deep/man1/rpol-{name}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert_eq!(folder.ok(&["man"]), folder.read("deep/man1/rpol.1"));
    folder.write("file", "");
    assert_eq!(folder.run(&["man", "file"]).code, 1);
}
