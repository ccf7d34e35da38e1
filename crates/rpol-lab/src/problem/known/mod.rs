//! The literature's problems: one file a problem or a family.

pub mod ackley;
pub mod branin;
pub mod gardner;
pub mod gomez_levy;
pub mod gramacy;
pub mod hartmann;
pub mod keane;
pub mod mishra_bird;
pub mod paper;
pub mod pressure_vessel;
pub mod rosenbrock;
pub mod simionescu;
pub mod speed_reducer;
pub mod spring;
pub mod townsend;
pub mod welded_beam;

use super::Problem;

/// Every known problem, each under its own name.
pub fn all() -> Vec<Problem> {
    vec![
        paper::phase1(),
        paper::phase2(),
        paper::phase3(),
        gardner::first(),
        gardner::second(),
        gramacy::toy(),
        branin::disk(),
        townsend::modified(),
        mishra_bird::disk(),
        rosenbrock::cubic_line(),
        keane::bump2(),
        simionescu::simionescu(),
        gomez_levy::modified(),
        ackley::scbo(2),
        ackley::scbo(5),
        ackley::scbo(10),
        hartmann::ball(),
        hartmann::budget(),
        spring::spring(),
        pressure_vessel::continuous(),
        welded_beam::welded_beam(),
        speed_reducer::continuous(),
    ]
}

/// The problem of that name.
///
/// ```
/// use rpol_lab::problem::by_name;
/// assert_eq!(by_name("gardner1").map(|p| p.dims()), Some(2));
/// assert!(by_name("no such problem").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Problem> {
    all().into_iter().find(|p| p.name == name)
}
