//! What the multipliers were, round by round.

use crate::study::log::event::Event;
use crate::study::study::Study;

impl Study {
    /// The multipliers that each round's decision used, one row a round and one number a constraint: the log folded
    /// once more, without the models. After [`drop_history`](Self::drop_history) it begins there.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "reward"
    ///     constraints = ["cost <= 0"]
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for _ in 0..4 {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("reward", 0.0), ("cost", 1.0)]).unwrap();
    /// }
    /// let next = study.penalties();
    /// study.ask().unwrap();
    /// let trace = study.penalty_trace();
    /// assert_eq!((trace.len(), &trace[4]), (5, &next));
    /// ```
    #[must_use]
    pub fn penalty_trace(&self) -> Vec<Vec<f64>> {
        let (mut state, mut trace) = (self.first_state(), Vec::new());
        let Ok((mut spec, mut plan)) = self.first_definition(&self.log) else { return trace };
        for event in &self.log {
            state.apply(&spec, &plan, event);
            if let Event::Revised(revision) = event
                && let Ok(revised) = revision.revised(&spec)
            {
                (spec, plan) = revised;
            }
            if matches!(event, Event::Asked { .. }) {
                let multipliers = state.multipliers.iter().take(self.spec.constraints.len());
                trace.push(multipliers.copied().collect());
            }
        }
        trace
    }
}
