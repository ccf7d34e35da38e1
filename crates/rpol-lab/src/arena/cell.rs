//! Every policy with every strategy, by the names they have in a study's definition.

use rpol::policy::{
    Cautious, Constrained, ConstrainedEi, EpochPenalty, FixedPenalty, Guarded, Policy, PrimalDual,
    Random, Rectified, Safe, Unconstrained,
};
use rpol::strategy::{
    Censored, Discounted, Drift, EventTriggered, Hallucinated, Master, Restart, SlidingWindow,
    Strategy, Ucb, Watchful,
};
use serde::Serialize;

/// Every policy, with its default constants.
pub(super) fn policies() -> [Policy; 11] {
    [
        Policy::Rectified(Rectified {}),
        Policy::Guarded(Guarded::default()),
        Policy::Cautious(Cautious::default()),
        Policy::PrimalDual(PrimalDual::default()),
        Policy::Constrained(Constrained::default()),
        Policy::FixedPenalty(FixedPenalty::default()),
        Policy::EpochPenalty(EpochPenalty::default()),
        Policy::Safe(Safe { expand: None }),
        Policy::ConstrainedEi(ConstrainedEi {}),
        Policy::Unconstrained(Unconstrained {}),
        Policy::Random(Random {}),
    ]
}

/// Every strategy; those that forget do so over a fifth of the rounds, as they do under the names of the literature.
pub(super) fn strategies(rounds: usize) -> [Strategy; 9] {
    let fifth = (rounds as u64 / 5).max(1);
    let master =
        Master { base: Box::default(), rate: 1.0, unit: 1.0, first: 9.0, second: 3.0, log: 1.0 };
    [
        Strategy::Ucb(Ucb {}),
        Strategy::Censored(Censored::default()),
        Strategy::Hallucinated(Hallucinated {}),
        Strategy::SlidingWindow(SlidingWindow { window: fifth, drift: Drift::Zero }),
        Strategy::Restart(Restart { period: fifth }),
        Strategy::Discounted(Discounted { factor: 0.99 }),
        Strategy::EventTriggered(EventTriggered::default()),
        Strategy::Master(master),
        Strategy::Watchful(Watchful::default()),
    ]
}

/// The name in a definition: its `type`.
pub(super) fn tag(of: &impl Serialize) -> String {
    let value = serde_json::to_value(of).unwrap_or_default();
    value["type"].as_str().unwrap_or_default().into()
}

/// `policy/strategy` of every pair.
pub fn cells() -> Vec<String> {
    let strategies = strategies(1).map(|strategy| tag(&strategy));
    let row = |policy| strategies.iter().map(move |strategy| format!("{policy}/{strategy}"));
    policies().iter().map(tag).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::{policies, strategies, tag};
    use rpol::study::Spec;
    use serde_json::Value;

    /// The `type`s a definition may have.
    fn tags(schema: &Value, of: &str) -> Vec<String> {
        let kinds = schema["$defs"][of]["oneOf"].as_array().into_iter().flatten();
        let name = |kind: &Value| kind["properties"]["type"]["const"].as_str().map(String::from);
        kinds.filter_map(name).collect()
    }

    #[test]
    fn no_policy_and_no_strategy_is_forgotten() {
        let schema = Spec::schema();
        assert_eq!(policies().map(|p| tag(&p)).to_vec(), tags(&schema, "Policy"));
        assert_eq!(strategies(9).map(|s| tag(&s)).to_vec(), tags(&schema, "Strategy"));
    }
}
