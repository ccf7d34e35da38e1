//! What a run is judged by, all of it on the true functions.

/// One round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// From 1.
    pub round: usize,
    /// The setting, in the problem's units.
    pub x: Vec<f64>,
    /// $f_t(x_t)$.
    pub f: f64,
    /// $g_{i,t}(x_t)$.
    pub g: Vec<f64>,
    /// $f_t^\star - f_t(x_t)$ against the continuous optimum of the phase: negative only where infeasible.
    pub regret: f64,
    /// The multipliers the decision used.
    pub penalties: Vec<f64>,
}

impl Round {
    /// Whether some $g_{i,t}(x_t) > 0$.
    pub fn violates(&self) -> bool {
        self.g.iter().any(|g| *g > 0.0)
    }
}

/// Sums over the rounds of a run.
///
/// ```
/// use rpol_lab::experiment::{Round, Totals};
/// let round = |regret, g| Round { round: 1, x: vec![], f: 0.0, g: vec![g], regret, penalties: vec![] };
/// let totals = Totals::of(&[round(2.0, 0.5), round(-1.0, -0.75)]);
/// assert_eq!((totals.regret, totals.positive_regret), (1.0, 2.0));
/// assert_eq!((totals.violation, totals.soft_violation), (vec![0.5], vec![0.0]));
/// assert_eq!((totals.rounds, totals.violating), (2, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Totals {
    /// $T$.
    pub rounds: usize,
    /// $R(T) = \sum_t f_t^\star - f_t(x_t)$, signed as in the paper.
    pub regret: f64,
    /// $R^+(T) = \sum_t [f_t^\star - f_t(x_t)]^+$.
    pub positive_regret: f64,
    /// $V_i(T) = \sum_t [g_{i,t}(x_t)]^+$.
    pub violation: Vec<f64>,
    /// $[\sum_t g_{i,t}(x_t)]^+$, where one round makes up for another.
    pub soft_violation: Vec<f64>,
    /// Rounds that break a constraint.
    pub violating: usize,
}

impl Totals {
    /// Adds the rounds up.
    pub fn of(rounds: &[Round]) -> Self {
        let constraints = rounds.first().map_or(0, |round| round.g.len());
        let sum = |of: &dyn Fn(&Round) -> f64| rounds.iter().map(of).sum::<f64>();
        Self {
            rounds: rounds.len(),
            regret: sum(&|r| r.regret),
            positive_regret: sum(&|r| r.regret.max(0.0)),
            violation: (0..constraints).map(|i| sum(&|r| r.g[i].max(0.0))).collect(),
            soft_violation: (0..constraints).map(|i| sum(&|r| r.g[i]).max(0.0)).collect(),
            violating: rounds.iter().filter(|r| r.violates()).count(),
        }
    }
}
