//! A definition that changes while the study goes on.

use crate::error::{Error, Result};
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::spec::revision::Revision;
use crate::study::study::Study;

impl Study {
    /// Goes on under another horizon, risk, caution, other budgets or another level of confidence; whether anything
    /// changed. Decisions from now on are made under the new definition, those before stay what they were: the log says
    /// when it changed. How `rpol run` plays the study is no part of that and may always change.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let spec = |horizon: u64, high: f64| Spec::from_toml(&format!(
    ///     "name = 'a'\nobjective = 'y'\nhorizon = {horizon}\n[params]\nx = {{ type = 'float', low = 0, high = {high} }}"
    /// )).unwrap();
    /// let mut study = Study::create(spec(20, 1.0)).unwrap();
    /// assert!(study.revise(&spec(40, 1.0)).unwrap());
    /// assert_eq!(study.spec().horizon, Some(40));
    /// assert!(study.revise(&spec(40, 2.0)).is_err(), "a range is what the study is about");
    /// ```
    ///
    /// # Errors
    /// [`StudyExists`](Error::StudyExists) naming the first other field that differs; nothing changes then.
    pub fn revise(&mut self, spec: &Spec) -> Result<bool> {
        let revision = Revision::to(spec);
        let revised = match spec.constraints.len() == self.spec.constraints.len() {
            true => revision.applied(&self.spec)?,
            false => (*self.spec).clone(),
        };
        if let Some(difference) = revised.differences(spec).into_iter().next() {
            return Err(Error::StudyExists { name: self.spec.name.clone(), difference });
        }
        let changes = revised != Spec { run: self.spec.run.clone(), ..(*self.spec).clone() };
        if changes {
            self.record(Event::Revised(revision));
        }
        Ok(changes)
    }
}
