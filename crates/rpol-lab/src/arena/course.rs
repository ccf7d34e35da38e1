//! What contestants meet: an environment with a name.

use super::error::BadName;
use super::yardstick::Yardstick;
use crate::problem::{self, Delay, Environment, NoiseReading, Problem};

/// An environment with a name, and its sizes.
#[derive(Debug, Clone)]
pub struct Course {
    /// As on the command line.
    pub name: String,
    /// What is played.
    pub environment: Environment,
    /// Of each phase.
    pub yardsticks: Vec<Yardstick>,
}

/// How the courses are laid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conditions {
    /// $T$.
    pub rounds: usize,
    /// Noise on the problems of the literature, as a share of each output's standard deviation over the domain.
    pub noise: f64,
    /// Mean of Poisson delays, in rounds, where a course has none of its own.
    pub delay: Option<f64>,
}

/// The paper's experiments.
pub const PAPER: [&str; 3] = ["classical", "delayed", "drifting"];
/// The classical one with little noise, and in other units: domain x 1,000, $f$ x 10,000, $g$ / 1,000.
pub const VARIANTS: [&str; 2] = ["classical-quiet", "classical-rescaled"];

/// Every course: the paper's, their variants, the problems of the literature.
pub fn names() -> Vec<String> {
    let paper = PAPER.iter().chain(&VARIANTS).map(|name| (*name).to_string());
    paper.chain(problem::all().into_iter().map(|problem| problem.name)).collect()
}

/// Those that a list names, divided by commas; `paper` stands for the paper's experiments, `literature` for the problems of the literature,
/// `all` for every course.
pub fn list(text: &str, conditions: &Conditions) -> Result<Vec<Course>, BadName> {
    let mut wanted: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        match part {
            "all" => wanted.extend(names()),
            "paper" => wanted.extend(PAPER.map(String::from)),
            "literature" => wanted.extend(problem::all().into_iter().map(|p| p.name)),
            name => wanted.push(name.into()),
        }
    }
    let mut courses: Vec<Course> = Vec::new();
    for name in wanted {
        if !courses.iter().any(|course| course.name == name) {
            courses.push(Course::named(&name, conditions)?);
        }
    }
    Ok(courses)
}

impl Course {
    /// The course of that name.
    ///
    /// ```
    /// use rpol_lab::arena::{Conditions, Course};
    /// let conditions = Conditions { rounds: 50, noise: 0.1, delay: Some(3.0) };
    /// let course = Course::named("hartmann6_ball", &conditions);
    /// assert!(course.is_ok_and(|course| course.environment.noise.len() == 2));
    /// assert!(Course::named("gardner", &conditions).unwrap_err().to_string().contains("`gardner1`"));
    /// ```
    ///
    /// # Errors
    /// Where there is none, with the nearest there is.
    pub fn named(name: &str, conditions: &Conditions) -> Result<Self, BadName> {
        let laid = paper(name).or_else(|| literature(name, conditions.noise));
        let mut environment = laid
            .ok_or_else(|| BadName::unknown("problem", name, &names()))?
            .stretched(conditions.rounds);
        let delay = conditions.delay.map(|mean| Delay::Poisson { mean });
        environment.delay = environment.delay.or(delay);
        let yardsticks = environment.phases.iter().map(|p| Yardstick::of(&p.problem)).collect();
        Ok(Self { name: name.into(), environment, yardsticks })
    }

    /// The problem of the first round.
    pub fn problem(&self) -> &Problem {
        self.environment.problem_at(1)
    }

    /// The sizes that hold in `round`.
    pub(super) fn yardstick_at(&self, round: usize) -> &Yardstick {
        &self.yardsticks[self.phase_at(round)]
    }

    /// First round of the last phase that is played.
    pub(super) fn last_phase(&self) -> usize {
        self.environment.phases[self.phase_at(self.environment.horizon)].first_round
    }

    fn phase_at(&self, round: usize) -> usize {
        self.environment.phases.partition_point(|phase| phase.first_round <= round) - 1
    }

    /// The mean over the rounds of something that a phase has.
    pub(super) fn mean_over_rounds(&self, of: impl Fn(&Yardstick) -> f64) -> f64 {
        let rounds = 1..=self.environment.horizon;
        rounds.map(|t| of(self.yardstick_at(t))).sum::<f64>() / self.environment.horizon as f64
    }
}

fn paper(name: &str) -> Option<Environment> {
    let classical = || Environment::classical(NoiseReading::Variance);
    Some(match name {
        "classical" => classical(),
        "delayed" => Environment::delayed(NoiseReading::Variance),
        "drifting" => Environment::drifting(NoiseReading::Variance),
        "classical-quiet" => Environment::classical(NoiseReading::Deviation),
        "classical-rescaled" => classical().rescaled(1e3, 1e4, 1e-3),
        _ => return None,
    })
}

fn literature(name: &str, noise: f64) -> Option<Environment> {
    let problem = problem::by_name(name)?;
    let deviations = Yardstick::of(&problem).deviations;
    let noise = deviations.iter().map(|deviation| noise * deviation).collect();
    Some(Environment { noise, ..Environment::stationary(problem, 1, 0.0) })
}
