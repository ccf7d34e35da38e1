//! Whether the decisions of a log are those that this build makes.

use indicatif::{ProgressBar, ProgressStyle};
use rpol::study::{ENGINE_VERSION, Event};
use rpol::{Error, Result, Study};

/// Makes every decision of a log again. What is to be said where another version of the engine made others.
///
/// # Errors
/// Where this version made them, and they come out otherwise: the log was altered.
pub(crate) fn again(study: &Study, bar: &ProgressBar) -> Result<Option<String>> {
    bar.set_length(study.log().len() as u64);
    let others = Study::audit(study.log(), |entry| bar.set_position(entry as u64))?;
    let (Some(first), count) = (others.first(), others.len()) else { return Ok(None) };
    if study.created_by() == Some(ENGINE_VERSION) {
        let problem = format!(
            "the decision of trial {first} is not the one that the log leads to ({count} such decisions in all)"
        );
        return Err(Error::InvalidLog { position: decision(study, *first), problem });
    }
    let created = study.created_by().map_or("an older engine".into(), |v| format!("engine {v}"));
    Ok(Some(format!(
        "made by {created}, and engine {ENGINE_VERSION} of this build decides {count} of them differently"
    )))
}

/// Where in the log a trial was asked for.
fn decision(study: &Study, trial: u64) -> usize {
    let asked = |e: &Event| matches!(e, Event::Asked { number, .. } if *number == trial);
    study.log().iter().position(asked).unwrap_or_default()
}

/// On stderr, and only where that is a terminal.
pub(crate) fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} entry {pos} of {len}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style)
}
