//! What is claimed, and what was seen of it.

use serde::Serialize;

/// A ratio is over 1 only beyond this: identities hold up to rounding.
const ROUNDING: f64 = 1e-9;
/// A promise counts as broken when so few runs keep it with less than this probability.
const LEVEL: f64 = 1e-3;

/// What a row is about, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Condition 1 and the confidence lemmas.
    Confidence,
    /// What the proofs use of the penalty.
    Penalty,
    /// The lemmas on sums of errors.
    ErrorSums,
    /// Theorems 1 to 4.
    Theorems,
    /// Widths that need no horizon.
    Coverage,
    /// Sublinear growth.
    Growth,
    /// What feedback keeps of a promised risk.
    Promise,
    /// A statement with one piece of the algorithm or of the claim broken: must be seen to fail.
    Control,
}

/// An inequality, and in which share of runs it is promised.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is about.
    pub family: Family,
    /// Where it stands in the paper, and for which strategy.
    pub name: String,
    /// In ASCII.
    pub inequality: String,
    /// Least probability with which it holds.
    pub promised: f64,
}

impl Statement {
    /// A statement of a family.
    pub fn new(
        family: Family,
        name: impl Into<String>,
        inequality: impl Into<String>,
        promised: f64,
    ) -> Self {
        let (name, inequality) = (name.into(), inequality.into());
        Self { family, name, inequality, promised }
    }

    /// What one run says of a law, which holds always.
    pub(super) fn law(
        family: Family,
        name: impl Into<String>,
        inequality: impl Into<String>,
        ratio: f64,
    ) -> Sample {
        Self::new(family, name, inequality, 1.0).sample(ratio)
    }

    /// What one run says of it: the left side over the right.
    pub fn sample(&self, ratio: f64) -> Sample {
        Sample { statement: self.clone(), ratio: Some(ratio) }
    }

    /// A run to which it does not apply. A statement that applies to none is not verified.
    pub fn silence(&self) -> Sample {
        Sample { statement: self.clone(), ratio: None }
    }
}

/// One run's word on a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// On what.
    pub statement: Statement,
    /// Left side over right side; the statement held when it is at most 1. `None` where it does not apply.
    pub ratio: Option<f64>,
}

/// A row of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What it is about.
    pub family: Family,
    /// Where it stands in the paper, and for which strategy.
    pub name: String,
    /// In ASCII.
    pub inequality: String,
    /// Runs it was tried in.
    pub runs: usize,
    /// Runs in which it held. The runs of a growth row make one verdict: all or none.
    pub held: usize,
    /// Least share of runs in which it should hold.
    pub promised: f64,
    /// Largest left side over right side of any run.
    pub tightest: f64,
    /// What else was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the runs are compatible with the promise.
    pub holds: bool,
    /// Whether that is as it should be.
    pub as_expected: bool,
}

impl Row {
    /// From every run's sample of one statement.
    ///
    /// The promise stands unless so few runs keep it that, were it true, the chance of that is under 1 in 1000: a
    /// one-sided binomial test.
    ///
    /// ```
    /// use rpol_lab::verify::{Family, Row, Statement};
    /// let law = Statement::new(Family::Theorems, "law", "a <= b", 0.9);
    /// assert!(Row::of(&law, &[0.5, 0.99, 1.2, 0.7]).holds); // one miss in four may be chance
    /// assert!(!Row::of(&law, &[1.5; 4]).holds); // four are not
    /// let broken = Statement::new(Family::Control, "law", "a <= b", 0.9);
    /// assert!(Row::of(&broken, &[1.5; 4]).as_expected);
    /// ```
    pub fn of(statement: &Statement, ratios: &[f64]) -> Self {
        // A NaN is not at most 1: what cannot be computed has not held.
        let held = ratios.iter().filter(|ratio| **ratio <= 1.0 + ROUNDING).count();
        let tightest = largest(ratios.iter().copied());
        let chance = at_most(held, ratios.len(), statement.promised);
        let holds = !ratios.is_empty() && chance >= LEVEL;
        Self::verdict(statement, ratios.len(), held, tightest, None, holds)
    }

    /// From a verdict that all runs make together.
    pub(super) fn jointly(
        statement: &Statement,
        runs: usize,
        tightest: f64,
        note: String,
        holds: bool,
    ) -> Self {
        let held = if holds { runs } else { 0 };
        Self::verdict(statement, runs, held, tightest, Some(note), holds)
    }

    fn verdict(
        statement: &Statement,
        runs: usize,
        held: usize,
        tightest: f64,
        note: Option<String>,
        holds: bool,
    ) -> Self {
        let Statement { family, name, inequality, promised } = statement.clone();
        // Nothing tried, or nothing computed, is neither a proof nor the failure a control is to show.
        let sound = runs > 0 && !tightest.is_nan();
        let as_expected = sound && holds == (family != Family::Control);
        Self { family, name, inequality, runs, held, promised, tightest, note, holds, as_expected }
    }
}

/// The largest of some numbers, and NaN if one of them is: `f64::max` would pass over it.
pub(super) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    numbers.into_iter().fold(f64::NEG_INFINITY, larger)
}

/// Rows in the order in which their statements come up.
pub(super) fn rows(samples: impl IntoIterator<Item = Sample>) -> Vec<Row> {
    let mut groups: Vec<(Statement, Vec<f64>)> = Vec::new();
    for Sample { statement, ratio } in samples {
        match groups.iter_mut().find(|(known, _)| *known == statement) {
            Some((_, ratios)) => ratios.extend(ratio),
            None => groups.push((statement, Vec::from_iter(ratio))),
        }
    }
    groups.iter().map(|(statement, ratios)| Row::of(statement, ratios)).collect()
}

/// $P(X \le \text{held})$ for $X \sim \mathrm{Binomial}(\text{runs}, \text{share})$.
fn at_most(held: usize, runs: usize, share: f64) -> f64 {
    if share >= 1.0 {
        return if held == runs { 1.0 } else { 0.0 };
    }
    let odds = (share / (1.0 - share)).ln();
    let mut log_term = runs as f64 * (1.0 - share).ln();
    let mut sum = log_term.exp();
    for k in 0..held {
        log_term += ((runs - k) as f64 / (k + 1) as f64).ln() + odds;
        sum += log_term.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_tail() {
        assert!((at_most(1, 3, 0.5) - 0.5).abs() < 1e-12);
        assert!((at_most(3, 3, 0.9) - 1.0).abs() < 1e-12);
        assert_eq!((at_most(2, 3, 1.0), at_most(3, 3, 1.0)), (0.0, 1.0));
        assert!(at_most(800, 1000, 0.9) < 1e-15, "no underflow to a wrong tail");
        assert!(at_most(900, 1000, 0.9) > 0.4);
    }

    #[test]
    fn what_cannot_be_computed_has_not_held() {
        let law = Statement::new(Family::Theorems, "law", "a <= b", 1.0);
        assert!(!Row::of(&law, &[0.5, f64::NAN]).holds);
        assert!(!Row::of(&law, &[]).holds, "no run is no evidence");
        let broken = Statement::new(Family::Control, "law", "a <= b", 1.0);
        assert!(!Row::of(&broken, &[f64::NAN]).as_expected, "and no failure either");
        assert!(!Row::of(&broken, &[]).as_expected);
    }

    #[test]
    fn a_statement_that_never_applies_still_has_its_row() {
        let law = Statement::new(Family::Theorems, "law", "a <= b", 1.0);
        let rows = rows([law.silence(), law.silence()]);
        assert_eq!((rows.len(), rows[0].runs, rows[0].as_expected), (1, 0, false));
    }
}
