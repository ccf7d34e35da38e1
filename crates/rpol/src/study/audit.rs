//! Whether a log is one that this program would have written.

use crate::error::{Error, Result};
use crate::study::log::event::{By, ENGINE_VERSION, Event};
use crate::study::study::Study;

impl Study {
    /// Makes every decision of a log again, from what stood before it, and gives the numbers of the trials where it
    /// comes out otherwise: another bit is another decision. `at` hears of every entry that is done.
    ///
    /// On another kind of processor last bits may differ without anything being wrong.
    ///
    /// ```
    /// use rpol::{Spec, Study, study::Event};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for _ in 0..6 {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("cost", trial.params["x"].as_f64().unwrap())]).unwrap();
    /// }
    /// let mut log = study.log().to_vec();
    /// assert!(Study::audit(&log, |_| ()).unwrap().is_empty());
    /// let Some(Event::Asked { params, .. }) = log.iter_mut().rfind(|e| matches!(e, Event::Asked { .. })) else { panic!() };
    /// params["x"] = 0.123.into();
    /// assert_eq!(Study::audit(&log, |_| ()).unwrap(), [5]);
    /// ```
    pub fn audit(log: &[Event], mut at: impl FnMut(usize)) -> Result<Vec<u64>> {
        let mut study = Self::replay(log.get(..1).unwrap_or_default().to_vec())?;
        if study.created_by() == Some(ENGINE_VERSION) {
            check_order(log)?;
        }
        let mut others = Vec::new();
        for (i, event) in log.iter().enumerate().skip(1) {
            let Event::Asked { number, params, decision, .. } = event else { continue };
            let start = start_of_the_ask(log, i);
            study.extend(log[study.log().len()..start].to_vec())?;
            let asked = match (decision.by, decision.further_of) {
                (_, Some(first)) => study.ask_further(first),
                (By::User, None) => study.ask_for(params.clone()),
                _ => study.ask(),
            };
            if asked.is_err() || study.log()[start..] != log[start..=i] {
                others.push(*number);
                study.rewind(start)?;
                study.extend(log[start..=i].to_vec())?;
            }
            at(i);
        }
        // What is left must follow as well.
        study.extend(log[study.log().len()..].to_vec())?;
        Ok(others)
    }
}

/// Refuses what may follow from what stands before it, but is never written.
fn check_order(log: &[Event]) -> Result<()> {
    for (position, event) in log.iter().enumerate() {
        let problem = match event {
            Event::Fitted { .. } | Event::Changed { .. }
                if !is_of_an_ask(log.get(position + 1)) =>
            {
                "no decision follows what one has seen".into()
            }
            Event::Corrected { number, metrics } => {
                let told = |metric: &&String| is_told(&log[..position], *number, metric);
                match metrics.keys().find(|metric| !told(metric)) {
                    Some(metric) => {
                        format!("{metric} of trial {number} is corrected and was never told")
                    }
                    None => continue,
                }
            }
            _ => continue,
        };
        return Err(Error::InvalidLog { position, problem });
    }
    Ok(())
}

fn is_of_an_ask(event: Option<&Event>) -> bool {
    matches!(event, Some(Event::Fitted { .. } | Event::Changed { .. } | Event::Asked { .. }))
}

fn is_told(log: &[Event], trial: u64, metric: &str) -> bool {
    log.iter().any(|event| match event {
        Event::Told { number, metrics } | Event::Added { number, metrics, .. } => {
            *number == trial && metrics.contains_key(metric)
        }
        _ => false,
    })
}

/// What an ask saw and learned stands before its decision.
fn start_of_the_ask(log: &[Event], decision: usize) -> usize {
    let of_the_ask = |e: &Event| matches!(e, Event::Fitted { .. } | Event::Changed { .. });
    let found = (1..decision).rev().take_while(|i| of_the_ask(&log[*i]));
    found.last().unwrap_or(decision)
}
