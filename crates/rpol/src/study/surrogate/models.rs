//! The models of all outputs, kept in step with what the strategy sees.
//!
//! Outputs with the same kernel that see the same trials with the same noise share one factor: all
//! of them under the paper's printed settings, none once hyper-parameters are learned for each, or
//! while a trial has told one metric and not another. A strategy that knows a point but not its
//! value keeps a second factor for the deviation, with inputs and no targets; the means then need
//! no solve.

use super::parallel;
use super::tracked::{Row, Track};
use crate::acquisition::Neighbourhoods;
use crate::error::Result;
use crate::gp::{Expansion, Factor, Joint, Posterior, Scale, Star, Warp};
use crate::kernel::Kernel;
use crate::points::{Points, PointsView};
use crate::policy::score::Estimate;
use crate::study::data::stats::{OutputStats, Valued};
use crate::study::data::table::{SettingRow, SettingTable};
use crate::study::log::event::Fitted;
use std::sync::Arc;

/// A model that begins with this number of settings takes longer than a thread does to start.
const MANY: usize = 128;

/// A setting's number among the distinct ones, and where it is.
pub(in crate::study) type Setting = (u64, Arc<[f64]>);

/// What the model of an output is to contain of one setting.
#[derive(Debug, Clone)]
struct Seen {
    /// The setting's number among the distinct ones.
    point: u64,
    x: Arc<[f64]>,
    /// `None`: the point narrows the deviation only.
    valued: Option<Valued>,
    /// The noise that the deviation rests on, in standard units.
    noise: f64,
}

/// What the model of an output is to be.
#[derive(Debug, Clone)]
pub(in crate::study) struct TargetRows {
    kernel: Kernel,
    /// Noise variance of one plain observation, in standard units.
    noise: f64,
    /// What its values are of.
    warp: Warp,
    scale: Scale,
    /// Settings, in the order in which they were first seen.
    seen: Vec<Seen>,
    /// How many values that makes.
    values: u64,
    /// Whether some have no value yet and so narrow the deviation alone.
    has_pending: bool,
}

impl TargetRows {
    pub(in crate::study) fn new(table: &SettingTable, output: usize, fitted: &Fitted) -> Self {
        let see = |(row, seen): (&SettingRow, &OutputStats)| {
            let (valued, noise) = (seen.valued(fitted), seen.noise(fitted)?);
            Some(Seen { point: row.point, x: row.x.clone(), valued, noise })
        };
        Self {
            kernel: fitted.kernel.clone(),
            noise: fitted.noise,
            warp: fitted.warp,
            scale: fitted.scale,
            seen: table.of(output).filter_map(see).collect(),
            values: table.values[output],
            has_pending: table.of(output).any(|(_, seen)| seen.is_pending()),
        }
    }

    /// Every point, where some have no value (yet).
    fn inputs(&self) -> impl Iterator<Item = (u64, f64)> {
        self.seen.iter().map(|seen| (seen.point, seen.noise))
    }

    /// The points that have a value.
    fn valued(&self) -> impl Iterator<Item = (u64, f64)> {
        self.seen.iter().filter_map(|seen| Some((seen.point, seen.valued?.noise)))
    }
}

/// Models of all outputs on one set of candidates.
#[derive(Debug, Clone)]
pub(in crate::study) struct Models {
    candidates: Points,
    neighbourhoods: Neighbourhoods,
    /// What gives the means, and the deviations too where nothing is pending.
    groups: Vec<Group>,
    /// For each output, its group and its place there.
    bins: Vec<(usize, usize)>,
    /// What gives the deviations where some points have no value yet: no targets, only inputs.
    wide: Vec<Group>,
    /// For each output with something pending, its place in `wide`.
    wide_places: Vec<Option<usize>>,
    noises: Vec<f64>,
    warps: Vec<Warp>,
    /// How many values the model of each output rests on.
    values: Vec<u64>,
    /// Whether the next step rebuilds.
    outdated: bool,
}

/// Outputs that share a factor: the same prior, the same inputs, the same noise.
#[derive(Debug, Clone)]
struct Group {
    outputs: Vec<usize>,
    kernel: Kernel,
    track: Track,
}

impl Models {
    pub(in crate::study) fn new(candidates: Points) -> Self {
        Self {
            neighbourhoods: Neighbourhoods::new(candidates.len()),
            candidates,
            groups: Vec::new(),
            bins: Vec::new(),
            wide: Vec::new(),
            wide_places: Vec::new(),
            noises: Vec::new(),
            warps: Vec::new(),
            values: Vec::new(),
            outdated: false,
        }
    }

    pub(in crate::study) fn candidates(&self) -> &Points {
        &self.candidates
    }

    pub(in crate::study) fn neighbourhoods(&self) -> &Neighbourhoods {
        &self.neighbourhoods
    }

    /// Brings every model to what is wanted, by as little work as the difference needs.
    pub(in crate::study) fn sync(&mut self, wanted: &[TargetRows]) -> Result<()> {
        if std::mem::take(&mut self.outdated) {
            (self.groups, self.wide) = (Vec::new(), Vec::new());
        }
        let candidates = &self.candidates;
        let valued = |a: &TargetRows, b: &TargetRows| a.valued().eq(b.valued());
        let mut groups = Vec::new();
        for outputs in parts(0..wanted.len(), wanted, valued) {
            let scales = outputs.iter().map(|q| wanted[*q].scale).collect();
            let first = &wanted[outputs[0]];
            let rows = rows_of(&outputs, wanted);
            let group = Group::take(&mut self.groups, outputs, &first.kernel, candidates)?;
            groups.push((group, rows, scales));
        }
        let mut wide = Vec::new();
        let pending = (0..wanted.len()).filter(|q| wanted[*q].has_pending);
        for outputs in parts(pending, wanted, |a, b| a.inputs().eq(b.inputs())) {
            let first = &wanted[outputs[0]];
            let row = |seen: &Seen| Row {
                point: seen.point,
                x: seen.x.clone(),
                values: Vec::new(),
                noise: seen.noise,
            };
            let rows = first.seen.iter().map(row).collect();
            let group = Group::take(&mut self.wide, outputs, &first.kernel, candidates)?;
            wide.push((group, rows, Vec::new()));
        }
        let count = groups.len();
        let mut groups = in_step(groups.into_iter().chain(wide).collect())?;
        let wide = groups.split_off(count);
        self.bins = vec![(0, 0); wanted.len()];
        for (g, group) in groups.iter().enumerate() {
            group.outputs.iter().enumerate().for_each(|(place, q)| self.bins[*q] = (g, place));
        }
        self.wide_places = vec![None; wanted.len()];
        for (g, group) in wide.iter().enumerate() {
            group.outputs.iter().for_each(|q| self.wide_places[*q] = Some(g));
        }
        self.noises = wanted.iter().map(|w| w.noise).collect();
        self.warps = wanted.iter().map(|w| w.warp).collect();
        self.values = wanted.iter().map(|w| w.values).collect();
        (self.groups, self.wide) = (groups, wide);
        Ok(())
    }

    /// The next [`sync`](Self::sync) rebuilds: what it makes does not depend on how the models came to be.
    pub(in crate::study) fn outdate(&mut self) {
        self.outdated = true;
    }

    /// Every factor that is kept: outputs that agree share one.
    pub(in crate::study) fn factors(&self) -> impl Iterator<Item = &Factor> {
        self.groups.iter().chain(&self.wide).map(|group| group.track.posterior.factor())
    }

    /// How many outputs have a model.
    pub(in crate::study) fn outputs(&self) -> usize {
        self.bins.len()
    }

    /// Whether there is a model for every output.
    pub(in crate::study) fn ready(&self) -> bool {
        !self.bins.is_empty()
    }

    /// $\mu$ and $\sigma$ of every output at one point.
    pub(in crate::study) fn estimate(&self, x: &[f64]) -> Result<Vec<Estimate>> {
        let one = Points::from_rows(x.len(), &[x]);
        self.groups.iter().try_for_each(|group| group.track.posterior.factor().check_point(x))?;
        let at = |(means, deviations): (Vec<f64>, Vec<f64>)| Estimate {
            mean: means[0],
            deviation: deviations[0],
        };
        Ok(self.estimate_many(one.view()).into_iter().map(at).collect())
    }

    /// Means and deviations of every output at many points.
    pub(in crate::study) fn estimate_many(
        &self,
        points: PointsView<'_>,
    ) -> Vec<(Vec<f64>, Vec<f64>)> {
        let mut out = vec![(Vec::new(), Vec::new()); self.bins.len()];
        let wide: Vec<Vec<f64>> =
            self.wide.iter().map(|group| group.track.posterior.sigma_many(points)).collect();
        for group in &self.groups {
            let posterior = &group.track.posterior;
            let narrow = group.outputs.iter().any(|q| self.wide_places[*q].is_none());
            let (means, deviations) = if narrow {
                posterior.predict_many(points)
            } else {
                (posterior.mean_many(points), Vec::new())
            };
            for ((place, q), mean) in group.outputs.iter().enumerate().zip(means) {
                let deviation = match self.wide_places[*q] {
                    Some(g) => {
                        let spread = posterior.scales()[place].spread;
                        wide[g].iter().map(|sigma| spread * sigma).collect()
                    }
                    None => deviations[place].clone(),
                };
                out[*q] = (mean, deviation);
            }
        }
        out
    }

    /// Means of one output at many points.
    pub(in crate::study) fn means_at(&self, output: usize, points: PointsView<'_>) -> Vec<f64> {
        let (group, place) = self.bins[output];
        self.groups[group].track.posterior.mean_many(points).swap_remove(place)
    }

    /// Mean and variance of every output around each of `points`, to second order along the
    /// coordinates `free`.
    pub(in crate::study) fn expand(
        &self,
        points: &[Vec<f64>],
        free: &[usize],
    ) -> Result<Vec<Vec<Expansion>>> {
        let mut out = vec![vec![Expansion::default(); self.bins.len()]; points.len()];
        let stars = |posterior: &Posterior| -> Result<Vec<Star>> {
            points.iter().try_for_each(|x| posterior.factor().check_point(x))?;
            Ok(points.iter().map(|x| posterior.star(x, free)).collect())
        };
        let mut wide = Vec::with_capacity(self.wide.len());
        for group in &self.wide {
            let posterior = &group.track.posterior;
            wide.push(posterior.expand_variances(&stars(posterior)?));
        }
        for group in &self.groups {
            let posterior = &group.track.posterior;
            let stars = stars(posterior)?;
            let narrow = group.outputs.iter().any(|q| self.wide_places[*q].is_none());
            let own = if narrow { posterior.expand_variances(&stars) } else { Vec::new() };
            for (j, star) in stars.iter().enumerate() {
                let means = group.outputs.iter().zip(posterior.expand_means(star));
                for ((q, mean), scale) in means.zip(posterior.scales()) {
                    let variance = match self.wide_places[*q] {
                        Some(g) => wide[g][j].clone(),
                        None => own[j].clone(),
                    };
                    out[j][*q] =
                        Expansion { mean, variance: variance.scaled(scale.spread.powi(2)) };
                }
            }
        }
        Ok(out)
    }

    /// $\mu$ and $\sigma$ of an output at every candidate.
    pub(in crate::study) fn pooled(&self, output: usize) -> (Vec<f64>, Vec<f64>) {
        let (group, place) = self.bins[output];
        let spread = self.scale(output).spread;
        let sigma = self.wide_track(output).pool.sigma();
        let deviation = sigma.into_iter().map(|sigma| spread * sigma).collect();
        (self.groups[group].track.pool.mean(place), deviation)
    }

    /// The posterior on the values of an output, pending points apart, and the output's place there.
    pub(in crate::study) fn on_values(&self, output: usize) -> (&Posterior, usize) {
        let (group, place) = self.bins[output];
        (&self.groups[group].track.posterior, place)
    }

    /// Whether no value of an output is on its way: then one posterior says all of it.
    pub(in crate::study) fn knows_all(&self, output: usize) -> bool {
        self.wide_places[output].is_none()
    }

    /// The posterior whose deviation is used for an output.
    pub(in crate::study) fn wide(&self, output: usize) -> &Posterior {
        &self.wide_track(output).posterior
    }

    fn wide_track(&self, output: usize) -> &Track {
        match self.wide_places[output] {
            Some(g) => &self.wide[g].track,
            None => &self.groups[self.bins[output].0].track,
        }
    }

    /// Covariance of an output between `x` and every candidate, in standard units.
    pub(in crate::study) fn covariances(&self, output: usize, x: &[f64]) -> Vec<f64> {
        let track = self.wide_track(output);
        track.pool.covariances(&track.posterior, x)
    }

    /// The recent settings in every model, those of use, and what is believed of each output there; `None` while some have
    /// no value yet.
    pub(in crate::study) fn recent(
        &self,
        is_of_use: impl Fn(&[f64]) -> bool,
    ) -> Option<(Vec<Setting>, Vec<Joint>)> {
        if !self.wide.is_empty() {
            return None;
        }
        let tracks: Vec<&Track> = self.groups.iter().map(|group| &group.track).collect();
        let latest: Vec<&[Row]> = tracks.iter().map(|track| track.recent()).collect();
        let place = |rows: &[Row], point: u64| rows.iter().position(|row| row.point == point);
        let first = latest.first()?.iter();
        let known: Vec<&Row> = first
            .filter(|row| is_of_use(&row.x))
            .filter(|row| latest.iter().all(|rows| place(rows, row.point).is_some()))
            .collect();
        let joints: Vec<Vec<Joint>> = tracks
            .iter()
            .zip(&latest)
            .map(|(track, rows)| {
                let bins: Vec<usize> =
                    known.iter().filter_map(|row| place(rows, row.point)).collect();
                let joints = track.posterior.latest(rows.len());
                joints.into_iter().map(|joint| joint.of(&bins)).collect()
            })
            .collect();
        let outputs = self.bins.iter().map(|(group, place)| joints[*group][*place].clone());
        let settings = known.into_iter().map(|row| (row.point, row.x.clone())).collect();
        Some((settings, outputs.collect()))
    }

    /// What an output is modelled as.
    pub(in crate::study) fn warp(&self, output: usize) -> Warp {
        self.warps[output]
    }

    /// A belief of an output as the models have it, in the output's own unit: its median, and half the distance between
    /// its quantiles one deviation to either side.
    pub(in crate::study) fn own(&self, output: usize, at: Estimate) -> Estimate {
        let warp = self.warps[output];
        if warp.is_identity() {
            return at;
        }
        let Estimate { mean, deviation } = at;
        let (low, high) = (warp.invert(mean - deviation), warp.invert(mean + deviation));
        Estimate { mean: warp.invert(mean), deviation: high / 2.0 - low / 2.0 }
    }

    /// $\lambda$ of an output, in standard units.
    pub(in crate::study) fn noise(&self, output: usize) -> f64 {
        self.noises[output]
    }

    /// How many values the model of an output rests on.
    pub(in crate::study) fn values(&self, output: usize) -> u64 {
        self.values[output]
    }

    /// The unit decisions are made in: the objective is centred, a constraint keeps its limit at 0.
    pub(in crate::study) fn unit(&self, output: usize) -> Scale {
        let scale = self.scale(output);
        if output == 0 { scale } else { Scale { centre: 0.0, ..scale } }
    }

    /// The unit of an output.
    pub(in crate::study) fn scale(&self, output: usize) -> Scale {
        let (group, place) = self.bins[output];
        self.groups[group].track.posterior.scales()[place]
    }
}

/// Outputs with the same kernel and the `same` inputs together, in order.
fn parts(
    outputs: impl Iterator<Item = usize>,
    wanted: &[TargetRows],
    same: impl Fn(&TargetRows, &TargetRows) -> bool,
) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for q in outputs {
        let fits = |part: &&mut Vec<usize>| {
            let first = &wanted[part[0]];
            first.kernel == wanted[q].kernel && same(first, &wanted[q])
        };
        match parts.iter_mut().find(fits) {
            Some(part) => part.push(q),
            None => parts.push(vec![q]),
        }
    }
    parts
}

/// The values of outputs that see the same points with a value.
fn rows_of(outputs: &[usize], wanted: &[TargetRows]) -> Vec<Row> {
    let column = |q: &usize| wanted[*q].seen.iter().filter_map(|seen| seen.valued);
    let mut columns: Vec<_> = outputs.iter().map(column).collect();
    let first = wanted[outputs[0]].seen.iter();
    let rows = first.filter_map(|seen| Some((seen, seen.valued?.noise)));
    rows.map(|(seen, noise)| Row {
        point: seen.point,
        x: seen.x.clone(),
        values: columns.iter_mut().filter_map(|column| column.next().map(|v| v.value)).collect(),
        noise,
    })
    .collect()
}

/// Brings every group to the rows and scales that it is to have.
fn in_step(groups: Vec<(Group, Vec<Row>, Vec<Scale>)>) -> Result<Vec<Group>> {
    let begins_with_many = |(group, rows, _): &(Group, Vec<Row>, Vec<Scale>)| {
        group.track.recent().is_empty() && rows.len() >= MANY
    };
    let bring = |(mut group, rows, scales): (Group, Vec<Row>, Vec<Scale>)| {
        group.track.sync(rows, scales)?;
        Ok(group)
    };
    match groups.iter().any(begins_with_many) {
        true => parallel::each(groups, bring).into_iter().collect(),
        false => groups.into_iter().map(bring).collect(),
    }
}

impl Group {
    /// The old group of these outputs and this kernel, or a new one.
    fn take(
        old: &mut Vec<Self>,
        outputs: Vec<usize>,
        kernel: &Kernel,
        candidates: &Points,
    ) -> Result<Self> {
        match old.iter().position(|g| g.outputs == outputs && g.kernel == *kernel) {
            Some(i) => Ok(old.swap_remove(i)),
            None => {
                let track = Track::new(kernel, candidates)?;
                Ok(Self { outputs, kernel: kernel.clone(), track })
            }
        }
    }
}
