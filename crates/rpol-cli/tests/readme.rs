//! The README's example is the one that the library's documentation runs.

#[test]
fn the_readme_shows_the_tested_example() {
    let readme = include_str!("../../../README.md");
    let library = include_str!("../../rpol/src/lib.rs");
    let documentation: Vec<&str> =
        library.lines().map(|line| line.trim_start_matches("//!").trim_start()).collect();
    let examples: Vec<&str> =
        readme.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 1, "the README has an example in Rust");
    for line in examples.iter().flat_map(|example| example.lines()) {
        assert!(documentation.contains(&line.trim_start()), "not in lib.rs: {line}");
    }
}
