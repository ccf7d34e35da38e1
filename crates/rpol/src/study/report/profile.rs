//! Where the time of an ask went.

use crate::error::Result;
use crate::gp::Factor;
use crate::study::engine::profile::AskProfile;
use crate::study::study::Study;

impl Study {
    /// Where the time of the last ask went; `None` before the first. No part of what a study is: two equal studies
    /// may differ in it.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#)?)?;
    /// assert_eq!(study.ask_profile(), None);
    /// study.ask()?;
    /// let profile = study.ask_profile().unwrap();
    /// assert!(profile.total() >= profile.update && profile.observations == 0);
    /// # Ok::<(), rpol::Error>(())
    /// ```
    #[must_use]
    pub fn ask_profile(&self) -> Option<AskProfile> {
        self.locked().profile
    }

    /// Largest entry of $|LL^\top - K - \Lambda|$ over all models: how far rounding has taken the factors from what they
    /// stand for. $O(n^3)$, for reports.
    pub fn rounding(&self) -> Result<f64> {
        Ok(self.engine()?.models.factors().map(Factor::rounding).fold(0.0, f64::max))
    }
}
