//! What failed trials count for on the ledger, and that nothing counts twice.
#![allow(clippy::unwrap_used)]

use rpol::study::{Account, Study, Suggestion};
use rpol::{Params, Spec};

fn study(extra: &str) -> Study {
    let text = format!(
        r#"
        name = "failures"
        objective = "minimize cost"
        constraints = [{{ expression = "load <= 5", budget = 10 }}, "heat <= 90"]
        algorithm = "random"
        {extra}
        [params]
        x = {{ type = "float", low = 0, high = 1 }}
        "#
    );
    Study::create(Spec::from_toml(&text).unwrap()).unwrap()
}

fn ask(study: &mut Study) -> u64 {
    let Suggestion { number, .. } = study.ask().unwrap();
    number
}

fn measure(study: &mut Study, load: f64, heat: f64) -> u64 {
    let number = ask(study);
    study.tell(number, [("cost", 1.0), ("load", load), ("heat", heat)]).unwrap();
    number
}

fn fail(study: &mut Study) -> u64 {
    let number = ask(study);
    study.fail(number, "crashed").unwrap();
    number
}

/// Total, violations, observed, failed, what the failed count for.
fn summed(account: &Account) -> (f64, u64, u64, u64, f64) {
    let Account { total, violations, observed, failed, by_failures, .. } = account;
    (*total, *violations, *observed, *failed, *by_failures)
}

#[test]
fn a_failed_trial_breaks_every_limit_by_the_worst_measured() {
    let mut study = study("");
    fail(&mut study);
    assert_eq!(summed(&study.ledger()[0]), (0.0, 0, 0, 1, 0.0), "nothing is known yet");
    measure(&mut study, 7.0, 80.0);
    measure(&mut study, 6.0, 80.0);
    assert_eq!(summed(&study.ledger()[0]), (5.0, 2, 2, 1, 2.0));
    assert_eq!(summed(&study.ledger()[1]), (0.0, 0, 2, 1, 0.0));
    fail(&mut study);
    let account = &study.ledger()[0];
    assert_eq!(summed(account), (7.0, 2, 2, 2, 4.0));
    assert_eq!((account.left, account.recent.failed, account.recent.total), (Some(3.0), 2, 7.0));
    let again = Study::replay(study.log().to_vec()).unwrap();
    assert_eq!(again.ledger(), study.ledger());
}

#[test]
fn what_it_counts_as_may_be_stated() {
    let mut study = study("failure = { counts_as = { load = 8.5 } }");
    fail(&mut study);
    measure(&mut study, 20.0, 91.0);
    assert_eq!(summed(&study.ledger()[0]), (18.5, 1, 1, 1, 3.5));
    assert_eq!(
        summed(&study.ledger()[1]),
        (2.0, 1, 1, 1, 1.0),
        "as the worst where nothing is stated"
    );
    assert_eq!(study.failure_costs(), [3.5, 1.0]);
    // A value that keeps the limit counts for nothing.
    let mut kept = self::study("failure = { counts_as = { load = 5, heat = 0 } }");
    measure(&mut kept, 20.0, 91.0);
    fail(&mut kept);
    assert_eq!(kept.ledger().iter().map(|a| a.by_failures).sum::<f64>(), 0.0);
}

#[test]
fn what_a_failed_trial_measured_counts_as_measured_and_once() {
    let mut study = study("failure = { counts_as = { load = 8, heat = 100 } }");
    let number = ask(&mut study);
    study.tell(number, [("load", 6.0)]).unwrap();
    study.fail(number, "timed out").unwrap();
    assert_eq!(summed(&study.ledger()[0]), (1.0, 1, 1, 0, 0.0));
    assert_eq!(summed(&study.ledger()[1]), (10.0, 0, 0, 1, 10.0));
    // Failing twice is failing once.
    study.fail(number, "again").unwrap();
    assert_eq!(study.ledger()[1].failed, 1);
    // Its metric comes after all: it counts as what it is.
    study.tell(number, [("heat", 95.0)]).unwrap();
    assert_eq!(summed(&study.ledger()[1]), (5.0, 1, 1, 0, 0.0));
    study.void(number, "wrong machine").unwrap();
    assert_eq!(
        summed(&study.ledger()[0]),
        (0.0, 0, 0, 0, 0.0),
        "a voided trial counts for nothing"
    );
}

#[test]
fn failures_spend_a_budget() {
    let mut study = study("failure = { counts_as = { load = 9 } }");
    for _ in 0..2 {
        fail(&mut study);
        assert!(!study.ledger()[0].is_spent());
    }
    fail(&mut study);
    let account = &study.ledger()[0];
    assert!(account.is_spent() && account.left == Some(-2.0), "{account:?}");
    assert_eq!(study.status().ledger[0].by_failures, 12.0);
}

/// Near the limit, where a trial may spend a budget, one that has failures to pay for plays nearer to what is known.
#[test]
fn decisions_see_what_failures_have_spent() {
    let decided = |counts_as: f64| {
        let text = format!(
            r#"
            name = "failures"
            objective = "maximize reward"
            constraints = [{{ expression = "load <= 5", budget = 10 }}]
            baseline = {{ params = {{ x = 0.2 }} }}
            failure = {{ counts_as = {{ load = {counts_as} }} }}
            [params]
            x = {{ type = "float", low = 0, high = 1 }}
            "#
        );
        let mut study = Study::create(Spec::from_toml(&text).unwrap()).unwrap();
        let mut played: Vec<Params> = Vec::new();
        for t in 0..14 {
            let asked = study.ask().unwrap();
            let x = asked.params["x"].as_f64().unwrap();
            match t {
                4 => study.fail(asked.number, "crashed").unwrap(),
                _ => drop(
                    study.tell(asked.number, [("reward", x), ("load", 3.0 + 2.5 * x)]).unwrap(),
                ),
            }
            played.push(asked.params);
        }
        played
    };
    let (free, dear) = (decided(5.0), decided(14.9));
    assert_eq!(free[..5], dear[..5]);
    assert_ne!(free, dear);
}

#[test]
fn a_value_for_no_limit_is_refused() {
    for (extra, names) in [
        ("failure = { counts_as = { cost = 8 } }", ["failure.counts_as.cost", "\"load\""]),
        ("failure = { counts_as = { load = inf } }", ["failure.counts_as.load", "finite"]),
        ("failure = { counts = { load = 8 } }", ["failure", "counts_as"]),
    ] {
        let text = format!(
            "name = 'a'\nobjective = 'cost'\nconstraints = ['load <= 5']\n{extra}\n[params]\nx = {{ type = 'float', low = 0, high = 1 }}"
        );
        let error = Spec::from_toml(&text).unwrap_err().to_string();
        assert!(names.iter().all(|name| error.contains(name)), "{error}");
    }
}
