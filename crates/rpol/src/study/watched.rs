//! Models with a watch beside them: what finding a maximum takes.

use super::model::Models;
use crate::argmax::{Beliefs, Neighbourhoods};
use crate::error::Result;
use crate::gp::Expansion;
use crate::points::{Points, PointsView};
use crate::policy::score::Estimate;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// What finding a maximum took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Search {
    /// Until every candidate had its rank.
    pub(super) score: Duration,
    /// From there to the end.
    pub(super) polish: Duration,
    /// Points expanded.
    pub(super) expansions: u64,
}

/// Models that note when candidates were ranked and how many points were expanded.
pub(super) struct Watched<'a> {
    models: &'a Models,
    start: Instant,
    ranked: Cell<Duration>,
    expansions: Cell<u64>,
}

impl<'a> Watched<'a> {
    /// The clock starts.
    pub(super) fn new(models: &'a Models) -> Self {
        let (ranked, expansions) = (Cell::default(), Cell::default());
        Self { models, start: Instant::now(), ranked, expansions }
    }

    /// The clock stops.
    pub(super) fn taken(self) -> Search {
        let score = self.ranked.get();
        let polish = self.start.elapsed() - score;
        Search { score, polish, expansions: self.expansions.get() }
    }
}

impl Beliefs for Watched<'_> {
    fn candidates(&self) -> &Points {
        Beliefs::candidates(self.models)
    }

    fn neighbourhoods(&self) -> &Neighbourhoods {
        Beliefs::neighbourhoods(self.models)
    }

    fn pooled(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        Beliefs::pooled(self.models)
    }

    fn estimate(&self, x: &[f64]) -> Result<Vec<Estimate>> {
        Beliefs::estimate(self.models, x)
    }

    fn estimate_many(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)> {
        Beliefs::estimate_many(self.models, points)
    }

    fn expand(&self, points: &[Vec<f64>], free: &[usize]) -> Result<Vec<Vec<Expansion>>> {
        self.expansions.set(self.expansions.get() + points.len() as u64);
        Beliefs::expand(self.models, points, free)
    }

    fn ranked(&self) {
        self.ranked.set(self.start.elapsed());
    }
}
