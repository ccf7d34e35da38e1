//! The theory by simulation, as a user runs it.
#![cfg(feature = "lab")]
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::Command;

#[test]
fn quick_every_statement_holds_and_every_control_is_detected() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
    let output = command.args(["lab", "verify", "--quick", "--format", "json"]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let of = |family: &str| rows.iter().filter(|row| row["family"] == family).collect::<Vec<_>>();
    let families =
        ["confidence", "penalty", "error_sums", "theorems", "coverage", "growth", "promise"];
    for family in families {
        let own = of(family);
        assert!(!own.is_empty(), "no {family}");
        let wrong: Vec<_> = own.iter().filter(|row| row["as_expected"] != true).collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{errors}");
        assert!(own.iter().all(|row| row["runs"].as_u64().unwrap() > 0));
    }
    let controls = of("control");
    assert_eq!(controls.len(), 5, "{controls:#?}");
    assert!(
        controls.iter().all(|row| row["as_expected"] == true && row["holds"] == false),
        "{controls:#?}"
    );
    assert!(output.status.success(), "{errors}");
}
