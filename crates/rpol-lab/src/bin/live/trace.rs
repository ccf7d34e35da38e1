//! Runs round by round.

use anyhow::Result;
use rpol::{Params, Value};
use rpol_lab::live::{Player, Round, Score, System, Tournament, Yardstick, play};

/// Plays every run and prints every round of it.
pub(super) fn all(tournament: &Tournament) -> Result<()> {
    for system in &tournament.systems {
        let yardstick = Yardstick::of(system);
        for player in &tournament.players {
            for seed in tournament.seeds.clone() {
                one(system, player, &yardstick, seed, tournament.rounds)?;
            }
        }
    }
    Ok(())
}

fn one(
    system: &System,
    player: &Player,
    yardstick: &Yardstick,
    seed: u64,
    rounds: usize,
) -> Result<()> {
    println!("{} on {} under seed {seed}", player.name(), system.name);
    let spec = player.spec(system, seed, rounds)?;
    let played = play(system, spec, seed, rounds, |round| {
        println!("{}", line(system, round));
        true
    })?;
    let Some(run) = played else { return Ok(()) };
    let score = Score::of(system, yardstick, &run);
    let truth = system.truth(&run.recommended, system.phases() - 1);
    let (setting, means, over) = (short(&run.recommended), truth.means, truth.over);
    println!("recommended {setting} truly {means:.4?} over {over:.3} gain {:.3}", score.gain);
    println!("over {:.3} V {:.4} of random's", score.over, score.normal_violation);
    Ok(())
}

fn line(system: &System, round: &Round) -> String {
    let names = system.spec.metrics();
    let values = names.iter().zip(&round.metrics).map(|(name, value)| format!("{name}={value:.4}"));
    let result = match &round.failed {
        Some(reason) => format!("FAILED {reason}"),
        None => values.collect::<Vec<_>>().join(" "),
    };
    let over = if round.is_over() { "OVER" } else { "" };
    let (number, by) = (round.round, &round.by);
    format!("{number:>3} {over:>4} {by:<10} {} | {result}", short(&round.params))
}

fn short(params: &Params) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::Float(x) => format!("{name}={x:.4}"),
        other => format!("{name}={other}"),
    };
    params.iter().map(one).collect::<Vec<_>>().join(" ")
}
