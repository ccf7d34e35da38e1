//! A dense survey and differential evolution (Storn, Price 1997) with Deb's feasibility rules (Deb 2000).

use rpol_lab::problem::Problem;

/// xorshift64*, enough for a search.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }
}

/// Typical size of each constraint, so that violations add up fairly and tolerances mean something.
pub(crate) fn scales(problem: &Problem) -> Vec<f64> {
    let mut random = Random::new(11);
    let samples: Vec<_> = (0..501)
        .map(|_| problem.g(&problem.from_unit(&point(problem.dims(), &mut random))))
        .collect();
    (0..problem.constraints.len())
        .map(|i| {
            let mut sizes: Vec<f64> = samples.iter().map(|g| g[i].abs()).collect();
            sizes.sort_by(f64::total_cmp);
            sizes[250].max(1.0)
        })
        .collect()
}

fn point(dims: usize, random: &mut Random) -> Vec<f64> {
    (0..dims).map(|_| random.uniform()).collect()
}

#[derive(Clone)]
pub(crate) struct Found {
    unit: Vec<f64>,
    pub(crate) value: f64,
    pub(crate) violation: f64,
}

impl Found {
    fn beats(&self, other: &Self) -> bool {
        if self.violation != other.violation {
            self.violation < other.violation
        } else {
            self.value >= other.value
        }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    scales: Vec<f64>,
    random: Random,
}

/// The best point of several independent searches, in the domain's coordinates.
pub(crate) fn best(problem: &Problem, seeds: u64) -> (Vec<f64>, Found) {
    let found = (1..=seeds)
        .map(|seed| Search { problem, scales: scales(problem), random: Random::new(seed) }.run())
        .reduce(|a, b| if b.beats(&a) { b } else { a })
        .expect("at least one seed");
    (problem.from_unit(&found.unit), found)
}

impl Search<'_> {
    fn run(&mut self) -> Found {
        let dims = self.problem.dims();
        let mut crowd = self.survey(20_000, 20 + 8 * dims);
        for _ in 0..300 + 120 * dims {
            for i in 0..crowd.len() {
                let child = self.child(&crowd, i);
                if child.beats(&crowd[i]) {
                    crowd[i] = child;
                }
            }
        }
        crowd.into_iter().reduce(|a, b| if b.beats(&a) { b } else { a }).expect("a crowd")
    }

    /// Half the crowd is the best of a dense sample, half is anywhere, to keep far components alive.
    fn survey(&mut self, count: usize, crowd: usize) -> Vec<Found> {
        let mut sample: Vec<Found> = (0..count).map(|_| self.anywhere()).collect();
        sample.sort_by(|a, b| {
            if a.beats(b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
        });
        sample.truncate(crowd / 2);
        sample.extend((crowd / 2..crowd).map(|_| self.anywhere()));
        sample
    }

    fn anywhere(&mut self) -> Found {
        let unit = point(self.problem.dims(), &mut self.random);
        self.evaluate(unit)
    }

    fn evaluate(&self, unit: Vec<f64>) -> Found {
        let x = self.problem.from_unit(&unit);
        let violation =
            self.problem.g(&x).iter().zip(&self.scales).map(|(g, s)| g.max(0.0) / s).sum();
        Found { value: self.problem.f(&x), violation, unit }
    }

    fn child(&mut self, crowd: &[Found], i: usize) -> Found {
        let [a, b, c] = [0; 3].map(|_| &crowd[self.random.below(crowd.len())].unit);
        let factor = 0.4 + 0.5 * self.random.uniform();
        let forced = self.random.below(crowd[i].unit.len());
        let mut unit = crowd[i].unit.clone();
        for j in 0..unit.len() {
            if j == forced || self.random.uniform() < 0.9 {
                unit[j] = (a[j] + factor * (b[j] - c[j])).clamp(0.0, 1.0);
            }
        }
        self.evaluate(unit)
    }
}
