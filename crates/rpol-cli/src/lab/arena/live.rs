//! The live course in the arena.

use super::live_sheets::{self, standings};
use super::{Args, BAR};
use crate::BadInput;
use crate::common::output::{self, say};
use crate::common::table::Format;
use crate::lab::batch::{bar, played, stop_on_interrupt, threads, writable};
use anyhow::Result;
use rpol_lab::arena::contestants;
use rpol_lab::live::report::{self, Report};
use rpol_lab::live::{Player, Tournament, list, names};

/// Rounds where nobody says.
const ROUNDS: u64 = 60;
/// What stands before the name of a system, so that it can be told from a problem.
const PREFIX: &str = "live:";

/// The systems that a list of problems names; `None` where it names none.
///
/// # Errors
/// Where it names systems and problems, which are judged by different numbers.
pub(super) fn wanted(problems: &str) -> Result<Option<String>> {
    let parts = || problems.split(',').map(str::trim);
    let systems: Vec<&str> = parts().filter_map(system).collect();
    if systems.is_empty() {
        return Ok(None);
    }
    if let Some(other) = parts().find(|part| system(part).is_none()) {
        let problem = format!(
            "--problems: `{other}` is no live system, and those are judged by other numbers: play them in a call of their own"
        );
        return Err(BadInput(problem).into());
    }
    Ok(Some(systems.join(",")))
}

fn system(part: &str) -> Option<&str> {
    match part {
        "live" => Some("all"),
        name if names().contains(&name) => Some(name),
        other => other.strip_prefix(PREFIX),
    }
}

/// Plays the systems and writes what came of it.
pub(super) fn run(args: &Args, systems: &str) -> Result<()> {
    let tournament = tournament(args, systems)?;
    tournament.check().map_err(|error| BadInput(format!("{error:#}")))?;
    writable(&args.out)?;
    let stop = stop_on_interrupt()?;
    let (all, threads) = (tournament.runs(), threads(args.jobs));
    say!("playing {all} runs on {threads} threads");
    let bar = bar(tournament.effort(), BAR);
    let ending = tournament.play(threads, &stop, &|effort| bar.inc(effort));
    bar.finish_and_clear();
    let standings = played(ending?, all)?;
    let command = args.live_command(tournament.rounds);
    let report = Report { tournament: &tournament, standings: &standings, command };
    report::write(&report, &args.out)?;
    live_sheets::write(&report, &args.out)?;
    say!("wrote {}", args.out.join("report.html").display());
    output::text(&match args.format {
        Format::Table => report::table(&report),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&report::results(&report))?),
        Format::Csv => self::standings(&report).csv(),
    })
}

fn tournament(args: &Args, systems: &str) -> Result<Tournament> {
    for (given, option) in [(args.noise, "--noise"), (args.delay, "--delay")] {
        if given.is_some() {
            let problem = format!("{option}: live systems have their own: leave it out");
            return Err(BadInput(problem).into());
        }
    }
    let refused = |option: &'static str| move |error| BadInput(format!("{option}: {error}"));
    let players = contestants(&args.algorithms).map_err(|error| error.to_string());
    let players = players.map_err(refused("--algorithms"))?.into_iter().map(Player::from).collect();
    let systems =
        list(systems).map_err(|error| error.to_string()).map_err(refused("--problems"))?;
    let rounds = args.rounds.unwrap_or(ROUNDS) as usize;
    Ok(Tournament { systems, players, seeds: 0..args.seeds, rounds })
}
