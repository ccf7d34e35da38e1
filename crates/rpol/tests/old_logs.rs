//! Logs that an earlier version wrote: they mean what they meant, and lead to the decisions that they hold.
#![allow(clippy::unwrap_used)]

use rpol::policy::{Cautious, Policy};
use rpol::study::{By, Event, Preset, Study};

/// A log, and what the version that wrote it made of it.
struct Old {
    log: &'static str,
    penalty: f64,
    violation: f64,
    violations: u64,
    best: u64,
}

const OLD: [Old; 3] = [
    Old {
        log: include_str!("old_logs/printed.jsonl"),
        penalty: 31.632503994541825,
        violation: 30.632503994541825,
        violations: 56,
        best: 62,
    },
    Old {
        log: include_str!("old_logs/practical.jsonl"),
        penalty: 1.5562156343642803,
        violation: 4.14663382944298,
        violations: 17,
        best: 36,
    },
    Old {
        log: include_str!("old_logs/mixed.jsonl"),
        penalty: 1.5000000003219893,
        violation: 7.20124045582383,
        violations: 18,
        best: 36,
    },
];

fn events(old: &Old) -> Vec<Event> {
    old.log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn they_add_up_to_what_they_did() {
    for old in &OLD {
        let study = Study::replay(events(old)).unwrap();
        let ledger = study.ledger();
        assert_eq!(study.penalties(), [old.penalty]);
        assert_eq!((ledger[0].total, ledger[0].violations), (old.violation, old.violations));
        assert_eq!(study.best_trial().unwrap().number, old.best);
    }
}

/// Each decision again, from what stood before it. A search may end a little elsewhere on a hill, and on a higher one,
/// but not lower.
#[test]
fn decisions_are_as_good_as_they_were() {
    for old in &OLD {
        let mut log = events(old);
        // What was the practical default then has a name now.
        if let Some(Event::Created { spec, .. }) = log.first_mut()
            && spec.preset == Preset::Practical
        {
            spec.policy = Some(Policy::Cautious(Cautious::default()));
        }
        let mut moved = 0;
        for (i, event) in log.iter().enumerate() {
            let Event::Asked { round, params, decision, .. } = event else { continue };
            let Some(score) = decision.score else { continue };
            let told = log[..i].iter().rposition(|e| !matches!(e, Event::Fitted { .. }));
            let mut again = Study::replay(log[..=told.unwrap()].to_vec()).unwrap();
            again.ask().unwrap();
            let trial = again.trials().last().unwrap();
            let short = score - trial.decision.as_ref().unwrap().score.unwrap();
            assert!(short <= 3e-6 * (1.0 + score.abs()), "round {round}: {short} short");
            let far = |name: &str| match (params[name].as_f64(), trial.params[name].as_f64()) {
                (Some(a), Some(b)) => (a - b).abs() > 0.01,
                _ => params[name] != trial.params[name],
            };
            moved += u64::from(short > -1e-5 && params.iter().any(|(name, _)| far(name)));
        }
        assert!(moved <= 1, "{moved} decisions are elsewhere, and no better");
    }
}

/// Words that have a plainer name now: `thrift` is `reuse`, `rested` is `reused`.
#[test]
fn old_words_are_read() {
    let log = [
        r#"{"event":"created","spec":{"name":"words","params":{"x":{"type":"float","low":0,"high":1}},
            "objective":"minimize cost","model":{"thrift":0.1}}}"#,
        r#"{"event":"asked","number":0,"round":1,"params":{"x":0.5},"decision":{"by":"rested","lower":[]}}"#,
    ];
    let log: Vec<Event> = log.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let study = Study::replay(log).unwrap();
    assert_eq!(study.spec().model.reuse, Some(0.1));
    assert_eq!(study.trials()[0].decision.as_ref().unwrap().by, By::Reused);
    let written = serde_json::to_string(study.log()).unwrap();
    assert!(
        written.contains(r#""reuse":0.1"#) && written.contains(r#""by":"reused""#),
        "{written}"
    );
    assert_eq!(serde_json::from_str::<Vec<Event>>(&written).unwrap(), study.log());
}
