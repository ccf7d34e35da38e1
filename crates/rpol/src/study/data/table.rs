//! Everything seen, setting by setting.

use super::stats::OutputStats;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// Settings in the order in which they were first seen, and what was seen of every output there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct SettingTable {
    outputs: usize,
    rows: Vec<SettingRow>,
    /// One after the other, all outputs of the first, all of the second, ...
    seen: Vec<OutputStats>,
    /// The place of each setting, which the rows say.
    #[serde(skip)]
    bins: HashMap<u64, usize>,
    /// How many values of each output.
    pub(in crate::study) values: Vec<u64>,
}

/// One setting.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct SettingRow {
    /// Its number among the distinct ones.
    pub(in crate::study) point: u64,
    pub(in crate::study) x: Arc<[f64]>,
    /// How many trials were there.
    pub(in crate::study) trials: u64,
    /// How far the farthest setting was that was merged into this one.
    pub(in crate::study) reach: f64,
}

impl SettingTable {
    pub(in crate::study) fn new(outputs: usize) -> Self {
        let (rows, seen, bins) = (Vec::new(), Vec::new(), HashMap::new());
        Self { outputs, rows, seen, bins, values: vec![0; outputs] }
    }

    pub(in crate::study) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(in crate::study) fn rows(&self) -> &[SettingRow] {
        &self.rows
    }

    /// What was seen of an output at every setting.
    pub(in crate::study) fn of(
        &self,
        output: usize,
    ) -> impl Iterator<Item = (&SettingRow, &OutputStats)> {
        let seen = self.seen.iter().skip(output).step_by(self.outputs);
        self.rows.iter().zip(seen)
    }

    /// What was seen of each output at a setting.
    pub(in crate::study) fn at(&self, place: usize) -> &[OutputStats] {
        &self.seen[place * self.outputs..(place + 1) * self.outputs]
    }

    fn at_mut(&mut self, place: usize) -> &mut [OutputStats] {
        &mut self.seen[place * self.outputs..(place + 1) * self.outputs]
    }

    /// What is known of each output at the setting of one more trial.
    pub(in crate::study) fn visit(&mut self, point: u64, x: &[f64]) -> &mut [OutputStats] {
        let place = *self.bins.entry(point).or_insert_with(|| {
            self.rows.push(SettingRow { point, x: x.into(), trials: 0, reach: 0.0 });
            self.seen.resize(self.seen.len() + self.outputs, OutputStats::default());
            self.rows.len() - 1
        });
        self.rows[place].trials += 1;
        self.at_mut(place)
    }

    /// Lets the setting at `taker` take over what was seen at `giver`, so far away, output by output; how far what it
    /// stands for is away now.
    pub(in crate::study) fn give(
        &mut self,
        giver: usize,
        taker: usize,
        distance: f64,
        take_over: impl Fn(usize, &mut OutputStats, &OutputStats),
    ) -> f64 {
        let given = self.at(giver).to_vec();
        for (q, (taker, giver)) in self.at_mut(taker).iter_mut().zip(&given).enumerate() {
            take_over(q, taker, giver);
        }
        let SettingRow { trials, reach, .. } = self.rows[giver];
        let row = &mut self.rows[taker];
        row.trials += trials;
        // The distance is a metric: no detour is shorter.
        row.reach = row.reach.max(reach + distance);
        row.reach
    }

    /// Drops the settings that are not `kept`.
    pub(in crate::study) fn retain(&mut self, kept: &[bool]) {
        let mut seen = Vec::with_capacity(self.seen.len());
        let bins = (0..self.len()).filter(|place| kept[*place]);
        bins.for_each(|place| seen.extend_from_slice(self.at(place)));
        let mut keep = kept.iter();
        self.rows.retain(|_| keep.next() == Some(&true));
        self.seen = seen;
        self.index();
    }

    /// Finds the place of each setting again.
    pub(in crate::study) fn index(&mut self) {
        let numbered = self.rows.iter().enumerate();
        self.bins = numbered.map(|(place, row)| (row.point, place)).collect();
    }
}
