//! Models with a watch beside them: what finding a maximum takes.

use crate::acquisition::{Beliefs, Neighbourhoods};
use crate::error::Result;
use crate::gp::Expansion;
use crate::points::{Points, PointsView};
use crate::policy::score::Estimate;
use crate::study::surrogate::models::Models;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// What finding a maximum took.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::study) struct Search {
    /// Until every candidate had its rank.
    pub(in crate::study) score: Duration,
    /// From there to the end.
    pub(in crate::study) polish: Duration,
    /// Points expanded.
    pub(in crate::study) expansions: u64,
}

/// Models that note when candidates were ranked and how many points were expanded.
pub(in crate::study) struct Timed<'a> {
    models: &'a Models,
    start: Instant,
    ranked: Cell<Duration>,
    expansions: Cell<u64>,
}

impl<'a> Timed<'a> {
    /// The clock starts.
    pub(in crate::study) fn new(models: &'a Models) -> Self {
        let (ranked, expansions) = (Cell::default(), Cell::default());
        Self { models, start: Instant::now(), ranked, expansions }
    }

    /// The clock stops.
    pub(in crate::study) fn taken(self) -> Search {
        let score = self.ranked.get();
        let polish = self.start.elapsed() - score;
        Search { score, polish, expansions: self.expansions.get() }
    }
}

impl Beliefs for Timed<'_> {
    fn candidates(&self) -> &Points {
        Beliefs::candidates(self.models)
    }

    fn neighbourhoods(&self) -> &Neighbourhoods {
        Beliefs::neighbourhoods(self.models)
    }

    fn standard_pooled(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        Beliefs::standard_pooled(self.models)
    }

    fn standard_estimate(&self, x: &[f64]) -> Result<Vec<Estimate>> {
        Beliefs::standard_estimate(self.models, x)
    }

    fn standard_estimates(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)> {
        Beliefs::standard_estimates(self.models, points)
    }

    fn standard_expand(&self, points: &[Vec<f64>], free: &[usize]) -> Result<Vec<Vec<Expansion>>> {
        self.expansions.set(self.expansions.get() + points.len() as u64);
        Beliefs::standard_expand(self.models, points, free)
    }

    fn model_sizes(&self) -> Vec<usize> {
        Beliefs::model_sizes(self.models)
    }

    fn ranked(&self) {
        self.ranked.set(self.start.elapsed());
    }
}
