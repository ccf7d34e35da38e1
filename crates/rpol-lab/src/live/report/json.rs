//! Results for other programs.

use super::Report;
use crate::live::system::System;
use crate::paper::VERSION;
use serde_json::{Value, json};

/// Everything: the command, and of every system what it is and the standing of every player with the score of every seed.
pub fn results(report: &Report<'_>) -> Value {
    let tournament = report.tournament;
    let of = |system: &System| {
        let standings = report.standings.iter().filter(|s| s.system == system.name);
        let limits: Vec<String> = system.limits().iter().map(ToString::to_string).collect();
        let best = system.best.iter();
        json!({
            "name": system.name,
            "about": system.about,
            "limits": limits,
            "baseline": system.baseline,
            "best": best.map(|b| json!({"params": b.params, "objective": b.objective})).collect::<Vec<_>>(),
            "players": standings.collect::<Vec<_>>(),
        })
    };
    json!({
        "version": VERSION,
        "command": report.command,
        "rounds": tournament.rounds,
        "seeds": tournament.seeds.end - tournament.seeds.start,
        "overall": report.overall(),
        "systems": tournament.systems.iter().map(of).collect::<Vec<_>>(),
    })
}
