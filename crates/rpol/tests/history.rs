//! What was measured elsewhere counts from the first setting on.
#![allow(clippy::unwrap_used)]

use rpol::study::By;
use rpol::{Params, Spec, Study};

fn study(more: &str) -> Study {
    seeded(0, more)
}

fn seeded(seed: u64, more: &str) -> Study {
    let text = format!(
        "name = 's'\nseed = {seed}\nobjective = 'minimize cost'\nconstraints = ['load <= 1']\n\
         [params]\nx = {{ type = 'float', low = 0, high = 1 }}\ny = {{ type = 'int', low = 0, high = 9 }}\n{more}"
    );
    Study::create(Spec::from_toml(&text).unwrap()).unwrap()
}

fn load(params: &Params) -> f64 {
    params["x"].as_f64().unwrap() + params["y"].as_f64().unwrap() / 9.0
}

fn add(study: &mut Study, params: Params) {
    let load = load(&params);
    study.add(params, [("cost", 2.0 - load), ("load", load)]).unwrap();
}

fn at(x: f64, y: i64) -> Params {
    [("x".to_string(), x.into()), ("y".to_string(), y.into())].into_iter().collect()
}

fn apart(a: &Params, b: &Params) -> f64 {
    let far = |name: &str, unit: f64| {
        (a[name].as_f64().unwrap() - b[name].as_f64().unwrap()).abs() / unit
    };
    far("x", 1.0).max(far("y", 9.0))
}

#[test]
fn the_first_setting_does_not_repeat_an_imported_violation() {
    for seed in 0..20 {
        let first = seeded(seed, "").ask().unwrap().params;
        let mut study = seeded(seed, "");
        study.add(first.clone(), [("cost", 1.0), ("load", 9.0)]).unwrap();
        for round in 0..2 {
            let asked = study.ask().unwrap();
            let far = apart(&asked.params, &first);
            assert!(far > 0.2, "round {round}: {:?} is {far} from {first:?}", asked.params);
            study.tell(asked.number, [("cost", 1.0), ("load", load(&asked.params))]).unwrap();
        }
    }
}

#[test]
fn a_long_history_takes_the_place_of_the_first_design() {
    let mut study = study("");
    for i in 0..12 {
        add(&mut study, at(f64::from(i % 4) / 4.0 + 0.1, i64::from(i / 4) * 4));
    }
    for _ in 0..4 {
        let asked = study.ask().unwrap();
        let by = study.trials()[asked.number as usize].decision.as_ref().unwrap().by;
        assert_ne!(by, By::Design, "{:?}", asked.params);
        let load = load(&asked.params);
        assert!(load <= 1.3, "{:?}: the models know where the limit is", asked.params);
        study.tell(asked.number, [("cost", 2.0 - load), ("load", load)]).unwrap();
    }
    let log = study.log().to_vec();
    assert_eq!(Study::audit(&log, |_| ()).unwrap(), Vec::<u64>::new());
}

#[test]
fn a_baseline_that_is_known_to_violate_is_not_tried_first() {
    let baseline = "[baseline]\nparams = { x = 0.9, y = 9 }";
    assert_eq!(study(baseline).ask().unwrap().params, at(0.9, 9));
    let mut known = study(baseline);
    for params in [at(0.9, 9), at(0.1, 1), at(0.3, 2), at(0.2, 5), at(0.5, 1), at(0.6, 8)] {
        add(&mut known, params);
    }
    let asked = known.ask().unwrap();
    assert!(load(&asked.params) <= 1.0, "{:?}", asked.params);
    let mut good = study(baseline);
    add(&mut good, at(0.1, 1));
    assert_eq!(good.ask().unwrap().params, at(0.9, 9), "nothing is known of the baseline");
}
