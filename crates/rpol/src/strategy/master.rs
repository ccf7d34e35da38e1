//! Many time scales at once, for an unknown variation budget.

use super::{Learning, Memory, Sight, Strategy, Timing};
use crate::error::{Error, Result};
use crate::random::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// MASTER (Wei & Luo 2021), the reduction of the paper's closing remark: blocks of $2^n$ rounds in which
/// instances of `base` of every order $m \le n$ are scheduled at random; in each round the *shortest*
/// one that covers it acts and learns, the others freeze. Two tests compare what was promised with what
/// came; when one fires, everything starts again. For constraints the tests are mirrored.
///
/// The printed constants cannot fire before $T$ of about $10^8$: `first`, `second` and `log` scale them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Master {
    /// The strategy of each instance.
    #[serde(default)]
    pub base: Box<Strategy>,
    /// $\beta\sqrt{4\gamma}$ in $\rho(t) = \beta\sqrt{4\gamma/t}$, in units of the outputs; at least 1 of `unit`.
    #[serde(default = "one")]
    pub rate: f64,
    /// The size of the outputs: the paper's functions lie in $[0, 1]$.
    #[serde(default = "one")]
    pub unit: f64,
    /// The 9 of the first test.
    #[serde(default = "nine")]
    pub first: f64,
    /// The 3 of the second test.
    #[serde(default = "three")]
    pub second: f64,
    /// Replaces $6(\log_2 T + 1)\ln(T/\delta)$, the factor between $\rho$ and its inflated form.
    #[serde(default = "one")]
    pub log: f64,
}

fn one() -> f64 {
    1.0
}

fn three() -> f64 {
    3.0
}

fn nine() -> f64 {
    9.0
}

/// What was promised and what came of it in one round, for every output, larger is better.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) round: u64,
    /// Optimistic value and observed value, where it has arrived.
    pub(crate) outputs: Vec<(f64, Option<f64>)>,
}

/// One run of the base strategy, on the rounds `first..=last`.
#[derive(Debug, Clone, PartialEq)]
struct Instance {
    id: u64,
    first: u64,
    last: u64,
}

/// The instances of the current block, and who acted when.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Schedule {
    seed: u64,
    first: u64,
    order: u32,
    instances: Vec<Instance>,
    /// Which instance acted in round 1, 2, ...
    acted: Vec<u64>,
    next_id: u64,
}

impl Schedule {
    pub(crate) fn new(seed: u64) -> Self {
        let mut schedule =
            Self { seed, first: 1, order: 0, instances: vec![], acted: vec![], next_id: 0 };
        schedule.begin(1, 0);
        schedule
    }

    /// Draws the instances of a block of $2^n$ rounds.
    fn begin(&mut self, first: u64, order: u32) {
        (self.first, self.order) = (first, order);
        self.instances.clear();
        let mut stream = Stream::new(self.seed, first).fork(u64::from(order));
        for offset in 0..1u64 << order {
            for m in (0..=order).rev() {
                let length = 1u64 << m;
                if offset % length != 0 {
                    continue;
                }
                // rho(2^n) / rho(2^m)
                let chance = (length as f64 / (1u64 << order) as f64).sqrt();
                if m == order || stream.uniform() < chance {
                    let first = first + offset;
                    self.instances.push(Instance {
                        id: self.next_id,
                        first,
                        last: first + length - 1,
                    });
                    self.next_id += 1;
                }
            }
        }
    }

    fn covering(&self, t: u64) -> &Instance {
        let covers = |i: &&Instance| i.first <= t && t <= i.last;
        let shortest =
            self.instances.iter().filter(covers).min_by_key(|i| (i.last - i.first, i.id));
        shortest.expect("the longest instance covers its block")
    }

    /// Closes round `t` and moves on to the next block, or back to the shortest when a test fires.
    pub(crate) fn close(&mut self, master: &Master, t: u64, outcomes: &[Outcome]) {
        self.acted.push(self.covering(t).id);
        if self.fires(master, t, outcomes) {
            self.begin(t + 1, 0);
        } else if t + 1 >= self.first + (1 << self.order) {
            self.begin(t + 1, (self.order + 1).min(40));
        }
    }

    fn fires(&self, master: &Master, t: u64, outcomes: &[Outcome]) -> bool {
        let block: Vec<&Outcome> = outcomes.iter().filter(|o| o.round >= self.first).collect();
        let outputs = block.first().map_or(0, |o| o.outputs.len());
        let ended = self.instances.iter().filter(|i| i.last == t);
        let lengths: Vec<(u64, u64)> = ended.map(|i| (i.first, i.last - i.first + 1)).collect();
        (0..outputs).any(|q| {
            let lowest = block.iter().map(|o| o.outputs[q].0).fold(f64::INFINITY, f64::min);
            let first = lengths.iter().any(|&(start, length)| {
                let values =
                    block.iter().filter(|o| o.round >= start).filter_map(|o| o.outputs[q].1);
                mean(values).is_some_and(|m| m >= lowest + master.first * master.inflated(length))
            });
            let gaps = block.iter().filter_map(|o| o.outputs[q].1.map(|y| o.outputs[q].0 - y));
            let length = t + 1 - self.first;
            first || mean(gaps).is_some_and(|m| m >= master.second * master.inflated(length))
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(s, n), v| (s + v, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Master {
    fn inflated(&self, rounds: u64) -> f64 {
        self.log * self.rate.max(1.0) * self.unit / (rounds as f64).sqrt()
    }
}

impl Learning for Master {
    fn schedule(&self, seed: u64) -> Option<Schedule> {
        Some(Schedule::new(seed))
    }

    fn close(&self, schedule: &mut Schedule, round: u64, outcomes: &[Outcome]) {
        schedule.close(self, round, outcomes);
    }

    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let schedule = memory.schedule.as_ref()?;
        let actor = schedule.acted.get(usize::try_from(value.asked).ok()?.checked_sub(1)?)?;
        let mine = *actor == schedule.covering(t).id;
        if mine { self.base.learning().sees(memory, t, value) } else { None }
    }

    fn validate(&self) -> Result<()> {
        use Strategy::{EventTriggered, Master, Watchful};
        if matches!(*self.base, Master(_) | EventTriggered(_) | Watchful(_)) {
            let problem =
                "cannot be master, event_triggered or watchful: choose a strategy without restarts";
            return Err(Error::spec("strategy.base", problem));
        }
        let fields = ["rate", "unit", "first", "second", "log"];
        let values = [self.rate, self.unit, self.first, self.second, self.log];
        for (field, value) in fields.iter().zip(values) {
            if !value.is_finite() || value <= 0.0 {
                let problem = format!("{value} is not usable: give a finite number above 0");
                return Err(Error::spec(format!("strategy.{field}"), problem));
            }
        }
        self.base.learning().validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calm(t: u64) -> Vec<Outcome> {
        (1..=t).map(|round| Outcome { round, outputs: vec![(1.0, Some(0.9))] }).collect()
    }

    #[test]
    fn blocks_double_and_the_shortest_instance_acts() {
        let master = Master {
            base: Box::default(),
            rate: 1.0,
            unit: 1.0,
            first: 9.0,
            second: 3.0,
            log: 1.0,
        };
        let mut schedule = Schedule::new(7);
        for t in 1..=63 {
            let active = schedule.covering(t);
            assert!(schedule.instances.iter().all(|i| {
                !(i.first <= t && t <= i.last) || i.last - i.first >= active.last - active.first
            }));
            schedule.close(&master, t, &calm(t));
        }
        assert_eq!((schedule.first, schedule.order, schedule.acted.len()), (64, 6, 63));
    }

    #[test]
    fn a_broken_promise_starts_over() {
        let master = Master {
            base: Box::default(),
            rate: 1.0,
            unit: 1.0,
            first: 9.0,
            second: 3.0,
            log: 0.5,
        };
        let mut schedule = Schedule::new(7);
        (1..=40).for_each(|t| schedule.close(&master, t, &calm(t)));
        assert_eq!(schedule.order, 5);
        let mut outcomes = calm(40);
        outcomes.extend((41..=50).map(|round| Outcome { round, outputs: vec![(1.0, Some(-1.0))] }));
        (41..=50).for_each(|t| schedule.close(&master, t, &outcomes[..t as usize]));
        assert!(schedule.order < 4, "{schedule:?}");
    }
}
