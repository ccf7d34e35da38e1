//! Results for other programs.

use super::Report;
use crate::arena::{Contestant, Course, Standing};
use crate::paper::VERSION;
use crate::problem::Delay;
use serde_json::{Value, json};

/// Everything: the command and its settings, the overall standings, and of every problem its sizes and the standing of
/// every algorithm with the score of every seed.
pub fn results(report: &Report<'_>) -> Value {
    let courses = report.tournament.courses.iter().zip(report.standings);
    let courses =
        courses.map(|(c, standings)| course(c, &report.tournament.contestants, standings));
    json!({
        "version": VERSION,
        "command": report.command,
        "rounds": report.conditions.rounds,
        "seeds": report.tournament.seeds,
        "noise": report.conditions.noise,
        "delay": report.conditions.delay,
        "overall": report.overall,
        "problems": courses.collect::<Vec<Value>>(),
    })
}

fn course(course: &Course, contestants: &[Contestant], standings: &[Standing]) -> Value {
    let environment = &course.environment;
    let phases = environment.phases.iter().zip(&course.yardsticks);
    let phase = |(phase, yardstick): (&crate::problem::Phase, _)| {
        json!({
            "first_round": phase.first_round,
            "problem": phase.problem.name,
            "optimum": phase.problem.optimum.value,
            "sizes": yardstick,
        })
    };
    let algorithm = |(contestant, standing): (&Contestant, &Standing)| {
        let mut value = json!(standing);
        value["name"] = json!(contestant.name);
        value
    };
    json!({
        "name": course.name,
        "source": environment.source,
        "dimensions": course.problem().dims(),
        "constraints": course.problem().constraints.len(),
        "noise": environment.noise,
        "mean_delay": environment.delay.map(|Delay::Poisson { mean }| mean),
        "phases": phases.map(phase).collect::<Vec<Value>>(),
        "algorithms": contestants.iter().zip(standings).map(algorithm).collect::<Vec<Value>>(),
    })
}
