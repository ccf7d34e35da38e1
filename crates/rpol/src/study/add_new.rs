//! History that is added again.

use crate::error::{Error, Result};
use crate::space::Params;
use crate::study::log::event::Reported;
use crate::study::log::trial::{Trial, TrialState};
use crate::study::study::Study;
use std::collections::{BTreeMap, HashMap};

/// A setting and what was measured there.
pub type Measured = (Params, Vec<(String, Reported)>);

impl Study {
    /// Adds those trials that are not there yet, all of them or none; their numbers.
    ///
    /// A trial is there if one has the same setting and the same metrics; two of a kind need two. So the same list again
    /// changes nothing.
    ///
    /// ```
    /// use rpol::{Spec, Study, study::Reported};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#)?)?;
    /// let cost = vec![("cost".to_string(), Reported::new("cost", 4.0, None)?)];
    /// let trial = ([("x".into(), 0.5.into())].into_iter().collect(), cost);
    /// assert_eq!(study.add_new(&[trial.clone(), trial.clone()]).unwrap(), [0, 1]);
    /// assert!(study.add_new(&[trial]).unwrap().is_empty());
    /// # Ok::<(), rpol::Error>(())
    /// ```
    ///
    /// # Errors
    /// The place in the list of the first trial that is refused, and why.
    pub fn add_new(
        &mut self,
        trials: &[Measured],
    ) -> std::result::Result<Vec<u64>, (usize, Error)> {
        let mut longer = self.clone();
        let mut known: HashMap<String, usize> = HashMap::new();
        let counts = |trial: &&Trial| trial.state != TrialState::Abandoned;
        for trial in self.trials().iter().filter(counts) {
            *known.entry(key(&trial.params, &trial.metrics)).or_default() += 1;
        }
        let mut added = Vec::new();
        for (place, (params, metrics)) in trials.iter().enumerate() {
            let number = longer.add_unless(&mut known, params, metrics);
            added.extend(number.map_err(|error| (place, error))?);
        }
        *self = longer;
        Ok(added)
    }

    /// Adds a trial unless one of those known is the same, which then stands for it.
    fn add_unless(
        &mut self,
        known: &mut HashMap<String, usize>,
        params: &Params,
        metrics: &[(String, Reported)],
    ) -> Result<Option<u64>> {
        let canonical = self.spec().params.canonical(params)?;
        match known.get_mut(&key(&canonical, metrics.iter().map(|(name, value)| (name, value)))) {
            Some(left) if *left > 0 => {
                *left -= 1;
                Ok(None)
            }
            _ => self.add(canonical, metrics.iter().cloned()).map(Some),
        }
    }
}

/// A trial as text, its metrics in the order of their names.
fn key<'a>(
    params: &Params,
    metrics: impl IntoIterator<Item = (&'a String, &'a Reported)>,
) -> String {
    let metrics: BTreeMap<&String, &Reported> = metrics.into_iter().collect();
    format!("{params:?} {metrics:?}")
}
