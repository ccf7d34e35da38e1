//! A fit on its way changes no decision by how long it takes.

use crate::random::Stream;
use crate::space::Params;
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::study::Study;
use crate::study::surrogate::background_fit::Fitting;

/// Settings known when the first fit is made, and when the second is due: 15 % more.
const FIRST: u64 = 200;
const SECOND: u64 = 230;
/// Rounds until the second is used.
const WAIT: u64 = SECOND / 16;

fn known() -> Study {
    let spec = Spec::from_toml(
        r#"
        name = "fitting"
        objective = "maximize reward"
        constraints = ["cost <= 0"]
        [params]
        x = { type = "float", low = 0, high = 1 }
        "#,
    );
    let mut study = Study::create(spec.unwrap()).unwrap();
    add(&mut study, 0..FIRST);
    study
}

fn add(study: &mut Study, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let x = Stream::new(5, number).uniform();
        let params: Params = [("x".into(), x.into())].into_iter().collect();
        study.add(params, measured(x, number)).unwrap();
    }
}

fn measured(x: f64, number: u64) -> [(&'static str, f64); 2] {
    let mut noise = Stream::new(9, number);
    let mut noisy = |value: f64| value + 0.1 * noise.normal();
    [("reward", noisy((7.0 * x).sin())), ("cost", noisy((5.0 * x).cos() - 0.2))]
}

/// One round; whether a fit was used.
fn play(study: &mut Study) -> bool {
    let before = study.log().len();
    let asked = study.ask().unwrap();
    let fitted = matches!(study.log()[before], Event::Fitted { .. });
    let x = asked.params["x"].as_f64().unwrap();
    study.tell(asked.number, measured(x, asked.number)).unwrap();
    fitted
}

/// A fit has just become due.
fn due() -> Study {
    let mut study = known();
    assert!(play(&mut study), "the first cannot wait");
    add(&mut study, FIRST + 1..SECOND);
    assert!(!play(&mut study));
    study
}

fn fitting(study: &Study) -> Fitting {
    study.engine().unwrap().fitting.clone().unwrap()
}

#[test]
fn what_is_known_decides_when_a_fit_is_used_and_what_it_learns() {
    let mut study = due();
    let learned = fitting(&study).finish().unwrap();
    for _ in 1..WAIT {
        assert!(!play(&mut study));
    }
    let length = study.log().len();
    assert!(play(&mut study));
    assert_eq!(study.log()[length], learned);
    assert!(matches!(learned, Event::Fitted { observations: SECOND, .. }));
    assert!(study.engine().unwrap().fitting.is_none());
}

#[test]
fn a_replay_on_the_way_ends_with_the_same_bits() {
    let mut study = due();
    for _ in 0..WAIT {
        let mut again = Study::replay(study.log().to_vec()).unwrap();
        play(&mut study);
        play(&mut again);
        assert_eq!(again.log(), study.log());
    }
    assert!(study.engine().unwrap().fitting.is_none());
}

#[test]
fn a_change_makes_it_void() {
    let mut study = due();
    let since = study.state.round;
    study.extend(vec![Event::Changed { since }]).unwrap();
    assert!(study.engine().unwrap().fitting.is_none());
}

#[test]
fn a_forked_process_does_not_wait_for_a_thread_that_it_lacks() {
    let study = due();
    let fitting = fitting(&study);
    assert_eq!(fitting.clone().inherited().finish(), fitting.finish());
}
