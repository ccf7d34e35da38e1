//! What there is to choose from.

use rpol::study::ALGORITHMS;
use rpol_lab::arena::{Conditions, Course, PRACTICAL, cells, course_names};
use rpol_lab::live;
use std::fmt::Write;

/// Every problem and every algorithm, one a line.
pub(super) fn text() -> String {
    let mut text = String::from("problems\n");
    let conditions = Conditions { rounds: 500, noise: 0.0, delay: None };
    let known =
        course_names().into_iter().filter_map(|name| Course::named(&name, &conditions).ok());
    for course in known {
        let (dims, limits) = (course.problem().dims(), course.problem().constraints.len());
        let _ = writeln!(text, "  {:<20} {dims:>2} parameters, {limits:>2} limits", course.name);
    }
    text += "live systems\n";
    for system in live::all().unwrap_or_default() {
        let (params, limits) = (system.spec.params.dims(), system.limits().len());
        let (name, about) = (system.name, system.about);
        let _ = writeln!(text, "  {name:<20} {params:>2} parameters, {limits:>2} limits: {about}");
    }
    text += "algorithms\n";
    let _ = writeln!(text, "  {PRACTICAL:<20} the practical default");
    for name in ALGORITHMS.map(String::from).into_iter().chain(cells()) {
        let _ = writeln!(text, "  {name}");
    }
    text
}
