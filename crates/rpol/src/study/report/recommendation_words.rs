//! A recommendation in words.

use super::recommendation::{Expectation, LimitOutlook, Outlook, Recommendation, Standing};
use crate::words::{percent, setting, share, shown, within};
use std::fmt;

/// Several lines: what to run, on what grounds, and what to expect.
impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outlook { params, objective, limits, .. } = &self.outlook;
        writeln!(f, "run {}", setting(params))?;
        write!(f, "{}", self.grounds())?;
        if let Some(objective) = objective {
            write!(f, "\n{objective}")?;
        }
        limits.iter().try_for_each(|limit| write!(f, "\n{limit}"))
    }
}

impl Recommendation {
    /// What speaks for it, in a sentence without a full stop.
    #[must_use]
    pub fn grounds(&self) -> String {
        let (count, sure) = (self.outlook.measurements, percent(self.confidence));
        let times = match count {
            1 => "measured once".into(),
            2 => "measured twice".into(),
            count => format!("measured {count} times"),
        };
        match self.standing {
            Standing::Confirmed => format!("confirmed: {times}, its averages keep every limit"),
            Standing::Early => format!("early: {times}, not confirmed yet"),
            Standing::Baseline => {
                format!(
                    "the baseline, {times}: nothing better keeps every limit with {sure} confidence"
                )
            }
            Standing::Closest => {
                format!(
                    "nothing yet keeps every limit with {sure} confidence; this is the closest, {times}"
                )
            }
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metric, mean, deviation, noise } = self;
        let (mean, noise) = (within(*mean, *deviation), shown(*noise));
        write!(f, "{metric}: {mean} on average, a single measurement ± {noise}")
    }
}

impl fmt::Display for LimitOutlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (next, mean) = (share(self.next_within), percent(self.mean_within));
        if let Some(expected) = &self.expected {
            writeln!(f, "{expected}")?;
        }
        write!(f, "{}: kept by {next} measurements, by the average with {mean}", self.constraint)
    }
}
