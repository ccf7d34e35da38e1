//! Metrics that never move: perhaps nothing measures them.

use super::text::{number, plain};
use rpol::Study;
use rpol::study::{Trial, TrialState};

/// Trials from which on a value that stays the same is worth a word.
const ENOUGH: usize = 5;

/// One warning for each modelled metric that was the same in every complete trial, over at least two settings.
pub(crate) fn warnings(study: &Study) -> Vec<String> {
    let complete = |trial: &&Trial| trial.state == TrialState::Complete;
    let trials: Vec<&Trial> = study.trials().iter().filter(complete).collect();
    let varied = trials.iter().any(|trial| trial.params != trials[0].params);
    if trials.len() < ENOUGH || !varied {
        return Vec::new();
    }
    let mut metrics = study.spec().outputs();
    metrics.dedup();
    let warning = |metric: &&str| {
        let values = trials.iter().filter_map(|trial| trial.metrics.get(*metric));
        let mut values = values.map(|reported| reported.value.get());
        let first = values.next()?;
        let (name, count, value) = (plain(metric), trials.len(), number(first));
        values.all(|value| value == first).then(|| {
            format!(
                "{name} was {value} in all {count} trials, whatever the setting: is it measured?"
            )
        })
    };
    metrics.iter().filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::warnings;
    use rpol::{Spec, Study};

    #[test]
    fn what_never_moves_is_named_and_what_moves_is_not() {
        let text = "name = 's'\nobjective = 'cost'\nconstraints = ['errors <= 1']\n\
                    [params]\nx = { type = 'float', low = 0, high = 1 }";
        let mut study = Study::create(Spec::from_toml(text).expect("text")).expect("a study");
        for round in 0..6 {
            let trial = study.ask().expect("a setting").number;
            assert_eq!(warnings(&study).is_empty(), round < 5);
            study.tell(trial, [("cost", round as f64), ("errors", 0.0)]).expect("told");
        }
        let said = "errors was 0 in all 6 trials, whatever the setting: is it measured?";
        assert_eq!(warnings(&study), [said]);
    }
}
