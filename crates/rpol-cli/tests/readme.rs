//! What the README shows is what happens.
#![allow(clippy::unwrap_used)]

use rpol::Spec;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const README: &str = include_str!("../../../README.md");

/// The block of code of a section.
fn block(section: &str, language: &str) -> &'static str {
    let (_, section) = README.split_once(&format!("\n## {section}\n")).expect(section);
    let (_, rest) = section.split_once(&format!("```{language}\n")).expect(language);
    rest.split_once("```").unwrap().0
}

#[test]
fn the_readme_shows_the_tested_example() {
    let library = include_str!("../../rpol/src/lib.rs");
    let documentation: Vec<&str> =
        library.lines().map(|line| line.trim_start_matches("//!").trim_start()).collect();
    assert_eq!(README.matches("```rust\n").count(), 1, "the README has an example in Rust");
    for line in block("Rust", "rust").lines() {
        assert!(documentation.contains(&line.trim_start()), "not in lib.rs: {line}");
    }
}

#[test]
fn the_example_is_a_study() {
    let spec = Spec::from_file_text(block("Example", "toml"), "example").unwrap();
    assert!(spec.run.is_some() && spec.baseline.is_some());
}

/// Line by line as a user would type it, in an empty folder and with nothing else set.
#[cfg(unix)]
#[test]
fn the_shell_block_runs_as_printed() {
    let (folder, mut outputs) = (Empty::new("shell"), 0);
    for line in block("Shell", "sh").lines() {
        let out = folder.shell(line);
        // The other comments say what a line is for.
        if let Some((_, shown)) = line.split_once("# {") {
            let shown = format!("{{{}", shown.split_once("; ").map_or(shown, |(json, _)| json));
            assert_eq!(out.trim_end(), shown, "{line}");
            outputs += 1;
        }
    }
    assert!(outputs > 0, "an output is shown");
    assert!(folder.0.join("contour.svg").exists() && folder.0.join("cache.html").exists());
}

/// A folder with nothing in it, gone at the end.
struct Empty(PathBuf);

impl Empty {
    fn new(name: &str) -> Self {
        let name = format!("readme-{}-{name}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// What a line prints, which must go well.
    fn shell(&self, line: &str) -> String {
        let programs = Path::new(env!("CARGO_BIN_EXE_rpol")).parent().unwrap();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]).current_dir(&self.0).stdin(Stdio::null());
        shell.env_clear().env("PATH", format!("{}:/usr/bin", programs.display()));
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
