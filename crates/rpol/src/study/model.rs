//! The models of all outputs, kept in step with what the strategy sees.

use super::event::Fitted;
use crate::error::Result;
use crate::gp::{Factor, Pool, Posterior, Scale};
use crate::kernel::Kernel;
use crate::points::{Points, PointsView};
use crate::policy::score::Estimate;

/// One value the model of an output is to contain.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) trial: usize,
    /// `None`: the point narrows the deviation only.
    pub(super) value: Option<f64>,
    /// Noise variance in standard units.
    pub(super) noise: f64,
}

/// What the model of an output is to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    pub(super) kernel: Kernel,
    /// Noise variance of one plain observation, in standard units.
    pub(super) noise: f64,
    pub(super) scale: Scale,
    pub(super) seen: Vec<Seen>,
}

impl Wanted {
    pub(super) fn new(fitted: &Fitted) -> Self {
        let Fitted { kernel, noise, scale, .. } = fitted;
        Self { kernel: kernel.clone(), noise: *noise, scale: *scale, seen: Vec::new() }
    }

    /// Whether both can share one factor: the same prior, the same inputs, the same noise.
    fn shares(&self, other: &Self) -> bool {
        let same = |(a, b): (&Seen, &Seen)| {
            a.trial == b.trial && a.noise == b.noise && a.value.is_some() == b.value.is_some()
        };
        self.kernel == other.kernel
            && self.seen.len() == other.seen.len()
            && self.seen.iter().zip(&other.seen).all(same)
    }
}

/// Models of all outputs on one set of candidates.
#[derive(Debug, Clone)]
pub(super) struct Models {
    candidates: Points,
    groups: Vec<Group>,
    /// For each output, its group and its place there.
    places: Vec<(usize, usize)>,
    noises: Vec<f64>,
}

/// Outputs that share a factor.
#[derive(Debug, Clone)]
struct Group {
    outputs: Vec<usize>,
    kernel: Kernel,
    /// Everything with a value.
    mean: Track,
    /// Every queried point, where some have no value (yet).
    deviation: Option<Track>,
}

/// A posterior, its pool, and the rows both contain.
#[derive(Debug, Clone)]
struct Track {
    posterior: Posterior,
    pool: Pool,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq)]
struct Row {
    trial: usize,
    values: Vec<f64>,
    noise: f64,
}

impl Models {
    pub(super) fn new(candidates: Points) -> Self {
        Self { candidates, groups: Vec::new(), places: Vec::new(), noises: Vec::new() }
    }

    pub(super) fn candidates(&self) -> &Points {
        &self.candidates
    }

    /// Brings every model to what is wanted, by as little work as the difference needs.
    pub(super) fn sync(&mut self, wanted: &[Wanted], inputs: &[&[f64]]) -> Result<()> {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for (q, want) in wanted.iter().enumerate() {
            match parts.iter_mut().find(|part| wanted[part[0]].shares(want)) {
                Some(part) => part.push(q),
                None => parts.push(vec![q]),
            }
        }
        let mut groups = Vec::with_capacity(parts.len());
        for outputs in parts {
            let kernel = &wanted[outputs[0]].kernel;
            let old = self.groups.iter().position(|g| g.outputs == outputs && g.kernel == *kernel);
            let group = match old {
                Some(i) => self.groups.swap_remove(i),
                None => Group::new(outputs, kernel.clone(), &self.candidates)?,
            };
            groups.push(group.sync(wanted, inputs, &self.candidates)?);
        }
        self.places = vec![(0, 0); wanted.len()];
        for (g, group) in groups.iter().enumerate() {
            group.outputs.iter().enumerate().for_each(|(place, q)| self.places[*q] = (g, place));
        }
        self.noises = wanted.iter().map(|w| w.noise).collect();
        self.groups = groups;
        Ok(())
    }

    /// How many outputs have a model.
    pub(super) fn outputs(&self) -> usize {
        self.places.len()
    }

    /// Whether there is a model for every output.
    pub(super) fn ready(&self) -> bool {
        !self.places.is_empty()
    }

    /// $\mu$ and $\sigma$ of every output at one point.
    pub(super) fn estimate(&self, x: &[f64]) -> Result<Vec<Estimate>> {
        let mut out = vec![Estimate { mean: 0.0, deviation: 0.0 }; self.places.len()];
        for group in &self.groups {
            let mean = group.mean.posterior.predict(x)?;
            let deviation = match &group.deviation {
                Some(track) => track.posterior.predict(x)?.deviation,
                None => mean.deviation,
            };
            for (place, q) in group.outputs.iter().enumerate() {
                out[*q] = Estimate { mean: mean.mean[place], deviation: deviation[place] };
            }
        }
        Ok(out)
    }

    /// Means and deviations of every output at many points.
    pub(super) fn estimate_many(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)> {
        let mut out = vec![(Vec::new(), Vec::new()); self.places.len()];
        for group in &self.groups {
            let (means, deviations) = group.mean.posterior.predict_many(points);
            let deviations = match &group.deviation {
                Some(track) => track.posterior.predict_many(points).1,
                None => deviations,
            };
            for (q, found) in group.outputs.iter().zip(means.into_iter().zip(deviations)) {
                out[*q] = found;
            }
        }
        out
    }

    /// As [`estimate`](Self::estimate), with the gradients of mean and deviation of every output.
    pub(super) fn estimate_with_gradient(
        &self,
        x: &[f64],
    ) -> Result<Vec<(Estimate, [Vec<f64>; 2])>> {
        let empty = (Estimate { mean: 0.0, deviation: 0.0 }, [Vec::new(), Vec::new()]);
        let mut out = vec![empty; self.places.len()];
        for group in &self.groups {
            let mean = group.mean.posterior.predict_with_gradient(x)?;
            let other = group.deviation.as_ref().map(|t| t.posterior.predict_with_gradient(x));
            let other = other.transpose()?;
            let wide = other.as_ref().unwrap_or(&mean);
            for (place, q) in group.outputs.iter().enumerate() {
                let estimate = Estimate {
                    mean: mean.belief.mean[place],
                    deviation: wide.belief.deviation[place],
                };
                out[*q] = (estimate, [mean.mean[place].clone(), wide.deviation[place].clone()]);
            }
        }
        Ok(out)
    }

    /// $\mu$ and $\sigma$ of an output at every candidate.
    pub(super) fn pooled(&self, output: usize) -> (Vec<f64>, Vec<f64>) {
        let (group, place) = self.places[output];
        let group = &self.groups[group];
        (group.mean.pool.mean(place), group.wide().pool.deviation(place))
    }

    /// The posterior whose deviation is used for an output, and the output's place in it.
    pub(super) fn wide(&self, output: usize) -> (&Posterior, usize) {
        let (group, place) = self.places[output];
        (&self.groups[group].wide().posterior, place)
    }

    /// $\lambda$ of an output, in standard units.
    pub(super) fn noise(&self, output: usize) -> f64 {
        self.noises[output]
    }

    /// The unit of an output.
    pub(super) fn scale(&self, output: usize) -> Scale {
        let (posterior, place) = self.wide(output);
        posterior.scales()[place]
    }
}

impl Group {
    fn new(outputs: Vec<usize>, kernel: Kernel, candidates: &Points) -> Result<Self> {
        let scales = vec![Scale::default(); outputs.len()];
        let mean = Track::new(&kernel, candidates, scales)?;
        Ok(Self { outputs, kernel, mean, deviation: None })
    }

    fn wide(&self) -> &Track {
        self.deviation.as_ref().unwrap_or(&self.mean)
    }

    fn sync(mut self, wanted: &[Wanted], inputs: &[&[f64]], candidates: &Points) -> Result<Self> {
        let scales: Vec<Scale> = self.outputs.iter().map(|q| wanted[*q].scale).collect();
        let row = |i: usize| {
            let value = |q: &usize| wanted[*q].seen[i].value.unwrap_or(wanted[*q].scale.centre);
            let first = &wanted[self.outputs[0]].seen[i];
            let values = self.outputs.iter().map(value).collect();
            (Row { trial: first.trial, values, noise: first.noise }, first.value.is_some())
        };
        let all: Vec<(Row, bool)> = (0..wanted[self.outputs[0]].seen.len()).map(row).collect();
        let pending = all.iter().any(|(_, valued)| !valued);
        let valued = all.iter().filter(|(_, valued)| *valued).map(|(row, _)| row.clone()).collect();
        self.mean.sync(valued, &scales, inputs)?;
        if pending && self.deviation.is_none() {
            self.deviation = Some(Track::new(&self.kernel, candidates, scales.clone())?);
        }
        if let Some(track) = &mut self.deviation {
            track.sync(all.into_iter().map(|(row, _)| row).collect(), &scales, inputs)?;
        }
        Ok(self)
    }
}

impl Track {
    fn new(kernel: &Kernel, candidates: &Points, scales: Vec<Scale>) -> Result<Self> {
        let posterior = Posterior::new(Factor::new(kernel.clone(), candidates.dims())?, scales);
        let pool = Pool::new(candidates.clone(), &posterior);
        Ok(Self { posterior, pool, rows: Vec::new() })
    }

    fn sync(&mut self, rows: Vec<Row>, scales: &[Scale], inputs: &[&[f64]]) -> Result<()> {
        let same = |a: &Row, b: &Row| a.trial == b.trial && a.noise == b.noise;
        // Both lists are in the order of trials, so one walk finds what left and what came.
        let (mut left, mut came, mut corrected) = (Vec::new(), Vec::new(), Vec::new());
        let (mut old, mut new) = (self.rows.iter().peekable(), rows.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if same(a, b) => {
                    if a.values != b.values {
                        corrected.push((*a, *b));
                    }
                    old.next();
                    new.next();
                }
                (Some(a), Some(b)) if a.trial > b.trial => came.extend(new.next()),
                (Some(_), _) => left.extend(old.next()),
                (None, Some(_)) => came.extend(new.next()),
                (None, None) => break,
            }
        }
        if left.len() + came.len() > 8 + rows.len() / 4 {
            self.rebuild(&rows, scales, inputs)?;
        } else {
            for row in left {
                let change = self.posterior.forget(inputs[row.trial], &row.values, row.noise)?;
                change.iter().for_each(|change| self.pool.follow(&self.posterior, change));
            }
            let mut retarget = !corrected.is_empty();
            for (a, b) in corrected {
                self.posterior.correct(inputs[a.trial], &a.values, a.noise, &b.values)?;
            }
            if self.posterior.scales() != scales {
                self.posterior.rescale(scales.to_vec());
                retarget = true;
            }
            if retarget {
                self.pool.retarget(&self.posterior);
            }
            for row in came {
                let change = self.posterior.observe(inputs[row.trial], &row.values, row.noise)?;
                self.pool.follow(&self.posterior, &change);
            }
        }
        self.rows = rows;
        Ok(())
    }

    fn rebuild(&mut self, rows: &[Row], scales: &[Scale], inputs: &[&[f64]]) -> Result<()> {
        let factor = self.posterior.factor();
        let empty = Factor::new(factor.kernel().clone(), factor.dims())?;
        let points: Vec<&[f64]> = rows.iter().map(|row| inputs[row.trial]).collect();
        let points = Points::from_rows(factor.dims(), &points);
        let targets: Vec<&[f64]> = rows.iter().map(|row| row.values.as_slice()).collect();
        let noise: Vec<f64> = rows.iter().map(|row| row.noise).collect();
        self.posterior = Posterior::build(empty, scales.to_vec(), points.view(), &targets, &noise)?;
        self.pool.refresh(&self.posterior);
        Ok(())
    }
}
