//! Everything seen, setting by setting.

use super::gathered::Gathered;
use std::collections::HashMap;
use std::sync::Arc;

/// Settings in the order in which they were first seen, and what was seen of every output there.
#[derive(Debug, Clone)]
pub(super) struct Gathering {
    outputs: usize,
    spots: Vec<Spot>,
    /// One after the other, all outputs of the first, all of the second, ...
    seen: Vec<Gathered>,
    places: HashMap<u64, usize>,
    /// How many values of each output.
    pub(super) values: Vec<u64>,
}

/// One setting.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    /// Its number among the distinct ones.
    pub(super) point: u64,
    pub(super) x: Arc<[f64]>,
    /// How many trials were there.
    pub(super) trials: u64,
    /// How far the farthest setting was that was merged into this one.
    pub(super) reach: f64,
}

impl Gathering {
    pub(super) fn new(outputs: usize) -> Self {
        let (spots, seen, places) = (Vec::new(), Vec::new(), HashMap::new());
        Self { outputs, spots, seen, places, values: vec![0; outputs] }
    }

    pub(super) fn len(&self) -> usize {
        self.spots.len()
    }

    pub(super) fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// What was seen of an output at every setting.
    pub(super) fn of(&self, output: usize) -> impl Iterator<Item = (&Spot, &Gathered)> {
        let seen = self.seen.iter().skip(output).step_by(self.outputs);
        self.spots.iter().zip(seen)
    }

    /// What was seen of each output at a setting.
    pub(super) fn at(&self, place: usize) -> &[Gathered] {
        &self.seen[place * self.outputs..(place + 1) * self.outputs]
    }

    fn at_mut(&mut self, place: usize) -> &mut [Gathered] {
        &mut self.seen[place * self.outputs..(place + 1) * self.outputs]
    }

    /// What is known of each output at the setting of one more trial.
    pub(super) fn visit(&mut self, point: u64, x: &[f64]) -> &mut [Gathered] {
        let place = *self.places.entry(point).or_insert_with(|| {
            self.spots.push(Spot { point, x: x.into(), trials: 0, reach: 0.0 });
            self.seen.resize(self.seen.len() + self.outputs, Gathered::default());
            self.spots.len() - 1
        });
        self.spots[place].trials += 1;
        self.at_mut(place)
    }

    /// Lets the setting at `taker` take over what was seen at `giver`, so far away, output by output; how far what it
    /// stands for is away now.
    pub(super) fn give(
        &mut self,
        giver: usize,
        taker: usize,
        distance: f64,
        take_over: impl Fn(usize, &mut Gathered, &Gathered),
    ) -> f64 {
        let given = self.at(giver).to_vec();
        for (q, (taker, giver)) in self.at_mut(taker).iter_mut().zip(&given).enumerate() {
            take_over(q, taker, giver);
        }
        let Spot { trials, reach, .. } = self.spots[giver];
        let spot = &mut self.spots[taker];
        spot.trials += trials;
        // The distance is a metric: no detour is shorter.
        spot.reach = spot.reach.max(reach + distance);
        spot.reach
    }

    /// Drops the settings that are not `kept`.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        let mut seen = Vec::with_capacity(self.seen.len());
        let places = (0..self.len()).filter(|place| kept[*place]);
        places.for_each(|place| seen.extend_from_slice(self.at(place)));
        let mut keep = kept.iter();
        self.spots.retain(|_| keep.next() == Some(&true));
        let numbered = self.spots.iter().enumerate();
        self.places = numbered.map(|(place, spot)| (spot.point, place)).collect();
        self.seen = seen;
    }
}
