//! Laws of a strategy.

use super::play::play;
use crate::strategy::{Memory, Schedule, Strategy, Target, Timing};

/// Checks a strategy: it never sees a value before it has arrived, nor a point before it was asked for, nor one before
/// the first round it says it sees; what it says it accumulates it sees for ever; noise only grows; its definition survives JSON; and a study with it runs and replays.
///
/// ```
/// rpol::check::strategy(&rpol::strategy::Strategy::default());
/// ```
///
/// # Panics
/// With the law that is broken.
pub fn strategy(strategy: &Strategy) {
    strategy.learning().validate().expect("a definition that is usable");
    let json = serde_json::to_string(strategy).expect("a definition that can be written");
    let read: Strategy = serde_json::from_str(&json).expect("a definition that can be read");
    assert_eq!(&read, strategy, "the definition does not survive JSON");
    sees_no_future(strategy);
    play(&format!("\"strategy\": {json}"));
}

fn sees_no_future(strategy: &Strategy) {
    let schedule = matches!(strategy, Strategy::Master(_)).then(|| Schedule::new(1));
    let memory = Memory { since: 0, schedule };
    for t in 1..30 {
        for asked in 1..30 {
            for arrived in [None, Some(asked), Some(asked + 3), Some(asked + 40)] {
                let value = Timing { asked, arrived };
                let Some(sight) = strategy.learning().sees(&memory, t, value) else { continue };
                assert!(asked < t, "decision {t} sees a point of round {asked}");
                let known = arrived.is_some_and(|arrived| arrived < t);
                let seen = sight.target == Target::Value;
                assert!(known || !seen, "decision {t} sees a value of round {arrived:?}");
                assert!(sight.stretch >= 1.0 && sight.stretch.is_finite(), "noise shrinks");
                let first = strategy.learning().first(&memory, t);
                assert!(asked >= first, "decision {t} sees round {asked} before {first}");
                let later = strategy.learning().sees(&memory, t + 1, value);
                let kept = later == Some(sight) || !strategy.learning().accumulates();
                assert!(kept || !seen, "decision {t} sees what the next one does not");
            }
        }
    }
}
