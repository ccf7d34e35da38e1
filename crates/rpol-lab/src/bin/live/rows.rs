//! Runs as rows for spreadsheets.

use rpol_lab::live::{Score, Standing};

const HEADER: &str = "system,player,seed,over,over_late,failures,normal_violation,gain,sound,recommended_over,best_feasible,risk,kept,ask_ms,violation";

/// A row for each run, seeds counted from the first.
pub(super) fn runs(standings: &[Standing], first: u64) -> String {
    let mut lines = vec![HEADER.to_string()];
    for standing in standings {
        let (system, player) = (&standing.system, standing.player.replace('"', "\"\""));
        for (seed, score) in (first..).zip(&standing.scores) {
            lines.push(format!("{system},\"{player}\",{seed},{}", cells(score)));
        }
    }
    lines.join("\n") + "\n"
}

fn cells(s: &Score) -> String {
    let best = s.best_feasible.map_or(String::new(), |best| best.to_string());
    let violation: Vec<String> = s.violation.iter().map(f64::to_string).collect();
    [
        s.over.to_string(),
        s.over_late.to_string(),
        s.failures.to_string(),
        s.normal_violation.to_string(),
        s.gain.to_string(),
        s.sound.to_string(),
        s.recommended_over.to_string(),
        best,
        s.risk.to_string(),
        s.kept.to_string(),
        s.ask_ms.to_string(),
        violation.join(" "),
    ]
    .join(",")
}
