//! What is told of a run without end, at rounds 100, 200, 500, 1000, ...

use serde::Serialize;

/// Where a run stands. Regret and violation are those of the true functions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// $t$.
    pub round: u64,
    /// Mean milliseconds of a round, over the last tenth of the rounds so far.
    pub round_ms: f64,
    /// $R^+(t)/t$.
    pub regret: f64,
    /// $V(t)/t$.
    pub violation: f64,
    /// Share of rounds beyond the limit, in the last tenth.
    pub violating: f64,
    /// Distinct points in the model; a mean where there are several seeds.
    pub points: f64,
    /// Resident bytes of the process, where the system says so.
    pub memory: Option<u64>,
}

impl Row {
    /// The mean of one row a seed, all at the same round; of the memory the most.
    pub fn mean(rows: &[&Self]) -> Self {
        let mean =
            |of: fn(&Self) -> f64| rows.iter().map(|row| of(row)).sum::<f64>() / rows.len() as f64;
        Self {
            round: rows[0].round,
            round_ms: mean(|row| row.round_ms),
            regret: mean(|row| row.regret),
            violation: mean(|row| row.violation),
            violating: mean(|row| row.violating),
            points: mean(|row| row.points),
            memory: rows.iter().filter_map(|row| row.memory).max(),
        }
    }
}

/// Sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) seconds: f64,
    pub(super) regret: f64,
    pub(super) violation: f64,
    pub(super) violating: u64,
}

/// A round to report, and the sums a tenth before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) round: u64,
    tail: u64,
    before: Sums,
}

impl Mark {
    /// One, two and five times each power of ten from 100 on, and the last round.
    pub(super) fn all(rounds: u64) -> Vec<Self> {
        let steps = (2..).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power)));
        let before_the_last = steps.take_while(|round| *round < rounds);
        let mark =
            |round: u64| Self { round, tail: round - round.div_ceil(10), before: Sums::default() };
        before_the_last.chain([rounds]).map(mark).collect()
    }

    /// Hears of every round; the row when it is its own.
    pub(super) fn at(&mut self, round: u64, sums: Sums) -> Option<Row> {
        if round == self.tail {
            self.before = sums;
        }
        let (all, tail) = (round as f64, (round - self.tail.min(round)) as f64);
        (round == self.round).then(|| Row {
            round,
            round_ms: 1e3 * (sums.seconds - self.before.seconds) / tail,
            regret: sums.regret / all,
            violation: sums.violation / all,
            violating: (sums.violating - self.before.violating) as f64 / tail,
            points: 0.0,
            memory: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_one_two_five_and_the_end() {
        let rounds = |last| Mark::all(last).iter().map(|mark| mark.round).collect::<Vec<_>>();
        assert_eq!(rounds(1200), [100, 200, 500, 1000, 1200]);
        assert_eq!(rounds(1000), [100, 200, 500, 1000]);
        assert_eq!(rounds(7), [7]);
    }

    #[test]
    fn a_tail_is_the_last_tenth() {
        for last in [7, 100, 1200] {
            let mut marks = Mark::all(last);
            let (mut sums, mut rows) = (Sums::default(), Vec::new());
            let tenth = last.div_ceil(10);
            for round in 1..=last {
                // What is just outside of the tail must not show, what is just inside must.
                sums.seconds += f64::from(u8::from(round == last - tenth));
                sums.violating += u64::from(round == last - tenth + 1);
                sums.regret += 1.0;
                rows.extend(marks.iter_mut().filter_map(|mark| mark.at(round, sums)));
            }
            let row = rows.last().expect("the last round has one");
            assert_eq!((row.round_ms, row.regret), (0.0, 1.0), "{last}");
            assert_eq!(row.violating, 1.0 / tenth as f64, "{last}");
        }
    }
}
