//! Where the time of an ask goes: counts that can be known beforehand. How long things take is no matter for a test.
#![allow(clippy::unwrap_used)]

use rpol::study::{By, Event, Spec, Study};
use std::time::Duration;

fn study(more: &str) -> Study {
    let spec = format!(
        r#"
        name = "profile"
        objective = "maximize reward"
        constraints = ["cost <= 0"]
        initial = 3
        {more}
        [params]
        x = {{ type = "float", low = 0, high = 1 }}
        y = {{ type = "float", low = 0, high = 1 }}
        "#
    );
    Study::create(Spec::from_toml(&spec).unwrap()).unwrap()
}

/// One round; the events that its ask wrote, the decision last.
fn round(study: &mut Study) -> Vec<Event> {
    let before = study.log().len();
    let asked = study.ask().unwrap();
    let events = study.log()[before..].to_vec();
    let [x, y] = ["x", "y"].map(|name| asked.params[name].as_f64().unwrap());
    let (reward, cost) = ((5.0 * x).sin() + y, (4.0 * y).cos() - x);
    study.tell(asked.number, [("reward", reward), ("cost", cost)]).unwrap();
    events
}

#[test]
fn an_ask_says_what_it_did() {
    let mut study = study("policy = { type = \"cautious\" }");
    let (mut refits, mut polished) = (0, 0);
    for told in 0..16 {
        let events = round(&mut study);
        let profile = study.ask_profile().unwrap();
        let refitted = events.iter().any(|event| matches!(event, Event::Fitted { .. }));
        assert_eq!((profile.refitted, profile.observations), (refitted, told), "{profile:?}");
        assert_eq!(profile.candidates, 2048 + 4);
        let Some(Event::Asked { decision, .. }) = events.last() else { panic!("{events:?}") };
        // A design asks no model, and so searches nothing.
        assert_eq!(profile.expansions > 0, decision.by != By::Design, "{profile:?}");
        assert_eq!(profile.score > Duration::ZERO, decision.by != By::Design, "{profile:?}");
        refits += u32::from(refitted);
        polished += u32::from(decision.by == By::Polished);
    }
    assert!(refits > 3 && polished > 3, "{refits} refits, {polished} polished");
    assert!(study.ask_profile().unwrap().factors == 2, "each output has its own kernel");
}

#[test]
fn the_factors_of_a_sliding_window_are_those_of_its_points() {
    let mut study =
        study("algorithm = \"rpol-sw-ucb\"\nstrategy = { type = \"sliding_window\", window = 6 }");
    (0..16).for_each(|_| drop(round(&mut study)));
    assert_eq!(study.ask_profile().unwrap().observations, 6);
    let rounding = study.rounding().unwrap();
    assert!(rounding > 0.0 && rounding < 1e-12, "{rounding}");
}
