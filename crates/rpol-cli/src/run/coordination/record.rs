//! Records what a trial gave in the study.

use crate::run::metrics::reader::Reading;
use rpol::study::{Suggestion, Told};
use rpol::{Result, Study};

/// Records what a trial gave; the number it stands under, which is another one where another worker was given the same
/// trial meanwhile and has told other values: see [`Study::tell_measured`].
pub(crate) fn record(study: &mut Study, trial: &Suggestion, reading: &Reading) -> Result<u64> {
    let number = told(study, trial.number, reading)?;
    if let Some(problem) = &reading.problem {
        let by_another = reading.metrics.is_empty()
            && study.trials().get(number as usize).is_some_and(|trial| !trial.metrics.is_empty());
        if !by_another {
            study.fail(number, problem.clone())?;
        }
    }
    Ok(number)
}

fn told(study: &mut Study, number: u64, reading: &Reading) -> Result<u64> {
    if reading.metrics.is_empty() {
        return Ok(number);
    }
    Ok(match study.tell_measured(number, reading.metrics.clone())? {
        Told::Further(further) => further,
        Told::New | Told::Repeated => number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rpol::Spec;
    use rpol::study::{Reported, TrialState};

    fn study() -> (Study, Suggestion) {
        let text = "name = 's'\nobjective = 'cost'\nconstraints = ['p99 <= 1']\n\
                    [params]\nx = { type = 'float', low = 0, high = 1 }";
        let mut study = Study::create(Spec::from_toml(text).expect("text")).expect("a study");
        let trial = study.ask().expect("a setting");
        (study, trial)
    }

    fn reading(metrics: &[(&str, f64)], problem: Option<&str>) -> Reading {
        let value = |(name, value): &(&str, f64)| {
            ((*name).to_string(), Reported::new(name, *value, None).expect("finite"))
        };
        let metrics = metrics.iter().map(value).collect();
        Reading { metrics, problem: problem.map(Into::into), ..Reading::default() }
    }

    #[test]
    fn a_late_duplicate_with_other_values_is_a_further_trial_of_the_same_setting() {
        let (mut study, trial) = study();
        study.tell(0, [("cost", 1.0), ("p99", 3.0)]).expect("told by another");
        let ours = reading(&[("cost", 2.0), ("p99", 5.0)], None);
        assert_eq!(record(&mut study, &trial, &ours), Ok(1));
        assert_eq!(study.trials()[1].params, trial.params);
        let account = &study.ledger()[0];
        assert_eq!((account.total, account.violations), (6.0, 2));
    }

    #[test]
    fn the_same_values_again_count_once() {
        let (mut study, trial) = study();
        let ours = reading(&[("cost", 2.0), ("p99", 5.0)], None);
        assert_eq!(record(&mut study, &trial, &ours), Ok(0));
        assert_eq!(record(&mut study, &trial, &ours), Ok(0));
        assert_eq!((study.trials().len(), study.ledger()[0].total), (1, 4.0));
    }

    #[test]
    fn what_is_there_is_told_before_the_trial_fails() {
        let (mut study, trial) = study();
        record(&mut study, &trial, &reading(&[("p99", 5.0)], Some("no cost"))).expect("recorded");
        assert_eq!(study.trials()[0].state, TrialState::Fail);
        assert_eq!(study.ledger()[0].total, 4.0);
    }

    #[test]
    fn a_failure_takes_nothing_from_what_another_has_told() {
        let (mut study, trial) = study();
        study.tell(0, [("cost", 1.0), ("p99", 3.0)]).expect("told by another");
        record(&mut study, &trial, &reading(&[], Some("killed"))).expect("recorded");
        assert_eq!(study.trials()[0].state, TrialState::Complete);
    }
}
