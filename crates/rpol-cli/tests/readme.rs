//! The README's example is the one that the library's documentation runs.

#[test]
fn the_readme_shows_the_tested_example() {
    let readme = include_str!("../../../README.md");
    let library = include_str!("../../rpol/src/lib.rs");
    let documentation: Vec<&str> =
        library.lines().map(|line| line.trim_start_matches("//!").trim_start()).collect();
    let example = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = example.expect("the README has an example in Rust");
    for line in example.lines() {
        assert!(documentation.contains(&line.trim_start()), "not in lib.rs: {line}");
    }
}
