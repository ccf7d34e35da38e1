//! The demo from outside, as a user meets it.

use std::process::{Command, Output};

fn rpol(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    command.args(arguments.split_whitespace()).output().expect("the program starts")
}

fn stdout(arguments: &str) -> String {
    let output = rpol(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The number that follows `before` in `text`.
fn number(text: &str, before: &str) -> f64 {
    let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("no {before} in\n{text}"));
    let number = rest.split_whitespace().next().expect("a number follows");
    number.trim_end_matches(';').parse().expect("a number")
}

#[test]
fn prints_the_account_the_map_and_the_series() {
    let text = stdout("lab demo --rounds 5");
    let account = ["known optimum        f = -0.2532 at (4.7124, 1.2532)", "best feasible tried"];
    let numbers = ["R+/T = ", "V/T = ", " of 5, ", "Q = "];
    let pictures = ["░", "★", "violation V(t)  ", "penalty Q  "];
    for part in account.iter().chain(&numbers).chain(&pictures) {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(!text.contains('\x1b'), "no colour codes in a pipe");
}

#[test]
fn every_point_has_its_digit_on_the_map() {
    let text = stdout("lab demo --rounds 5");
    let rows = text.lines().filter_map(|line| line.split('│').nth(1));
    let digits: String = rows.flat_map(str::chars).filter(char::is_ascii_digit).collect();
    let mut digits: Vec<char> = digits.chars().collect();
    digits.sort_unstable();
    assert_eq!(digits, ['0', '2', '4', '6', '8'], "{text}");
}

#[test]
fn is_decided_by_the_seed() {
    assert_eq!(stdout("lab demo --rounds 12 --seed 3"), stdout("lab demo --rounds 12 --seed 3"));
    assert_ne!(stdout("lab demo --rounds 12 --seed 3"), stdout("lab demo --rounds 12 --seed 4"));
}

#[test]
fn learns() {
    let text = stdout("lab demo --rounds 200");
    assert!(number(&text, "second half ") < 0.5 * number(&text, "V/T = "), "{text}");
    assert!(number(&text, "best feasible tried  f = ") > -1.0, "{text}");
    assert!(number(&text, "Q = ") > 1.5, "the penalty has grown: {text}");
}

#[test]
fn writes_the_picture() {
    let path = std::env::temp_dir().join(format!("rpol-demo-{}.svg", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_rpol"))
        .args(["lab", "demo", "--rounds", "8", "--svg"])
        .arg(&path)
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let picture = std::fs::read_to_string(&path).expect("written");
    std::fs::remove_file(&path).expect("ours to remove");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{picture}");
    assert_eq!(picture.matches("<circle").count(), 8 + 2, "eight points, two in the legend");
}

#[test]
fn wrong_usage_exits_with_2_and_failure_with_1() {
    assert_eq!(rpol("lab demo --no-such-flag").status.code(), Some(2));
    assert_eq!(rpol("lab demo --rounds 0").status.code(), Some(2));
    assert_eq!(rpol("").status.code(), Some(2));
    let failed = rpol("lab demo --rounds 1 --svg no/such/folder/demo.svg");
    assert_eq!(failed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("cannot write"));
}

#[test]
fn help_says_what_there_is() {
    assert!(stdout("lab --help").contains("demo"));
    let help = stdout("lab demo --help");
    for part in ["--rounds", "--seed", "--svg", "2 % of the square"] {
        assert!(help.contains(part), "no {part} in\n{help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn lab_may_be_left_out() {
    assert_eq!(stdout("demo --rounds 5"), stdout("lab demo --rounds 5"));
    assert_eq!(stdout("demo --help"), stdout("lab demo --help"));
    assert_eq!(stdout("help demo"), stdout("help lab demo"));
    assert_eq!(rpol("demo --no-such-flag").status.code(), Some(2));
}
