//! What a decision maximised, open to inspection.

use crate::acquisition::{self, Search};
use crate::confidence::Band;
use crate::error::Result;
use crate::points::{Points, PointsView};
use crate::policy::score::{Estimate, Score};
use crate::study::engine::Engine;
use crate::study::study::Study;
use crate::study::surrogate::models::Models;
use std::sync::Arc;

/// The score over the space, as the last [`ask`](Study::ask) that searched it saw it. Points are those of the model:
/// [`Space::encode`](crate::Space::encode) gives them, [`Space::decode`](crate::Space::decode) takes them back.
#[derive(Debug, Clone)]
pub struct Landscape {
    engine: Arc<Engine>,
}

/// What is believed of one output at every candidate, in the output's unit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Surface {
    /// $\mu$.
    pub mean: Vec<f64>,
    /// $\sigma$, latent.
    pub deviation: Vec<f64>,
}

impl Study {
    /// What the last search maximised; `None` before the first ask.
    ///
    /// ```
    /// use rpol::{Points, study::{Spec, Study}};
    /// let spec = Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "maximize reward"
    ///     initial = 0
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap();
    /// let mut study = Study::create(spec).unwrap();
    /// for (x, reward) in [(0.2, 1.0), (0.9, 0.0)] {
    ///     study.add([("x".into(), x.into())].into_iter().collect(), [("reward", reward)]).unwrap();
    /// }
    /// let asked = study.ask().unwrap();
    /// let grid: Vec<[f64; 1]> = (0..=100).map(|i| [f64::from(i) / 100.0]).collect();
    /// let scores = study.landscape().unwrap().unwrap().scores(Points::from_rows(1, &grid).view());
    /// let decided = study.trials()[asked.number as usize].decision.clone().unwrap();
    /// assert!(scores.iter().all(|score| *score <= decided.score.unwrap() + 1e-9));
    /// ```
    pub fn landscape(&self) -> Result<Option<Landscape>> {
        let engine = self.engine()?;
        Ok(engine.scored.is_some().then_some(Landscape { engine }))
    }
}

impl Landscape {
    fn models(&self) -> &Models {
        &self.engine.models
    }

    fn score(&self) -> &Score {
        self.engine.scored.as_ref().expect("checked when it was made")
    }

    /// The score at many points, batched; minus infinity where a hard constraint is broken.
    #[must_use]
    pub fn scores(&self, points: PointsView<'_>) -> Vec<f64> {
        let ranks = acquisition::ranks(
            self.score(),
            &acquisition::Beliefs::standard_estimates(self.models(), points),
        );
        let value = |rank: crate::policy::score::Rank| {
            if rank.violation > 0.0 { f64::NEG_INFINITY } else { rank.value }
        };
        ranks.into_iter().map(value).collect()
    }

    /// The points every decision compares: all of a small finite space, of any other a quasi-random set.
    #[must_use]
    pub fn candidates(&self) -> &Points {
        self.models().candidates()
    }

    /// What is believed at the candidates of the objective, as one maximises, then of each constraint.
    #[must_use]
    pub fn surfaces(&self) -> Vec<Surface> {
        let surface = |q| {
            let (mean, deviation) = self.models().pooled(q);
            let at = mean.into_iter().zip(deviation);
            let own =
                at.map(|(mean, deviation)| self.models().own(q, Estimate { mean, deviation }));
            let (mean, deviation) = own.map(|at| (at.mean, at.deviation)).unzip();
            Surface { mean, deviation }
        };
        (0..=self.engine.spec.constraints.len()).map(surface).collect()
    }

    /// The band around each of the [`surfaces`](Self::surfaces); none where a policy scores without bands.
    ///
    /// ```
    /// use rpol::study::{Spec, Study};
    /// let spec = Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "maximize reward"
    ///     initial = 0
    ///     [params]
    ///     n = { type = "int", low = 0, high = 9 }
    /// "#).unwrap();
    /// let mut study = Study::create(spec).unwrap();
    /// let asked = study.ask().unwrap();
    /// let landscape = study.landscape().unwrap().unwrap();
    /// let (surface, band) = (&landscape.surfaces()[0], landscape.bands()[0]);
    /// let upper = |j: usize| surface.mean[j] + band.reach(surface.deviation[j]);
    /// let decided = study.trials()[asked.number as usize].decision.clone().unwrap();
    /// assert!((0..landscape.candidates().len()).all(|j| upper(j) <= decided.upper.unwrap() + 1e-12));
    /// ```
    #[must_use]
    pub fn bands(&self) -> Vec<Band> {
        let own = |(q, band): (usize, &Band)| band.stretched(self.models().scale(q).spread);
        let outputs = 1 + self.engine.spec.constraints.len();
        self.score().bands().iter().enumerate().take(outputs).map(own).collect()
    }

    /// Where the local search of a decision ends that begins at `x`.
    pub fn climb(&self, x: &[f64]) -> Result<Vec<f64>> {
        let (space, beliefs, score) = (&self.engine.spec.params, self.models(), self.score());
        Search::new(space, beliefs, score).climb(x, 0.1).map(|found| found.x)
    }
}
