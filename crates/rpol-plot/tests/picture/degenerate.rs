//! Studies that leave little or too much to draw.

use crate::reading::{assert_sound, within};
use rpol::{Params, Spec, Study};
use rpol_plot::figure::png;
use rpol_plot::picture::Kind;

/// Every picture is drawn, as SVG and as PNG.
fn all(study: &Study) -> Vec<(Kind, String)> {
    let times: Vec<u64> = (0..study.log().len() as u64).collect();
    let drawn = Kind::ALL.map(|kind| (kind, kind.svg(study, &times)));
    for (kind, svg) in &drawn {
        assert_sound(svg);
        assert!(png(svg, 0.5).is_ok(), "{}", kind.name());
    }
    drawn.into()
}

fn of(definition: &str) -> Study {
    Study::create(Spec::from_toml(definition).unwrap()).unwrap()
}

const ONE: &str =
    "name = 'one'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }";
const LIMITED: &str = "name = 'a'\nobjective = 'minimize y'\nconstraints = ['z <= 1']\n\
                       [params]\nx = { type = 'float', low = 0, high = 1 }\nn = { type = 'int', low = 3, high = 3 }";

#[test]
fn a_new_study_says_so_in_words() {
    for (kind, svg) in all(&of(LIMITED)) {
        assert_eq!(within(&svg, "empty", "text"), 1, "{}", kind.name());
    }
}

#[test]
fn one_trial_without_limits() {
    let mut study = of(ONE);
    let trial = study.ask().unwrap();
    all(&study);
    study.tell(trial.number, [("y", 2.0)]).unwrap();
    let drawn = all(&study);
    let empty = |wanted: Kind| {
        drawn.iter().any(|(kind, svg)| *kind == wanted && within(svg, "empty", "text") == 1)
    };
    assert!(empty(Kind::Violation) && empty(Kind::Contour) && !empty(Kind::History));
}

#[test]
fn all_failed() {
    let mut study = of(LIMITED);
    for _ in 0..5 {
        let trial = study.ask().unwrap();
        study.fail(trial.number, "no luck").unwrap();
    }
    let drawn = all(&study);
    assert_eq!(within(&drawn[0].1, "failed", "path"), 5);
}

#[test]
fn values_of_any_size() {
    for values in
        [[1e300, -1e300], [1e300, 1.0], [1e-300, 2e-300], [7.0, 7.0], [f64::MAX, f64::MIN]]
    {
        let mut study = of(LIMITED);
        for i in 0..8 {
            let trial = study.ask().unwrap();
            let value = values[i % 2];
            study.tell(trial.number, [("y", value), ("z", value)]).unwrap();
        }
        study.ask().unwrap();
        all(&study);
    }
}

#[test]
fn parameters_of_any_range_and_number() {
    let wide = "name = 'w'\nobjective = 'y'\n[params]\n\
        a = { type = 'float', low = 1e-300, high = 1e300, log = true }\n\
        b = { type = 'float', low = 1.0, high = 1.0000000000000002 }\n\
        c = { type = 'int', low = -500000000000000, high = 500000000000000 }\n\
        d = { type = 'int', low = 1, high = 1000000, log = true }";
    let many: String =
        (0..20).map(|i| format!("p{i} = {{ type = 'float', low = 0, high = 1 }}\n")).collect();
    let many = format!("name = 'm'\nobjective = 'y'\n[params]\n{many}");
    let choices = "name = 'c'\nobjective = 'y'\n[params]\n\
        k = { type = 'categorical', choices = ['a', 'b', true, 3] }";
    for definition in [wide, &many, choices] {
        let mut study = of(definition);
        for i in 0..4 {
            let trial = study.ask().unwrap();
            study.tell(trial.number, [("y", f64::from(i))]).unwrap();
        }
        study.ask().unwrap();
        all(&study);
    }
}

#[test]
fn names_are_text_and_long_ones_are_cut() {
    let hostile = "<img src=x onerror=alert(1)>";
    let long = "long".repeat(40);
    let metric = format!("{hostile}{long}");
    let mut study = of(&format!(
        "name = 'h'\nobjective = {{ metric = \"{metric}\", direction = 'minimize' }}\n\
         constraints = [\"'</text>&{hostile}' <= 1\"]\n[params]\n\
         \"{hostile}\" = {{ type = 'float', low = 0, high = 1 }}\n{long} = {{ type = 'int', low = 0, high = 9 }}\n\
         k = {{ type = 'categorical', choices = [\"</svg>{hostile}\", \"{long}{long}\"] }}"
    ));
    for i in 0..6 {
        let trial = study.ask().unwrap();
        study.claim(trial.number, rpol::study::Lease::new(format!("{hostile}{long}"), 9)).unwrap();
        let cost = format!("</text>&{hostile}");
        study.tell(trial.number, [(metric.clone(), f64::from(i)), (cost, 0.5)]).unwrap();
    }
    study.ask().unwrap();
    for (kind, svg) in all(&study) {
        assert!(!svg.contains("<img") && !svg.contains(&long), "{}", kind.name());
    }
}

#[test]
fn ten_thousand_trials() {
    let mut study = of(LIMITED);
    for i in 0..10_000 {
        let x = f64::from(i % 100) / 100.0;
        let params: Params = [("x".into(), x.into()), ("n".into(), 3.into())].into_iter().collect();
        study.add(params, [("y", x), ("z", 2.0 * x)]).unwrap();
    }
    for (kind, svg) in all(&study) {
        assert!(svg.len() < 1_000_000, "{} has {} bytes", kind.name(), svg.len());
    }
}
