//! Every `--help`, pinned: `RPOL_UPDATE_GOLDEN=1 cargo test -p rpol-cli --test help` rewrites them.
#![allow(clippy::unwrap_used)]

mod verbs;

use std::path::{Path, PathBuf};
use verbs::Folder;

/// Whether `rpol lab` is part of this build.
const HAS_LAB: bool = cfg!(feature = "lab");

/// Where a page is pinned: as in `src`, the verbs on a store and the commands of the lab have folders of their own.
fn golden(command: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_verb = root.join(format!("src/verbs/{command}.rs")).exists();
    let file = match command.strip_prefix("lab ") {
        Some(command) => format!("lab/{command}.txt"),
        None if is_verb => format!("verbs/{command}.txt"),
        None => format!("{command}.txt"),
    };
    root.join("tests/golden/help").join(file)
}

/// The commands that `rpol --help` lists.
fn commands(help: &str) -> Vec<&str> {
    let rows = help.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next());
    rows.flat_map(|names| names.split(", ")).collect()
}

/// Every command as it is typed, and its page.
fn pages(folder: &Folder) -> Vec<(String, String)> {
    let all = folder.ok(&["--help"]);
    let lab = if HAS_LAB { folder.ok(&["lab", "--help"]) } else { String::new() };
    let of_lab = lab.lines().skip_while(|line| *line != "Commands:").skip(1);
    let of_lab = of_lab.take_while(|line| !line.is_empty());
    let of_lab = of_lab.filter_map(|line| line.split_whitespace().next());
    let names = commands(&all).into_iter().map(String::from);
    let of_lab = of_lab.filter(|name| *name != "help").map(|name| format!("lab {name}"));
    let page = |name: String| {
        let typed: Vec<&str> = name.split(' ').chain(["--help"]).collect();
        let page = folder.ok(&typed);
        (name, page)
    };
    names.chain(of_lab).map(page).chain([("rpol".into(), all.clone())]).collect()
}

#[test]
#[cfg(feature = "lab")]
fn every_help_is_as_pinned() {
    let pages = pages(&Folder::new());
    assert!(pages.len() > 25, "{}", pages.len());
    for (name, page) in pages {
        let page: String = page.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        if std::env::var_os("RPOL_UPDATE_GOLDEN").is_some() {
            std::fs::write(golden(&name), page).unwrap();
            continue;
        }
        let pinned = std::fs::read_to_string(golden(&name)).unwrap_or_default();
        assert_eq!(page, pinned, "{name}: RPOL_UPDATE_GOLDEN=1 pins it");
    }
}

#[test]
fn the_help_fits_a_screen() {
    let folder = Folder::new();
    let help = folder.ok(&["--help"]);
    assert!(help.lines().count() <= 24, "{} lines:\n{help}", help.lines().count());
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    for same in ["-h", "help"] {
        assert_eq!(folder.ok(&[same]), help);
    }
}

#[test]
fn what_help_says_can_be_typed() {
    let pages = pages(&Folder::new());
    let names: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
    for (_, page) in &pages {
        let examples = page.lines().skip_while(|line| *line != "Examples:").skip(1);
        for line in examples.filter(|line| line.trim_start().starts_with("rpol ")) {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            let typed = if words[0] == "lab" { words[..2].join(" ") } else { words[0].into() };
            assert!(names.contains(&&typed), "{line}");
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
    if HAS_LAB {
        assert!(folder.read("deep/man1/rpol-lab-arena.1").contains(".SH SYNOPSIS"));
    }
    assert_eq!(folder.ok(&["man"]), folder.read("deep/man1/rpol.1"));
    folder.write("file", "");
    assert_eq!(folder.run(&["man", "file"]).code, 1);
}
